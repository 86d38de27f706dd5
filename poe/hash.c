/* SPDX-License-Identifier: BSD-3-Clause */
/* See hash.h. */
#include "hash.h"

#include "communicator.h"

void poe_hash_add(struct poe_hash *h, uint64_t value)
{
    h->low = poe_mix(h->low, value);
    h->high = poe_mix(value ^ 0x9ddfea08eb382d69u, h->high);
}

static void add_both(struct poe_hash *h, uint32_t a, uint32_t b) { poe_hash_add(h, (uint64_t)a << 32 | b); }

void poe_hash_call(struct poe_hash *h, const struct isp_call *c, bool handles)
{
    poe_hash_add(h, (uint64_t)c->op << 56 | (uint64_t)c->mode << 48 | (uint64_t)c->flow << 40 | c->fn);
    add_both(h, h->any_polls ? c->flags & ~(uint32_t)(ISP_F_CHANGED | ISP_F_UNSEEN) : c->flags, c->site);
    add_both(h, c->place, handles ? c->handle : 0);
    add_both(h, (uint32_t)c->comm, (uint32_t)c->peer);
    add_both(h, (uint32_t)c->tag, (uint32_t)c->root);
    add_both(h, (uint32_t)c->color, (uint32_t)c->key);
    add_both(h, c->type, c->taken_type);
    poe_hash_add(h, c->redop);
    poe_hash_add(h, c->count);
    poe_hash_add(h, c->taken_count);
    poe_hash_add(h, c->bytes);
    add_both(h, c->n_given, c->n_taken);
    poe_hash_add(h, c->n);
    for (uint64_t i = 0; i < isp_call_words(c) && (handles || !isp_call_names(c)); i++)
        poe_hash_add(h, c->list[i]);
}
