/* SPDX-License-Identifier: BSD-3-Clause */
/* See definitions.h. The program may pass anything: the kernel reads what is behind its pointers. */
#include "definitions.h"

#include <mpi.h>

#include "base/alloc.h"
#include "base/errors_quiet.h"
#include "base/peek.h"
#include "base/phase.h"
#include "engine/fence.h"
#include "link/bindings.h"
#include "outside/caller.h"
#include "threads/thread.h"

__thread const struct prof_told *prof_told_current __attribute__((tls_model("initial-exec")));

enum { MOST = 1 << 20, STRING = 4096 };

static const void *pointer(const struct prof_told *t, int at)
{
    return (const void *)(intptr_t)t->values[at];
}

/* ---- lengths ---- */

static int64_t number_at(const void *array, int64_t i)
{
    int value = -1;
    return prof_peek(&value, (const int *)array + i, sizeof value) ? value : -1;
}

/* The array of degrees, and their number, are arguments 3 and 1 of MPI_Dist_graph_create; the index of a
 * graph, and the number of its nodes, are arguments 2 and 1 of MPI_Graph_create. */
static int64_t special_length(const struct prof_told *t, int of)
{
    int64_t n = t->values[1], sum = 0;
    int dims = -1;
    switch (of) {
    case PROF_TOLD_EDGES: return n > 0 ? number_at(pointer(t, 2), n - 1) : 0;
    case PROF_TOLD_DEGREES:
        for (int64_t i = 0; i < n && i < MOST; i++)
            sum += number_at(pointer(t, 3), i);
        return sum;
    default: /* the communicator may be a wrong argument */
        prof_errors_quiet(true);
        PMPI_Cartdim_get((MPI_Comm)t->values[0], &dims);
        prof_errors_quiet(false);
        return dims;
    }
}

static int64_t length_of(const struct prof_told *t, const struct prof_told_argument *a)
{
    return a->of >= 0 ? t->values[a->of] : special_length(t, a->of);
}

/* ---- the history ---- */

static void add_array(struct prof_hash *h, const struct prof_told *t, const struct prof_told_argument *a)
{
    int64_t n = length_of(t, a);
    prof_hash_word(h, (uint64_t)n);
    if (n > MOST)
        prof_definitions.unknown = isp_fn_name(t->how->fn);
    else if (n > 0)
        prof_hash_peeked(h, pointer(t, a->at), (size_t)n * a->bytes);
}

static void add_string(struct prof_hash *h, const char *string)
{
    char c;
    size_t n = 0;
    while (n < STRING && prof_peek(&c, string + n, 1) && c)
        n++;
    prof_hash_peeked(h, string, n);
    if (n == STRING)
        prof_definitions.unknown = "a long text";
}

static void add_before(struct prof_hash *h, const struct prof_told *t)
{
    for (const struct prof_told_argument *a = t->how->each; a < t->how->each + t->how->n; a++)
        switch ((enum prof_told_how)a->how) {
        case PROF_TOLD_VALUE: prof_hash_word(h, (uint64_t)t->values[a->at]); break;
        case PROF_TOLD_STRING: add_string(h, pointer(t, a->at)); break;
        case PROF_TOLD_IN_ARRAY: add_array(h, t, a); break;
        case PROF_TOLD_INOUT: prof_hash_peeked(h, pointer(t, a->at), a->bytes); break;
        case PROF_TOLD_OUT:
        case PROF_TOLD_OUT_ARRAY: break;
        }
}

static void add_after(struct prof_hash *h, const struct prof_told *t)
{
    for (const struct prof_told_argument *a = t->how->each; a < t->how->each + t->how->n; a++)
        if (a->how == PROF_TOLD_OUT || a->how == PROF_TOLD_INOUT)
            prof_hash_peeked(h, pointer(t, a->at), a->bytes);
        else if (a->how == PROF_TOLD_OUT_ARRAY)
            add_array(h, t, a);
}

/* ---- memory that MPI gives the program ---- */

static struct given {
    const void *start;
    size_t size;
} * given;
static size_t n_given;

static void note_memory(const struct prof_told *t)
{
    const void *start;
    if (t->how->fn == ISP_FN_MPI_Alloc_mem && t->values[0] > 0 &&
        prof_peek(&start, pointer(t, 2), sizeof start) && start) {
        given = prof_grow(given, n_given + 1, sizeof *given);
        given[n_given++] = (struct given){start, (size_t)t->values[0]};
    }
}

static void forget_memory(const struct prof_told *t)
{
    for (size_t i = 0; t->how->fn == ISP_FN_MPI_Free_mem && i < n_given; i++)
        if (given[i].start == pointer(t, 0)) {
            given[i] = given[--n_given];
            return;
        }
}

void prof_told_each_memory(void (*see)(const void *start, size_t size, void *context), void *context)
{
    for (size_t i = 0; i < n_given; i++)
        see(given[i].start, given[i].size, context);
}

/* ---- one call ---- */

void prof_told_begin(struct prof_told *t, const void *site)
{
    t->site = site;
    t->records = prof_records();
    t->outer = prof_depth > 0 ? prof_told_current : NULL;
    prof_told_current = t;
    if (!t->outer)
        prof_fence_forget_answers();
    if (t->how->plain)
        return;
    struct prof_hash *h = &prof_definitions.history;
    prof_hash_word(h, t->how->fn);
    prof_hash_pointer(h, prof_call_site(site));
    if (t->how->unknown)
        prof_definitions.unknown = isp_fn_name(t->how->fn);
    add_before(h, t);
    forget_memory(t);
}

static void add_end(const struct prof_told *t)
{
    prof_hash_word(&prof_definitions.history, ~(uint64_t)t->how->fn);
    add_after(&prof_definitions.history, t);
    note_memory(t);
}

void prof_told_end(struct prof_told *t)
{
    prof_told_current = t->outer;
    if (!t->how->plain)
        add_end(t);
    t->records = 0; /* it stays on the stack */
    if (!t->outer && prof_threads_never())
        prof_caller_sweep();
}
