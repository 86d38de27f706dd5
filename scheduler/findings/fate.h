/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * On what a finding depends. Of the runs that came to their end without it, those are kept that lie next to
 * its first run in the order of the search (moment.h), on both sides: in a lexicographic order nobody parts
 * from that run later than its neighbours do. So where the first run leaves them, at the last, its fate was
 * sealed: the *critical choice*. Runs that ended otherwise (in another deadlock, in a crash) say nothing:
 * nobody knows what they would have come to.
 *
 * That needs one name on each side, however many runs there are; and of a part of the exploration in which
 * the finding does not occur only its first and its last run, since all other runs lie between them, and the
 * finding's does not (a part is an interval of the order: explore/job.h).
 */
#ifndef SCHED_FATE_H
#define SCHED_FATE_H

#include <stdint.h>

#include "path.h"

struct sched_fate {
    char *before, *after;    /* names of finished runs without the finding; NULL: none */
    uint64_t shown;          /* interleavings with it */
    struct sched_path *path; /* of the first run with it, from where it parts from `before` */
};

struct sched_fate *sched_fate_create(void);
void sched_fate_destroy(struct sched_fate *fate);
struct sched_fate *sched_fate_copy(const struct sched_fate *fate);
/* `run`, of the same exploration (with buffered sends, or without), has finished without the finding, whose
 * first run is `first`. */
void sched_fate_meet(struct sched_fate *fate, const char *first, const char *run);
/* How many decisions `first` shares with the run that parts from it last, which is *other. False: there is
 * none. */
bool sched_fate_parting(const struct sched_fate *fate, const char *first, unsigned *decision,
                        const char **other);

/* Finished runs of a part: all others lie between the first and the last. */
struct sched_span {
    bool buffered;
    char *first, *last;
};

#endif
