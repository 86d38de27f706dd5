/* SPDX-License-Identifier: BSD-3-Clause */
/* Intercommunicators: see intercomm.h. */
#include "intercomm.h"

#include <stdlib.h>
#include <string.h>

bool poe_intercomm_is_valid(const struct poe *poe, int rank, const struct isp_call *c)
{
    const struct poe_comm *comm = poe_comm_find(poe, c->comm);
    bool blocking = (c->flags & (ISP_F_FENCE | ISP_F_SLOT | ISP_F_SUBSET)) == ISP_F_FENCE;
    if (!blocking || c->root < 0 || c->root >= poe->config.ranks || poe_comm_place(comm, c->root) < 0)
        return false;
    if (rank != c->root)
        return true;
    const struct poe_comm *peers = poe_comm_find(poe, c->color);
    return peers && poe_comm_place(peers, rank) >= 0 && c->peer >= 0 && c->peer < poe->config.ranks &&
           poe_comm_place(peers, c->peer) >= 0;
}

static bool leader_is_clear(const struct poe_instance *i)
{
    for (int place = 1; place < i->comm->n; place++)
        if (i->ops[place]->t.call.root != i->ops[0]->t.call.root)
            return false;
    return true;
}

static const struct poe_op *leader_of(const struct poe_instance *i)
{
    return i->ops[poe_comm_place(i->comm, i->ops[0]->t.call.root)];
}

static bool fit(const struct poe_instance *a, const struct poe_instance *b)
{
    const struct poe_op *x = leader_of(a), *y = leader_of(b);
    return x->t.call.peer == y->t.rank && y->t.call.peer == x->t.rank && x->t.call.color == y->t.call.color &&
           x->t.call.tag == y->t.call.tag;
}

/* Else it fires, or fails, by itself. */
static bool is_half(const struct poe_instance *i)
{
    return poe_instance_first(i)->t.call.mode == ISP_MAKE_INTER && poe_instance_agrees(i) &&
           leader_is_clear(i);
}

bool poe_intercomm_is_there(struct poe *poe, struct poe_instance *i)
{
    if (!is_half(i))
        return true;
    struct poe_instance **at = &poe->halves;
    while (*at && !fit(*at, i))
        at = &(*at)->half_next;
    if (!*at) {
        *at = i;
        return false;
    }
    i->other = *at;
    *at = i->other->half_next;
    i->other->half_next = NULL;
    return true;
}

int poe_intercomm_make(struct poe *poe, const struct poe_instance *i)
{
    const struct poe_instance *sides[] = {i, i->other};
    if (leader_of(sides[1])->t.rank < leader_of(sides[0])->t.rank)
        sides[0] = i->other, sides[1] = i;
    const struct poe_comm *a = sides[0]->comm, *b = sides[1]->comm;
    int *members = poe_alloc(NULL, (size_t)(a->n + b->n) * sizeof *members);
    memcpy(members, a->members, (size_t)a->n * sizeof *members);
    memcpy(members + a->n, b->members, (size_t)b->n * sizeof *members);
    const struct poe_op *leader = leader_of(sides[0]);
    struct poe_comm *made = poe_comm_create(poe, members, a->n + b->n, poe_collective_key(a, leader));
    made->maker = leader->t.call.fn;
    made->made = leader->t.call.site;
    made->n_first = a->n;
    free(members);
    return made->number;
}

void poe_intercomm_missing(const struct poe_instance *i, bool *wanted)
{
    if (is_half(i))
        wanted[leader_of(i)->t.call.peer] = true;
}
