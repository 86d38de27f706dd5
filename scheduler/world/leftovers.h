/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that one interleaving leaves and another one finds. isp cannot undo what a run does outside of its
 * processes; and what a run does after it has found something is not what a first one would do. Which of them
 * comes first is left to the search, and differs with -j.
 */
#ifndef SCHED_LEFTOVERS_H
#define SCHED_LEFTOVERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct sched_leftovers; /* NULL: none */

/* Which bytes of a file a run has found, or left, from the first to the last; SCHED_LEFTOVER_ALL: whatever
 * there is to be seen of it, its name too. Without bytes, left: the name. */
struct sched_leftover {
    uint64_t by; /* runs have a number of their own each, by chance; 0: none did */
    uint64_t low, high;
    bool exists; /* found: that there is a file; left: there was none */
};

#define SCHED_LEFTOVER_ALL(run) ((struct sched_leftover){(run), 0, UINT64_MAX, false})

/* Both. */
void sched_leftover_join(struct sched_leftover *leftover, struct sched_leftover more);

void sched_leftovers_destroy(struct sched_leftovers *leftovers);
/* Some run has found the name as it was before, or has left it other than it was. What runs have in common,
 * before a checkpoint, the first of them did. */
void sched_leftovers_add(struct sched_leftovers **leftovers, uint64_t name, const char *path,
                         struct sched_leftover found, struct sched_leftover left);
void sched_leftovers_merge(struct sched_leftovers **leftovers, const struct sched_leftovers *more);
json_t *sched_leftovers_write(const struct sched_leftovers *leftovers);
bool sched_leftovers_read(struct sched_leftovers **leftovers, const json_t *json);
/* A name that one run has left and another one found, as words for the verdict; or NULL. Caller frees. */
char *sched_leftovers_words(const struct sched_leftovers *leftovers);

#endif
