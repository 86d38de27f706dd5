/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Predefined handles of the standard interface are small numbers (MPI-5.0, appendix A.1.1); any other is
 * MPICH's, which is larger. Of files MPICH's is a pointer.
 */
#include "front.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

enum { PREDEFINED_END = 0x1000, PLACES = 1024 };

static const struct predefined {
    int value, handle;
} predefined[] = {
#define PREDEFINED(kind, value, handle) {value, handle},
#include "tables.inc"
};
enum { N = sizeof predefined / sizeof *predefined };

const void *front_fortran_in_place;

/* By this libisp.so knows that we are there. */
__attribute__((visibility("default"))) const char isp_front = 1;

static int by_value[PREDEFINED_END];
static uint16_t by_handle[PLACES]; /* index + 1 */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *isp_library;

static unsigned place_of(uint32_t handle) { return handle * 0x9e3779b9u >> 22; }

static void begin(void)
{
    isp_library = front_isp();
    if (!dlopen("libmpi_abi.so.1", RTLD_LAZY | RTLD_NOLOAD)) {
        fputs("isp: this program is not built with MPI's standard ABI: leave out --mpi=abi\n", stderr);
        _Exit(1);
    }
    for (int i = 0; i < N; i++) {
        unsigned at = place_of((uint32_t)predefined[i].handle);
        by_value[predefined[i].value] = predefined[i].handle;
        while (by_handle[at])
            at = (at + 1) % PLACES;
        by_handle[at] = (uint16_t)(i + 1);
    }
}

void front_find(void *place, const char *name)
{
    pthread_once(&once, begin);
    front_find_in(isp_library, place, name, "MPICH");
}

int front_to(const void *handle)
{
    pthread_once(&once, begin);
    return (uintptr_t)handle < PREDEFINED_END ? by_value[(uintptr_t)handle]
                                              : (int)(uint32_t)(uintptr_t)handle;
}

void *front_from(int handle)
{
    pthread_once(&once, begin);
    for (unsigned at = place_of((uint32_t)handle); by_handle[at]; at = (at + 1) % PLACES)
        if (predefined[by_handle[at] - 1].handle == handle)
            return (void *)(uintptr_t)predefined[by_handle[at] - 1].value;
    return (void *)(uintptr_t)(uint32_t)handle;
}

MPI_Request from_request(int handle)
{
    return handle == MPICH_MPI_REQUEST_NULL ? MPI_REQUEST_NULL : front_from(handle);
}

MPI_Message front_null_message(void) { return MPI_MESSAGE_NULL; }

int *later(MPI_Comm *comm)
{
    if (comm)
        *comm = NULL; /* the handle is the low half */
    return (void *)comm;
}

MPI_File front_null_file(void) { return MPI_FILE_NULL; }

/* In Fortran the predefined ones have the same numbers. */
int front_number(const void *handle) { return (int)(uint32_t)(uintptr_t)handle; }

void *front_numbered(int kind, int number) { return (void *)(uintptr_t)(uint32_t)number; }

/* ---- statuses ---- */

enum { LOW, HIGH_AND_CANCELLED };

struct status to_status(const MPI_Status *s)
{
    return (struct status){.low = s->MPI_internal[LOW],
                           .high_and_cancelled = s->MPI_internal[HIGH_AND_CANCELLED],
                           .source = to_rank(s->MPI_SOURCE),
                           .tag = to_tag(s->MPI_TAG),
                           .error = to_code(s->MPI_ERROR)};
}

MPI_Status from_status(const struct status *s)
{
    return (MPI_Status){.MPI_internal[LOW] = s->low,
                        .MPI_internal[HIGH_AND_CANCELLED] = s->high_and_cancelled,
                        .MPI_SOURCE = from_rank(s->source),
                        .MPI_TAG = from_tag(s->tag),
                        .MPI_ERROR = from_code(s->error)};
}
