/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MPI's basic datatypes, numbered alike in ranks and scheduler, and which of them match.
 *
 * The standard lets only equal names match (MPI-4.0, section 3.3.1), and lets an implementation be
 * more generous to names of different languages that stand for one machine type (section 19.3.10), which
 * MPICH is. So a basic type has a *class*: the kind of its values, and their size. Types of one class match,
 * if at least one of them is an alias: a name with a size in it (MPI_INT32_T), of Fortran or C++, or of MPI's
 * own integers (MPI_AINT). Two C types are told apart always (MPI_LONG and MPI_LONG_LONG), by themselves;
 * inside of structures their class counts.
 *
 * The pair types are no basic types: MPI_FLOAT_INT is {MPI_FLOAT, MPI_INT} (section 6.9.4).
 */
#ifndef ISP_DATATYPES_H
#define ISP_DATATYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum isp_value_kind {
    ISP_VALUE_BYTE = 1,
    ISP_VALUE_PACKED,
    ISP_VALUE_CHARACTER,
    ISP_VALUE_WIDE_CHARACTER,
    ISP_VALUE_SIGNED,
    ISP_VALUE_UNSIGNED,
    ISP_VALUE_LOGICAL,
    ISP_VALUE_BOOL,
    ISP_VALUE_FLOATING,
    ISP_VALUE_COMPLEX,
    ISP_VALUE_EXTENDED, /* long double, which is not the 16-byte real of Fortran */
    ISP_VALUE_EXTENDED_COMPLEX,
};

/* name, kind of value, size in bytes, whether it is an alias */
#define ISP_BASICS(X)                                                           \
    X(BYTE, BYTE, 1, false)                                                     \
    X(PACKED, PACKED, 1, false)                                                 \
    X(CHAR, CHARACTER, 1, false)                                                \
    X(SIGNED_CHAR, SIGNED, 1, false)                                            \
    X(UNSIGNED_CHAR, UNSIGNED, 1, false)                                        \
    X(WCHAR, WIDE_CHARACTER, sizeof(wchar_t), false)                            \
    X(SHORT, SIGNED, sizeof(short), false)                                      \
    X(UNSIGNED_SHORT, UNSIGNED, sizeof(short), false)                           \
    X(INT, SIGNED, sizeof(int), false)                                          \
    X(UNSIGNED, UNSIGNED, sizeof(int), false)                                   \
    X(LONG, SIGNED, sizeof(long), false)                                        \
    X(UNSIGNED_LONG, UNSIGNED, sizeof(long), false)                             \
    X(LONG_LONG, SIGNED, sizeof(long long), false)                              \
    X(UNSIGNED_LONG_LONG, UNSIGNED, sizeof(long long), false)                   \
    X(FLOAT, FLOATING, sizeof(float), false)                                    \
    X(DOUBLE, FLOATING, sizeof(double), false)                                  \
    X(LONG_DOUBLE, EXTENDED, sizeof(long double), false)                        \
    X(C_BOOL, BOOL, sizeof(_Bool), false)                                       \
    X(C_FLOAT_COMPLEX, COMPLEX, 2 * sizeof(float), false)                       \
    X(C_DOUBLE_COMPLEX, COMPLEX, 2 * sizeof(double), false)                     \
    X(C_LONG_DOUBLE_COMPLEX, EXTENDED_COMPLEX, 2 * sizeof(long double), false)  \
    X(C_FLOAT16, FLOATING, 2, false)                                            \
    X(INT8_T, SIGNED, 1, true)                                                  \
    X(INT16_T, SIGNED, 2, true)                                                 \
    X(INT32_T, SIGNED, 4, true)                                                 \
    X(INT64_T, SIGNED, 8, true)                                                 \
    X(UINT8_T, UNSIGNED, 1, true)                                               \
    X(UINT16_T, UNSIGNED, 2, true)                                              \
    X(UINT32_T, UNSIGNED, 4, true)                                              \
    X(UINT64_T, UNSIGNED, 8, true)                                              \
    X(AINT, SIGNED, sizeof(intptr_t), true)                                     \
    X(OFFSET, SIGNED, 8, true)                                                  \
    X(COUNT, SIGNED, 8, true)                                                   \
    X(CXX_BOOL, BOOL, sizeof(_Bool), true)                                      \
    X(CXX_FLOAT_COMPLEX, COMPLEX, 2 * sizeof(float), true)                      \
    X(CXX_DOUBLE_COMPLEX, COMPLEX, 2 * sizeof(double), true)                    \
    X(CXX_LONG_DOUBLE_COMPLEX, EXTENDED_COMPLEX, 2 * sizeof(long double), true) \
    X(CHARACTER, CHARACTER, 1, true)                                            \
    X(LOGICAL, LOGICAL, 4, true)                                                \
    X(INTEGER, SIGNED, 4, true)                                                 \
    X(REAL, FLOATING, 4, true)                                                  \
    X(DOUBLE_PRECISION, FLOATING, 8, true)                                      \
    X(COMPLEX, COMPLEX, 8, true)                                                \
    X(DOUBLE_COMPLEX, COMPLEX, 16, true)                                        \
    X(INTEGER1, SIGNED, 1, true)                                                \
    X(INTEGER2, SIGNED, 2, true)                                                \
    X(INTEGER4, SIGNED, 4, true)                                                \
    X(INTEGER8, SIGNED, 8, true)                                                \
    X(INTEGER16, SIGNED, 16, true)                                              \
    X(REAL2, FLOATING, 2, true)                                                 \
    X(REAL4, FLOATING, 4, true)                                                 \
    X(REAL8, FLOATING, 8, true)                                                 \
    X(REAL16, FLOATING, 16, true)                                               \
    X(COMPLEX4, COMPLEX, 4, true)                                               \
    X(COMPLEX8, COMPLEX, 8, true)                                               \
    X(COMPLEX16, COMPLEX, 16, true)                                             \
    X(COMPLEX32, COMPLEX, 32, true)

