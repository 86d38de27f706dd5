/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators: see communicators.h. A record first, MPI after the go-ahead: all members then are there. */
#include "communicators.h"

#include <stdlib.h>

#include "errors.h"
#include "fence.h"
#include "handles.h"
#include "prof.h"
#include "prof_calls.h"

#define BUCKETS 256

int prof_world_size, prof_world_rank;

static struct prof_comm *buckets[BUCKETS];

static struct prof_comm **bucket(MPI_Comm handle)
{
    return &buckets[((unsigned)handle ^ (unsigned)handle >> 26) % BUCKETS];
}

static void *allocate(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (!p)
        abort();
    return p;
}

static void fill_ranks(struct prof_comm *c)
{
    MPI_Group mine, all;
    PMPI_Comm_group(c->handle, &mine);
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    int *ranks = allocate((size_t)c->size, sizeof *ranks);
    for (int i = 0; i < c->size; i++)
        ranks[i] = i;
    c->world = allocate((size_t)c->size, sizeof *c->world);
    PMPI_Group_translate_ranks(mine, c->size, ranks, all, c->world);
    c->local = allocate((size_t)prof_world_size, sizeof *c->local);
    for (int i = 0; i < prof_world_size; i++)
        c->local[i] = -1;
    for (int i = 0; i < c->size; i++)
        c->local[c->world[i]] = i;
    free(ranks);
    PMPI_Group_free(&mine);
    PMPI_Group_free(&all);
}

static struct prof_comm *add(MPI_Comm handle, int32_t number, const struct prof_comm *parent)
{
    struct prof_comm *c = allocate(1, sizeof *c);
    c->handle = handle;
    c->number = number;
    c->handler = parent && parent->handler;
    PMPI_Comm_size(handle, &c->size);
    PMPI_Comm_rank(handle, &c->rank);
    if (handle != MPI_COMM_WORLD)
        fill_ranks(c);
    c->next = *bucket(handle);
    *bucket(handle) = c;
    return c;
}

void prof_comms_init(void)
{
    PMPI_Comm_size(MPI_COMM_WORLD, &prof_world_size);
    PMPI_Comm_rank(MPI_COMM_WORLD, &prof_world_rank);
    add(MPI_COMM_WORLD, ISP_COMM_WORLD, NULL);
    add(MPI_COMM_SELF, ISP_COMM_SELF(prof_world_rank), NULL);
}

static struct prof_comm *lookup(MPI_Comm handle)
{
    struct prof_comm *c = *bucket(handle);
    while (c && c->handle != handle)
        c = c->next;
    return c;
}

struct prof_comm *prof_comm_find(MPI_Comm handle)
{
    struct prof_comm *c = lookup(handle);
    return c && !c->freed ? c : NULL;
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
    int rc = PMPI_Comm_test_inter(*handle, &inter);
    prof_errors_quiet(false);
    if (rc == MPI_SUCCESS) /* made by a call that isp does not model */
        prof_unsupported(prof_current.fn, prof_current.site);
    return NULL;
}

static int free_inside(struct prof_comm *c)
{
    struct prof_comm **at = bucket(c->handle);
    while (*at != c)
        at = &(*at)->next;
    *at = c->next;
    MPI_Comm handle = c->handle;
    free(c->world);
    free(c->local);
    free(c);
    return PMPI_Comm_free(&handle);
}

void prof_comm_hold(struct prof_comm *c)
{
    c->pending++;
}

void prof_comm_release(struct prof_comm *c)
{
    if (--c->pending == 0 && c->freed)
        free_inside(c);
}

void prof_comms_finish(void)
{
    for (int i = 0; i < BUCKETS; i++)
        for (struct prof_comm *c = buckets[i], *next; c; c = next) {
            next = c->next;
            if (c->freed)
                free_inside(c);
        }
}

/* ---- the calls ---- */

static void match(struct prof_comm *c, enum isp_make make, struct isp_call *call, struct isp_result *result)
{
    call->op = ISP_OP_COLLECTIVE;
    call->mode = (uint8_t)make;
    call->comm = c->number;
    call->root = ISP_NO_RANK;
    prof_fence(call, result);
}

