/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which predefined operation may be applied to which predefined type (MPI-4.0, section 6.9.2). In a
 * collective it needs a predefined type; in an access to a window also a derived one, all of whose parts are
 * of one predefined type (12.3.4), and there are MPI_REPLACE and MPI_NO_OP, but no operations of the
 * program's own.
 */
#include "look.h"

#include <stdio.h>
#include <string.h>

#include "engine/errors.h"

enum kind {
    C_INTEGER = 1,
    FORTRAN_INTEGER = 2,
    FLOATING = 4,
    LOGICAL = 8,
    COMPLEX = 16,
    BYTE = 32,
    MULTI = 64, /* MPI_AINT, MPI_OFFSET, MPI_COUNT */
    PAIR = 128,
    OTHER = 256, /* for printable characters, and MPI_PACKED */
};

static int kind_of(MPI_Datatype type)
{
    static const struct {
        MPI_Datatype type;
        int kind;
    } kinds[] = {
        /* clang-format off */
        {MPI_INT, C_INTEGER}, {MPI_LONG, C_INTEGER}, {MPI_SHORT, C_INTEGER}, {MPI_UNSIGNED_SHORT, C_INTEGER},
        {MPI_UNSIGNED, C_INTEGER}, {MPI_UNSIGNED_LONG, C_INTEGER}, {MPI_LONG_LONG, C_INTEGER},
        {MPI_UNSIGNED_LONG_LONG, C_INTEGER}, {MPI_SIGNED_CHAR, C_INTEGER}, {MPI_UNSIGNED_CHAR, C_INTEGER},
        {MPI_INT8_T, C_INTEGER}, {MPI_INT16_T, C_INTEGER}, {MPI_INT32_T, C_INTEGER}, {MPI_INT64_T, C_INTEGER},
        {MPI_UINT8_T, C_INTEGER}, {MPI_UINT16_T, C_INTEGER}, {MPI_UINT32_T, C_INTEGER},
        {MPI_UINT64_T, C_INTEGER}, {MPI_INTEGER, FORTRAN_INTEGER}, {MPI_INTEGER1, FORTRAN_INTEGER},
        {MPI_INTEGER2, FORTRAN_INTEGER}, {MPI_INTEGER4, FORTRAN_INTEGER}, {MPI_INTEGER8, FORTRAN_INTEGER},
        {MPI_INTEGER16, FORTRAN_INTEGER}, {MPI_FLOAT, FLOATING}, {MPI_DOUBLE, FLOATING},
        {MPI_LONG_DOUBLE, FLOATING}, {MPI_REAL, FLOATING}, {MPI_DOUBLE_PRECISION, FLOATING},
        {MPI_REAL4, FLOATING}, {MPI_REAL8, FLOATING}, {MPI_REAL16, FLOATING}, {MPI_LOGICAL, LOGICAL},
        {MPI_C_BOOL, LOGICAL}, {MPI_CXX_BOOL, LOGICAL}, {MPI_COMPLEX, COMPLEX}, {MPI_DOUBLE_COMPLEX, COMPLEX},
        {MPI_C_FLOAT_COMPLEX, COMPLEX}, {MPI_C_DOUBLE_COMPLEX, COMPLEX}, {MPI_C_LONG_DOUBLE_COMPLEX, COMPLEX},
        {MPI_CXX_FLOAT_COMPLEX, COMPLEX}, {MPI_CXX_DOUBLE_COMPLEX, COMPLEX},
        {MPI_CXX_LONG_DOUBLE_COMPLEX, COMPLEX}, {MPI_COMPLEX8, COMPLEX}, {MPI_COMPLEX16, COMPLEX},
        {MPI_COMPLEX32, COMPLEX}, {MPI_BYTE, BYTE}, {MPI_AINT, MULTI}, {MPI_OFFSET, MULTI},
        {MPI_COUNT, MULTI}, {MPI_FLOAT_INT, PAIR}, {MPI_DOUBLE_INT, PAIR}, {MPI_LONG_INT, PAIR},
        {MPI_2INT, PAIR}, {MPI_SHORT_INT, PAIR}, {MPI_LONG_DOUBLE_INT, PAIR}, {MPI_2REAL, PAIR},
        {MPI_2DOUBLE_PRECISION, PAIR}, {MPI_2INTEGER, PAIR}, {MPI_CHAR, OTHER}, {MPI_WCHAR, OTHER},
        {MPI_CHARACTER, OTHER}, {MPI_PACKED, OTHER},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (kinds[i].type == type && type != MPI_DATATYPE_NULL)
            return kinds[i].kind;
    return 0; /* derived, or an extension of MPICH */
}

static const struct {
    MPI_Op op;
    const char *name;
    int kinds;
    const char *types;
} predefined[] = {
    {MPI_MAX, "MPI_MAX", C_INTEGER | FORTRAN_INTEGER | FLOATING | MULTI, "integers and reals"},
    {MPI_MIN, "MPI_MIN", C_INTEGER | FORTRAN_INTEGER | FLOATING | MULTI, "integers and reals"},
    {MPI_SUM, "MPI_SUM", C_INTEGER | FORTRAN_INTEGER | FLOATING | COMPLEX | MULTI,
     "integers, reals and complex numbers"},
    {MPI_PROD, "MPI_PROD", C_INTEGER | FORTRAN_INTEGER | FLOATING | COMPLEX | MULTI,
     "integers, reals and complex numbers"},
    {MPI_LAND, "MPI_LAND", C_INTEGER | LOGICAL, "C integers and logicals"},
    {MPI_LOR, "MPI_LOR", C_INTEGER | LOGICAL, "C integers and logicals"},
    {MPI_LXOR, "MPI_LXOR", C_INTEGER | LOGICAL, "C integers and logicals"},
    {MPI_BAND, "MPI_BAND", C_INTEGER | FORTRAN_INTEGER | BYTE | MULTI, "integers and MPI_BYTE"},
    {MPI_BOR, "MPI_BOR", C_INTEGER | FORTRAN_INTEGER | BYTE | MULTI, "integers and MPI_BYTE"},
    {MPI_BXOR, "MPI_BXOR", C_INTEGER | FORTRAN_INTEGER | BYTE | MULTI, "integers and MPI_BYTE"},
    {MPI_MINLOC, "MPI_MINLOC", PAIR, "pairs (MPI_2INT, MPI_DOUBLE_INT ...)"},
    {MPI_MAXLOC, "MPI_MAXLOC", PAIR, "pairs (MPI_2INT, MPI_DOUBLE_INT ...)"},
    {MPI_REPLACE, "MPI_REPLACE", ~0, ""},
    {MPI_NO_OP, "MPI_NO_OP", ~0, ""},
};

static const char *name_of(MPI_Datatype type)
{
    static __thread char name[MPI_MAX_OBJECT_NAME] __attribute__((tls_model("initial-exec")));
    int length;
    if (PMPI_Type_get_name(type, name, &length) != MPI_SUCCESS || length == 0)
        snprintf(name, sizeof name, "a derived one");
    return name;
}

/* MPICH takes more than the standard has, and then the program goes on. */
static bool is_extension(MPI_Op op, MPI_Datatype type)
{
    _Alignas(16) char in[64] = {0}, inout[64] = {0};
    int size;
    if (PMPI_Type_size(type, &size) != MPI_SUCCESS || size > 32)
        return false;
    prof_errors_quiet(true);
    int rc = prof_errors_heard(PMPI_Reduce_local(in, inout, 1, type, op));
    prof_errors_quiet(false);
    return rc == MPI_SUCCESS;
}

static bool wrong_op(const struct prof_argument *a, size_t k, MPI_Datatype type)
{
    prof_wrong(ISP_RULE_INVALID_OP, MPI_ERR_OP, "%s is %s, which is for %s, but the type is %s", a->name,
               predefined[k].name, predefined[k].types, name_of(type));
    return is_extension(predefined[k].op, type) && prof_wrong_goes_on();
}

/* A copy of a predefined type, or one that MPI has made for a precision of Fortran: as good as predefined. */
static bool is_like_predefined(MPI_Datatype type)
{
    int ints, addresses, types, combiner;
    if (PMPI_Type_get_envelope(type, &ints, &addresses, &types, &combiner) != MPI_SUCCESS)
        return true;
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_DUP ||
           combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX ||
           combiner == MPI_COMBINER_F90_INTEGER;
}

static bool check_predefined(const struct prof_argument *a, size_t k, MPI_Datatype type, bool accesses)
{
    bool moves = predefined[k].op == MPI_REPLACE || predefined[k].op == MPI_NO_OP;
    if (moves && !accesses)
        return prof_wrong(ISP_RULE_INVALID_OP, MPI_ERR_OP, "%s is %s, which is for accesses to windows only",
                          a->name, predefined[k].name);
    if (moves)
        return true;
    int kind = kind_of(type);
    if (kind)
        return (kind & predefined[k].kinds) || wrong_op(a, k, type);
    if (accesses || is_like_predefined(type))
        return true;
    return prof_wrong(ISP_RULE_INVALID_OP, MPI_ERR_OP,
                      "%s is %s, which is for predefined types only, but the type is derived", a->name,
                      predefined[k].name);
}

bool prof_look_op(const struct prof_argument *a, MPI_Op op, MPI_Datatype type, bool accesses)
{
    struct prof_argument any = *a;
    for (size_t k = 0; k < sizeof predefined / sizeof predefined[0]; k++)
        if (predefined[k].op == op)
            return type == MPI_DATATYPE_NULL || check_predefined(a, k, type, accesses);
    any.check = PROF_CHECK_OP_ANY;
    if (!prof_look_handle(NULL, &any, -1, op))
        return false;
    if (accesses && ((unsigned)op >> 30) != 1)
        return prof_wrong(ISP_RULE_INVALID_OP, MPI_ERR_OP,
                          "%s is an operation of the program's own, but windows take predefined ones only",
                          a->name);
    return true;
}

bool prof_look_swapped(const struct prof_argument *a, MPI_Datatype type)
{
    int kind = kind_of(type);
    if (kind ? kind & (C_INTEGER | FORTRAN_INTEGER | LOGICAL | MULTI | BYTE) : is_like_predefined(type))
        return true;
    prof_wrong(ISP_RULE_INVALID_DATATYPE, MPI_ERR_TYPE,
               "%s is %s, but this call takes integers, logicals and MPI_BYTE only", a->name, name_of(type));
    return type == MPI_CHAR && prof_wrong_goes_on(); /* MPICH takes it */
}
