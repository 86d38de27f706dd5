/* SPDX-License-Identifier: BSD-3-Clause */
/* Constants that are passed as numbers: see front.h. */
#include "front.h"

#include <dlfcn.h>

enum { CLASS = 0x7f, MADE_BY_PROGRAM = 0x40000000, UNKNOWN = -100 };

struct pair {
    int its, mpich; /* its: the interface's */
};

static int to(const struct pair *pairs, size_t n, int number, int otherwise)
{
    for (size_t i = 0; i < n; i++)
        if (pairs[i].its == number)
            return pairs[i].mpich;
    return otherwise;
}

static int from(const struct pair *pairs, size_t n, int number, int otherwise)
{
    for (size_t i = 0; i < n; i++)
        if (pairs[i].mpich == number)
            return pairs[i].its;
    return otherwise;
}

/* A wrong number is to be told as it is, if it is not a right one to MPICH. */
static int unless(const struct pair *pairs, size_t n, int number)
{
    for (size_t i = 0; i < n; i++)
        if (pairs[i].mpich == number)
            return UNKNOWN;
    return number;
}

#define UNLESS(pairs, number) unless(pairs, sizeof pairs / sizeof *pairs, number)
#define TO(pairs, number, otherwise) to(pairs, sizeof pairs / sizeof *pairs, number, otherwise)
#define FROM(pairs, number, otherwise) from(pairs, sizeof pairs / sizeof *pairs, number, otherwise)
#define PAIR(name)         \
    {                      \
        name, MPICH_##name \
    }

/* ---- errors ---- */

static const struct pair classes[] = {
#define ERROR(its, mpich) {its, mpich},
#include "tables.inc"
};

int from_code(int code)
{
    if (code == MPI_SUCCESS || code & MADE_BY_PROGRAM)
        return code;
    return FROM(classes, code & CLASS, MPI_ERR_OTHER);
}

int to_code(int code) { return TO(classes, code, code); }

/* ---- ranks and tags ---- */

static const struct pair ranks[] = {PAIR(MPI_ANY_SOURCE), PAIR(MPI_PROC_NULL), PAIR(MPI_ROOT)};
static const struct pair tags[] = {PAIR(MPI_ANY_TAG)};

int to_rank(int rank) { return TO(ranks, rank, UNLESS(ranks, rank)); }
int from_rank(int rank) { return FROM(ranks, rank, rank); }
int to_tag(int tag) { return TO(tags, tag, UNLESS(tags, tag)); }
int from_tag(int tag) { return FROM(tags, tag, tag); }

/* ---- the others ---- */

static const struct pair keyvals[] = {PAIR(MPI_TAG_UB),
                                      PAIR(MPI_HOST),
                                      PAIR(MPI_IO),
                                      PAIR(MPI_WTIME_IS_GLOBAL),
                                      PAIR(MPI_APPNUM),
                                      PAIR(MPI_LASTUSEDCODE),
                                      PAIR(MPI_UNIVERSE_SIZE),
                                      PAIR(MPI_WIN_BASE),
                                      PAIR(MPI_WIN_SIZE),
                                      PAIR(MPI_WIN_DISP_UNIT),
                                      PAIR(MPI_WIN_CREATE_FLAVOR),
                                      PAIR(MPI_WIN_MODEL),
                                      PAIR(MPI_KEYVAL_INVALID)};
static const struct pair assertions[] = {PAIR(MPI_MODE_NOCHECK), PAIR(MPI_MODE_NOPRECEDE),
                                         PAIR(MPI_MODE_NOPUT), PAIR(MPI_MODE_NOSTORE),
                                         PAIR(MPI_MODE_NOSUCCEED)};
static const struct pair lock_types[] = {PAIR(MPI_LOCK_EXCLUSIVE), PAIR(MPI_LOCK_SHARED)};
static const struct pair orders[] = {PAIR(MPI_ORDER_C), PAIR(MPI_ORDER_FORTRAN)};
static const struct pair distributions[] = {PAIR(MPI_DISTRIBUTE_BLOCK), PAIR(MPI_DISTRIBUTE_CYCLIC),
                                            PAIR(MPI_DISTRIBUTE_NONE)};
static const struct pair split_types[] = {
#if MPI_VERSION >= 4
    PAIR(MPI_COMM_TYPE_HW_GUIDED), PAIR(MPI_COMM_TYPE_HW_UNGUIDED),
#endif
    PAIR(MPI_COMM_TYPE_SHARED), PAIR(MPI_UNDEFINED)};
static const struct pair typeclasses[] = {PAIR(MPI_TYPECLASS_REAL), PAIR(MPI_TYPECLASS_INTEGER),
                                          PAIR(MPI_TYPECLASS_COMPLEX)};
static const struct pair topologies[] = {PAIR(MPI_CART), PAIR(MPI_GRAPH), PAIR(MPI_DIST_GRAPH)};
static const struct pair whences[] = {PAIR(MPI_SEEK_SET), PAIR(MPI_SEEK_CUR), PAIR(MPI_SEEK_END)};
static const struct pair amodes[] = {
    PAIR(MPI_MODE_APPEND),     PAIR(MPI_MODE_CREATE),      PAIR(MPI_MODE_DELETE_ON_CLOSE),
    PAIR(MPI_MODE_EXCL),       PAIR(MPI_MODE_RDONLY),      PAIR(MPI_MODE_RDWR),
    PAIR(MPI_MODE_SEQUENTIAL), PAIR(MPI_MODE_UNIQUE_OPEN), PAIR(MPI_MODE_WRONLY)};
