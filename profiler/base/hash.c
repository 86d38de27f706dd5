/* SPDX-License-Identifier: BSD-3-Clause */
#include "hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "peek.h"

enum { CHUNK = 4096 };

void prof_hash_bytes(struct prof_hash *hash, const void *bytes, size_t n)
{
    XXH128_hash_t h = XXH3_128bits(n ? bytes : "", n);
    prof_hash_word(hash, n);
    prof_hash_word(hash, h.low64);
    prof_hash_word(hash, h.high64);
}

void prof_hash_peeked(struct prof_hash *hash, const void *bytes, size_t n)
{
    char copy[CHUNK];
    for (size_t at = 0; at < n; at += CHUNK) {
        size_t part = n - at < CHUNK ? n - at : CHUNK;
        if (!prof_peek(copy, (const char *)bytes + at, part)) {
            prof_hash_word(hash, 0x6e6f7468657265u);
            return;
        }
        prof_hash_bytes(hash, copy, part);
    }
}
