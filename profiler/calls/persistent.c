/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent requests: see persistent.h. */
#include "persistent.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "completion.h"
#include "engine/bsend.h"
#include "engine/prof.h"
#include "engine/refused.h"
#include "entries/cancels.h"
#include "kept/kept.h"
#include "link/sites.h"
#include "link/uplink.h"
#include "memory/pending.h"
#include "prof_calls.h"
#include "startall.h"
#include "tables/handles.h"

static struct prof_persistent **table; /* grows, its entries stay where they are */
static uint32_t n_table;

struct prof_persistent *prof_persistent_at(uint32_t number)
{
    return number < n_table && table[number]->live ? table[number] : NULL;
}

struct prof_persistent *prof_persistent_of(MPI_Request request) { return prof_request_target(request, true); }

static uint32_t take(void)
{
    for (uint32_t i = 0; i < n_table; i++)
        if (!table[i]->live)
            return i;
    table = prof_grow(table, n_table + 1, sizeof *table);
    table[n_table] = prof_alloc(1, sizeof(struct prof_persistent));
    return n_table++;
}

static void hand_out(uint32_t number, MPI_Request *request)
{
    struct prof_persistent *p = table[number];
    p->number = number;
    p->made = (struct prof_place){prof_current.fn, prof_current.site};
    p->defined = prof_definitions.history;
    p->request = prof_request_make(p, true, request);
    prof_handle_created(PROF_HANDLE_REQUEST, PROF_TRACKED(*request), prof_current.fn, prof_current.site);
}

void prof_persistent_create_message(enum prof_op_kind kind, uint8_t mode, const struct prof_envelope *e,
                                    struct prof_partitions *partitions, MPI_Request *request)
{
    uint32_t number = take();
    *table[number] = (struct prof_persistent){
        .live = true, .kind = kind, .mode = mode, .envelope = *e, .partitions = partitions};
    prof_comm_hold(e->c);
    prof_type_hold(e->type);
    hand_out(number, request);
}

void prof_persistent_create(struct prof_kept *kept, MPI_Request *request)
{
    uint32_t number = take();
    *table[number] = (struct prof_persistent){.live = true, .kind = PROF_OP_COLLECTIVE, .kept = kept};
    hand_out(number, request);
}

void prof_persistent_free(struct prof_persistent *p)
{
    p->live = false;
    prof_request_end(p->request);
    prof_partitions_destroy(p->partitions);
    if (p->kept) {
        prof_kept_drop(p->kept);
        return;
    }
    prof_type_release(p->envelope.type);
    prof_comm_release(p->envelope.c);
}

