/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program has changed in the buffer of a pending operation, as a rank tells it: the first element,
 * what it was and is, and where it is in memory, so that isp can name it. */
#ifndef ISP_CHANGE_H
#define ISP_CHANGE_H

#include "isp/datatypes.h"
#include "isp/differs.h"

/* Bytes that are told: some in front of the element, of a structure that it may be in, and from it on. */
enum {
    ISP_CHANGE_BEFORE = 16,
    ISP_CHANGE_AFTER = 32,
    ISP_CHANGE_BYTES = ISP_CHANGE_BEFORE + ISP_CHANGE_AFTER
};

#define ISP_CHANGE_NO_INDEX UINT64_MAX
#define ISP_CHANGE_WAYS 3

struct isp_change {
    uint32_t basic;        /* enum isp_basic, of all elements; ISP_BASIC_NONE: not of one type, or unknown */
    uint64_t index;        /* of the element, from the buffer's address on; of bytes, if basic is NONE */
    uint64_t n;            /* elements that differ; 0: what it was is not told */
    uint8_t before, bytes; /* of those below, in front of the element, and in all */
    unsigned char was[ISP_CHANGE_BYTES], is[ISP_CHANGE_BYTES];
    struct isp_place place;               /* of the element */
    struct isp_way ways[ISP_CHANGE_WAYS]; /* to it, from pointers to the buffer */
};

static inline void isp_put_change(struct isp_buf *b, const struct isp_change *c)
{
    isp_put_u32(b, c->basic);
    isp_put_u64(b, c->index);
    isp_put_u64(b, c->n);
    isp_put_u8(b, c->before);
    isp_put_u8(b, c->bytes);
    isp_put_bytes(b, c->was, c->bytes);
    isp_put_bytes(b, c->is, c->bytes);
    isp_put_place(b, &c->place);
    for (unsigned i = 0; i < ISP_CHANGE_WAYS; i++)
        isp_put_way(b, &c->ways[i]);
}

static inline void isp_get_change(struct isp_reader *r, struct isp_change *c)
{
    c->basic = isp_get_u32(r);
    c->index = isp_get_u64(r);
    c->n = isp_get_u64(r);
    c->before = isp_get_u8(r);
    c->bytes = isp_get_u8(r);
    r->ok = r->ok && c->basic < ISP_BASIC_END && c->bytes <= ISP_CHANGE_BYTES && c->before <= c->bytes;
    for (unsigned i = 0; r->ok && i < 2u * c->bytes; i++)
        (i < c->bytes ? c->was : c->is)[i % c->bytes] = isp_get_u8(r);
    isp_get_place(r, &c->place);
    for (unsigned i = 0; i < ISP_CHANGE_WAYS; i++)
        isp_get_way(r, &c->ways[i]);
}

#endif
