/* SPDX-License-Identifier: BSD-3-Clause */
/* See taken.h. A rank that has no wildcard costs nothing. */
#include "taken.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "poe/poe.h"

struct sched_taken {
    int ranks;
    struct sched_taken_message *of[]; /* by rank, then by source; op 0: none */
};

void sched_taken_note(struct sched_taken **taken, int ranks, const struct poe_transition *send,
                      const struct poe_transition *receive)
{
    if (receive->call.peer != ISP_ANY_SOURCE)
        return;
    if (!*taken) {
        *taken = sched_alloc(1, sizeof **taken + (size_t)ranks * sizeof *(*taken)->of);
        (*taken)->ranks = ranks;
    }
    struct sched_taken_message **of = &(*taken)->of[receive->rank];
    if (!*of)
        *of = sched_alloc((size_t)ranks, sizeof **of);
    struct sched_taken_message *m = &(*of)[send->rank];
    m->receive = receive->call;
    m->receive.list = NULL;
    m->receive.n = 0;
    m->send_comm = send->call.comm;
    m->send_tag = send->call.tag;
}

const struct sched_taken_message *sched_taken_find(const struct sched_taken *taken, int rank, int source)
{
    const struct sched_taken_message *of = taken ? taken->of[rank] : NULL;
    return of && of[source].receive.op ? &of[source] : NULL;
}

struct sched_taken *sched_taken_copy(const struct sched_taken *taken, int ranks)
{
    if (!taken)
        return NULL;
    struct sched_taken *copy = sched_alloc(1, sizeof *copy + (size_t)ranks * sizeof *copy->of);
    copy->ranks = ranks;
    for (int i = 0; i < ranks; i++) {
        if (!taken->of[i])
            continue;
        copy->of[i] = sched_alloc((size_t)ranks, sizeof **copy->of);
        memcpy(copy->of[i], taken->of[i], (size_t)ranks * sizeof **copy->of);
    }
    return copy;
}

void sched_taken_destroy(struct sched_taken *taken)
{
    for (int i = 0; taken && i < taken->ranks; i++)
        free(taken->of[i]);
    free(taken);
}
