/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calls that make communicators (MPI-4.0, chapters 7, 8 and 11). A record first, MPI after the go-ahead:
 * all members then are there, and MPI blocks nobody.
 *
 * MPI_Comm_dup, split and create tell beforehand what they will make, so their one record gets the number of
 * the new communicator as its answer. What the others make (a topology may be reordered, a split may be by
 * hardware) is known only when MPI has made it: they have a second record, with the members
 * that came out, which is an inner matter between profiler and scheduler.
 */
#include <stdlib.h>

#include "engine/errors.h"
#include "engine/fence.h"
#include "engine/operations.h"
#include "engine/prof.h"
#include "kept/kept.h"
#include "match.h"
#include "prof_calls.h"
#include "tables/communicators.h"

/* ---- with two records ---- */

/* The second record: answers with the number of what was made. */
static int announce(struct prof_comm *parent, int rc, MPI_Comm *newcomm)
{
    bool is_member = rc == MPI_SUCCESS && newcomm && *newcomm != MPI_COMM_NULL;
    uint32_t n = 0;
    int32_t n_first = 0;
    uint32_t *members = is_member ? prof_comm_members(*newcomm, &n, &n_first) : NULL;
    struct isp_call call = {.flags = ISP_F_INTERNAL, .key = n_first, .list = members, .n = n};
    struct isp_result result;
    prof_comm_match(parent, ISP_MAKE_GROUP, &call, &result);
    free(members);
    if (is_member)
        prof_comm_add(*newcomm, result.new_comm, parent);
    return rc;
}

/* The first record. NULL: MPI itself will say what is wrong. */
static struct prof_comm *agree(MPI_Comm *comm)
{
    struct prof_comm *parent = prof_comm_use(comm);
    struct isp_call call = {0};
    struct isp_result result;
    if (parent)
        prof_comm_match(parent, ISP_MAKE_NOTHING, &call, &result);
    return parent;
}

void prof_constructor_begin(struct prof_constructor *constructor, enum isp_fn fn, const void *site,
                            MPI_Comm *comm)
{
    constructor->entered = prof_enter(fn, site);
    prof_depth += !constructor->entered; /* MPI itself answers */
    constructor->parent = constructor->entered ? agree(comm) : NULL;
}

int prof_constructor_end(struct prof_constructor *constructor, int rc, MPI_Comm *newcomm)
{
    if (!constructor->entered) {
        prof_depth--;
        return rc;
    }
    return prof_leave(constructor->parent ? announce(constructor->parent, rc, newcomm) : rc);
}

/* ---- with one record ---- */

/* After PMPI_Comm_x: what it made is known from now on. */
static int made(int rc, const struct prof_comm *parent, MPI_Comm *newcomm, const struct isp_result *result)
{
    if (rc == MPI_SUCCESS && *newcomm != MPI_COMM_NULL)
        prof_comm_add(*newcomm, result->new_comm, parent);
    return rc;
}

static int copied(int rc, const struct prof_comm *parent, MPI_Comm *newcomm, const struct isp_result *result)
{
    if (rc == MPI_SUCCESS)
        prof_comm_add_copy(*newcomm, result->new_comm, parent);
    return rc;
}

int prof_Comm_dup(enum isp_fn fn, const void *site, MPI_Comm comm, MPI_Comm *newcomm)
{
    struct prof_comm *c;
    if (!prof_enter(fn, site))
        return PMPI_Comm_dup(comm, newcomm);
    if (!newcomm || !(c = prof_comm_use(&comm)))
        return prof_leave(PMPI_Comm_dup(comm, newcomm));
    struct isp_call call = {0};
    struct isp_result result;
    prof_comm_match(c, ISP_MAKE_SAME, &call, &result);
    return prof_leave(copied(PMPI_Comm_dup(comm, newcomm), c, newcomm, &result));
}

int prof_Comm_dup_with_info(enum isp_fn fn, const void *site, MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm)
{
    struct prof_comm *c;
    if (!prof_enter(fn, site))
        return PMPI_Comm_dup_with_info(comm, info, newcomm);
    if (!newcomm || !(c = prof_comm_use(&comm)))
        return prof_leave(PMPI_Comm_dup_with_info(comm, info, newcomm));
    struct isp_call call = {0};
    struct isp_result result;
    prof_comm_match(c, ISP_MAKE_SAME, &call, &result);
    return prof_leave(copied(PMPI_Comm_dup_with_info(comm, info, newcomm), c, newcomm, &result));
}

