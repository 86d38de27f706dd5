/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared windows and MPI_COMM_TYPE_SHARED on one host: see shared.h. The memory is a file without a name,
 * which the first rank makes and the others open through /proc: nothing of it is left if a rank dies. */
#include "shared.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/own_ids.h"
#include "engine/prof.h"
#include "prof_calls.h"

struct part {
    MPI_Aint size, disp_unit;
};

struct prof_shared {
    char *start;
    size_t bytes;
    int n;
    struct part parts[]; /* by rank; one after the other in memory */
};

bool prof_shared_is_hidden(void)
{
    const char *value = getenv("MPIR_CVAR_NOLOCAL");
    return value && *value && strcmp(value, "0") != 0;
}

/* ---- windows ---- */

static char *part_start(const struct prof_shared *s, int rank)
{
    char *at = s->start;
    for (int i = 0; i < rank; i++)
        at += s->parts[i].size;
    return at;
}

static int open_file_of(const int place[2])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", place[0], place[1]);
    return open(path, O_RDWR | O_CLOEXEC);
}

/* Maps the memory of all on all ranks; false if that fails on any. */
static bool map(struct prof_shared *s, MPI_Comm comm)
{
    int rank, fd = -1, place[2] = {-1, -1};
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0) {
        fd = memfd_create("isp window", MFD_CLOEXEC);
        if (fd >= 0 && ftruncate(fd, (off_t)s->bytes) == 0) {
            place[0] = (int)prof_own_pid();
            place[1] = fd;
        }
    }
    PMPI_Bcast(place, 2, MPI_INT, 0, comm);
    if (rank != 0)
        fd = open_file_of(place);
    void *start = fd < 0 ? MAP_FAILED : mmap(NULL, s->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    int mine = place[1] >= 0 && start != MAP_FAILED, all = 0;
    PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, comm);
    if (fd >= 0)
        close(fd);
    s->start = start == MAP_FAILED ? NULL : start;
    return all;
}

static struct prof_shared *create(MPI_Aint size, MPI_Aint disp_unit, MPI_Comm comm)
{
    int n;
    PMPI_Comm_size(comm, &n);
    struct prof_shared *s = prof_alloc(1, sizeof *s + (size_t)n * sizeof *s->parts);
    s->n = n;
    struct part mine = {size, disp_unit};
    PMPI_Allgather(&mine, 2, MPI_AINT, s->parts, 2, MPI_AINT, comm);
    s->bytes = (size_t)(part_start(s, n) - s->start);
    s->bytes = s->bytes ? s->bytes : 1;
    if (map(s, comm))
        return s;
    prof_shared_destroy(s);
    return NULL;
}

int prof_shared_allocate(MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
                         MPI_Win *win, struct prof_shared **shared)
{
    int rank;
    *shared = create(size, disp_unit, comm);
    if (!*shared) {
        PMPI_Comm_call_errhandler(comm, MPI_ERR_RMA_SHARED);
        return MPI_ERR_RMA_SHARED;
    }
    PMPI_Comm_rank(comm, &rank);
    char *base = size > 0 ? part_start(*shared, rank) : NULL; /* MPICH's answer for nothing */
    int rc = PMPI_Win_create_c(base, size, disp_unit, info, comm, win);
    if (rc == MPI_SUCCESS) {
        memcpy(baseptr, &base, sizeof base);
    } else {
        prof_shared_destroy(*shared);
        *shared = NULL;
    }
    return rc;
}

void prof_shared_query(const struct prof_shared *shared, int rank, MPI_Aint *size, MPI_Aint *disp_unit,
                       void *baseptr)
{
    /* MPI_PROC_NULL: the first that has some (MPI-4.0, section 12.2.3) */
    int which = rank == MPI_PROC_NULL ? 0 : rank;
    while (rank == MPI_PROC_NULL && which < shared->n && shared->parts[which].size == 0)
        which++;
    *size = which < shared->n ? shared->parts[which].size : 0;
    char *base = *size > 0 ? part_start(shared, which) : NULL;
    *disp_unit = which < shared->n ? shared->parts[which].disp_unit : 0;
    memcpy(baseptr, &base, sizeof base);
}

void prof_shared_destroy(struct prof_shared *shared)
{
    if (shared && shared->start)
        munmap(shared->start, shared->bytes);
    free(shared);
}

/* ---- communicators ---- */

/* All ranks of one host get one color. */
static int host_color(void)
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    uint32_t hash = 2166136261u;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    return (int)(hash & INT32_MAX);
}

int prof_Comm_split_type(enum isp_fn fn, const void *site, MPI_Comm comm, int split_type, int key,
                         MPI_Info info, MPI_Comm *newcomm)
{
    struct prof_constructor c;
    prof_constructor_begin(&c, fn, site, &comm);
    int rc, inter = 1, ours = 0;
    if (c.parent && newcomm && prof_shared_is_hidden())
        PMPI_Comm_test_inter(comm, &inter);
    if (!inter) { /* a rank may pass MPI_UNDEFINED: so all have to say what they want */
        int mine = split_type == MPI_COMM_TYPE_SHARED || split_type == MPI_UNDEFINED;
        PMPI_Allreduce(&mine, &ours, 1, MPI_INT, MPI_MIN, comm);
    }
    if (ours)
        rc = PMPI_Comm_split(comm, split_type == MPI_UNDEFINED ? MPI_UNDEFINED : host_color(), key, newcomm);
    else
        rc = PMPI_Comm_split_type(comm, split_type, key, info, newcomm);
    return prof_constructor_end(&c, rc, newcomm);
}
