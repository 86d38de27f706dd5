/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash of numbers, one after the other. */
#ifndef SCHED_MIX_H
#define SCHED_MIX_H

#include <stdint.h>

static inline uint64_t sched_mix(uint64_t hash, uint64_t value)
{
    uint64_t x = hash * 0x9e3779b97f4a7c15u + value + 0x7f4a7c15u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

#endif