int prof_Comm_split(enum isp_fn fn, const void *site, MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
{
    struct prof_comm *c;
    if (!prof_enter(fn, site))
        return PMPI_Comm_split(comm, color, key, newcomm);
    if (!newcomm || (color < 0 && color != MPI_UNDEFINED) || !(c = prof_comm_use(&comm)))
        return prof_leave(PMPI_Comm_split(comm, color, key, newcomm));
    if (c->inter) {
        agree(&comm);
        return prof_leave(announce(c, PMPI_Comm_split(comm, color, key, newcomm), newcomm));
    }
    struct isp_call call = {.color = color == MPI_UNDEFINED ? ISP_NO_COLOR : color, .key = key};
    struct isp_result result;
    prof_comm_match(c, ISP_MAKE_SPLIT, &call, &result);
    return prof_leave(made(PMPI_Comm_split(comm, color, key, newcomm), c, newcomm, &result));
}

/* World ranks of a group whose ranks all are in the communicator; NULL: MPI will say that it is wrong. */
static uint32_t *members_of(MPI_Group group, const struct prof_comm *c, uint32_t *n)
{
    int size;
    int *world = prof_group_world(group, &size);
    for (int i = 0; world && i < size; i++)
        if (world[i] < 0 || prof_comm_local(c, world[i]) < 0) {
            free(world);
            return NULL;
        }
    *n = (uint32_t)size;
    return (uint32_t *)world;
}

int prof_Comm_create(enum isp_fn fn, const void *site, MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm)
{
    struct prof_comm *c;
    uint32_t *members, n;
    if (!prof_enter(fn, site))
        return PMPI_Comm_create(comm, group, newcomm);
    c = prof_comm_use(&comm);
    if (c && c->inter) {
        agree(&comm);
        return prof_leave(announce(c, PMPI_Comm_create(comm, group, newcomm), newcomm));
    }
    if (!newcomm || !c || !(members = members_of(group, c, &n)))
        return prof_leave(PMPI_Comm_create(comm, group, newcomm));
    struct isp_call call = {.list = members, .n = n};
    struct isp_result result;
    prof_comm_match(c, ISP_MAKE_GROUP, &call, &result);
    free(members);
    return prof_leave(made(PMPI_Comm_create(comm, group, newcomm), c, newcomm, &result));
}

int prof_Comm_create_group(enum isp_fn fn, const void *site, MPI_Comm comm, MPI_Group group, int tag,
                           MPI_Comm *newcomm)
{
    struct prof_comm *c;
    uint32_t *members, n;
    if (!prof_enter(fn, site))
        return PMPI_Comm_create_group(comm, group, tag, newcomm);
    int me;
    if (!newcomm || !(c = prof_comm_use(&comm)) || PMPI_Group_rank(group, &me) != MPI_SUCCESS ||
        me == MPI_UNDEFINED || !(members = members_of(group, c, &n)))
        return prof_leave(PMPI_Comm_create_group(comm, group, tag, newcomm));
    struct isp_call call = {.flags = ISP_F_SUBSET, .tag = tag, .list = members, .n = n};
    struct isp_result result;
    prof_comm_match(c, ISP_MAKE_GROUP, &call, &result);
    free(members);
    return prof_leave(made(PMPI_Comm_create_group(comm, group, tag, newcomm), c, newcomm, &result));
}

/* ---- nonblocking ---- */

struct idup {
    MPI_Comm comm, *newcomm;
    MPI_Info info;
};

static int issue_idup(const void *arguments, MPI_Request *request)
{
    const struct idup *a = arguments;
    return PMPI_Comm_idup(a->comm, a->newcomm, request);
}

/* The program may have freed its info object by now. */
static int issue_idup_with_info(const void *arguments, MPI_Request *request)
{
    const struct idup *a = arguments;
    MPI_Info info = a->info;
    int rc = PMPI_Comm_idup_with_info(a->comm, info, a->newcomm, request);
    if (info != MPI_INFO_NULL)
        PMPI_Info_free(&info);
    return rc;
}

static void finish_idup(const struct prof_kept *kept)
{
    const struct idup *a = kept->arguments;
    struct prof_current now = prof_current;
    prof_current = (struct prof_current){.fn = kept->fn, .site = kept->site};
    prof_comm_add_copy(*a->newcomm, kept->made, kept->comm);
    prof_current = now;
}

static const struct prof_form_argument no_arguments[] = {{0}};
static const struct prof_form form_idup = {
    .fn = ISP_FN_MPI_Comm_idup,
    .size = sizeof(struct idup),
    .issue = issue_idup,
    .arguments = no_arguments,
    .comm = offsetof(struct idup, comm),
    .root = -1,
    .op = -1,
    .sendbuf = -1,
    .recvbuf = -1,
};
static const struct prof_form form_idup_with_info = {
    .fn = ISP_FN_MPI_Comm_idup_with_info,
    .size = sizeof(struct idup),
    .issue = issue_idup_with_info,
    .arguments = no_arguments,
    .comm = offsetof(struct idup, comm),
    .root = -1,
    .op = -1,
    .sendbuf = -1,
    .recvbuf = -1,
};

static void post_idup(struct prof_kept *kept, MPI_Request *request)
{
    kept->make = ISP_MAKE_SAME;
    kept->finish = finish_idup;
    prof_op_give(prof_op_post_collective(kept, 0), request);
    prof_kept_drop(kept);
}

int prof_Comm_idup(enum isp_fn fn, const void *site, MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
    struct idup a = {.comm = comm, .newcomm = newcomm};
    struct prof_kept *kept;
    if (!prof_enter(fn, site))
        return PMPI_Comm_idup(comm, newcomm, request);
    if (!newcomm || !request || !(kept = prof_kept_create(&form_idup, fn, site, &a)))
        return prof_leave(PMPI_Comm_idup(a.comm, newcomm, request));
    post_idup(kept, request);
    return prof_leave(MPI_SUCCESS);
}

int prof_Comm_idup_with_info(enum isp_fn fn, const void *site, MPI_Comm comm, MPI_Info info,
                             MPI_Comm *newcomm, MPI_Request *request)
{
    struct idup a = {.comm = comm, .newcomm = newcomm, .info = MPI_INFO_NULL};
    struct prof_kept *kept;
    if (!prof_enter(fn, site))
        return PMPI_Comm_idup_with_info(comm, info, newcomm, request);
    prof_errors_quiet(true);
    int rc = info == MPI_INFO_NULL ? MPI_SUCCESS : prof_errors_heard(PMPI_Info_dup(info, &a.info));
    prof_errors_quiet(false);
    if (rc != MPI_SUCCESS || !newcomm || !request ||
        !(kept = prof_kept_create(&form_idup_with_info, fn, site, &a))) {
        if (a.info != MPI_INFO_NULL)
            PMPI_Info_free(&a.info);
        return prof_leave(PMPI_Comm_idup_with_info(a.comm, info, newcomm, request));
    }
    post_idup(kept, request);
    return prof_leave(MPI_SUCCESS);
}

/* ---- intercommunicators ---- */

/* What the leader alone knows. False: MPI will say what is wrong with it. */
static bool name_remote_leader(struct isp_call *call, MPI_Comm *peer_comm, int remote_leader, int tag)
{
    struct prof_comm *peer = prof_comm_use(peer_comm);
    if (!peer || remote_leader < 0 || remote_leader >= peer->size)
        return false;
    call->peer = prof_comm_world(peer, remote_leader);
    call->color = peer->number;
    call->tag = tag;
    return true;
}

int prof_Intercomm_create(enum isp_fn fn, const void *site, MPI_Comm local_comm, int local_leader,
                          MPI_Comm peer_comm, int remote_leader, int tag, MPI_Comm *newintercomm)
{
    if (!prof_enter(fn, site))
        return PMPI_Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm);
    struct prof_comm *local = prof_comm_use(&local_comm);
    struct isp_call call = {
        .op = ISP_OP_COLLECTIVE, .mode = ISP_MAKE_INTER, .peer = ISP_NO_RANK, .color = ISP_NO_COMM};
    bool good = newintercomm && local && !local->inter && local_leader >= 0 && local_leader < local->size;
    if (good && local->rank == local_leader)
        good = name_remote_leader(&call, &peer_comm, remote_leader, tag);
    if (!good)
        return prof_leave(
            PMPI_Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm));
    call.comm = local->number;
    call.root = prof_comm_world(local, local_leader);
    struct isp_result result;
    prof_fence(&call, &result);
    int rc = PMPI_Intercomm_create(local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm);
    return prof_leave(made(rc, local, newintercomm, &result));
}