/* After PMPI_Comm_x: what it made is known from now on. */
static int made(int rc, const struct prof_comm *parent, MPI_Comm *newcomm, const struct isp_result *result)
{
    if (rc != MPI_SUCCESS || *newcomm == MPI_COMM_NULL)
        return rc;
    add(*newcomm, result->new_comm, parent);
    prof_handle_created(PROF_HANDLE_COMM, (int)*newcomm, prof_current.fn, prof_current.site);
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
    match(c, ISP_MAKE_SAME, &call, &result);
    return prof_leave(made(PMPI_Comm_dup(comm, newcomm), c, newcomm, &result));
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
    match(c, ISP_MAKE_SAME, &call, &result);
    return prof_leave(made(PMPI_Comm_dup_with_info(comm, info, newcomm), c, newcomm, &result));
}

int prof_Comm_split(enum isp_fn fn, const void *site, MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
{
    struct prof_comm *c;
    if (!prof_enter(fn, site))
        return PMPI_Comm_split(comm, color, key, newcomm);
    if (!newcomm || (color < 0 && color != MPI_UNDEFINED) || !(c = prof_comm_use(&comm)))
        return prof_leave(PMPI_Comm_split(comm, color, key, newcomm));
    struct isp_call call = {.color = color == MPI_UNDEFINED ? ISP_NO_COLOR : color, .key = key};
    struct isp_result result;
    match(c, ISP_MAKE_SPLIT, &call, &result);
    return prof_leave(made(PMPI_Comm_split(comm, color, key, newcomm), c, newcomm, &result));
}

/* World ranks of a group; NULL if the group is not valid. The caller frees it. */
static uint32_t *group_members(MPI_Group group, uint32_t *n)
{
    MPI_Group all;
    int size, rc;
    prof_errors_quiet(true);
    rc = PMPI_Group_size(group, &size);
    prof_errors_quiet(false);
    if (rc != MPI_SUCCESS)
        return NULL;
    int *ranks = allocate((size_t)size, sizeof *ranks);
    for (int i = 0; i < size; i++)
        ranks[i] = i;
    uint32_t *members = allocate((size_t)size, sizeof *members);
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_translate_ranks(group, size, ranks, all, (int *)members);
    PMPI_Group_free(&all);
    free(ranks);
    *n = (uint32_t)size;
    return members;
}

int prof_Comm_create(enum isp_fn fn, const void *site, MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm)
{
    struct prof_comm *c;
    uint32_t *members, n;
    if (!prof_enter(fn, site))
        return PMPI_Comm_create(comm, group, newcomm);
    if (!newcomm || !(c = prof_comm_use(&comm)) || !(members = group_members(group, &n)))
        return prof_leave(PMPI_Comm_create(comm, group, newcomm));
    struct isp_call call = {.list = members, .n = n};
    struct isp_result result;
    match(c, ISP_MAKE_GROUP, &call, &result);
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
        me == MPI_UNDEFINED || !(members = group_members(group, &n)))
        return prof_leave(PMPI_Comm_create_group(comm, group, tag, newcomm));
    struct isp_call call = {.flags = ISP_F_SUBSET, .tag = tag, .list = members, .n = n};
    struct isp_result result;
    match(c, ISP_MAKE_GROUP, &call, &result);
    free(members);
    return prof_leave(made(PMPI_Comm_create_group(comm, group, tag, newcomm), c, newcomm, &result));
}

int prof_Comm_free(enum isp_fn fn, const void *site, MPI_Comm *comm)
{
    if (!comm || !prof_enter(fn, site))
        return PMPI_Comm_free(comm);
    MPI_Comm handle = *comm;
    struct prof_comm *c = prof_comm_use(&handle);
    if (!c || handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF)
        return prof_leave(PMPI_Comm_free(&handle));
    struct isp_call call = {0};
    struct isp_result result;
    match(c, ISP_MAKE_FREE, &call, &result);
    int rc = MPI_SUCCESS;
    if (c->pending > 0)
        c->freed = true;
    else
        rc = free_inside(c);
    prof_handle_freed(PROF_HANDLE_COMM, (int)handle);
    *comm = MPI_COMM_NULL;
    return prof_leave(rc);
}
