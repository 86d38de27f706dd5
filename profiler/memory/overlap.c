/* SPDX-License-Identifier: BSD-3-Clause */
/* See overlap.h. */
#include "overlap.h"

#include <stdio.h>
#include <string.h>

#include "access.h"
#include "base/phase.h"

size_t prof_overlap_offset(const struct prof_region *r, uintptr_t at)
{
    return at - (r->at != 0 && r->at <= r->low ? r->at : r->low);
}

static const char *noun(enum prof_use use, enum isp_fn fn)
{
    const char *name = isp_fn_name(fn);
    if (strncmp(name, "MPI_Buffer_", 11) == 0 || strncmp(name, "MPI_File_", 9) == 0)
        return "buffer";
    if (prof_fn_is_access(fn))
        return use == PROF_USE_READ ? "origin buffer" : "result buffer";
    return use == PROF_USE_READ ? "send buffer" : "receive buffer";
}

/* "bytes 0 to 15" */
static const char *bytes(char *text, size_t room, const struct prof_region *r, struct prof_run run)
{
    size_t from = prof_overlap_offset(r, run.at), to = from + run.length - 1;
    if (from == to)
        snprintf(text, room, "byte %zu", from);
    else
        snprintf(text, room, "bytes %zu to %zu", from, to);
    return text;
}

static void tell(const char *text, const char *story, const struct prof_place *more)
{
    bool access = prof_fn_is_access(prof_current.fn) || (more && prof_fn_is_access(more->fn));
    prof_finding_tell(&(struct prof_finding){
        .rule = access ? ISP_RULE_RMA_CONFLICT : ISP_RULE_BUFFER_OVERLAP,
        .at = {prof_current.fn, prof_current.site},
        .text = text,
        .story = story,
        .more = more,
        .n_more = more ? 1 : 0,
    });
}

/* The other half of the same call: a blocking one has no other that is pending, but of another thread. */
static bool is_own_half(enum prof_use use, const struct prof_pending *p)
{
    bool sendrecv = prof_current.fn == ISP_FN_MPI_Sendrecv || prof_current.fn == ISP_FN_MPI_Sendrecv_c;
    return sendrecv && use != p->use && p->posted.fn == prof_current.fn &&
           p->posted.site == prof_current.site;
}

static void tell_halves(const char *mine, const char *its)
{
    char text[200];
    snprintf(text, sizeof text,
             "its receive buffer overlaps its own send buffer: %s are %s of the send buffer", mine, its);
    tell(text,
         "they must be disjoint (MPI-4.0, section 3.10); MPI_Sendrecv_replace has one buffer for both\n",
         NULL);
}

void prof_overlap_tell(const struct prof_region *r, enum prof_use use, const struct prof_pending *p,
                       struct prof_run common)
{
    char text[200], story[300], mine[60], its[60];
    if (is_own_half(use, p)) {
        const char *now = bytes(mine, sizeof mine, r, common);
        const char *before = bytes(its, sizeof its, &p->region, common);
        tell_halves(use == PROF_USE_WRITE ? now : before, use == PROF_USE_WRITE ? before : now);
        return;
    }
    bool attached = p->posted.fn == ISP_FN_MPI_Buffer_attach || p->posted.fn == ISP_FN_MPI_Buffer_attach_c;
    snprintf(text, sizeof text, "its %s overlaps the %s of %s%s%s", noun(use, prof_current.fn),
             noun(p->use, p->posted.fn),
             p->posted.fn == prof_current.fn ? "another "
             : attached                      ? ""
                                             : "a ",
             attached ? "" : "pending ", isp_fn_name(p->posted.fn));
    snprintf(
        story, sizeof story,
        "%s of it are %s of that of %%0, which is not %s\n"
        "memory that MPI writes must not be used by anything else until then; two sends may share theirs\n",
        bytes(mine, sizeof mine, r, common), bytes(its, sizeof its, &p->region, common),
        attached ? "detached" : "complete");
    tell(text, story, &p->posted);
}

void prof_overlap_tell_alias(const struct prof_region *read, const struct prof_region *written,
                             struct prof_run common)
{
    char text[200], mine[60], its[60];
    snprintf(text, sizeof text, "its receive buffer overlaps its send buffer: %s are %s of the send buffer",
             bytes(mine, sizeof mine, written, common), bytes(its, sizeof its, read, common));
    tell(text,
         "they must be disjoint; MPI_IN_PLACE as the send buffer (where the function allows it) says that "
         "the data is in the receive buffer\n",
         NULL);
}

void prof_overlap_tell_twice(const struct prof_region *r, struct prof_run twice)
{
    char text[200], where[60];
    snprintf(text, sizeof text, "its receive buffer overlaps itself: it receives into %s more than once",
             bytes(where, sizeof where, r, twice));
    tell(text,
         "no location may be written twice by one call: look at the displacements and at the extent of the "
         "datatype\n",
         NULL);
}