enum isp_basic {
    ISP_BASIC_NONE, /* unknown, or nothing at all: matches everything */
#define ISP_BASIC_ENUM(name, kind, size, alias) ISP_BASIC_##name,
    ISP_BASICS(ISP_BASIC_ENUM)
#undef ISP_BASIC_ENUM
        ISP_BASIC_END,
};

/* What a record's `type` says: a basic type, or from here on the number of a type that was told
 * (ISP_MSG_TYPE). */
#define ISP_TYPE_TOLD 0x100u

struct isp_basic_facts {
    const char *name;
    uint8_t kind, size;
    bool alias;
};

/* Facts of a basic type; all zero for NONE and what is none. */
static inline struct isp_basic_facts isp_basic_facts(uint32_t basic)
{
    static const struct isp_basic_facts facts[ISP_BASIC_END] = {[ISP_BASIC_NONE] = {"nothing", 0, 0, false},
#define ISP_BASIC_FACTS(name, kind, size, alias) {"MPI_" #name, ISP_VALUE_##kind, size, alias},
                                                                ISP_BASICS(ISP_BASIC_FACTS)
#undef ISP_BASIC_FACTS
    };
    return facts[basic < ISP_BASIC_END ? basic : 0];
}

/* Equal for types that match inside of a structure. */
static inline uint32_t isp_basic_class(uint32_t basic)
{
    struct isp_basic_facts f = isp_basic_facts(basic);
    return (uint32_t)f.kind << 8 | f.size;
}

/* Whether what is sent as one may be received as the other. MPI_PACKED matches everything. */
static inline bool isp_basic_matches(uint32_t a, uint32_t b)
{
    if (a == b || a == ISP_BASIC_PACKED || b == ISP_BASIC_PACKED || a == ISP_BASIC_NONE ||
        b == ISP_BASIC_NONE)
        return true;
    return isp_basic_class(a) == isp_basic_class(b) && (isp_basic_facts(a).alias || isp_basic_facts(b).alias);
}

#endif
