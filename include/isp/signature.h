/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Type signatures (MPI-4.0, section 5.1): a sequence of basic types, known by its length and a
 * hash, so that two of them are compared in constant time.
 *
 * The hash is a polynomial in a fixed base B, modulo the prime 2^61 - 1: the signature x1 ... xn has
 *     hash = x1 B^(n-1) + ... + xn        and      power = B^n
 * so a concatenation costs two multiplications and n copies cost O(log n); nothing is ever
 * written out. Equal sequences have equal hashes however they are put together. Two different ones of length
 * n collide with a chance of n / 2^61 if B is taken for random.
 */
#ifndef ISP_SIGNATURE_H
#define ISP_SIGNATURE_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/datatypes.h"

struct isp_signature {
    uint64_t hash, power;
    uint64_t length; /* basic elements; UINT64_MAX: too many to be counted */
};

#define ISP_SIGNATURE_PRIME ((UINT64_C(1) << 61) - 1)
#define ISP_SIGNATURE_BASE UINT64_C(0x12b7f3a96d04c855)

static inline uint64_t isp_signature_times(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    uint64_t sum = (uint64_t)(product & ISP_SIGNATURE_PRIME) + (uint64_t)(product >> 61);
    return sum >= ISP_SIGNATURE_PRIME ? sum - ISP_SIGNATURE_PRIME : sum;
}

static inline uint64_t isp_signature_plus(uint64_t a, uint64_t b)
{
    return a + b >= ISP_SIGNATURE_PRIME ? a + b - ISP_SIGNATURE_PRIME : a + b;
}

static inline struct isp_signature isp_signature_empty(void)
{
    return (struct isp_signature){.hash = 0, .power = 1, .length = 0};
}

static inline struct isp_signature isp_signature_basic(uint32_t basic)
{
    uint64_t x = (isp_basic_class(basic) + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
    return (struct isp_signature){(x ^ x >> 29) % ISP_SIGNATURE_PRIME, ISP_SIGNATURE_BASE, 1};
}

/* First a, then b. */
static inline struct isp_signature isp_signature_join(struct isp_signature a, struct isp_signature b)
{
    uint64_t length = a.length + b.length;
    return (struct isp_signature){
        .hash = isp_signature_plus(isp_signature_times(a.hash, b.power), b.hash),
        .power = isp_signature_times(a.power, b.power),
        .length = length < a.length || a.length == UINT64_MAX || b.length == UINT64_MAX ? UINT64_MAX : length,
    };
}

/* n copies of it, one after the other. */
static inline struct isp_signature isp_signature_repeat(struct isp_signature a, uint64_t n)
{
    struct isp_signature all = isp_signature_empty();
    for (; n; n >>= 1) {
        if (n & 1)
            all = isp_signature_join(all, a); /* powers of one sequence: their order does not matter */
        if (n > 1)
            a = isp_signature_join(a, a);
    }
    return all;
}

static inline bool isp_signature_equal(struct isp_signature a, struct isp_signature b)
{
    return a.hash == b.hash && a.length == b.length;
}

#endif
