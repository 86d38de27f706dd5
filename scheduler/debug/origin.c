/* SPDX-License-Identifier: BSD-3-Clause */
/* See origin.h. */
#include "origin.h"

#include <stdlib.h>
#include <string.h>

#include "along.h"
#include "base/alloc.h"
#include "isp/functions.h"
#include "isp/map.h"

enum { RUNS_MOST = 1 << 28 }; /* of a row */

/* ---- a place in memory, and a place in the message ---- */

struct place {
    uint64_t at, rest; /* how many bytes follow without a hole */
};

static uint64_t item_size(const struct isp_map_piece *p)
{
    uint64_t size = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        struct isp_map_row row = isp_map_row_at(p, i);
        size += row.length * row.n;
    }
    return size;
}

/* A rank may tell anything: what is beyond this is not looked at. */
static bool is_possible(const struct isp_map_piece *p, const struct isp_map_row *row)
{
    const int64_t most = INT64_C(1) << 40;
    return row->n <= RUNS_MOST && row->length <= (uint64_t)most && row->stride > -most &&
           row->stride < most && p->extent > -most && p->extent < most && p->count <= (uint64_t)most;
}

/* The item of the piece that has this distance from the first one's run; false: none. *within: how far into
 * the run. */
static bool item_at(const struct isp_map_piece *p, int64_t distance, uint64_t length, uint64_t *item,
                    uint64_t *within)
{
    if (distance <= INT64_MIN / 2 || distance >= INT64_MAX / 2)
        return false;
    int64_t k = p->extent == 0 ? 0 : distance / p->extent;
    if (p->extent != 0 && distance - k * p->extent < 0)
        k += p->extent > 0 ? -1 : 1;
    *item = (uint64_t)k;
    *within = (uint64_t)(distance - k * p->extent);
    return k >= 0 && *item < p->count && *within < length;
}

/* The rest of a run; where items follow each other without a hole, all that is left of them. */
static uint64_t rest_of(const struct isp_map_piece *p, const struct isp_map_row *row, uint64_t item,
                        uint64_t within)
{
    if (p->n == 1 && row->n == 1 && p->extent == (int64_t)row->length)
        return (p->count - item) * row->length - within;
    return row->length - within;
}

static bool place_in_message(const struct isp_map_piece *p, uint64_t address, struct place *place)
{
    uint64_t size = item_size(p), before = 0, item, within;
    for (uint32_t i = 0; i < p->n; i++) {
        struct isp_map_row row = isp_map_row_at(p, i);
        for (uint64_t k = 0; k < row.n && is_possible(p, &row); k++, before += row.length) {
            int64_t distance =
                (int64_t)(address - p->address - (uint64_t)row.offset - k * (uint64_t)row.stride);
            if (item_at(p, distance, row.length, &item, &within)) {
                *place = (struct place){item * size + before + within, rest_of(p, &row, item, within)};
                return true;
            }
        }
    }
    return false;
}

static bool place_in_memory(const struct isp_map_piece *p, uint64_t in_message, struct place *place)
{
    uint64_t size = item_size(p), item = size ? in_message / size : 0, left = size ? in_message % size : 0;
    if (size == 0 || item >= p->count)
        return false;
    for (uint32_t i = 0; i < p->n; i++) {
        struct isp_map_row row = isp_map_row_at(p, i);
        if (row.length == 0 || left >= row.length * row.n) {
            left -= row.length * row.n;
            continue;
        }
        uint64_t k = left / row.length, within = left % row.length;
        uint64_t offset =
            item * (uint64_t)p->extent + (uint64_t)row.offset + k * (uint64_t)row.stride + within;
        *place = (struct place){p->address + offset, rest_of(p, &row, item, within)};
        return true;
    }
    return false;
}

/* ---- pieces of calls ---- */

/* The piece number `nth`, from 0, of those that are written (or read) and concern this peer. */
static bool piece_of(const struct sched_record_event *e, bool written, int32_t peer, unsigned nth,
                     struct isp_map_piece *p)
{
    for (uint32_t at = 0; isp_map_next(e->call.map, e->call.n_map, &at, p);)
        if (p->written == written && (p->peer == peer || p->peer == ISP_NO_RANK) && nth-- == 0)
            return true;
    return false;
}

