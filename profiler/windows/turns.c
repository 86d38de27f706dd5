/* SPDX-License-Identifier: BSD-3-Clause */
/* See turns.h. */
#include "turns.h"

#include <string.h>

#include "engine/fence.h"
#include "engine/prof.h"
#include "looks.h"
#include "rma.h"
#include "types/types.h"
#include "windows.h"

enum { SMALL = 32 }; /* bytes: any basic type */

/* Bytes of the data at its origin; 0: none, or not small. */
static size_t bytes_of(MPI_Datatype datatype, MPI_Count count)
{
    struct prof_type *entry;
    MPI_Count size;
    if (count <= 0 || count > SMALL || prof_type_is_freed(datatype) ||
        !prof_type_find(datatype, &size, &entry) || size <= 0)
        return 0;
    return size * count <= SMALL ? (size_t)(size * count) : 0;
}

static bool is_basic(MPI_Datatype datatype)
{
    int integers, addresses, types, combiner;
    return PMPI_Type_get_envelope(datatype, &integers, &addresses, &types, &combiner) == MPI_SUCCESS &&
           combiner == MPI_COMBINER_NAMED;
}

bool prof_turn_is_needed(const struct prof_rma *a)
{
    const struct prof_win *w = prof_phase == PROF_RUNNING ? prof_win_find(a->win) : NULL;
    if (!w || a->target < 0 || a->target >= w->n || prof_epochs_kind(w, a->target) != PROF_EPOCH_SHARED ||
        prof_window_is_untold())
        return false;
    switch (a->kind) {
    case ISP_ACCESS_FETCH:
    case ISP_ACCESS_SWAP: return true;
    case ISP_ACCESS_ACCUMULATE: return a->target_count == 1 && bytes_of(a->target_type, 1);
    case ISP_ACCESS_GET: return a->request && bytes_of(a->target_type, a->target_count);
    default: return false;
    }
}

/* What it fetches is put there. */
static size_t bytes_of_result(const struct prof_rma *a)
{
    return a->result && is_basic(a->result_type) ? bytes_of(a->result_type, a->result_count) : 0;
}

static bool fetches(const struct prof_rma *a)
{
    return a->kind == ISP_ACCESS_FETCH || a->kind == ISP_ACCESS_SWAP || a->kind == ISP_ACCESS_GET;
}

void prof_turn_await(const struct prof_rma *a)
{
    const struct prof_win *w = prof_win_find(a->win);
    struct isp_call call = {
        .op = ISP_OP_LOCK, .mode = ISP_LOCK_ATOMIC, .comm = w->number, .peer = w->world[a->target]};
    if (fetches(a))
        call.flags = prof_looks_atomic(a->result, bytes_of_result(a));
    struct isp_result result;
    prof_fence(&call, &result);
}

/* What it fetched is what is there now. */
static bool is_unchanged(const struct prof_rma *a, const void *compare)
{
    size_t n = bytes_of(a->result_type, a->result_count);
    if (!n || !is_basic(a->result_type))
        return false;
    if (compare)
        return memcmp(a->result, compare, n) != 0 || memcmp(a->origin, compare, n) == 0;
    if (a->op == MPI_REPLACE)
        return memcmp(a->result, a->origin, n) == 0;
    _Alignas(16) char sum[SMALL];
    memcpy(sum, a->result, n);
    return PMPI_Reduce_local(a->origin, sum, (int)a->result_count, a->result_type, a->op) == MPI_SUCCESS &&
           memcmp(sum, a->result, n) == 0;
}

int prof_turn_end(const struct prof_rma *a, int rc, const void *compare)
{
    if (rc != MPI_SUCCESS)
        return rc;
    rc = PMPI_Win_flush(a->target, a->win);
    bool reads = a->kind == ISP_ACCESS_GET || (a->kind == ISP_ACCESS_FETCH && a->op == MPI_NO_OP);
    bool unchanged = rc == MPI_SUCCESS && fetches(a) && !reads && is_unchanged(a, compare);
    if (unchanged)
        prof_window_tell_unchanged(prof_win_find(a->win));
    if (rc == MPI_SUCCESS && (reads || unchanged))
        prof_looks_read(a->result, bytes_of_result(a));
    else
        prof_looks_over();
    prof_looks_leave();
    return rc;
}