#define INIT(X, KIND, mode, CONST, peer_, receive)                                                          \
    int prof_##X(enum isp_fn fn, const void *site, CONST void *buf, MPI_Count count, MPI_Datatype datatype, \
                 int peer_, int tag, MPI_Comm comm, MPI_Request *request)                                   \
    {                                                                                                       \
        struct prof_envelope e = {.buf = (void *)(uintptr_t)buf,                                            \
                                  .count = count,                                                           \
                                  .datatype = datatype,                                                     \
                                  .peer = peer_,                                                            \
                                  .tag = tag,                                                               \
                                  .comm = comm};                                                            \
        if (!prof_enter(fn, site))                                                                          \
            return PMPI_##X(buf, (int)count, datatype, peer_, tag, comm, request);                          \
        if (!request || !prof_envelope_check(&e, receive))                                                  \
            return prof_leave(PMPI_##X(buf, (int)count, e.datatype, peer_, tag, e.comm, request));          \
        prof_persistent_create_message(KIND, mode, &e, NULL, request);                                      \
        return prof_leave(MPI_SUCCESS);                                                                     \
    }

INIT(Send_init, PROF_OP_SEND, ISP_SEND_STANDARD, const, dest, false)
INIT(Bsend_init, PROF_OP_SEND, ISP_SEND_BUFFERED, const, dest, false)
INIT(Ssend_init, PROF_OP_SEND, ISP_SEND_SYNC, const, dest, false)
INIT(Rsend_init, PROF_OP_SEND, ISP_SEND_READY, const, dest, false)
INIT(Recv_init, PROF_OP_RECV, ISP_RECV_NORMAL, , source, true)

/* ---- never started ---- */

static void put_place(struct isp_buf *b, const struct prof_place *place, uint32_t number)
{
    isp_put_u16(b, (uint16_t)place->fn);
    isp_put_u32(b, number);
}

/* What was told of requests that are started: where they were made, and for which messages. */
struct started {
    struct prof_place made;
    int32_t comm, peer, tag;
};
static struct started *told;
static size_t n_told;

static bool is_same(const struct started *a, const struct started *b)
{
    return a->made.fn == b->made.fn && a->made.site == b->made.site && a->comm == b->comm &&
           a->peer == b->peer && a->tag == b->tag;
}

/* Looks at the last ones first: a program makes the same requests again, in a loop, or some others. */
static void note_started(const struct prof_persistent *p)
{
    enum { MOST = 4096 }; /* what is not told is only not shown */
    struct started s = {p->made, -1, -1, -1};
    if (!p->kept)
        s = (struct started){p->made, p->envelope.c->number, prof_envelope_peer(&p->envelope),
                             p->envelope.tag};
    bool place = false;
    for (size_t i = n_told; i-- > 0;) {
        if (is_same(&told[i], &s))
            return;
        place |= told[i].made.fn == s.made.fn && told[i].made.site == s.made.site;
    }
    if (place && n_told >= MOST)
        return;
    told = prof_grow(told, n_told + 1, sizeof *told);
    told[n_told++] = s;
    uint32_t site = prof_site_number(s.made.site); /* first: it may put a frame of its own */
    struct isp_buf *b = prof_link_begin(ISP_MSG_STARTED);
    put_place(b, &s.made, site);
    isp_put_i32(b, s.comm);
    isp_put_i32(b, s.peer);
    isp_put_i32(b, s.tag);
    prof_link_end();
}

static void tell_unstarted(struct prof_persistent *p, bool explained)
{
    struct prof_place at = {prof_current.fn, prof_current.site};
    uint32_t here = prof_site_number(at.site), made = prof_site_number(p->made.site);
    struct isp_buf *b = prof_link_begin(ISP_MSG_UNSTARTED);
    put_place(b, &at, here);
    put_place(b, &p->made, made);
    isp_put_u8(b, explained);
    prof_link_end();
    p->hinted = true;
    p->asked = !explained;
}

static bool is_to_nobody(const struct prof_persistent *p)
{
    return !p->kept && p->envelope.peer == MPI_PROC_NULL;
}

/* A null request or one that was started before explains why the others are not: the array has places for
 * all, and some are not needed now. */
void prof_persistent_asked(int n, const MPI_Request requests[], bool some_active)
{
    bool explained = some_active;
    for (int i = 0; i < n && !explained && n_table; i++) {
        struct prof_persistent *p = prof_persistent_of(requests[i]);
        explained = !p || p->started.fn;
    }
    for (int i = 0; i < n && n_table; i++) {
        struct prof_persistent *p = prof_persistent_of(requests[i]);
        if (p && !p->started.fn && !(explained ? p->hinted : p->asked) && !is_to_nobody(p))
            tell_unstarted(p, explained);
    }
}

/* ---- starts ---- */

static int start(struct prof_persistent *p)
{
    if (p->mode == ISP_SEND_BUFFERED && p->kind == PROF_OP_SEND && !prof_bsend_fits(&p->envelope))
        return prof_bsend_refuse(&p->envelope);
    uint16_t flags = p->partitions             ? (uint16_t)prof_partitions_start(p)
                     : p->kind == PROF_OP_RECV ? prof_cancels_flag()
                                               : 0;
    p->active = p->kept ? prof_op_post_collective(p->kept, 0)
                        : prof_op_post(p->kind, p->mode, flags, &p->envelope, NULL);
    p->active->persistent = p->number + 1;
    if (!p->started.fn)
        note_started(p);
    for (int i = 0; p->partitions && p->kind == PROF_OP_RECV && i < p->partitions->n; i++)
        prof_pending_begin_partition(p->active, &p->envelope, i, p->partitions->n);
    p->started = (struct prof_place){prof_current.fn, prof_current.site};
    prof_partitions_started(p);
    return MPI_SUCCESS;
}

/* NULL: it cannot be started, and *code says why; if that is MPI_SUCCESS, only MPI knows. */
static struct prof_persistent *to_start(MPI_Request request, int position, int *code)
{
    struct prof_persistent *p = prof_persistent_of(request);
    *code = MPI_SUCCESS;
    if (p && p->active)
        *code = prof_request_refuse_start(&p->started, position);
    else if (!p && prof_request_is_old(request))
        *code = prof_request_refuse_old(request, position);
    else if (!p)
        prof_request_is_foreign(request);
    return *code == MPI_SUCCESS ? p : NULL;
}

int prof_Start(enum isp_fn fn, const void *site, MPI_Request *request)
{
    int code = MPI_SUCCESS;
    if (!prof_enter(fn, site))
        return PMPI_Start(request);
    struct prof_persistent *p = request ? to_start(*request, -1, &code) : NULL;
    if (!p)
        return prof_leave(code ? code : PMPI_Start(request));
    return prof_leave(start(p));
}

static int start_all(int n, const MPI_Request requests[])
{
    int rc = MPI_SUCCESS, *order = prof_alloc((size_t)n + 1, sizeof *order);
    prof_startall_order(n, requests, order);
    for (int i = 0; i < n && rc == MPI_SUCCESS; i++) {
        struct prof_persistent *p = prof_persistent_of(requests[order[i]]);
        /* it stands there twice */
        rc = p->active ? prof_request_refuse_start(&p->started, order[i]) : start(p);
    }
    free(order);
    return rc;
}

int prof_Startall(enum isp_fn fn, const void *site, int count, MPI_Request array_of_requests[])
{
    bool good = count >= 0 && (array_of_requests || count == 0);
    int code = MPI_SUCCESS;
    if (!prof_enter(fn, site))
        return PMPI_Startall(count, array_of_requests);
    for (int i = 0; good && i < count; i++)
        good = to_start(array_of_requests[i], i, &code);
    if (!good)
        return prof_leave(code ? code : PMPI_Startall(count, array_of_requests));
    return prof_leave(start_all(count, array_of_requests));
}

/* ---- the state of the rank ---- */

static void add_place(struct prof_hash *h, const struct prof_place *place)
{
    prof_hash_word(h, place->fn);
    prof_hash_pointer(h, place->site);
}

static void add_envelope(struct prof_hash *h, const struct prof_envelope *e)
{
    prof_hash_pointer(h, e->buf);
    prof_hash_word(h, (uint64_t)e->count);
    prof_hash_word(h, (uint64_t)e->datatype);
    prof_hash_word(h, (uint64_t)(uint32_t)e->peer << 32 | (uint32_t)e->tag);
    prof_hash_word(h, (uint64_t)(uint32_t)e->c->number << 32 | e->blocking);
    prof_hash_word(h, e->bytes);
}

static void add(struct prof_hash *h, const struct prof_persistent *p)
{
    prof_hash_word(h, (uint64_t)p->number << 32 | p->request);
    prof_hash_word(h, (uint64_t)p->kind << 16 | p->mode << 8 | p->hinted << 2 | p->asked << 1 |
                          (p->kept != NULL));
    if (p->kept)
        prof_kept_hash(h, p->kept);
    else
        add_envelope(h, &p->envelope);
    add_place(h, &p->made);
    add_place(h, &p->started);
    prof_hash_word(h, p->defined.low);
    prof_hash_word(h, p->defined.high);
    prof_hash_word(h, p->active ? p->active->number + 1 : 0);
}

bool prof_persistents_hash(struct prof_hash *h)
{
    prof_hash_word(h, n_told);
    for (size_t i = 0; i < n_told; i++)
        add_place(h, &told[i].made);
    for (uint32_t i = 0; i < n_table; i++)
        if (table[i]->live && table[i]->partitions)
            return false;
        else if (table[i]->live)
            add(h, table[i]);
    return true;
}
