/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The map of a call (isp_call.map, ISP_F_MAP): which bytes of its rank's memory it reads and writes, in the
 * order in which they go into a message, so that each byte that is received can be followed to where it was
 * on the other side (MPI-4.0, sections 3.3.1 and 4.1). Only a rank that somebody debugs tells it.
 *
 * It is a list of pieces: `count` items of a datatype. The type's map is told as rows: runs of bytes that
 * lie at a stride.
 *
 *     message      one piece
 *     collective   a piece for each member to which it gives something of its own, and of which it takes
 *                  something; one of ISP_NO_RANK for all of them (MPI_Bcast, a reduction)
 */
#ifndef ISP_MAP_H
#define ISP_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct isp_map_piece {
    bool written;
    int32_t peer; /* world rank to which this goes, or from which it comes; or ISP_NO_RANK */
    uint64_t address, count;
    int64_t extent;       /* of the type */
    uint32_t n;           /* rows */
    const uint32_t *rows; /* isp_map_row */
};

/* `n` runs of `length` bytes, the first one `offset` behind the item. */
struct isp_map_row {
    int64_t offset, stride;
    uint64_t length, n;
};

enum {
    ISP_MAP_PIECE_WORDS = 9,
    ISP_MAP_ROW_WORDS = 8,
    ISP_MAP_MOST = 1 << 18, /* words of one call: of a longer map nothing is told */
};

static inline void isp_map_put(uint32_t *words, uint64_t value)
{
    words[0] = (uint32_t)value;
    words[1] = (uint32_t)(value >> 32);
}

static inline uint64_t isp_map_get(const uint32_t *words) { return words[0] | (uint64_t)words[1] << 32; }

static inline void isp_map_put_piece(uint32_t *words, const struct isp_map_piece *piece)
{
    words[0] = piece->written;
    words[1] = (uint32_t)piece->peer;
    isp_map_put(words + 2, piece->address);
    isp_map_put(words + 4, piece->count);
    isp_map_put(words + 6, (uint64_t)piece->extent);
    words[8] = piece->n;
}

static inline void isp_map_put_row(uint32_t *words, const struct isp_map_row *row)
{
    isp_map_put(words, (uint64_t)row->offset);
    isp_map_put(words + 2, (uint64_t)row->stride);
    isp_map_put(words + 4, row->length);
    isp_map_put(words + 6, row->n);
}

static inline struct isp_map_row isp_map_row_at(const struct isp_map_piece *piece, uint32_t i)
{
    const uint32_t *words = piece->rows + (uint64_t)i * ISP_MAP_ROW_WORDS;
    return (struct isp_map_row){(int64_t)isp_map_get(words), (int64_t)isp_map_get(words + 2),
                                isp_map_get(words + 4), isp_map_get(words + 6)};
}

/* The piece at word *at of `n`; *at goes on to the next one. False: there is none. */
static inline bool isp_map_next(const uint32_t *map, uint32_t n, uint32_t *at, struct isp_map_piece *piece)
{
    if (*at > n || n - *at < ISP_MAP_PIECE_WORDS)
        return false;
    const uint32_t *words = map + *at;
    *piece = (struct isp_map_piece){.written = words[0] != 0,
                                    .peer = (int32_t)words[1],
                                    .address = isp_map_get(words + 2),
                                    .count = isp_map_get(words + 4),
                                    .extent = (int64_t)isp_map_get(words + 6),
                                    .n = words[8],
                                    .rows = words + ISP_MAP_PIECE_WORDS};
    *at += ISP_MAP_PIECE_WORDS;
    if ((n - *at) / ISP_MAP_ROW_WORDS < piece->n)
        return false;
    *at += piece->n * ISP_MAP_ROW_WORDS;
    return true;
}

#endif
