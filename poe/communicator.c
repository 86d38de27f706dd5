/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators and their queues: see communicator.h. */
#include "communicator.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

struct member {
    int rank, place;
};

uint64_t poe_mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x7f4a7c15u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

static int by_member(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static void sort(struct poe *poe, struct poe_comm *c)
{
    bool ascending = true;
    for (int i = 1; i < c->n; i++)
        ascending &= c->members[i - 1] < c->members[i];
    if (ascending)
        return;
    struct member *all = poe_alloc(NULL, (size_t)c->n * sizeof *all);
    for (int i = 0; i < c->n; i++)
        all[i] = (struct member){c->members[i], i};
    qsort(all, (size_t)c->n, sizeof *all, by_member);
    c->sorted = poe_arena_new(poe->arena, (size_t)c->n * sizeof *c->sorted);
    for (int i = 0; i < c->n; i++)
        c->sorted[i] = all[i].place;
    free(all);
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
    size_t count = (size_t)n;
    c->members = poe_arena_new(poe->arena, count * sizeof *c->members);
    memcpy(c->members, members, count * sizeof *c->members);
    sort(poe, c);
    c->inboxes = poe_arena_new(poe->arena, count * sizeof *c->inboxes);
    c->calls = poe_arena_new(poe->arena, count * sizeof *c->calls);
    return c;
}

struct poe_comm *poe_comm_find(const struct poe *poe, int number)
{
    return number >= 0 && number < poe->n_comms ? poe->comms[number] : NULL;
}

int poe_comm_place(const struct poe_comm *c, int rank)
{
    if (rank >= 0 && rank < c->n && c->members[rank] == rank)
        return rank; /* as in the world, and where all lower ranks are members */
    int low = 0, high = c->n;
    while (low < high) {
        int middle = low + (high - low) / 2, place = c->sorted ? c->sorted[middle] : middle;
        if (c->members[place] == rank)
            return place;
        if (c->members[place] < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

struct poe_inbox *poe_comm_inbox(struct poe_comm *c, int rank)
{
    int place = poe_comm_place(c, rank);
    return place < 0 ? NULL : &c->inboxes[place];
}

/* The place of the first channel whose source is not less. */
static uint32_t channel_from(const struct poe_inbox *inbox, int source)
{
    uint32_t low = 0, high = inbox->n_channels, rank = (uint32_t)source;
    if (rank < high && inbox->channels[rank].source == source)
        return rank; /* all lower ranks have sent */
    if (rank && rank <= high && inbox->channels[rank - 1].source == source)
        return rank - 1; /* all but the receiver itself */
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (inbox->channels[middle].source < source)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct poe_channel *poe_inbox_find(const struct poe_inbox *inbox, int source)
{
    uint32_t at = channel_from(inbox, source);
    return at < inbox->n_channels && inbox->channels[at].source == source ? &inbox->channels[at] : NULL;
}

struct poe_channel *poe_inbox_channel(struct poe *poe, struct poe_inbox *inbox, int source)
{
    uint32_t at = channel_from(inbox, source), n = inbox->n_channels;
    if (at < n && inbox->channels[at].source == source)
        return &inbox->channels[at];
    inbox->channels =
        poe_arena_grow(poe->arena, inbox->channels, &inbox->channels_room, n + 1, sizeof *inbox->channels);
    memmove(&inbox->channels[at + 1], &inbox->channels[at], (n - at) * sizeof *inbox->channels);
    inbox->channels[at] = (struct poe_channel){.source = source};
    inbox->n_channels++;
    return &inbox->channels[at];
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
