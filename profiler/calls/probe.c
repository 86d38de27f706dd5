/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes (MPI-4.0, section 3.8): the scheduler says which message is found. A matched one gets a slot, since
 * a receive will name it. */
#include <stddef.h>

#include "engine/fence.h"
#include "engine/nobody.h"
#include "engine/operations.h"
#include "engine/prof.h"
#include "link/uplink.h"
#include "outside/polled.h"
#include "prof_calls.h"
#include "tables/handles.h"

/* True if a message was found. message: NULL, or where the handle of the matched message goes. */
static bool probe(const struct prof_envelope *e, bool poll, MPI_Message *message, MPI_Status *status)
{
    if (e->peer == MPI_PROC_NULL) {
        prof_nobody_tell(PROF_OP_RECV, e);
        prof_status_proc_null(status);
        if (message)
            *message = MPI_MESSAGE_NO_PROC;
        return true;
    }
    struct prof_op *op = message ? prof_op_create_message(e->c, 0, 0) : NULL;
    struct isp_call call = {
        .op = ISP_OP_PROBE,
        .flags = (uint16_t)((poll ? ISP_F_POLL | prof_polled_flags() : 0) | (message ? ISP_F_MATCHED : 0)),
        .handle = op ? op->number : 0,
        .comm = e->c->number,
        .peer = prof_envelope_peer(e),
        .tag = e->tag,
    };
    struct isp_result result;
    prof_fence(&call, &result);
    if (poll)
        prof_polled_answer(result.flag);
    if (poll && !result.flag) {
        if (op)
            prof_op_consume(op);
        return false;
    }
    int source =
        result.source >= 0 && result.source < prof_world_size ? prof_comm_local(e->c, result.source) : -1;
    if (source < 0)
        prof_link_broken();
    if (op) {
        op->source = result.source;
        op->tag = result.tag;
        *message = prof_op_message(op);
        prof_handle_created(PROF_HANDLE_MESSAGE, PROF_TRACKED(*message), prof_current.fn, prof_current.site);
    }
    prof_status_found(status, source, result.tag, (MPI_Count)result.bytes);
    return true;
}

#define ENVELOPE                                  \
    {                                             \
        .peer = source, .tag = tag, .comm = comm, \
    }

int prof_Probe(enum isp_fn fn, const void *site, int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    struct prof_envelope e = ENVELOPE;
    if (!prof_enter(fn, site))
        return PMPI_Probe(source, tag, comm, status);
    if (!prof_envelope_check_probe(&e))
        return prof_leave(PMPI_Probe(source, tag, e.comm, status));
    probe(&e, false, NULL, status);
    return prof_leave(MPI_SUCCESS);
}

int prof_Iprobe(enum isp_fn fn, const void *site, int source, int tag, MPI_Comm comm, int *flag,
                MPI_Status *status)
{
    struct prof_envelope e = ENVELOPE;
    if (!prof_enter(fn, site))
        return PMPI_Iprobe(source, tag, comm, flag, status);
    if (!flag || !prof_envelope_check_probe(&e))
        return prof_leave(PMPI_Iprobe(source, tag, e.comm, flag, status));
    *flag = probe(&e, true, NULL, status);
    return prof_leave(MPI_SUCCESS);
}

int prof_Mprobe(enum isp_fn fn, const void *site, int source, int tag, MPI_Comm comm, MPI_Message *message,
                MPI_Status *status)
{
    struct prof_envelope e = ENVELOPE;
    if (!prof_enter(fn, site))
        return PMPI_Mprobe(source, tag, comm, message, status);
    if (!message || !prof_envelope_check_probe(&e))
        return prof_leave(PMPI_Mprobe(source, tag, e.comm, message, status));
    probe(&e, false, message, status);
    return prof_leave(MPI_SUCCESS);
}

int prof_Improbe(enum isp_fn fn, const void *site, int source, int tag, MPI_Comm comm, int *flag,
                 MPI_Message *message, MPI_Status *status)
{
    struct prof_envelope e = ENVELOPE;
    if (!prof_enter(fn, site))
        return PMPI_Improbe(source, tag, comm, flag, message, status);
    if (!flag || !message || !prof_envelope_check_probe(&e))
        return prof_leave(PMPI_Improbe(source, tag, e.comm, flag, message, status));
    *flag = probe(&e, true, message, status);
    return prof_leave(MPI_SUCCESS);
}
