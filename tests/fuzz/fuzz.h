/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the fuzz targets share. A target is one function over bytes. With clang it is driven by libFuzzer;
 * with any compiler by replay.c, which runs files through it. Bytes are read with the wire's own reader,
 * which gives zeros once they are used up.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isp/wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must hold whatever the bytes are: a crash, like any other. */
#define FUZZ_CHECK(condition)                                                              \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                                       \
        }                                                                                  \
    } while (0)

/* A copy that ends where its memory ends, so that AddressSanitizer sees who reads past it. Caller frees. */
static inline uint8_t *fuzz_copy(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    FUZZ_CHECK(copy);
    if (size)
        memcpy(copy, data, size);
    return copy;
}

/* The rest of the input, as a string. Caller frees. */
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    FUZZ_CHECK(text);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* A small number, or now and then one at the edge of its type. */
static inline int32_t fuzz_number(struct isp_reader *in)
{
    int8_t n = (int8_t)isp_get_u8(in);
    static const int32_t edges[] = {INT32_MAX, INT32_MIN, INT32_MAX - 1, 1 << 24,
                                    -3,        1 << 16,   4096,          -1000000};
    return n >= 112 && n < 120 ? edges[n - 112] : n;
}

#endif
