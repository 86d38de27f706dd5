/* SPDX-License-Identifier: BSD-3-Clause */
/* See words.h. Names that come from the program are escaped here, so that a story can be printed as
 * it is. */
#include "words.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isp/functions.h"
#include "base/escape.h"
#include "run/options.h"
#include "poe/poe.h"
#include "sites/sites.h"

void sched_words_add(char **text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sched_words_add_list(text, format, args);
    va_end(args);
}

void sched_words_add_list(char **text, const char *format, va_list args)
{
    char *more = sched_format_list(format, args);
    char *both = sched_format("%s%s", *text ? *text : "", more);
    free(more);
    free(*text);
    *text = both;
}

/* "0, 2-4" */
static void add_ranks(char **text, const int *ranks, size_t n)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && ranks[end] == ranks[end - 1] + 1; end++)
            ;
        if (end - i == 2) /* 1, 2 rather than 1-2 */
            end--;
        sched_words_add(text, i ? ", %d" : "%d", ranks[i]);
        if (end - i > 1)
            sched_words_add(text, "-%d", ranks[end - 1]);
    }
}

char *sched_words_ranks(const int *ranks, size_t n)
{
    char *text = sched_format(n == 1 ? "rank " : "ranks ");
    add_ranks(&text, ranks, n);
    return text;
}

const char *sched_words_scope(const struct isp_call *call)
{
    static const char *const scopes[] = {
        [ISP_SCOPE_COMM] = "communicator", [ISP_SCOPE_WINDOW] = "window", [ISP_SCOPE_FILE] = "file"};
    return scopes[isp_fn_scope((enum isp_fn)call->fn)];
}

char *sched_words_comm(const struct sched_run *run, const struct isp_call *call)
{
    const char *scope = sched_words_scope(call);
    int comm = call->comm;
    if (comm == ISP_COMM_WORLD)
        return sched_format("MPI_COMM_WORLD");
    if (comm >= ISP_COMM_SELF(0) && comm < ISP_COMM_SELF(run->options->ranks))
        return sched_format("MPI_COMM_SELF");
    const int *members;
    unsigned n = poe_comm_members(run->poe, comm, &members);
    if (n == 0)
        return sched_format("a freed %s", scope);
    if (n > 16)
        return sched_format("a %s of %u ranks", scope, n);
    char *text = sched_format("%s of rank%s ", scope, n == 1 ? "" : "s");
    add_ranks(&text, members, n); /* in its own order: position i is its rank i */
    return text;
}

/* What the program calls a world rank on this communicator; of an intercommunicator, one of either side. -1:
 * it is no member. */
static int place_of(const struct sched_run *run, int comm, int rank)
{
    const int *members;
    int n = (int)poe_comm_members(run->poe, comm, &members), first = (int)poe_comm_first_side(run->poe, comm);
    for (int i = 0; i < n; i++)
        if (members[i] == rank)
            return i < first ? i : i - first;
    return -1;
}

char *sched_words_rank_of(const struct sched_run *run, const struct isp_call *call, int rank)
{
    bool comm = isp_fn_scope((enum isp_fn)call->fn) == ISP_SCOPE_COMM && call->comm > ISP_COMM_WORLD;
    int own = comm ? place_of(run, call->comm, rank) : rank;
    return own < 0 || own == rank ? sched_format("%d", rank) : sched_format("%d (world rank %d)", own, rank);
}

static void add_peer(const struct sched_run *run, char **text, const char *direction,
                     const struct isp_call *call)
{
    if (call->peer == ISP_NO_RANK && isp_fn_scope((enum isp_fn)call->fn) != ISP_SCOPE_COMM)
        return; /* an access with a request */
    if (call->peer == ISP_ANY_SOURCE)
        sched_words_add(text, "%s any", direction);
    else if (call->peer < 0)
        sched_words_add(text, "%s MPI_PROC_NULL", direction);
    else {
        char *peer = sched_words_rank_of(run, call, call->peer);
        sched_words_add(text, "%s %s", direction, peer);
        free(peer);
    }
    if (call->flags & ISP_F_SIGNAL)
        return; /* its tag means nothing to the program */
    if (call->tag == ISP_ANY_TAG)
        sched_words_add(text, ", any tag");
    else
        sched_words_add(text, ", tag %d", call->tag);
}

