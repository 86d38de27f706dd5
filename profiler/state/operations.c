/* SPDX-License-Identifier: BSD-3-Clause */
/* STATE.md has a table of what is here, and what is not. */
#include "operations.h"

#include "calls/persistent.h"
#include "engine/bsend.h"
#include "engine/errors.h"
#include "engine/operations.h"
#include "kept/early.h"
#include "kept/kept.h"
#include "link/loop.h"
#include "memory/pending.h"
#include "tables/communicators.h"
#include "tables/handles.h"
#include "tables/requests.h"

struct looking {
    struct prof_hash *hash;
    const char *why;
};

static void add_status(struct prof_hash *h, const MPI_Status *s)
{
    prof_hash_word(h, (uint64_t)(uint32_t)s->count_lo << 32 | (uint32_t)s->count_hi_and_cancelled);
    prof_hash_word(h, (uint64_t)(uint32_t)s->MPI_SOURCE << 32 | (uint32_t)s->MPI_TAG);
    prof_hash_word(h, (uint64_t)(uint32_t)s->MPI_ERROR);
}

/* A buffered send's copy is `count` of MPI_PACKED, or of a basic type (operations.c). */
static void add_copy(struct prof_hash *h, const struct prof_op *op)
{
    int size = 1;
    if (op->datatype != MPI_PACKED)
        PMPI_Type_size(op->datatype, &size);
    prof_hash_bytes(h, op->copy, (size_t)op->count * (size_t)size);
}

static void add_data(struct prof_hash *h, const struct prof_op *op)
{
    if (op->kind != PROF_OP_SEND && op->kind != PROF_OP_RECV)
        return;
    prof_hash_word(h, (uint64_t)op->count);
    prof_hash_word(h, (uint64_t)op->datatype);
    if (op->copy)
        add_copy(h, op);
    else
        prof_hash_pointer(h, op->done ? NULL : op->buf);
}

static const char *add_parts(struct prof_hash *h, const struct prof_op *op)
{
    if (op->flags & ISP_F_PARTITIONED)
        return "it has a partitioned message";
    if (op->kind == PROF_OP_GENERAL)
        return "it has a generalized request";
    if (op->kind == PROF_OP_FILE || op->kind == PROF_OP_WIN_FENCE || op->access)
        return "it uses files or windows";
    if (op->kept)
        prof_kept_hash(h, op->kept);
    if (op->early)
        prof_early_hash(h, op->early);
    for (const struct prof_pending *p = op->pending; p; p = p->next)
        if (!prof_pending_hash_one(h, p))
            return "it has touched the buffer of a pending operation";
    return NULL;
}

static void add(const struct prof_op *op, void *context)
{
    struct looking *l = context;
    struct prof_hash *h = l->hash;
    prof_hash_word(h, (uint64_t)op->number << 32 | op->kind);
    prof_hash_word(h, op->done | op->consumed << 1 | op->issued << 2 | op->marked << 3 | op->held << 4 |
                          op->arrived << 5 | (op->copy != NULL) << 6 | (op->kept != NULL) << 7 |
                          (op->early != NULL) << 8 | (op->whole != NULL) << 9);
    prof_hash_word(h, (uint64_t)op->request << 32 | op->persistent);
    prof_hash_word(h, (uint64_t)(uint32_t)(op->comm ? op->comm->number : -1) << 32 | op->flags);
    prof_hash_word(h, (uint64_t)op->reserved);
    if (op->kind == PROF_OP_MESSAGE)
        prof_hash_word(h, (uint64_t)(uint32_t)op->source << 32 | (uint32_t)op->tag);
    if (op->kind == PROF_OP_JOIN)
        for (int i = 0; i < 2; i++)
            prof_hash_word(h, op->parts[i] ? op->parts[i]->number : UINT64_MAX);
    add_data(h, op);
    prof_hash_word(h, (uint64_t)op->error);
    add_status(h, &op->status);
    prof_hash_word(h, op->defined.low);
    prof_hash_word(h, op->defined.high);
    const char *why = add_parts(h, op);
    l->why = l->why ? l->why : why;
}

const char *prof_state_operations(struct prof_hash *h)
{
    struct looking l = {.hash = h};
    prof_ops_each(add, &l);
    if (l.why)
        return l.why;
    if (!prof_persistents_hash(h))
        return "it has a partitioned message";
    prof_requests_hash(h);
    prof_handles_hash(h);
    prof_comms_hash(h);
    prof_bsend_hash(h);
    prof_errors_hash(h);
    prof_pending_hash(h);
    prof_hash_word(h, prof_loop_depth());
    return NULL;
}