/* The piece that writes the address. *alike: how many concern the same peer. */
static bool written_piece(const struct sched_record_event *e, uint64_t address, struct isp_map_piece *p,
                          struct place *place, unsigned *alike)
{
    struct isp_map_piece other;
    for (uint32_t at = 0; isp_map_next(e->call.map, e->call.n_map, &at, p);) {
        if (!p->written || !place_in_message(p, address, place))
            continue;
        *alike = 0;
        for (uint32_t k = 0; isp_map_next(e->call.map, e->call.n_map, &k, &other);)
            *alike += other.written && other.peer == p->peer;
        return true;
    }
    return false;
}

static bool writes(const struct sched_record *r, struct sched_record_name name, uint64_t address)
{
    struct isp_map_piece p;
    struct place place;
    unsigned alike;
    const struct sched_record_event *e = sched_record_find(r, name);
    /* a blocking one that came back has matched, if only part by part */
    bool done = e && (e->match || (e->call.flags & ISP_F_FENCE && name.number + 1 < r->of[name.rank].n));
    return done && written_piece(e, address, &p, &place, &alike);
}

/* ---- who has written it ---- */

static bool is_same_call(const struct sched_record *r, struct sched_record_name a, struct sched_record_name b)
{
    const struct sched_record_event *e;
    while (b.number > a.number && (e = sched_record_find(r, b)) && e->call.flags & ISP_F_CONTINUES)
        b.number--;
    return a.number >= b.number;
}

bool sched_origin_writer(const struct sched_record *r, struct sched_record_name in, bool names_it,
                         uint64_t address, struct sched_record_name *writer)
{
    for (*writer = in;; writer->number--) {
        if (writes(r, *writer, address)) {
            struct sched_record_name end = *writer;
            bool completed = sched_along_completion(r, &end);
            if ((names_it && (is_same_call(r, *writer, in) || is_same_call(r, end, in))) || !completed ||
                end.number > in.number)
                return true;
        }
        if (writer->number == 0)
            return false;
    }
}

bool sched_origin_last(const struct sched_record *r, int rank, uint64_t from, uint64_t to, uint64_t address,
                       struct sched_record_name *writer)
{
    for (uint64_t k = to < r->of[rank].n ? to : r->of[rank].n; k > 0; k--) {
        *writer = (struct sched_record_name){rank, (uint32_t)(k - 1)};
        struct sched_record_name end = *writer;
        if (writes(r, *writer, address) && sched_along_completion(r, &end) && end.number < to)
            return end.number >= from;
    }
    return false;
}

const struct sched_record_put *sched_origin_next_put(const struct sched_record *r, int rank, uint64_t address,
                                                     uint32_t *k)
{
    while (*k < r->n_puts) {
        const struct sched_record_put *put = &r->puts[(*k)++];
        if (put->target == rank && address - put->at < put->length)
            return put;
    }
    return NULL;
}

/* ---- the other side ---- */

static bool is_alike(const struct sched_record_event *a, const struct sched_record_event *b)
{
    return b->call.op == ISP_OP_COLLECTIVE && !(b->call.flags & ISP_F_INTERNAL) &&
           a->call.comm == b->call.comm && a->call.key == b->call.key && a->call.mode == b->call.mode;
}

/* What another member has called in the same collective: those of a communicator match in order (MPI-4.0,
 * 6.14), and so do the starts of a persistent one (its key). */
static bool member_of(const struct sched_record *r, struct sched_record_name own, int rank,
                      struct sched_record_name *member)
{
    const struct sched_record_event *e = sched_record_find(r, own), *other;
    uint32_t before = 0;
    for (struct sched_record_name n = own; n.number > 0;)
        n.number--, before += is_alike(e, sched_record_find(r, n));
    *member = (struct sched_record_name){rank, 0};
    for (; (other = sched_record_find(r, *member)); member->number++)
        if (is_alike(e, other) && before-- == 0)
            return isp_fn_base((enum isp_fn)other->call.fn) == isp_fn_base((enum isp_fn)e->call.fn);
    return false;
}

static void add_part(struct sched_origin *o, struct sched_record_name of, const struct isp_map_piece *p,
                     struct place in_message, uint64_t size)
{
    struct place there;
    if (!place_in_memory(p, in_message.at, &there))
        return;
    size = size < in_message.rest ? size : in_message.rest;
    size = size < there.rest ? size : there.rest;
    SCHED_GROW(o->parts, o->n);
    o->parts[o->n++] = (struct sched_origin_bytes){of, there.at, size};
}

