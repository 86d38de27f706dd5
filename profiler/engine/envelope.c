/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of sends, receives and probes. The ordinary case must be cheap; a wrong one goes to MPI. */
#include "operations.h"

#include "isp/call.h"

static bool check_peer(const struct prof_envelope *e, bool receive)
{
    if (e->tag < 0 ? !(receive && e->tag == MPI_ANY_TAG) : e->tag > prof_tag_ub)
        return false;
    if (e->peer < 0)
        return e->peer == MPI_PROC_NULL || (receive && e->peer == MPI_ANY_SOURCE);
    return e->peer < e->c->size;
}

bool prof_envelope_check_buffer(struct prof_envelope *e)
{
    MPI_Count size;
    if (e->count < 0)
        return false;
    if (e->count == 0 && e->datatype == MPI_DATATYPE_NULL)
        e->datatype = MPI_BYTE; /* MPICH allows it, and arguments.c has told it */
    if (!prof_type_find(e->datatype, &size, &e->type)) {
        if (prof_type_is_freed(e->datatype))
            e->datatype = MPI_DATATYPE_NULL;
        return false;
    }
    e->bytes = (uint64_t)size * (uint64_t)e->count;
    return e->buf || e->bytes == 0 || e->type;
}

bool prof_envelope_check(struct prof_envelope *e, bool receive)
{
    e->c = prof_comm_use(&e->comm);
    return e->c && check_peer(e, receive) && prof_envelope_check_buffer(e);
}

bool prof_envelope_check_probe(struct prof_envelope *e)
{
    e->c = prof_comm_use(&e->comm);
    return e->c && check_peer(e, true);
}

int prof_envelope_peer(const struct prof_envelope *e)
{
    if (e->peer == MPI_PROC_NULL)
        return ISP_NO_RANK;
    return e->peer == MPI_ANY_SOURCE ? ISP_ANY_SOURCE : prof_comm_world(e->c, e->peer);
}
