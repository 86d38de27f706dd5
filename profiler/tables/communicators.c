/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators: see communicators.h. */
#include "communicators.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/errors_quiet.h"
#include "base/phase.h"
#include "handles.h"
#include "link/reach.h"

#define BUCKETS 256

int prof_world_size, prof_world_rank, prof_tag_ub;

static struct prof_comm *by_handle[BUCKETS], *by_number[BUCKETS];

static struct prof_comm **handle_bucket(MPI_Comm handle)
{
    return &by_handle[((unsigned)handle ^ (unsigned)handle >> 26) % BUCKETS];
}

static struct prof_comm **number_bucket(int32_t number) { return &by_number[(uint32_t)number % BUCKETS]; }

int *prof_group_world(MPI_Group group, int *n)
{
    MPI_Group all;
    prof_errors_quiet(true);
    int rc = prof_errors_heard(PMPI_Group_size(group, n));
    prof_errors_quiet(false);
    if (rc != MPI_SUCCESS)
        return NULL;
    int *ranks = prof_alloc((size_t)*n, sizeof *ranks), *world = prof_alloc((size_t)*n, sizeof *world);
    for (int i = 0; i < *n; i++)
        ranks[i] = i;
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_translate_ranks(group, *n, ranks, all, world);
    PMPI_Group_free(&all);
    free(ranks);
    return world;
}

/* World ranks of the local group, or of the remote one. */
static int *comm_world(MPI_Comm comm, bool remote, int *n)
{
    MPI_Group group;
    if (remote)
        PMPI_Comm_remote_group(comm, &group);
    else
        PMPI_Comm_group(comm, &group);
    int size, *world = prof_group_world(group, n);
    PMPI_Group_free(&group);
    /* MPICH 5.0: of MPI_Graph_create with fewer nodes the group has all ranks of the old communicator */
    if (!remote && PMPI_Comm_size(comm, &size) == MPI_SUCCESS && *n > size)
        *n = size;
    return world;
}

static void fill_ranks(struct prof_comm *c)
{
    c->world = comm_world(c->handle, c->inter, &c->size);
    c->local = prof_alloc((size_t)prof_world_size, sizeof *c->local);
    for (int i = 0; i < prof_world_size; i++)
        c->local[i] = -1;
    for (int i = 0; i < c->size; i++)
        c->local[c->world[i]] = i;
}

static struct prof_comm *enter(struct prof_comm *c, MPI_Comm handle, int32_t number)
{
    c->handle = handle;
    c->number = number;
    c->next = *handle_bucket(handle);
    *handle_bucket(handle) = c;
    c->next_number = *number_bucket(number);
    *number_bucket(number) = c;
    return c;
}

static struct prof_comm *add(MPI_Comm handle, int32_t number)
{
    struct prof_comm *c = enter(prof_alloc(1, sizeof *c), handle, number);
    int inter;
    PMPI_Comm_test_inter(handle, &inter);
    c->inter = inter != 0;
    PMPI_Comm_size(handle, &c->size);
    PMPI_Comm_rank(handle, &c->rank);
    if (handle != MPI_COMM_WORLD)
        fill_ranks(c);
    return c;
}

static struct prof_comm *created(struct prof_comm *c, const struct prof_comm *parent)
{
    c->handler = parent && parent->handler;
    prof_handle_created(PROF_HANDLE_COMM, (int)c->handle, prof_current.fn, prof_current.site);
    return c;
}

struct prof_comm *prof_comm_add(MPI_Comm handle, int32_t number, const struct prof_comm *parent)
{
    return created(add(handle, number), parent);
}

static int *copy(const int *ranks, int n)
{
    return ranks ? memcpy(prof_alloc((size_t)n, sizeof *ranks), ranks, (size_t)n * sizeof *ranks) : NULL;
}

void prof_comm_add_copy(MPI_Comm handle, int32_t number, const struct prof_comm *parent)
{
    struct prof_comm *c = enter(prof_alloc(1, sizeof *c), handle, number);
    c->inter = parent->inter;
    c->size = parent->size;
    c->rank = parent->rank;
    c->world = copy(parent->world, parent->size);
    c->local = copy(parent->local, prof_world_size);
    created(c, parent);
}

void prof_comm_add_meeting(int32_t number, const struct prof_comm *parent)
{
    MPI_Group group;
    MPI_Comm handle;
    PMPI_Comm_group(parent->handle, &group);
    PMPI_Comm_create(parent->handle, group, &handle); /* MPI_Comm_dup would copy the program's attributes */
    PMPI_Group_free(&group);
    add(handle, number);
}

/* Two groups without a common rank: the one with the lowest rank comes first, so both sides tell the same. */
static bool goes_first(const int *group, int n, const int *other, int n_other)
{
    int lowest = INT_MAX, lowest_other = INT_MAX;
    for (int i = 0; i < n; i++)
        lowest = group[i] < lowest ? group[i] : lowest;
    for (int i = 0; i < n_other; i++)
        lowest_other = other[i] < lowest_other ? other[i] : lowest_other;
    return lowest < lowest_other;
}

