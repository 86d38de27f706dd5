/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators and their queues: see communicator.h. */
#include "communicator.h"

#include <string.h>

uint64_t poe_mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x7f4a7c15u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

struct poe_comm *poe_comm_create(struct poe *poe, const int *members, int n, uint64_t key)
{
    struct poe_comm *c = poe_arena_new(poe->arena, sizeof *c);
    uint32_t room = (uint32_t)poe->comms_room;
    poe->comms =
        poe_arena_grow(poe->arena, poe->comms, &room, (uint32_t)poe->n_comms + 1, sizeof(struct poe_comm *));
    poe->comms_room = (int)room;
    c->number = poe->n_comms;
    poe->comms[poe->n_comms++] = c;
    c->n = n;
    c->key = key;
    size_t count = (size_t)n, world = (size_t)poe->config.ranks;
    c->members = poe_arena_new(poe->arena, count * sizeof *c->members);
    memcpy(c->members, members, count * sizeof *c->members);
    c->place = poe_arena_new(poe->arena, world * sizeof *c->place);
    for (size_t i = 0; i < world; i++)
        c->place[i] = -1;
    for (int i = 0; i < n; i++)
        c->place[members[i]] = i;
    c->inboxes = poe_arena_new(poe->arena, count * sizeof *c->inboxes);
    c->calls = poe_arena_new(poe->arena, count * sizeof *c->calls);
    return c;
}

struct poe_comm *poe_comm_find(const struct poe *poe, int number)
{
    return number >= 0 && number < poe->n_comms ? poe->comms[number] : NULL;
}

struct poe_inbox *poe_comm_inbox(struct poe_comm *c, int rank)
{
    return c->place[rank] < 0 ? NULL : &c->inboxes[c->place[rank]];
}

struct poe_channel *poe_inbox_channel(struct poe *poe, struct poe_comm *c, struct poe_inbox *inbox,
                                      int source)
{
    if (!inbox->channels)
        inbox->channels = poe_arena_new(poe->arena, (size_t)c->n * sizeof *inbox->channels);
    return &inbox->channels[c->place[source]];
}

void poe_channel_append(struct poe_channel *channel, struct poe_op *send)
{
    send->prev = channel->last;
    send->next = NULL;
    *(channel->last ? &channel->last->next : &channel->first) = send;
    channel->last = send;
    send->queued = true;
}

void poe_channel_remove(struct poe_channel *channel, struct poe_op *send)
{
    *(send->prev ? &send->prev->next : &channel->first) = send->next;
    *(send->next ? &send->next->prev : &channel->last) = send->prev;
    send->queued = false;
}

void poe_inbox_append(struct poe *poe, struct poe_inbox *inbox, struct poe_op *receive)
{
    receive->prev = inbox->last;
    receive->next = NULL;
    *(inbox->last ? &inbox->last->next : &inbox->first) = receive;
    inbox->last = receive;
    receive->queued = true;
    if (receive->t.call.peer == ISP_ANY_SOURCE || receive->t.call.flags & ISP_F_CANCELLABLE)
        poe_inbox_open(poe, inbox, receive);
}

void poe_inbox_open(struct poe *poe, struct poe_inbox *inbox, struct poe_op *receive)
{
    if (receive->open)
        return;
    receive->open = true;
    inbox->wildcards++;
    poe->wildcards++;
    struct poe_rank *r = &poe->ranks[receive->t.rank];
    struct poe_op *before = r->wild_last;
    while (before && before->t.index > receive->t.index) /* of another thread */
        before = before->wild_prev;
    struct poe_op *after = before ? before->wild_next : r->wild_first;
    receive->wild_prev = before;
    receive->wild_next = after;
    *(before ? &before->wild_next : &r->wild_first) = receive;
    *(after ? &after->wild_prev : &r->wild_last) = receive;
}

void poe_inbox_remove(struct poe *poe, struct poe_inbox *inbox, struct poe_op *receive)
{
    *(receive->prev ? &receive->prev->next : &inbox->first) = receive->next;
    *(receive->next ? &receive->next->prev : &inbox->last) = receive->prev;
    receive->queued = false;
    if (!receive->open)
        return;
    inbox->wildcards--;
    poe->wildcards--;
    struct poe_rank *r = &poe->ranks[receive->t.rank];
    *(receive->wild_prev ? &receive->wild_prev->wild_next : &r->wild_first) = receive->wild_next;
    *(receive->wild_next ? &receive->wild_next->wild_prev : &r->wild_last) = receive->wild_prev;
}
