/* SPDX-License-Identifier: BSD-3-Clause */
/* See nobody.h. A program has few such places, and most often the last one comes again. */
#include "nobody.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/phase.h"
#include "link/sites.h"
#include "link/uplink.h"
#include "tables/communicators.h"

enum { MOST = 64 }; /* what is not told is only not shown */

struct nobody {
    const void *site;
    int32_t comm, tag;
    uint8_t op;
};

static bool is_same(const struct nobody *a, const struct nobody *b)
{
    return a->site == b->site && a->comm == b->comm && a->tag == b->tag && a->op == b->op;
}

/* True: it was told, or is not to be. */
static bool is_known(const struct nobody *x)
{
    static struct nobody told[MOST];
    static size_t n, last;
    if (last < n && is_same(&told[last], x))
        return true;
    for (size_t i = 0; i < n; i++)
        if (is_same(&told[i], x)) {
            last = i;
            return true;
        }
    if (n == MOST)
        return true;
    last = n;
    told[n++] = *x;
    return false;
}

void prof_nobody_tell(enum prof_op_kind kind, const struct prof_envelope *e)
{
    struct nobody x = {prof_current.site, e->c->number, e->tag,
                       kind == PROF_OP_SEND ? ISP_OP_SEND : ISP_OP_RECV};
    if (is_known(&x))
        return;
    uint32_t site = prof_site_number(x.site); /* first: it may put a frame of its own */
    struct isp_buf *b = prof_link_begin(ISP_MSG_NOBODY);
    isp_put_u8(b, x.op);
    isp_put_u16(b, (uint16_t)prof_current.fn);
    isp_put_u32(b, site);
    isp_put_i32(b, x.comm);
    isp_put_i32(b, x.tag);
    prof_link_end();
}
