/* SPDX-License-Identifier: BSD-3-Clause */
/* In which order MPI_Startall starts its requests: see startall.h. */
#include "startall.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "engine/fence.h"
#include "engine/operations.h"
#include "link/uplink.h"
#include "persistent.h"

/* Whether their order can be told apart. Partitioned messages match in that of their initialization. */
static bool compete(const struct prof_persistent *a, const struct prof_persistent *b)
{
    const struct prof_envelope *x = &a->envelope, *y = &b->envelope;
    if (a == b || a->kept || b->kept || a->partitions || b->partitions || a->kind != b->kind ||
        x->c != y->c || x->peer == MPI_PROC_NULL || y->peer == MPI_PROC_NULL)
        return false;
    if (a->kind == PROF_OP_SEND)
        return x->peer == y->peer && x->tag == y->tag &&
               (x->buf != y->buf || x->count != y->count || x->datatype != y->datatype);
    bool source = x->peer == y->peer || x->peer == MPI_ANY_SOURCE || y->peer == MPI_ANY_SOURCE;
    return source && (x->tag == y->tag || x->tag == MPI_ANY_TAG || y->tag == MPI_ANY_TAG);
}

/* One of several is the next: the handles of the others stay, in their order. Returns its position. */
static uint32_t choose(uint32_t handles[], uint32_t n)
{
    struct isp_call call = {.op = ISP_OP_COMPLETE, .mode = ISP_COMPLETE_ANY, .list = handles, .n = n};
    struct isp_result result;
    prof_fence(&call, &result);
    if (result.n != 1 || result.list[0] >= n)
        prof_link_broken();
    uint32_t at = result.list[0];
    prof_op_consume(prof_op_at(handles[at]));
    for (uint32_t i = at; i + 1 < n; i++)
        handles[i] = handles[i + 1];
    return at;
}

/* members: of them order[] has the indices, which are put into another order at the same places. */
static void shuffle(int32_t comm, int order[], const int members[], uint32_t n)
{
    uint32_t *handles = prof_alloc(n, sizeof *handles);
    int *left = prof_alloc(n, sizeof *left);
    MPI_Status status;
    prof_status_empty(&status);
    for (uint32_t i = 0; i < n; i++) {
        left[i] = order[members[i]];
        handles[i] = prof_op_create_local(comm, &status)->number;
    }
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = n - i > 1 ? choose(handles, n - i) : 0;
        order[members[i]] = left[at];
        for (uint32_t k = at; k + 1 < n - i; k++)
            left[k] = left[k + 1];
    }
    struct isp_call call = {.op = ISP_OP_FREE, .handle = handles[0]};
    prof_record(&call);
    prof_op_consume(prof_op_at(handles[0]));
    free(handles);
    free(left);
}

void prof_startall_order(int n, const MPI_Request requests[], int order[])
{
    const struct prof_persistent **all = prof_alloc((size_t)n, sizeof(struct prof_persistent *));
    int *members = prof_alloc((size_t)n, sizeof *members), placed = 0;
    bool *seen = prof_alloc((size_t)n, sizeof *seen);
    for (int receives = 1; receives >= 0; receives--)
        for (int i = 0; i < n; i++)
            if ((prof_persistent_of(requests[i])->kind == PROF_OP_RECV) == receives)
                order[placed++] = i;
    for (int i = 0; i < n; i++)
        all[i] = prof_persistent_of(requests[order[i]]);
    for (int first = 0; first < n; first++) {
        int found = 0;
        if (seen[first])
            continue;
        seen[first] = true;
        members[found++] = first;
        for (int k = 0; k < found; k++) /* also those that compete with them */
            for (int i = first + 1; i < n; i++)
                if (!seen[i] && compete(all[members[k]], all[i])) {
                    seen[i] = true;
                    members[found++] = i;
                }
        if (found > 1)
            shuffle(all[first]->envelope.c->number, order, members, (uint32_t)found);
    }
    free(all);
    free(members);
    free(seen);
}
