/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who is told what a run does, as it happens: the trace, the clocks of windows and files, the checks, the
 * path, and the comparison with the run before. A listener decides nothing, and changes nothing of the run;
 * only that MPI itself may hang in a match set, of that it warns.
 *
 * All are told in the order in which they were added. The run is that of poe at this moment.
 */
#ifndef SCHED_LISTENER_H
#define SCHED_LISTENER_H

#include <stdbool.h>
#include <stdint.h>

struct isp_access;
struct isp_call;
struct poe_choice;
struct poe_fired;
struct sched_run;

/* What a kind of listener wants to hear; NULL: not that. */
struct sched_listener {
    /* It begins, or goes on after this many decisions. One that has not ended was made in vain. */
    void (*begin)(void *self, const struct sched_run *run, unsigned decisions);
    /* A rank has made this call (with its global site and types); poe is about to be given it. */
    void (*call)(void *self, struct sched_run *run, int rank, const struct isp_call *call);
    /* A rank has accessed the memory of a window. */
    void (*access)(void *self, const struct sched_run *run, int rank, const struct isp_access *access);
    /* A match set has fired. False: its ranks must not be released, and so the run is over. */
    bool (*fired)(void *self, struct sched_run *run, const struct poe_fired *fired);
    /* A choice point. */
    void (*choice)(void *self, struct sched_run *run, const struct poe_choice *choice);
    /* This alternative of it is about to be decided. */
    void (*decide)(void *self, struct sched_run *run, const struct poe_choice *choice, unsigned taken);
    /* It is over. ending: "finished", "deadlock" ...: docs/trace.md. `stuck`: poe can say what the ranks wait
     * for. */
    void (*end)(void *self, const struct sched_run *run, const char *ending, bool stuck);
};

enum { SCHED_LISTENERS_MAX = 8 };

struct sched_listeners {
    struct {
        const struct sched_listener *kind;
        void *self;
    } all[SCHED_LISTENERS_MAX];
    unsigned n;
};

void sched_listeners_add(struct sched_listeners *listeners, const struct sched_listener *kind, void *self);

/* Tells the listeners of this run. */
void sched_tell_begin(const struct sched_run *run, unsigned decisions);
void sched_tell_call(struct sched_run *run, int rank, const struct isp_call *call);
void sched_tell_access(const struct sched_run *run, int rank, const struct isp_access *access);
bool sched_tell_fired(struct sched_run *run, const struct poe_fired *fired);
void sched_tell_choice(struct sched_run *run, const struct poe_choice *choice);
void sched_tell_decide(struct sched_run *run, const struct poe_choice *choice, unsigned taken);
void sched_tell_end(const struct sched_run *run, const char *ending, bool stuck);

#endif
