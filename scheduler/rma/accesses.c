/* SPDX-License-Identifier: BSD-3-Clause */
/* See accesses.h. The rules are those of MPI-4.0, section 12.7, for the unified memory model, which is
 * MPICH's. */
#include "accesses.h"

#include "base/alloc.h"
#include "isp/datatypes.h"

void sched_rma_known_drop(struct sched_rma_known *known)
{
    if (known && --known->users == 0)
        free(known);
}

void sched_rma_access_destroy(struct sched_rma_access *a)
{
    if (!a)
        return;
    sched_rma_known_drop(a->known);
    free(a->runs);
    free(a);
}

bool sched_rma_is_atomic(const struct isp_access *a)
{
    return a->kind == ISP_ACCESS_ACCUMULATE || a->kind == ISP_ACCESS_FETCH || a->kind == ISP_ACCESS_SWAP;
}

bool sched_rma_is_local(const struct isp_access *a)
{
    return a->kind == ISP_ACCESS_LOAD || a->kind == ISP_ACCESS_STORE;
}

bool sched_rma_is_buffer(const struct isp_access *a)
{
    return a->kind == ISP_ACCESS_GIVE || a->kind == ISP_ACCESS_TAKE;
}

/* Of the rank's own memory, not by way of the window. */
static bool is_own(const struct isp_access *a) { return sched_rma_is_local(a) || sched_rma_is_buffer(a); }

bool sched_rma_writes(const struct isp_access *a)
{
    return a->kind == ISP_ACCESS_PUT || a->kind == ISP_ACCESS_STORE || a->kind == ISP_ACCESS_TAKE ||
           (sched_rma_is_atomic(a) && !a->no_op);
}

static bool is_locked(const struct isp_access *a)
{
    return a->epoch == ISP_EPOCH_SHARED || a->epoch == ISP_EPOCH_EXCLUSIVE;
}

static bool exclude_each_other(const struct sched_rma_access *a, const struct sched_rma_access *b)
{
    return a->rank != b->rank && is_locked(&a->what) && is_locked(&b->what) &&
           a->what.window == b->what.window &&
           (a->what.epoch == ISP_EPOCH_EXCLUSIVE || b->what.epoch == ISP_EPOCH_EXCLUSIVE);
}

/* A type that is not basic, or not known, is taken to be the right one. */
static bool same_type(uint32_t a, uint32_t b)
{
    return a == b || a >= ISP_TYPE_TOLD || b >= ISP_TYPE_TOLD || a == ISP_BASIC_NONE || b == ISP_BASIC_NONE ||
           isp_basic_class(a) == isp_basic_class(b);
}

/* Each element of the one that meets one of the other is at the same place. Two runs of bytes, of elements of
 * `size`. */
static bool is_aligned(struct isp_access_run a, struct isp_access_run b, uint64_t size)
{
    uint64_t apart = a.at > b.at ? a.at - b.at : b.at - a.at;
    return a.at + a.length <= b.at || b.at + b.length <= a.at || size == 0 || apart % size == 0;
}

static bool are_aligned(const struct sched_rma_access *a, const struct sched_rma_access *b)
{
    uint32_t type = a->what.target_type;
    uint64_t size = type < ISP_TYPE_TOLD && type != ISP_BASIC_NONE ? isp_basic_facts(type).size : 0;
    uint32_t i = 0, k = 0;
    while (i < a->n_runs && k < b->n_runs) {
        if (!is_aligned(a->runs[i], b->runs[k], size))
            return false;
        if (a->runs[i].at + a->runs[i].length < b->runs[k].at + b->runs[k].length)
            i++;
        else
            k++;
    }
    return true;
}

/* One rank's accumulates are ordered, element by element of one datatype (section 12.7.2, and the info key
 * accumulate_ordering). Those of several ranks must have the same operation, or MPI_NO_OP (accumulate_ops),
 * and their elements the same places (section 12.7.1); the
 * standard does not say with which of them MPI_Compare_and_swap goes, so it goes with all. */
