/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Transitions into poe, possible and impossible ones: it must refuse by poe_add what no program can do, and
 * whatever it takes, all of its questions have answers. As in the scheduler nothing is added after a refusal,
 * but what is there is still looked at.
 *
 * Input: ranks and options; then steps, a byte for what to do and small numbers for the fields of a record.
 */
#include "fuzz.h"

#include "isp/functions.h"
#include "poe/poe.h"

enum { MOST_LIST = 16, MOST_STEPS = 4000 };

struct state {
    struct poe *poe;
    int ranks;
    bool refused, over;
    unsigned steps;
    uint32_t list[MOST_LIST + 8 * ISP_SHARE_WORDS];
};

static void read_list(struct state *s, struct isp_reader *in, struct isp_call *c)
{
    c->n = isp_get_u8(in) % (MOST_LIST + 1);
    for (uint32_t i = 0; i < c->n; i++)
        s->list[i] = (uint32_t)fuzz_number(in);
    c->list = s->list;
}

static void add(struct state *s, struct isp_reader *in, int rank)
{
    static const uint16_t fns[] = {ISP_FN_MPI_Barrier,  ISP_FN_MPI_Bcast, ISP_FN_MPI_Reduce,
                                   ISP_FN_MPI_Comm_dup, ISP_FN_MPI_Send,  ISP_FN_MPI_Recv};
    struct isp_call c = {.op = isp_get_u8(in) % (ISP_OP_ADMIT + 2),
                         .mode = isp_get_u8(in) % 8,
                         .comm = ISP_NO_COMM,
                         .peer = ISP_NO_RANK,
                         .root = ISP_NO_RANK};
    c.flags = isp_get_u32(in);
    c.fn = fns[isp_get_u8(in) % 6];
    c.site = isp_get_u8(in) % 4;
    bool message = c.op == ISP_OP_SEND || c.op == ISP_OP_RECV || c.op == ISP_OP_PROBE,
         collective = c.op == ISP_OP_COLLECTIVE;
    /* each has the fields that it has on the wire */
    bool lock = c.op == ISP_OP_LOCK || c.op == ISP_OP_UNLOCK;
    if (!lock && c.op != ISP_OP_COMPLETE)
        c.handle = (uint32_t)fuzz_number(in);
    if (message || collective || lock) {
        c.comm = fuzz_number(in);
        c.peer = fuzz_number(in);
    }
    if (message || collective)
        c.tag = fuzz_number(in);
    if (collective) {
        c.root = fuzz_number(in);
        c.color = fuzz_number(in);
        c.key = fuzz_number(in);
        c.flow = isp_get_u8(in) % 6;
    }
    if (c.op == ISP_OP_COMPLETE || c.op == ISP_OP_COLLECTIVE || c.op == ISP_OP_JOIN ||
        (c.op == ISP_OP_RECV && c.mode == ISP_RECV_MESSAGE))
        read_list(s, in, &c);
    uint8_t thread = isp_get_u8(in);
    c.thread = thread & 0xf0 ? 0 : thread & 3;
    c.others = thread & 4;
    c.guards = c.flags & ISP_F_GUARDED ? c.site : 0;
    c.took = c.flags & ISP_F_TOOK ? c.site : 0;
    c.perhaps = c.flags & ISP_F_PERHAPS ? c.site : 0;
    if (c.handle == 1u << 24) /* no error, but much memory */
        c.handle = 100;
    if (s->refused)
        return;
    bool can = poe_can_add(s->poe, rank, &c);
    s->refused = poe_add(s->poe, rank, &c) != 0;
    FUZZ_CHECK(can == !s->refused);
}

/* ---- what is asked of it ---- */

static void see(const struct poe_transition *t, void *context)
{
    struct state *s = context;
    int ranks[8];
    uint32_t sum = 0;
    FUZZ_CHECK(t->rank >= 0 && t->rank < s->ranks);
    for (uint32_t i = 0; i < t->call.n; i++)
        sum += t->call.list[i];
    (void)sum;
    FUZZ_CHECK(poe_missing(s->poe, t, ranks) <= (unsigned)s->ranks);
}

static void look_at_wait(struct state *s, const struct poe_wait *w)
{
    for (unsigned k = 0; k < w->n_ranks; k++)
        FUZZ_CHECK(w->ranks[k] >= 0 && w->ranks[k] < s->ranks);
    for (unsigned k = 0; k < w->n_pending; k++)
        FUZZ_CHECK(w->pending[k]->rank >= 0 && w->pending[k]->rank < s->ranks);
}