uint32_t *prof_comm_members(MPI_Comm comm, uint32_t *n, int32_t *n_first)
{
    int inter, size, size_remote;
    int *world = comm_world(comm, false, &size);
    *n = (uint32_t)size;
    *n_first = 0;
    PMPI_Comm_test_inter(comm, &inter);
    if (!inter)
        return (uint32_t *)world;
    int *remote = comm_world(comm, true, &size_remote);
    bool first = goes_first(world, size, remote, size_remote);
    int *all = prof_alloc((size_t)size + (size_t)size_remote, sizeof *all);
    memcpy(all + (first ? 0 : size_remote), world, (size_t)size * sizeof *all);
    memcpy(all + (first ? size : 0), remote, (size_t)size_remote * sizeof *all);
    free(world);
    free(remote);
    *n += (uint32_t)size_remote;
    *n_first = first ? size : size_remote;
    return (uint32_t *)all;
}

void prof_comms_init(void)
{
    PMPI_Comm_size(MPI_COMM_WORLD, &prof_world_size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &prof_world_rank);
    int found, *tag_ub;
    PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub, &found);
    prof_tag_ub = found ? *tag_ub : 32767;
    add(MPI_COMM_WORLD, ISP_COMM_WORLD);
    add(MPI_COMM_SELF, ISP_COMM_SELF(prof_world_rank));
}

static struct prof_comm *lookup(MPI_Comm handle)
{
    struct prof_comm *c = *handle_bucket(handle);
    while (c && c->handle != handle)
        c = c->next;
    return c;
}

struct prof_comm *prof_comm_find(MPI_Comm handle)
{
    struct prof_comm *c = lookup(handle);
    return c && !c->freed ? c : NULL;
}

struct prof_comm *prof_comm_of_number(int32_t number)
{
    struct prof_comm *c = *number_bucket(number);
    while (c && c->number != number)
        c = c->next_number;
    return c;
}

struct prof_comm *prof_comm_use(MPI_Comm *handle)
{
    struct prof_comm *c = lookup(*handle);
    if (c && !c->freed)
        return c;
    if (c || *handle == MPI_COMM_NULL) {
        *handle = MPI_COMM_NULL; /* the program freed it: so MPI must not think that it is valid */
        return NULL;
    }
    int inter;
    prof_errors_quiet(true);
    int rc = prof_errors_heard(PMPI_Comm_test_inter(*handle, &inter));
    prof_errors_quiet(false);
    if (rc == MPI_SUCCESS) /* made by a call that isp does not model */
        prof_unsupported(prof_current.fn, prof_current.site);
    return NULL;
}

static int free_inside(struct prof_comm *c)
{
    struct prof_comm **at = handle_bucket(c->handle);
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    at = number_bucket(c->number);
    while (*at != c)
        at = &(*at)->next_number;
    *at = c->next_number;
    MPI_Comm handle = c->handle;
    free(c->world);
    free(c->local);
    free(c);
    return PMPI_Comm_free(&handle);
}

void prof_comm_drop_meeting(int32_t number)
{
    struct prof_comm *c = prof_comm_of_number(number);
    if (c)
        free_inside(c);
}

void prof_comm_hold(struct prof_comm *c) { c->pending++; }

void prof_comm_release(struct prof_comm *c)
{
    if (--c->pending == 0 && c->freed)
        free_inside(c);
}

void prof_comms_finish(void)
{
    for (int i = 0; i < BUCKETS; i++)
        for (struct prof_comm *c = by_handle[i], *next; c; c = next) {
            next = c->next;
            if (c->freed)
                free_inside(c);
        }
}

int prof_comm_free(struct prof_comm *c, MPI_Comm *comm)
{
    MPI_Comm handle = *comm;
    int rc = MPI_SUCCESS;
    *comm = MPI_COMM_NULL;
    if (c->pending > 0)
        c->freed = true;
    else
        rc = free_inside(c);
    prof_handle_freed(PROF_HANDLE_COMM, (int)handle);
    return rc;
}

/* ---- the state of the rank ---- */

static struct prof_hash hash_of(const struct prof_comm *c)
{
    struct prof_hash h = {0};
    prof_hash_word(&h, (uint64_t)c->handle << 32 | (uint32_t)c->number);
    prof_hash_word(&h, (uint64_t)(uint32_t)c->size << 32 | (uint32_t)c->rank);
    prof_hash_word(&h, (uint64_t)(uint32_t)c->persistent << 32 | c->pending);
    prof_hash_word(&h, c->inter | c->freed << 1 | c->handler << 2 | (c->world != NULL) << 3);
    if (c->world)
        prof_hash_bytes(&h, c->world, (size_t)c->size * sizeof *c->world);
    return h;
}

void prof_comms_hash(struct prof_hash *hash)
{
    struct prof_hash sum = {0};
    for (size_t i = 0; i < sizeof by_handle / sizeof *by_handle; i++)
        for (const struct prof_comm *c = by_handle[i]; c; c = c->next)
            prof_hash_add(&sum, hash_of(c));
    prof_hash_word(hash, sum.low);
    prof_hash_word(hash, sum.high);
}
