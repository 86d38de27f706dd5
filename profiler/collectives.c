/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocking collectives that create nothing. The rank waits until all members are there (that is what
 * zero buffering means, DESIGN §5), and then the generated wrapper calls MPI.
 */
#include "communicators.h"
#include "fence.h"
#include "prof.h"

/* What ranks can compare. A builtin operation has the same handle everywhere. A handle of the program's own says
 * nothing: ranks may have made other operations before, or made the same one twice. Whether it commutes
 * must be alike. */
static uint32_t op_number(MPI_Op op)
{
    if (op == MPI_OP_NULL || ((unsigned)op & 0xc0000000u) == 0)
        return 0;
    if (((unsigned)op & 0xc0000000u) == 0x40000000u)
        return (uint32_t)op;
    int commutes = 0;
    PMPI_Op_commutative(op, &commutes);
    return UINT32_MAX - (uint32_t)(commutes != 0);
}

/* World rank of the root. In an intercommunicator the root's group passes MPI_ROOT and MPI_PROC_NULL, the other
 * group the root's rank. False: no such root, and MPI will say so without communicating. */
static bool find_root(const struct prof_comm *c, int root, int32_t *world)
{
    *world = ISP_NO_RANK;
    if (root == PROF_NO_ROOT || (c->inter && root == MPI_PROC_NULL))
        return true;
    if (c->inter && root == MPI_ROOT)
        *world = prof_world_rank;
    else if (root >= 0 && root < c->size)
        *world = prof_comm_world(c, root);
    return *world != ISP_NO_RANK;
}

bool prof_collective_begin(struct prof_collective *collective, enum isp_fn fn, const void *site, MPI_Comm comm,
                           int root, MPI_Op op)
{
    collective->error = MPI_SUCCESS;
    if (!prof_enter(fn, site)) {
        prof_depth++; /* MPI itself answers; prof_collective_end must not leave what was not entered */
        collective->error = -1;
        return true;
    }
    struct prof_comm *c = prof_comm_use(&comm);
    int32_t world;
    if (!c || !find_root(c, root, &world))
        return true; /* an error, and MPI will say so without communicating */
    struct isp_call call = {
        .op = ISP_OP_COLLECTIVE,
        .mode = ISP_MAKE_NOTHING,
        .comm = c->number,
        .root = world,
        .redop = op_number(op),
    };
    struct isp_result result;
    prof_fence(&call, &result);
    return true;
}

int prof_collective_end(struct prof_collective *collective, int rc)
{
    if (collective->error == MPI_SUCCESS)
        return prof_leave(rc);
    prof_depth--;
    return rc;
}
