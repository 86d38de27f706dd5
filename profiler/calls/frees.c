/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators, datatypes and operations that the program frees: what is pending keeps them, inside MPI. */
#include "engine/fence.h"
#include "engine/operations.h"
#include "engine/prof.h"
#include "link/uplink.h"
#include "match.h"
#include "prof_calls.h"
#include "tables/communicators.h"
#include "tables/reductions.h"
#include "types/types.h"

/*
 * Collective, but no data flows (MPI-4.0, section 7.4.3): with buffered sends no rank waits for another. The
 * slot that such a record must have stands for nothing: what is pending on the communicator keeps it alive,
 * other ranks' calls need not.
 */
static void match_free(const struct prof_comm *c)
{
    struct isp_call call = {.flow = ISP_FLOW_LIST};
    struct isp_result result;
    if (!prof_settings()->buffered) {
        prof_comm_match(c, ISP_MAKE_FREE, &call, &result);
        return;
    }
    struct prof_op *op = prof_op_create_plain(PROF_OP_SIGNAL, prof_comm_find(MPI_COMM_SELF));
    call.flags = ISP_F_SLOT;
    call.handle = op->number;
    prof_op_consume(op);
    prof_comm_match(c, ISP_MAKE_FREE, &call, &result);
}

/* In a callback of the program (it deletes an attribute) there is nothing to match, as in MPICH itself. */
static int free_nested(MPI_Comm *comm)
{
    struct prof_comm *c = prof_comm_find(*comm);
    return c ? prof_comm_free(c, comm) : PMPI_Comm_free(comm);
}

int prof_Comm_free(enum isp_fn fn, const void *site, MPI_Comm *comm)
{
    if (comm && prof_depth > 0)
        return free_nested(comm);
    if (!comm || !prof_enter(fn, site))
        return PMPI_Comm_free(comm);
    MPI_Comm handle = *comm;
    struct prof_comm *c = prof_comm_use(&handle);
    if (!c || handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF)
        return prof_leave(PMPI_Comm_free(&handle));
    match_free(c);
    return prof_leave(prof_comm_free(c, comm));
}

int prof_Type_free(enum isp_fn fn, const void *site, MPI_Datatype *datatype)
{
    /* in a callback of the program: the handle may come again with another size */
    if (datatype && prof_depth > 0)
        return prof_type_free(datatype);
    if (!datatype || !prof_enter(fn, site))
        return PMPI_Type_free(datatype);
    return prof_leave(prof_type_free(datatype));
}

int prof_Op_free(enum isp_fn fn, const void *site, MPI_Op *op)
{
    if (!prof_enter(fn, site))
        return PMPI_Op_free(op);
    return prof_leave(prof_reduction_free(op));
}
