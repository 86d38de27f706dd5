/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See looks.h. The states of two looks are compared as they are called, but for the second of two atomic
 * accesses: as the first one is over. That it was a look is known only then, and what is none costs nothing.
 * Since the first one leaves its result in variables that had none, and MPI_Rget its request, the state may
 * then seem to have changed: the scheduler lets such a program look once more.
 */
#include "looks.h"

#include "engine/prof.h"
#include "isp/call.h"
#include "outside/caller.h"
#include "outside/writable.h"
#include "threads/thread.h"

enum { PLACES = 8 }; /* that are known */

struct look {
    const void *place;
    uint64_t row; /* it belongs to */
    unsigned n;   /* looks of it here */
    bool has_entered, has_left;
    uint64_t entered; /* the state when the last one was called */
    uint64_t left;    /* ... and when it was over */
};

static __thread struct looking {
    struct look looks[PLACES];
    unsigned next;
    uint64_t row; /* its number, from 1; 0: the thread does not look */
    uint64_t rows;
} looking __attribute__((tls_model("initial-exec")));

static struct look *find(void)
{
    struct looking *l = &looking;
    const void *place = prof_caller_place();
    unsigned i = 0;
    if (!l->row)
        l->row = ++l->rows;
    while (i < PLACES && l->looks[i].place != place)
        i++;
    if (i == PLACES)
        i = l->next++ % PLACES;
    if (l->looks[i].place != place || l->looks[i].row != l->row)
        l->looks[i] = (struct look){.place = place, .row = l->row};
    return &l->looks[i];
}

/* Bytes of arguments that lie on the stack, and what aligns them: the program does not write the latter, and
 * the calls in between do. */
static uintptr_t bytes_of_arguments(void)
{
#if defined __x86_64__
    enum { REGISTERS = 6, ALIGNED = 16 };
#else
    enum { REGISTERS = 8, ALIGNED = 16 };
#endif
    uintptr_t n = 0;
    switch (prof_current.fn) {
    case ISP_FN_MPI_Fetch_and_op:
    case ISP_FN_MPI_Compare_and_swap: n = 7; break;
    case ISP_FN_MPI_Rget:
    case ISP_FN_MPI_Rget_c: n = 8; break;
    case ISP_FN_MPI_Get_accumulate:
    case ISP_FN_MPI_Get_accumulate_c: n = 12; break;
    case ISP_FN_MPI_Rget_accumulate:
    case ISP_FN_MPI_Rget_accumulate_c: n = 13; break;
    default: return 0;
    }
    return n <= REGISTERS ? 0 : ((n - REGISTERS) * sizeof(void *) + ALIGNED - 1) & ~(uintptr_t)(ALIGNED - 1);
}

static bool hash_of_state(const void *result, size_t bytes, uint64_t *hash)
{
    struct prof_caller c;
    if (!prof_caller_find(&c))
        return false;
    *hash = c.registers;
    bool statics = !prof_threads_several();
    return prof_writable_hash_small(c.stack + bytes_of_arguments(), c.ignored, statics, result, bytes, hash);
}

/* The state as the look is called. */
static uint16_t enter(struct look *look, const void *result, size_t bytes)
{
    uint64_t hash;
    bool known = look->has_entered || look->has_left;
    if (!hash_of_state(result, bytes, &hash)) {
        look->has_entered = look->has_left = false;
        return 0;
    }
    bool same = (look->has_entered && look->entered == hash) || (look->has_left && look->left == hash);
    look->has_entered = true;
    look->entered = hash;
    return known && !same ? ISP_F_CHANGED : 0;
}

uint16_t prof_looks_lock(void)
{
    struct look *look = find();
    return look->n++ ? enter(look, NULL, 0) : 0; /* a lock that is not the last one's again is cheap */
}

uint16_t prof_looks_atomic(const void *result, size_t bytes)
{
    struct look *look = find();
    return look->n ? enter(look, result, bytes) : 0;
}

void prof_looks_read(const void *result, size_t bytes)
{
    struct look *look = find();
    look->n++;
    look->has_left = hash_of_state(result, bytes, &look->left);
}

void prof_looks_over(void) { looking.row = 0; }

/* As poe_visit_record has it. */
void prof_looks_record(const struct isp_call *call)
{
    bool request = call->op == ISP_OP_SEND && call->peer == ISP_NO_RANK;
    bool look = call->op == ISP_OP_LOCK || call->op == ISP_OP_UNLOCK || call->op == ISP_OP_COMPLETE ||
                call->op == ISP_OP_PROBE;
    if (!look && !request)
        prof_looks_over();
}

void prof_looks_leave(void)
{
    if (looking.row)
        prof_caller_sweep();
}
