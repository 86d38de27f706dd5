/* SPDX-License-Identifier: BSD-3-Clause */
/* Type signatures that must match (MPI-4.0, section 3.3.1). */
#ifndef SCHED_CHECK_TYPES_H
#define SCHED_CHECK_TYPES_H

#include "check.h"

/* `count` times a type, as in a record. */
struct sched_items {
    uint32_t type;
    uint64_t count;
};

/* Whether the shorter is a prefix of the longer; whether they are of one length besides. True if one of them
 * is unknown. */
bool sched_items_match(const struct sched_run *run, struct sched_items a, struct sched_items b);
bool sched_items_equal(const struct sched_run *run, struct sched_items a, struct sched_items b);
/* A line of the story: where they differ, with these words for what happens to each; none if it is plain. */
void sched_items_tell_difference(struct sched_draft *draft, const struct sched_run *run, struct sched_items a,
                                 struct sched_items b, const char *a_is, const char *b_is);

/* A fired message match: is what is received, as far as the message goes, of the type that was sent? */
void sched_check_types(struct sched_run *run, const struct poe_transition *send,
                       const struct poe_transition *receive);
bool sched_types_match(const struct sched_run *run, const struct poe_transition *send,
                       const struct poe_transition *receive);

#endif
