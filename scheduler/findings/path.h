/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The decisions of a run, as much of them as a report may want to tell: which call of which rank was decided,
 * and what it could take. It is flat, and outlives the run.
 */
#ifndef SCHED_PATH_H
#define SCHED_PATH_H

#include <jansson.h>

#include "poe/poe.h"
#include "run/listener.h"
#include "sites/sites.h"

struct sched_path_alternative {
    enum poe_alternative_kind kind;
    uint16_t fn;        /* the send, or the operation that completes; 0: unknown, or several */
    int rank;           /* TAKE_MESSAGE: whose it is */
    uint32_t site;      /* of fn */
    uint32_t n;         /* TAKE_SUBSET: how many complete ... */
    uint64_t positions; /* ... and where they are, of the first 64 */
};

struct sched_path_choice {
    int rank;
    uint16_t fn;
    uint8_t op, mode; /* of its record */
    uint32_t site;
    uint32_t first, n; /* its alternatives */
};

struct sched_path {
    struct sched_path_choice *choices;
    struct sched_path_alternative *alternatives;
    unsigned from; /* decisions before the first of them */
    unsigned n, room, n_alternatives, room_alternatives;
};

struct sched_path *sched_path_create(void);
void sched_path_destroy(struct sched_path *path);
/* Without the first `from` decisions; NULL of NULL. */
struct sched_path *sched_path_copy(const struct sched_path *path, unsigned from);
/* It listens: to the decisions of the run. What it has of the run before stays as far as that goes the same
 * way. Nothing is noted any more where a path has a quarter of a million alternatives. */
extern const struct sched_listener sched_path_listener;
/* Of this decision; NULL: it is not there. path: may be NULL. */
const struct sched_path_choice *sched_path_find(const struct sched_path *path, unsigned number);
/* What it does if it takes this alternative, as words behind its name: "takes the message of rank 2, sent at
 * app.c:9 main". Caller frees. */
char *sched_path_words(const struct sched_path *path, const struct sched_path_choice *choice, unsigned taken,
                       struct sched_sites *sites);

/* For another process. `site`: how a site is written. */
json_t *sched_path_write(const struct sched_path *path, json_t *(*site)(const struct sched_sites *, uint32_t),
                         const struct sched_sites *sites);
/* NULL: it is none. */
struct sched_path *sched_path_read(const json_t *json, uint32_t (*site)(struct sched_sites *, const json_t *),
                                   struct sched_sites *sites);

#endif
