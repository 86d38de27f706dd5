/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Buffer_attach and what it is used for: see bsend.h. */
#include "bsend.h"

#include <stdio.h>

#include "errors.h"
#include "fence.h"
#include "prof.h"
#include "prof_calls.h"

static MPI_Count attached = -1; /* size of the buffer; -1: there is none */
static MPI_Count taken;
static bool used; /* since it was attached */

static MPI_Count needs(const struct prof_envelope *e)
{
    MPI_Count packed = (MPI_Count)e->bytes;
    if (e->type)
        PMPI_Pack_size_c(e->count, e->datatype, e->c->handle, &packed);
    return packed + MPI_BSEND_OVERHEAD;
}

bool prof_bsend_fits(const struct prof_envelope *e)
{
    return e->peer == MPI_PROC_NULL || needs(e) <= attached - taken;
}

int prof_bsend_refuse(const struct prof_envelope *e)
{
    char text[200];
    if (attached < 0)
        snprintf(text, sizeof text, "no buffer is attached");
    else
        snprintf(text, sizeof text,
                 "the message needs %lld bytes of the attached buffer, which has %lld, and messages that may still be pending take %lld",
                 (long long)needs(e), (long long)attached, (long long)taken);
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

int prof_Buffer_attach(enum isp_fn fn, const void *site, void *buffer, MPI_Count size)
{
    if (!prof_enter(fn, site))
        return PMPI_Buffer_attach_c(buffer, size);
    int rc = PMPI_Buffer_attach_c(buffer, size);
    if (rc == MPI_SUCCESS) {
        attached = size;
        used = false;
    }
    return prof_leave(rc);
}

/* Waits until the messages in the buffer are on their way. */
int prof_Buffer_detach(enum isp_fn fn, const void *site, void *buffer_addr, MPI_Count *size)
{
    if (!prof_enter(fn, site))
        return PMPI_Buffer_detach_c(buffer_addr, size);
    if (attached >= 0 && used) {
        struct isp_call call = {.op = ISP_OP_DETACH};
        struct isp_result result;
        prof_fence(&call, &result);
    }
    int rc = PMPI_Buffer_detach_c(buffer_addr, size);
    if (rc == MPI_SUCCESS)
        attached = -1;
    return prof_leave(rc);
}
