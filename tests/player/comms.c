/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators: those of the start, those that a token makes, and the topologies of neighbourhoods. */
#include "player.h"

static bool is_member(const struct comm *c, int rank)
{
    for (int m = 0; m < c->n_members; m++)
        if (c->members[m] == rank)
            return true;
    return false;
}

/* The members that calls of this rank name: of an intercommunicator, the other group. */
static void peers(const struct comm *c, const int **first, int *n)
{
    *first = c->members;
    *n = c->n_members;
    if (!c->n_first)
        return;
    *n = c->n_first;
    for (int m = 0; m < c->n_first; m++)
        if (c->members[m] == me) {
            *first = c->members + c->n_first;
            *n = c->n_members - c->n_first;
        }
}

int peer_in(const struct comm *c, int rank)
{
    const int *members;
    int n;
    peers(c, &members, &n);
    for (int k = 0; k < n; k++)
        if (members[k] == rank)
            return k;
    return rank; /* any, or none */
}

int peer_of(const struct comm *c, int local)
{
    const int *members;
    int n;
    peers(c, &members, &n);
    return local < 0 || local >= n ? -1 : members[local];
}

static void split(MPI_Comm parent, struct comm *c)
{
    MPI_Comm_split(parent, is_member(c, me) ? 0 : MPI_UNDEFINED, me, &c->handle);
}

static void create(MPI_Comm parent, struct comm *c)
{
    MPI_Group world, group;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, c->n_members, c->members, &group);
    MPI_Comm_create(parent, group, &c->handle);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
}

static void create_inter(struct comm *c)
{
    bool first = false;
    for (int m = 0; m < c->n_first; m++)
        first |= c->members[m] == me;
    MPI_Comm group;
    MPI_Comm_split(MPI_COMM_WORLD, !is_member(c, me) ? MPI_UNDEFINED : first, me, &group);
    if (group == MPI_COMM_NULL)
        return;
    MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, c->members[first ? c->n_first : 0], 0, &c->handle);
    MPI_Comm_free(&group);
}

void make_comm(struct token *t)
{
    struct comm *c = &comms[t->args[0]];
    (is_way(t, "group") ? create : split)(comms[t->comm].handle, c);
}

/* ---- neighbourhoods ---- */

/* The rank's neighbourhood number `number` on the communicator, or NULL. */
static struct token *neighbourhood(int rank, int comm, int number)
{
    for (int k = 0; k < n_tokens[rank]; k++) {
        struct token *t = &lines[rank][k];
        if (t->call->kind == COLLECTIVE && t->call->collective == NEIGHBOR && t->comm == comm &&
            t->number == number)
            return t;
    }
    return NULL;
}

/* A member that never calls this one has no neighbours. */
static void make_graph(int comm, int number)
{
    const struct comm *c = &comms[comm];
    struct token *mine = neighbourhood(me, comm, number);
    int sources[RANKS], destinations[RANKS], n_sources = 0, n_destinations = 0;
    for (int k = 0; mine && k < mine->n_args; k++)
        sources[n_sources++] = peer_in(c, mine->args[k]);
    for (int m = 0; m < c->n_members; m++) {
        const struct token *t = neighbourhood(c->members[m], comm, number);
        for (int k = 0; t && k < t->n_args; k++)
            if (t->args[k] == me)
                destinations[n_destinations++] = m;
    }
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(c->handle, n_sources, sources, MPI_UNWEIGHTED, n_destinations,
                                   destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    if (mine)
        mine->graph = graph;
}

static void make_graphs(int comm)
{
    for (int number = 0; number < TOKENS; number++) {
        bool any = false;
        for (int m = 0; m < comms[comm].n_members; m++)
            any |= neighbourhood(comms[comm].members[m], comm, number) != NULL;
        if (any && comms[comm].handle != MPI_COMM_NULL)
            make_graph(comm, number);
    }
}

/* Those with an odd number of members by split, the others by create. The neighbourhoods of one that is made
 * later have a topology over a communicator of their own, since a rank may never get to make it. */
void make_comms(void)
{
    comms[0].handle = MPI_COMM_WORLD;
    comms[0].n_members = n_ranks;
    for (int k = 0; k < n_ranks; k++)
        comms[0].members[k] = k;
    for (int k = 0; k < n_comms; k++) {
        struct comm *c = &comms[k];
        if (c->n_first)
            create_inter(c);
        else if (k)
            (c->n_members % 2 ? split : create)(MPI_COMM_WORLD, c);
        if (!c->n_first)
            make_graphs(k);
        if (c->made && c->handle != MPI_COMM_NULL)
            MPI_Comm_free(&c->handle);
    }
}
