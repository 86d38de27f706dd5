/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a fork does not hand on, or shares where it must not: timers, the offsets of open files, the process
 * manager's connection, debug registers. It is noted before the fork, and put right in both processes.
 */
#ifndef PROF_FORKED_H
#define PROF_FORKED_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/types.h>

#define PROF_FORKED_FILES 256

struct prof_forked {
    sigset_t signals;
    struct itimerval timers[3];
    unsigned n_files;
    struct {
        int fd;
        off_t offset;
    } files[PROF_FORKED_FILES];
    int input; /* bytes that wait in standard input; -1: it is no pipe */
};

/* Why this process cannot be a checkpoint; NULL: it can. */
const char *prof_forked_refuses(void);
/* Before the fork: no signal is handled and no timer runs until one of the next two is called. */
void prof_forked_prepare(struct prof_forked *state);
/* Whether this process can go back in place: it has no threads or children that would stay. */
bool prof_forked_is_alone(void);
/* This descriptor is /dev/null from here on. */
bool prof_forked_turn_away(int fd);
/* In the child, right after the fork. */
void prof_forked_child(void);
/* In the process that goes on. */
void prof_forked_go_on(const struct prof_forked *state);
/* In a process that has gone back in place (rewind/rewind.h). Before prof_forked_again. */
void prof_forked_back(void);
/* In the process that stays, when the other one has ended, or when it has gone back. False: something was
 * used up that cannot be taken back. */
bool prof_forked_again(const struct prof_forked *state);

#endif
