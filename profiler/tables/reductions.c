/* SPDX-License-Identifier: BSD-3-Clause */
/* Reduction operations in use: see reductions.h. There are few of them at a time, so a list will do. */
#include "reductions.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "handles.h"

struct used {
    MPI_Op op;
    unsigned users;
    bool freed; /* by the program; PMPI_Op_free comes when nobody uses it */
    struct used *next;
};

static struct used *first;

static bool is_predefined(MPI_Op op)
{
    return op == MPI_OP_NULL || ((unsigned)op & 0xc0000000u) == 0x40000000u;
}

static struct used **find(MPI_Op op)
{
    struct used **at = &first;
    while (*at && (*at)->op != op)
        at = &(*at)->next;
    return at;
}

void prof_reduction_hold(MPI_Op op)
{
    if (is_predefined(op))
        return;
    struct used **at = find(op);
    if (!*at) {
        *at = prof_alloc(1, sizeof **at);
        (*at)->op = op;
    }
    (*at)->users++;
}

void prof_reduction_release(MPI_Op op)
{
    struct used **at = find(op), *u = *at;
    if (!u || --u->users > 0)
        return;
    *at = u->next;
    if (u->freed)
        PMPI_Op_free(&u->op);
    free(u);
}

int prof_reduction_free(MPI_Op *op)
{
    struct used *u = op ? *find(*op) : NULL;
    if (u && u->freed) { /* a copy of a handle that was freed before */
        MPI_Op null = MPI_OP_NULL;
        return PMPI_Op_free(&null);
    }
    MPI_Op handle = op ? *op : MPI_OP_NULL;
    int rc = MPI_SUCCESS;
    if (u) {
        u->freed = true;
        *op = MPI_OP_NULL;
    } else {
        rc = PMPI_Op_free(op);
    }
    if (rc == MPI_SUCCESS)
        prof_handle_freed(PROF_HANDLE_OP, (int)handle);
    return rc;
}