static void look(struct state *s)
{
    int cycle[8];
    const struct poe_barrier *barriers;
    unsigned n;
    for (int i = 0; i < s->ranks; i++) {
        look_at_wait(s, poe_wait(s->poe, i));
        for (unsigned t = 0; t < poe_threads(s->poe, i) && t < 4; t++)
            look_at_wait(s, poe_wait_thread(s->poe, i, t));
        poe_operation(s->poe, i, 0);
        poe_next_index(s->poe, i, 0);
    }
    FUZZ_CHECK(poe_wait_cycle(s->poe, cycle) <= (unsigned)s->ranks);
    poe_each_live(s->poe, see, s);
    poe_barriers(s->poe, &barriers, &n);
    poe_buffering_matters(s->poe);
    for (int c = -1; c < 8; c++) {
        const int *members;
        unsigned k = poe_comm_members(s->poe, c, &members);
        for (unsigned i = 0; i < k; i++)
            FUZZ_CHECK(members[i] >= 0 && members[i] < s->ranks);
    }
}

static void look_at_fired(const struct state *s)
{
    const struct poe_fired *f = poe_fired(s->poe);
    FUZZ_CHECK(f->n_members > 0 || (f->n_effects == 1 && f->effects->release)); /* a thread is let in */
    for (unsigned i = 0; i < f->n_members; i++)
        FUZZ_CHECK(f->members[i]->rank >= 0 && f->members[i]->rank < s->ranks);
    for (unsigned i = 0; i < f->n_effects; i++) {
        const struct poe_effect *e = &f->effects[i];
        FUZZ_CHECK(e->rank >= 0 && e->rank < s->ranks);
        for (uint32_t k = 0; e->release && k < e->result.n; k++)
            FUZZ_CHECK(e->result.list[k] < UINT32_MAX);
    }
}

static void take_races(struct state *s)
{
    unsigned number;
    while (poe_next_race(s->poe, &number))
        ;
}

/* One move. False: it cannot. */
static bool step(struct state *s, struct isp_reader *in)
{
    if (s->refused || s->over || ++s->steps > MOST_STEPS)
        return false;
    switch (poe_step(s->poe)) {
    case POE_FIRED: look_at_fired(s); return true;
    case POE_CHOICE: {
        const struct poe_choice *c = poe_choice(s->poe);
        FUZZ_CHECK(c->n > 0 || c->transition);
        unsigned k = isp_get_u8(in) % (c->n + 1);
        take_races(s);
        poe_decide(s->poe, k);
        return true;
    }
    case POE_MISMATCH:
        look_at_fired(s);
        s->over = true;
        return false;
    case POE_LIVELOCK: return true;
    default: return false;
    }
}

static void save_and_restore(struct state *s, struct isp_reader *in)
{
    struct poe_saved *saved = poe_save(s->poe);
    for (int i = 0; i < 8 && step(s, in); i++)
        ;
    poe_restore(s->poe, saved);
    poe_saved_destroy(saved);
    s->over = false;
}

static void act(struct state *s, struct isp_reader *in)
{
    uint8_t what = isp_get_u8(in);
    int rank = what % s->ranks;
    switch (what >> 4) {
    default: add(s, in, rank); break;
    case 10:
    case 11:
    case 12:
        while (step(s, in))
            ;
        break;
    case 13: save_and_restore(s, in); break;
    case 14: look(s); break;
    case 15:
        if (s->refused)
            break;
        if (what & 8)
            poe_stop(s->poe, rank);
        else if (what & 4)
            poe_runs(s->poe, rank);
        else
            poe_quiet(s->poe, rank);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct isp_reader in = isp_reader_of(data, size);
    uint8_t options = isp_get_u8(&in);
    struct poe_config config = {.ranks = 1 + (options & 3),
                                .buffered = options & 4,
                                .polls = options >> 3 & 3,
                                .livelock_rounds = 3,
                                .threads = 1};
    struct state s = {.poe = poe_create(&config), .ranks = config.ranks};
    while (in.ok && in.at < in.end)
        act(&s, &in);
    while (step(&s, &in))
        ;
    take_races(&s);
    look(&s);
    poe_destroy(s.poe);
    return 0;
}
