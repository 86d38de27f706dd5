/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Buffer_attach and what it is used for: see bsend.h. */
#include "bsend.h"

#include <stdio.h>

#include "errors.h"
#include "fence.h"
#include "memory/overlap.h"
#include "prof.h"
#include "prof_calls.h"
#include "threads/thread.h"

/* That of the program's MPI: a front (adapters/) sets it. */
__attribute__((visibility("default"))) int isp_bsend_overhead = MPI_BSEND_OVERHEAD;

static MPI_Count attached = -1; /* size of the buffer; -1: there is none */
static MPI_Count taken;
static bool used; /* since it was attached */
static struct prof_place attached_at;
static struct prof_region region;
static struct prof_snapshot
    before; /* its bytes when it was attached: isp copies messages elsewhere, so they stay */
static struct prof_pending *pending;

static MPI_Count needs(const struct prof_envelope *e)
{
    MPI_Count packed = (MPI_Count)e->bytes;
    if (e->type)
        PMPI_Pack_size_c(e->count, e->datatype, e->c->handle, &packed);
    return packed + isp_bsend_overhead;
}

bool prof_bsend_fits(const struct prof_envelope *e)
{
    return e->peer == MPI_PROC_NULL || needs(e) <= attached - (prof_threads_own_order ? taken : 0);
}

void prof_bsend_tell(struct isp_call *call, const struct prof_envelope *e)
{
    if (e->peer == MPI_PROC_NULL)
        return;
    call->reserved = (uint64_t)needs(e);
    call->attached = attached > 0 ? (uint64_t)attached : 0;
}

int prof_bsend_refuse(const struct prof_envelope *e)
{
    char text[200];
    if (attached < 0)
        snprintf(text, sizeof text, "no buffer is attached");
    else
        snprintf(text, sizeof text,
                 "the message needs %lld bytes of the attached buffer, which has %lld, "
                 "and messages that may still be pending take %lld",
                 (long long)needs(e), (long long)attached, (long long)(prof_threads_own_order ? taken : 0));
    return prof_error_raise_as(ISP_RULE_BSEND_BUFFER, text, e->comm, MPI_ERR_BUFFER);
}

void prof_bsend_reserve(struct prof_op *op, const struct prof_envelope *e)
{
    if (op->done)
        return;
    op->reserved = needs(e);
    taken += op->reserved;
    used = true;
}

void prof_bsend_release(struct prof_op *op)
{
    taken -= op->reserved;
    op->reserved = 0;
}

/* ---- the buffer belongs to MPI ---- */

static void begin(void *buffer, MPI_Count size)
{
    attached = size;
    used = false;
    attached_at = (struct prof_place){prof_current.fn, prof_current.site};
    pending = prof_pending_begin_attached(buffer, (size_t)size);
    if (!pending)
        return;
    region = prof_region_bytes(buffer, (size_t)size);
    prof_snapshot_take(&before, &region);
}

static void tell_changed(const struct prof_change *change)
{
    char text[200];
    size_t from = change->run.length ? prof_overlap_offset(&region, change->run.at) : 0;
    if (change->gone)
        snprintf(text, sizeof text,
                 "the memory of the attached buffer was given back before it was detached");
    else if (change->run.length)
        snprintf(text, sizeof text, "the attached buffer was written by the program: from byte %zu to %zu",
                 from, from + change->run.length - 1);
    else
        snprintf(text, sizeof text, "the attached buffer was written by the program");
    prof_finding_tell(&(struct prof_finding){
        .rule = ISP_RULE_BSEND_BUFFER,
        .at = {prof_current.fn, prof_current.site},
        .text = text,
        .story = "from %0 on the buffer belongs to MPI, and the messages that were sent may be in it\n",
        .more = &attached_at,
        .n_more = 1,
        .buffer = pending->number,
    });
}

/* What was never used may have been touched: no message was there. */
static void look(void)
{
    struct prof_change change;
    if (pending && used && prof_snapshot_differs(&before, &region, &change))
        tell_changed(&change);
}

static void end(void)
{
    prof_snapshot_finish(&before, &region);
    prof_pending_end_one(pending);
    pending = NULL;
    attached = -1;
}

static int refuse(const char *text, bool attaches)
{
    struct prof_finding f = {.rule = ISP_RULE_BSEND_BUFFER, .text = text};
    if (attaches) {
        f.story = "%0 has attached the other one; MPI_Buffer_detach comes first\n";
        f.more = &attached_at;
        f.n_more = 1;
    }
    return prof_error_raise_finding(&f, MPI_COMM_WORLD, MPI_ERR_BUFFER);
}

int prof_Buffer_attach(enum isp_fn fn, const void *site, void *buffer, MPI_Count size)
{
    if (!prof_enter(fn, site))
        return PMPI_Buffer_attach_c(buffer, size);
    if (attached >= 0)
        return prof_leave(refuse("a buffer is attached already, and there can be one only", true));
    if (size >= 0 && size < MPI_BSEND_OVERHEAD) /* allowed, but of no use, and MPICH refuses it */
        return prof_leave(
            refuse("the buffer is smaller than MPI_BSEND_OVERHEAD, which each message needs beside its data",
                   false));
    int rc = PMPI_Buffer_attach_c(buffer, size);
    if (rc == MPI_SUCCESS)
        begin(buffer, size);
    return prof_leave(rc);
}

/* Waits until the messages in the buffer are on their way. */
int prof_Buffer_detach(enum isp_fn fn, const void *site, void *buffer_addr, MPI_Count *size)
{
    if (!prof_enter(fn, site))
        return PMPI_Buffer_detach_c(buffer_addr, size);
    if (attached < 0)
        return prof_leave(refuse("no buffer is attached", false));
    if (used) {
        struct isp_call call = {.op = ISP_OP_DETACH};
        struct isp_result result;
        prof_fence(&call, &result);
    }
    /* before MPI writes address and size, which may be into the buffer itself: it is the program's again */
    look();
    int rc = PMPI_Buffer_detach_c(buffer_addr, size);
    if (rc == MPI_SUCCESS)
        end();
    return prof_leave(rc);
}

/* ---- the state of the rank ---- */

void prof_bsend_hash(struct prof_hash *h)
{
    prof_hash_word(h, (uint64_t)attached);
    prof_hash_word(h, (uint64_t)taken << 1 | used);
    prof_hash_word(h, attached < 0 ? 0 : attached_at.fn);
    prof_hash_pointer(h, attached < 0 ? NULL : attached_at.site);
    if (pending) {
        prof_pending_hash_one(h, pending);
        prof_snapshot_hash(h, &before, &region);
    }
}