static void find_message(struct sched_origin *o, const struct sched_record *r, struct place in_message,
                         uint64_t size)
{
    struct isp_map_piece p;
    struct sched_record_name sent;
    const struct sched_record_event *send;
    if (sched_record_partner(r, o->got, &sent) && (send = sched_record_find(r, sent)) &&
        piece_of(send, false, ISP_NO_RANK, 0, &p))
        add_part(o, sent, &p, in_message, size);
}

/* Members that give this one several pieces are neighbours several times over; which of them pairs with which
 * depends on the topology: not told. */
static void find_member(struct sched_origin *o, const struct sched_record *r, int32_t peer,
                        struct place in_message, uint64_t size, unsigned alike)
{
    struct isp_map_piece p, second;
    struct sched_record_name member;
    const struct sched_record_event *e;
    if (peer == ISP_NO_RANK || alike > 1 || !member_of(r, o->got, peer, &member))
        return;
    e = sched_record_find(r, member);
    if (piece_of(e, false, o->got.rank, 0, &p) && !piece_of(e, false, o->got.rank, 1, &second))
        add_part(o, member, &p, in_message, size);
}

/* ---- reductions ---- */

static const struct sched_record_comm *comm_of(const struct sched_record *r, int number)
{
    for (uint32_t k = 0; k < r->n_comms; k++)
        if (r->comms[k].number == number)
            return &r->comms[k];
    return NULL;
}

/* Where the part of a rank begins in what MPI_Reduce_scatter reduces: behind those of the members before. */
static bool scattered_before(const struct sched_record *r, struct sched_record_name own,
                             const struct sched_record_comm *c, uint64_t *before)
{
    struct isp_map_piece p;
    struct sched_record_name member;
    *before = 0;
    for (unsigned i = 0; i < c->n && c->members[i] != own.rank; i++) {
        if (!member_of(r, own, c->members[i], &member) ||
            !piece_of(sched_record_find(r, member), true, ISP_NO_RANK, 0, &p))
            return false;
        *before += p.count * item_size(&p);
    }
    return true;
}

static void find_reduced(struct sched_origin *o, const struct sched_record *r, struct place in_message,
                         uint64_t size)
{
    const struct sched_record_event *e = sched_record_find(r, o->got);
    const struct sched_record_comm *c = comm_of(r, e->call.comm);
    const char *name = isp_fn_name((enum isp_fn)e->call.fn);
    bool scatters = strstr(name, "educe_scatter") != NULL, excludes = strstr(name, "xscan") != NULL;
    uint64_t before = 0;
    o->reduces = true;
    if (!c || (scatters && !scattered_before(r, o->got, c, &before)))
        return;
    in_message.at += before;
    for (unsigned i = 0; i < c->n; i++) {
        struct isp_map_piece p;
        struct sched_record_name member;
        bool own = c->members[i] == o->got.rank;
        if (own && excludes)
            break;
        if (!member_of(r, o->got, c->members[i], &member) ||
            !piece_of(sched_record_find(r, member), false, ISP_NO_RANK, 0, &p)) {
            o->n = 0; /* not without all of them */
            return;
        }
        add_part(o, member, &p, in_message, size);
        if (own && e->call.flow == ISP_FLOW_PREFIX)
            break;
    }
}

struct sched_origin sched_origin_find(const struct sched_record *r, struct sched_record_name writer,
                                      uint64_t address, uint64_t size)
{
    struct sched_origin o = {.got = writer};
    struct isp_map_piece p;
    struct place in_message;
    unsigned alike;
    const struct sched_record_event *e = sched_record_find(r, writer);
    if (!written_piece(e, address, &p, &in_message, &alike))
        return o;
    if (e->call.op == ISP_OP_RECV)
        find_message(&o, r, in_message, size);
    else if (e->call.redop)
        find_reduced(&o, r, in_message, size);
    else
        find_member(&o, r, p.peer, in_message, size, alike);
    return o;
}

void sched_origin_finish(struct sched_origin *o)
{
    free(o->parts);
    *o = (struct sched_origin){0};
}
