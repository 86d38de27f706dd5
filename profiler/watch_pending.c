/* SPDX-License-Identifier: BSD-3-Clause */
/* See watch_pending.h. */
#include "watch_pending.h"

#include <stdio.h>
#include <stdlib.h>

#include "alloc.h"
#include "finding.h"
#include "prof.h"
#include "uplink.h"
#include "watch.h"
#include "watch_compiled.h"

enum { FIRST = 32, OFTEN = 64, SITES = 1024 };

struct prof_watched {
    struct prof_watch *watch; /* NULL: an access was seen */
    bool seen;
    struct prof_sight sight;
    struct prof_place posted;
    bool receive;
    uintptr_t buffer;
    MPI_Count item; /* bytes of one element; 0: the elements differ */
};

static uint32_t times[SITES]; /* by a hash of the call site: two that share an entry are watched less often */

static bool is_its_turn(const void *site)
{
    uint32_t *n = &times[((uintptr_t)site * 0x9e3779b97f4a7c15u) >> 54];
    uint32_t k = (*n)++;
    return prof_watch_is_compiled || prof_settings()->memory == ISP_MEMORY_WATCH || k < FIRST || k % OFTEN == 0;
}

static void describe(char *text, size_t room, const struct prof_watched *w, const struct prof_sight *sight)
{
    uintptr_t offset = sight->address - w->buffer;
    const char *done = sight->kind == PROF_STORE ? "written" : "read";
    const char *what = w->receive ? "receive" : "send";
    if (w->item > 0)
        snprintf(text, room, "element %ju of the buffer of a pending %s is %s", (uintmax_t)(offset / (uintptr_t)w->item), what, done);
    else
        snprintf(text, room, "the buffer of a pending %s is %s, at byte %ju", what, done, (uintmax_t)offset);
}

static void see(void *context, const struct prof_sight *sight)
{
    struct prof_watched *w = context;
    if (w->seen)
        return;
    w->seen = true; /* and no further access is of interest */
    w->sight = *sight;
    prof_watch_end(w->watch);
    w->watch = NULL;
}

static void tell(const struct prof_watched *w)
{
    char text[200];
    describe(text, sizeof text, w, &w->sight);
    prof_finding_tell(&(struct prof_finding){
        .rule = w->receive ? ISP_RULE_RECEIVE_BUFFER_ACCESSED : ISP_RULE_SEND_BUFFER_MODIFIED,
        .at = {ISP_FN_NONE, w->sight.site},
        .text = text,
        .story = w->receive ? "%0 is pending: until its completion the buffer must be neither read nor written\n"
                            : "%0 is pending: until its completion the buffer may be read, but not written\n",
        .more = &w->posted,
        .n_more = 1,
    });
}

void prof_watch_pending_begin(struct prof_op *op)
{
    if (prof_settings()->memory == ISP_MEMORY_OFF || op->done || op->count <= 0 || !is_its_turn(prof_current.site))
        return;
    MPI_Count low, extent, size;
    PMPI_Type_get_true_extent_c(op->datatype, &low, &extent);
    PMPI_Type_size_c(op->datatype, &size);
    if (size == 0)
        return;
    struct prof_watched *w = prof_alloc(1, sizeof *w);
    bool dense = !op->type;
    *w = (struct prof_watched){
        .posted = {prof_current.fn, prof_current.site},
        .receive = op->kind == PROF_OP_RECV,
        .buffer = (uintptr_t)op->buf + (uintptr_t)low,
        .item = dense ? size : 0,
    };
    op->watched = w;
    size_t bytes = dense ? (size_t)(size * op->count) : 1; /* of other types the first byte, which is never a hole */
    w->watch = prof_watch_begin((const void *)w->buffer, bytes, w->receive ? PROF_LOAD | PROF_STORE : PROF_STORE, w->receive,
                                see, w);
}

bool prof_watch_pending_end(struct prof_op *op)
{
    struct prof_watched *w = op->watched;
    if (!w)
        return false;
    op->watched = NULL;
    prof_watch_end(w->watch);
    bool seen = w->seen;
    if (seen)
        tell(w);
    free(w);
    return seen;
}
