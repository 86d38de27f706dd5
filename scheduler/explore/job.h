/* SPDX-License-Identifier: BSD-3-Clause */
/* A subtree of the search: which decisions lead to it, and what of it is still to be explored
 * (poe/search.h). */
#ifndef SCHED_JOB_H
#define SCHED_JOB_H

#include <jansson.h>
#include <stdbool.h>

#include "poe/search.h"

struct sched_job {
    bool buffered;          /* of the exploration with buffered sends */
    struct poe_step *steps; /* the prefix of its next run */
    unsigned n, root;
    json_t *done;           /* for orders.h, of the steps from root on; or NULL */
    struct sched_job *next; /* in a list */
};

/* The whole tree. */
struct sched_job *sched_job_create(bool buffered);
/* What the search has still to do, between two runs. */
struct sched_job *sched_job_of_search(const struct poe_search *search, bool buffered);
/* The subtree of another alternative of this decision, of the search's prefix. */
struct sched_job *sched_job_of_alternative(const struct poe_search *search, bool buffered, unsigned number,
                                           unsigned alternative);
struct sched_job *sched_job_copy(const struct sched_job *job);
/* The alternatives that the search has just given away, but for *later*; NULL: there are none. */
struct sched_job *sched_job_of_given(const struct poe_search *search, bool buffered,
                                     const struct poe_given *given);
/* Nobody has begun it. */
bool sched_job_is_new(const struct sched_job *job);
void sched_job_destroy(struct sched_job *job);

/* In the order of the search: as strcmp. */
int sched_job_compare(const struct sched_job *a, const struct sched_job *b);

json_t *sched_job_write(const struct sched_job *job);
/* NULL: it is none. */
struct sched_job *sched_job_read(const json_t *json);

#endif
