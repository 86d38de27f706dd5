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

void sched_leftovers_destroy(struct sched_leftovers *leftovers);
/* Some run has found the name as it was before, or has left it other than it was. Runs have a number of their
 * own each, by chance; 0: none did. What runs have in common, before a checkpoint, the first of them did. */
void sched_leftovers_add(struct sched_leftovers **leftovers, uint64_t name, const char *path, uint64_t found_by,
                         uint64_t left_by);
void sched_leftovers_merge(struct sched_leftovers **leftovers, const struct sched_leftovers *more);
json_t *sched_leftovers_write(const struct sched_leftovers *leftovers);
bool sched_leftovers_read(struct sched_leftovers **leftovers, const json_t *json);
/* A name that one run has left and another one found, as words for the verdict; or NULL. Caller frees. */
char *sched_leftovers_words(const struct sched_leftovers *leftovers);

#endif
