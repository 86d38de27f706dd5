/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sessions (MPI-4.0, section 11.3). A run that begins with a session calls PMPI_Init behind the program's
 * back: isp needs MPI_COMM_WORLD, so that ranks have names. What is made from groups is a collective on it,
 * of which only the group's members know; it is told apart by a hash of its string.
 */
#include <stdlib.h>
#include <string.h>

#include "calls/match.h"
#include "engine/errors.h"
#include "engine/fence.h"
#include "engine/prof.h"
#include "lifecycle.h"
#include "prof_calls.h"
#include "state/arena_link.h"
#include "tables/communicators.h"
#include "topology.h"

/* What the program asked for when it made its first session; without MPI_THREAD_x in `info` MPI decides. */
static int thread_level(MPI_Info info)
{
    static const struct {
        const char *name;
        int level;
    } levels[] = {{"MPI_THREAD_FUNNELED", MPI_THREAD_FUNNELED},
                  {"MPI_THREAD_SERIALIZED", MPI_THREAD_SERIALIZED},
                  {"MPI_THREAD_MULTIPLE", MPI_THREAD_MULTIPLE}};
    char text[32] = "";
    int flag = 0, room = sizeof text;
    if (info != MPI_INFO_NULL)
        PMPI_Info_get_string(info, "thread_level", &room, text, &flag);
    for (size_t i = 0; flag && i < sizeof levels / sizeof *levels; i++)
        if (strcmp(text, levels[i].name) == 0)
            return levels[i].level;
    return MPI_THREAD_SINGLE;
}

int prof_Session_init(enum isp_fn fn, const void *site, MPI_Info info, MPI_Errhandler errhandler,
                      MPI_Session *session)
{
    int provided, rc = MPI_SUCCESS;
    prof_enter_local(fn, site, true);
    prof_depth++;
    prof_topology_begin();
    if (prof_phase == PROF_BEFORE_INIT) {
        prof_arena_mpi_begins();
        rc = PMPI_Init_thread(NULL, NULL, thread_level(info), &provided);
        prof_arena_mpi_has_begun();
    }
    rc = rc == MPI_SUCCESS ? PMPI_Session_init(info, errhandler, session) : rc;
    prof_topology_end();
    if (rc == MPI_SUCCESS && prof_phase != PROF_FINALIZED)
        prof_run_begin();
    prof_depth--;
    return rc;
}

int prof_Session_finalize(enum isp_fn fn, const void *site, MPI_Session *session)
{
    if (!session || *session == MPI_SESSION_NULL || !prof_enter(fn, site))
        return PMPI_Session_finalize(session);
    bool last = prof_run_leave();
    int rc = PMPI_Session_finalize(session);
    if (last)
        prof_run_end();
    return prof_leave(rc);
}

/* ---- communicators from groups ---- */

static int32_t hash(const char *text)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619u;
    return (int32_t)(h & 0x7fffffff);
}

/* Whether this rank is in the group, whose members are then *world. The caller frees it. */
static bool is_member(MPI_Group group, int **world, int *n)
{
    *world = prof_group_world(group, n);
    for (int i = 0; *world && i < *n; i++)
        if ((*world)[i] == prof_world_rank)
            return true;
    free(*world);
    *world = NULL;
    return false;
}

/* A collective of some ranks of the world; answers with the number of what it makes. */
static int32_t match_group(const int *world, int n, const char *text)
{
    struct isp_call call = {
        .flags = ISP_F_SUBSET, .tag = hash(text), .list = (const uint32_t *)world, .n = (uint32_t)n};
    struct isp_result result;
    prof_comm_match(prof_comm_find(MPI_COMM_WORLD), ISP_MAKE_GROUP, &call, &result);
    return result.new_comm;
}

static int made(int rc, MPI_Comm *newcomm, int32_t number, MPI_Errhandler errhandler)
{
    if (rc == MPI_SUCCESS && *newcomm != MPI_COMM_NULL)
        prof_comm_add(*newcomm, number, NULL)->handler =
            prof_errors_handler(errhandler) == errhandler && errhandler != MPI_ERRORS_RETURN;
    return rc;
}

int prof_Comm_create_from_group(enum isp_fn fn, const void *site, MPI_Group group, const char *stringtag,
                                MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newcomm)
{
    int *world, n;
    if (!prof_enter(fn, site))
        return PMPI_Comm_create_from_group(group, stringtag, info, errhandler, newcomm);
    MPI_Errhandler handler = prof_errors_handler(errhandler);
    if (!newcomm || !stringtag || !is_member(group, &world, &n))
        return prof_leave(PMPI_Comm_create_from_group(group, stringtag, info, handler, newcomm));
    int32_t number = match_group(world, n, stringtag);
    free(world);
    int rc = PMPI_Comm_create_from_group(group, stringtag, info, handler, newcomm);
    return prof_leave(made(rc, newcomm, number, errhandler));
}

/* World rank of a member of a group; negative: there is none. */
static int member(MPI_Group group, int rank)
{
    int n, *world = prof_group_world(group, &n);
    int found = world && rank >= 0 && rank < n ? world[rank] : -1;
    free(world);
    return found;
}

/* As MPI_Intercomm_create (constructors.c) on a communicator of the local group, which has the number
 * `local`. */
static int32_t match_inter(int32_t local, int leader, int remote_leader, const char *text)
{
    bool leads = leader == prof_world_rank;
    struct isp_call call = {
        .op = ISP_OP_COLLECTIVE,
        .mode = ISP_MAKE_INTER,
        .flags = ISP_F_INTERNAL,
        .comm = local,
        .root = leader,
        .peer = leads ? remote_leader : ISP_NO_RANK,
        .color = leads ? ISP_COMM_WORLD : ISP_NO_COMM,
        .tag = leads ? hash(text) : 0,
    };
    struct isp_result result;
    prof_fence(&call, &result);
    return result.new_comm;
}

int prof_Intercomm_create_from_groups(enum isp_fn fn, const void *site, MPI_Group local_group,
                                      int local_leader, MPI_Group remote_group, int remote_leader,
                                      const char *stringtag, MPI_Info info, MPI_Errhandler errhandler,
                                      MPI_Comm *newintercomm)
{
    int *world, n;
    if (!prof_enter(fn, site))
        return PMPI_Intercomm_create_from_groups(local_group, local_leader, remote_group, remote_leader,
                                                 stringtag, info, errhandler, newintercomm);
    MPI_Errhandler handler = prof_errors_handler(errhandler);
    int leader = member(local_group, local_leader);
    int remote = leader == prof_world_rank ? member(remote_group, remote_leader) : ISP_NO_RANK;
    bool good = newintercomm && stringtag && leader >= 0 && (leader != prof_world_rank || remote >= 0);
    if (!good || !is_member(local_group, &world, &n))
        return prof_leave(PMPI_Intercomm_create_from_groups(
            local_group, local_leader, remote_group, remote_leader, stringtag, info, handler, newintercomm));
    int32_t number = match_inter(match_group(world, n, stringtag), leader, remote, stringtag);
    free(world);
    int rc = PMPI_Intercomm_create_from_groups(local_group, local_leader, remote_group, remote_leader,
                                               stringtag, info, handler, newintercomm);
    return prof_leave(made(rc, newintercomm, number, errhandler));
}