static const struct pair levels[] = {PAIR(MPI_THREAD_SINGLE), PAIR(MPI_THREAD_FUNNELED),
                                     PAIR(MPI_THREAD_SERIALIZED), PAIR(MPI_THREAD_MULTIPLE)};
static const struct pair comparisons[] = {PAIR(MPI_IDENT), PAIR(MPI_CONGRUENT), PAIR(MPI_SIMILAR),
                                          PAIR(MPI_UNEQUAL)};
static const struct pair flavors[] = {PAIR(MPI_WIN_FLAVOR_CREATE), PAIR(MPI_WIN_FLAVOR_ALLOCATE),
                                      PAIR(MPI_WIN_FLAVOR_DYNAMIC), PAIR(MPI_WIN_FLAVOR_SHARED)};
static const struct pair combiners[] = {
#define COMBINER(its, mpich) {its, mpich},
#include "tables.inc"
};

int to_keyval(int keyval) { return TO(keyvals, keyval, keyval); }
int to_lock_type(int type) { return TO(lock_types, type, type == 0 ? UNKNOWN : type); }
int to_order(int order) { return TO(orders, order, UNLESS(orders, order)); }
int to_distribution(int distribution)
{
    return TO(distributions, distribution, UNLESS(distributions, distribution));
}

int front_split_type(int type, const void *site)
{
#ifdef MPI_ABI_VERSION
    if (type == MPI_COMM_TYPE_RESOURCE_GUIDED)
        front_missing("MPI_COMM_TYPE_RESOURCE_GUIDED", "MPICH", "constant", site);
#endif
    return TO(split_types, type, type);
}

void *front_attached(void *buffer, const void *site)
{
#ifdef MPI_BUFFER_AUTOMATIC
    if (buffer == MPI_BUFFER_AUTOMATIC)
        front_missing("MPI_BUFFER_AUTOMATIC", "MPICH", "constant", site);
#endif
    return buffer;
}

int to_typeclass(int class) { return TO(typeclasses, class, UNLESS(typeclasses, class)); }
int from_combiner(int combiner) { return FROM(combiners, combiner, combiner); }
int from_topology(int topology) { return FROM(topologies, topology, topology); }

int from_order(int order) { return FROM(orders, order, order); }
int from_distribution(int distribution) { return FROM(distributions, distribution, distribution); }

int from_distribution_argument(int argument)
{
    return argument == MPICH_MPI_DISTRIBUTE_DFLT_DARG ? MPI_DISTRIBUTE_DFLT_DARG : argument;
}

int to_distribution_argument(int argument)
{
    return argument == MPI_DISTRIBUTE_DFLT_DARG ? MPICH_MPI_DISTRIBUTE_DFLT_DARG : argument;
}

/* What means nothing is to be found wrong. */
static int to_bits(const struct pair *pairs, size_t n, int bits)
{
    int mine = 0;
    for (size_t i = 0; i < n; i++)
        if (bits & pairs[i].its) {
            mine |= pairs[i].mpich;
            bits &= ~pairs[i].its;
        }
    return mine | bits << 16;
}

int to_assertion(int bits) { return to_bits(assertions, sizeof assertions / sizeof *assertions, bits); }
int to_amode(int bits) { return to_bits(amodes, sizeof amodes / sizeof *amodes, bits); }

int from_amode(int bits)
{
    int its = 0;
    for (size_t i = 0; i < sizeof amodes / sizeof *amodes; i++)
        its |= bits & amodes[i].mpich ? amodes[i].its : 0;
    return its;
}

int to_whence(int whence) { return TO(whences, whence, UNLESS(whences, whence)); }
int to_level(int level) { return TO(levels, level, UNLESS(levels, level)); }
int from_level(int level) { return FROM(levels, level, level); }
int from_comparison(int result) { return FROM(comparisons, result, result); }
int from_flavor(int flavor) { return FROM(flavors, flavor, flavor); }

MPI_Offset to_displacement(MPI_Offset displacement)
{
    return displacement == MPI_DISPLACEMENT_CURRENT         ? MPICH_MPI_DISPLACEMENT_CURRENT
           : displacement == MPICH_MPI_DISPLACEMENT_CURRENT ? UNKNOWN
                                                            : displacement;
}

void *to_buffer(const void *buffer)
{
    bool in_place = buffer == MPI_IN_PLACE || (buffer && buffer == front_fortran_in_place);
    return in_place ? (void *)-1 : (void *)buffer;
}

/* MPICH has variables for them. */
static const int *constant(const char *name)
{
    int **found = dlsym(RTLD_DEFAULT, name);
    return found ? *found : NULL;
}

const int *to_weights(const int *weights)
{
    return weights == MPI_UNWEIGHTED      ? constant("MPI_UNWEIGHTED")
           : weights == MPI_WEIGHTS_EMPTY ? constant("MPI_WEIGHTS_EMPTY")
                                          : weights;
}