static void add_lock(char **text, const struct isp_call *call)
{
    if (call->op == ISP_OP_LOCK && call->mode == ISP_LOCK_TURN)
        return;
    if (call->peer == ISP_ANY_SOURCE)
        sched_words_add(text, "of all ranks");
    else
        sched_words_add(text, "of rank %d", call->peer);
    if (call->op == ISP_OP_LOCK && call->mode != ISP_LOCK_ATOMIC)
        sched_words_add(text, call->mode == ISP_LOCK_SHARED ? ", shared" : ", exclusive");
}

char *sched_words_call(const struct sched_run *run, const struct isp_call *call)
{
    char *inside = NULL;
    bool mrecv = call->op == ISP_OP_RECV && call->mode == ISP_RECV_MESSAGE;
    bool message = call->op == ISP_OP_SEND || call->op == ISP_OP_RECV || call->op == ISP_OP_PROBE;
    const char *name = isp_fn_name((enum isp_fn)call->fn);
    if (message && !mrecv)
        add_peer(run, &inside, call->op == ISP_OP_SEND ? "to" : "from", call);
    if (call->op == ISP_OP_LOCK || call->op == ISP_OP_UNLOCK)
        add_lock(&inside, call);
    if (call->op == ISP_OP_COLLECTIVE && call->root >= 0) {
        char *root = sched_words_rank_of(run, call, call->root);
        sched_words_add(&inside, "root %s", root);
        free(root);
    }
    if (call->op == ISP_OP_COMPLETE && call->n > 1 && (strstr(name, "Wait") || strstr(name, "Test")))
        sched_words_add(&inside, "%u requests", call->n);
    if (((message && !mrecv) || call->op == ISP_OP_COLLECTIVE) && call->comm != ISP_COMM_WORLD) {
        char *comm = sched_words_comm(run, call);
        sched_words_add(&inside, "%s%s", inside ? ", " : "", comm);
        free(comm);
    }
    char *text = inside ? sched_format("%s(%s)", name, inside) : sched_format("%s", name);
    free(inside);
    return text;
}

char *sched_words_place(const struct sched_run *run, uint32_t site)
{
    return sched_sites_words(run->sites, site);
}

char *sched_words_spot(const struct sched_run *run, uint32_t site)
{
    const struct sched_location *at = sched_sites_headline(run->sites, site);
    if (!at->file || !at->line)
        return sched_words_place(run, site);
    const char *slash = strrchr(at->file, '/');
    char *raw = sched_format("%s:%d", slash ? slash + 1 : at->file, at->line), *text = sched_escape(raw, "");
    free(raw);
    return text;
}

char *sched_words_comm_maker(const struct sched_run *run, int comm)
{
    uint32_t site;
    uint16_t fn = comm == ISP_NO_COMM ? 0 : poe_comm_maker(run->poe, comm, &site);
    if (!fn)
        return NULL;
    char *place = sched_words_spot(run, site);
    char *text = sched_format(" made by %s at %s", isp_fn_name((enum isp_fn)fn), place);
    free(place);
    return text;
}

char *sched_words_comm_made(const struct sched_run *run, const struct isp_call *call)
{
    char *comm = sched_words_comm(run, call), *maker = sched_words_comm_maker(run, call->comm);
    if (maker)
        sched_words_add(&comm, "%s", maker);
    free(maker);
    return comm;
}

char *sched_sites_words(struct sched_sites *sites, uint32_t site)
{
    return sched_location_words(sched_sites_headline(sites, site));
}

char *sched_location_words(const struct sched_location *at)
{
    if (!at->file && !at->module)
        return sched_format("unknown place");
    const char *slash = at->module ? strrchr(at->module, '/') : NULL;
    char *raw = at->file && at->line ? sched_format("%s:%d", at->file, at->line)
                : at->file           ? sched_format("%s", at->file)
                           : sched_format("%s+0x%" PRIx64, slash ? slash + 1 : at->module, at->offset);
    if (at->function)
        sched_words_add(&raw, " %s", at->function);
    char *text = sched_escape(raw, "");
    free(raw);
    return text;
}
