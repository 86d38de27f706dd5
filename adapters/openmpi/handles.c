/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Open MPI's predefined handles are the addresses of objects of its library, which the program has loaded (or
 * of the program's copies of these), and which are found by name. Nothing else of that library is used.
 *
 * Open MPI's Fortran binding reads the Fortran number of a request out of the request, at this offset (in
 * ompi_request_free_f and eight others; libmpi.so.40 has always had it there). So requests are addresses in a
 * table that has MPICH's handle there.
 */
#include "front.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

enum { PLACES = 1024 };                  /* far more than there are predefined handles */
#define MARK ((uintptr_t)0x495350 << 40) /* no address: it is not canonical */
#define MARKED(p) ((uintptr_t)(p) >> 40 == MARK >> 40)

enum { FORTRAN_OFFSET = 0x68, AHEAD = FORTRAN_OFFSET / sizeof(int), REQUESTS = 1 << 20 };
static int requests[REQUESTS + AHEAD]; /* by the low bits of the handle: so many can be open at a time */

struct predefined {
    const char *symbol;
    int kind, handle, number;
};

static const struct predefined predefined[] = {
#define PREDEFINED(kind, symbol, handle, number) {symbol, FRONT_##kind, handle, number},
#include "tables.inc"
};
enum { N = sizeof predefined / sizeof *predefined };

/* By this libisp.so knows that we are there. */
__attribute__((visibility("default"))) const char isp_front = 1;

static const void *address[N];
static uint16_t by_address[PLACES], by_handle[PLACES]; /* index + 1 */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static void *mpi_library, *isp_library;
const void *front_fortran_in_place;

static unsigned place_of(uintptr_t key) { return (unsigned)(key * 0x9e3779b97f4a7c15u >> 54); }

static void put(uint16_t *table, uintptr_t key, int i)
{
    unsigned at = place_of(key);
    while (table[at])
        at = (at + 1) % PLACES;
    table[at] = (uint16_t)(i + 1);
}

static const void *object(const char *symbol)
{
    void *found = dlsym(RTLD_DEFAULT, symbol); /* the program's copy, if it has one */
    return found || !mpi_library ? found : dlsym(mpi_library, symbol);
}

static void begin(void)
{
    isp_library = front_isp();
    mpi_library = dlopen("libmpi.so.40", RTLD_LAZY | RTLD_NOLOAD);
    for (int i = 0; i < N; i++) {
        address[i] = object(predefined[i].symbol);
        if (!address[i])
            continue;
        put(by_address, (uintptr_t)address[i], i);
        put(by_handle, (uintptr_t)(uint32_t)predefined[i].handle, i);
    }
    front_fortran_in_place = dlsym(RTLD_DEFAULT, "mpi_fortran_in_place_");
    if (dlsym(RTLD_DEFAULT, "ompi_bcast_wrapper_f08"))
        front_refuse("mpi_f08 of Open MPI 6 looks into that MPI's own communicators", NULL);
    if (!object("ompi_mpi_comm_world")) {
        fputs("isp: this program is not built with Open MPI: leave out --mpi=openmpi\n", stderr);
        _Exit(1);
    }
}

void front_find(void *place, const char *name)
{
    pthread_once(&once, begin);
    front_find_in(isp_library, place, name, "MPICH");
}

void front_find_own(void *place, const char *name)
{
    pthread_once(&once, begin);
    front_find_in(mpi_library, place, name, "Open MPI");
}

int front_to(const void *handle)
{
    if (MARKED(handle))
        return (int)(uint32_t)(uintptr_t)handle;
    if ((uintptr_t)handle >= (uintptr_t)requests && (uintptr_t)handle < (uintptr_t)(requests + REQUESTS))
        return ((const int *)handle)[AHEAD];
    pthread_once(&once, begin);
    for (unsigned at = place_of((uintptr_t)handle); by_address[at]; at = (at + 1) % PLACES)
        if (address[by_address[at] - 1] == handle)
            return predefined[by_address[at] - 1].handle;
    return 0;
}

void *front_from(int handle)
{
    pthread_once(&once, begin);
    for (unsigned at = place_of((uint32_t)handle); by_handle[at]; at = (at + 1) % PLACES)
        if (predefined[by_handle[at] - 1].handle == handle)
            return (void *)address[by_handle[at] - 1];
    return (void *)(MARK | (uint32_t)handle);
}

MPI_Request from_request(int handle)
{
    if (handle == MPICH_MPI_REQUEST_NULL)
        return front_from(handle);
    int *request = requests + (handle & (REQUESTS - 1));
    request[AHEAD] = handle;
    return (MPI_Request)request;
}

int *later(MPI_Comm *comm)
{
    if (comm)
        *comm = (void *)MARK; /* the handle is the low half */
    return (void *)comm;
}

MPI_Message front_null_message(void) { return front_numbered(FRONT_MESSAGE, 0); }

MPI_File front_null_file(void)
{
    static MPI_File null;
    pthread_once(&once, begin);
    for (int i = 0; i < N && !null; i++)
        if (predefined[i].kind == FRONT_FILE)
            null = (MPI_File)address[i];
    return null;
}

int front_number(const void *handle)
{
    pthread_once(&once, begin);
    for (int i = 0; i < N; i++)
        if (address[i] == handle && predefined[i].number >= 0)
            return predefined[i].number;
    return front_to(handle);
}

void *front_numbered(int kind, int number)
{
    pthread_once(&once, begin);
    for (int i = 0; i < N; i++)
        if (predefined[i].kind == kind && predefined[i].number == number && address[i])
            return (void *)address[i];
    return front_from(number);
}

/* ---- statuses ---- */

struct status to_status(const MPI_Status *s)
{
    return (struct status){.low = (int)(uint32_t)s->_ucount,
                           .high_and_cancelled = (int)(s->_ucount >> 32) << 1 | (s->_cancelled & 1),
                           .source = to_rank(s->MPI_SOURCE),
                           .tag = to_tag(s->MPI_TAG),
                           .error = to_code(s->MPI_ERROR)};
}

MPI_Status from_status(const struct status *s)
{
    return (MPI_Status){._ucount = (uint32_t)s->low | (size_t)(uint32_t)(s->high_and_cancelled >> 1) << 32,
                        ._cancelled = s->high_and_cancelled & 1,
                        .MPI_SOURCE = from_rank(s->source),
                        .MPI_TAG = from_tag(s->tag),
                        .MPI_ERROR = from_code(s->error)};
}
