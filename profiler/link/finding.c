/* SPDX-License-Identifier: BSD-3-Clause */
/* See finding.h. */
#include "finding.h"

#include "sites.h"
#include "uplink.h"

static void put_place(struct isp_buf *b, const struct prof_place *place, uint32_t number)
{
    isp_put_u16(b, (uint16_t)place->fn);
    isp_put_u32(b, number);
}

void prof_finding_tell(const struct prof_finding *f)
{
    /* Numbers first: a new one puts a frame of its own. */
    uint32_t at = prof_site_number(f->at.site), room[PROF_FINDING_PLACES],
             n = f->n_more < PROF_FINDING_PLACES ? f->n_more : PROF_FINDING_PLACES;
    for (uint32_t i = 0; i < n; i++)
        room[i] = prof_site_number(f->more[i].site);
    struct isp_buf *b = prof_link_begin(ISP_MSG_FINDING);
    isp_put_u16(b, (uint16_t)f->rule);
    put_place(b, &f->at, at);
    isp_put_u32(b, f->count ? f->count : 1);
    isp_put_u8(b, (uint8_t)f->death);
    isp_put_str(b, f->text ? f->text : "");
    isp_put_str(b, f->story ? f->story : "");
    isp_put_u64(b, f->buffer);
    isp_put_u64(b, f->buffer_at);
    isp_put_u32(b, n);
    for (uint32_t i = 0; i < n; i++)
        put_place(b, &f->more[i], room[i]);
    isp_put_u8(b, f->change != NULL);
    if (f->change)
        isp_put_change(b, f->change);
    prof_link_end();
    if (f->flush || f->death)
        prof_link_flush();
}