static bool are_compatible(const struct sched_rma_access *a, const struct sched_rma_access *b)
{
    const struct isp_access *x = &a->what, *y = &b->what;
    if (!sched_rma_is_atomic(x) || !sched_rma_is_atomic(y))
        return false;
    if (a->rank == b->rank)
        return same_type(x->target_type, y->target_type);
    bool swaps = x->kind == ISP_ACCESS_SWAP || y->kind == ISP_ACCESS_SWAP;
    return same_type(x->target_type, y->target_type) && are_aligned(a, b) &&
           (swaps || x->op == y->op || x->no_op || y->no_op);
}

/* Beside MPI_Win_sync a load may meet what others write, and a store what others read: so a rank polls its
 * own window. */
static bool is_poll(const struct isp_access *own, const struct isp_access *other)
{
    return own->synced &&
           (own->kind == ISP_ACCESS_LOAD || (own->kind == ISP_ACCESS_STORE && !sched_rma_writes(other)));
}

bool sched_rma_needs_order(const struct sched_rma_access *a, const struct sched_rma_access *b)
{
    const struct isp_access *x = &a->what, *y = &b->what;
    if (!sched_rma_writes(x) && !sched_rma_writes(y))
        return false;
    if (is_own(x) && is_own(y)) /* other rules are about these */
        return false;
    return !are_compatible(a, b) && !exclude_each_other(a, b) && !is_poll(x, y) && !is_poll(y, x);
}

bool sched_rma_mix(const struct sched_rma_access *a, const struct sched_rma_access *b)
{
    const struct isp_access *x = &a->what, *y = &b->what;
    if (a->rank == b->rank || x->window != y->window || is_own(x) || is_own(y) || !x->epoch || !y->epoch)
        return false;
    return is_locked(x) != is_locked(y) || (!is_locked(x) && x->epoch != y->epoch);
}

/* The first run of `a` that ends behind `at`. */
static uint32_t first_behind(const struct sched_rma_access *a, uint64_t at)
{
    uint32_t low = 0, high = a->n_runs;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (a->runs[middle].at + a->runs[middle].length > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool sched_rma_meet(const struct sched_rma_access *a, const struct sched_rma_access *b,
                    struct isp_access_run *common)
{
    if (a->low >= b->high || b->low >= a->high)
        return false;
    uint32_t i = first_behind(a, b->low), k = first_behind(b, a->low);
    while (i < a->n_runs && k < b->n_runs) {
        struct isp_access_run x = a->runs[i], y = b->runs[k];
        uint64_t low = x.at > y.at ? x.at : y.at;
        uint64_t x_end = x.at + x.length, y_end = y.at + y.length, high = x_end < y_end ? x_end : y_end;
        if (low < high) {
            *common = (struct isp_access_run){low, high - low};
            return true;
        }
        if (x_end < y_end)
            i++;
        else
            k++;
    }
    return false;
}

static bool is_alike(const struct sched_rma_access *a, const struct sched_rma_access *b)
{
    const struct isp_access *x = &a->what, *y = &b->what;
    return a->rank == b->rank && a->version == b->version && x->kind == y->kind && x->epoch == y->epoch &&
           x->site == y->site && x->fn == y->fn && x->window == y->window && x->target == y->target &&
           x->op == y->op && x->no_op == y->no_op && x->synced == y->synced &&
           x->target_type == y->target_type;
}

bool sched_rma_is_again(const struct sched_rma_access *a, const struct sched_rma_access *b)
{
    if (sched_rma_is_buffer(&a->what) && a->state != SCHED_RMA_ENDED)
        return false;
    return is_alike(a, b) && a->n_runs == b->n_runs &&
           memcmp(a->runs, b->runs, a->n_runs * sizeof *a->runs) == 0;
}

bool sched_rma_merge(struct sched_rma_access *a, const struct sched_rma_access *b)
{
    if (sched_rma_is_buffer(&a->what))
        return false;
    if (!is_alike(a, b) || a->state != SCHED_RMA_PENDING || a->has_handle || b->low < a->high ||
        b->n_runs != 1 || a->n_runs == ISP_ACCESS_RUNS_MAX)
        return false;
    if (b->low == a->high) {
        a->runs[a->n_runs - 1].length += b->runs[0].length;
    } else {
        if (a->n_runs == a->runs_room) {
            a->runs_room = 2 * a->runs_room + 1;
            a->runs = sched_grow(a->runs, a->runs_room, sizeof *a->runs);
        }
        a->runs[a->n_runs++] = b->runs[0];
    }
    a->high = b->high;
    return true;
}
