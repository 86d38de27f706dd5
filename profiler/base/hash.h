/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash of 128 bits of words and bytes, in their order: for what must not be taken for something else. */
#ifndef PROF_HASH_H
#define PROF_HASH_H

#include <stddef.h>
#include <stdint.h>

struct prof_hash {
    uint64_t low, high;
};

/* Two multiplications of 64 bits each, which see all of what was there and all of the word. */
static inline void prof_hash_word(struct prof_hash *h, uint64_t word)
{
    unsigned __int128 a = (unsigned __int128)(h->low ^ word ^ 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    unsigned __int128 b = (unsigned __int128)(h->high + word + 0xc2b2ae3d27d4eb4fu) * 0x94d049bb133111ebu;
    h->low = (uint64_t)a ^ (uint64_t)(a >> 64) ^ (h->high << 23 | h->high >> 41);
    h->high = (uint64_t)b ^ (uint64_t)(b >> 64) ^ (h->low << 37 | h->low >> 27);
}

static inline void prof_hash_pointer(struct prof_hash *h, const void *p) { prof_hash_word(h, (uintptr_t)p); }

/* With their number. */
void prof_hash_bytes(struct prof_hash *hash, const void *bytes, size_t n);
/* The same of memory that need not be there. */
void prof_hash_peeked(struct prof_hash *hash, const void *bytes, size_t n);
/* What is in a set, in any order: each is hashed by itself from zero, and added. */
static inline void prof_hash_add(struct prof_hash *sum, struct prof_hash one)
{
    sum->low += one.low;
    sum->high += one.high;
}

#endif
