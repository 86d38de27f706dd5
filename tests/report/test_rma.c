/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Conflicts between accesses, driven by poe without MPI. Each test is run with the ranks' calls fed in
 * ascending and in descending order: what is found, and where it stands, must be the same. Site s of a test
 * is the place "app+0x<s>".
 */
#include "case.h"

#include "findings/finding.h"
#include "run/options.h"
#include "findings/findings.h"
#include "isp/functions.h"
#include "isp/rules.h"
#include "poe/poe.h"
#include "rma/rma.h"
#include "sites/sites.h"

enum { RANKS = 3, MOST = 16, HERE = 0x1000 /* the window of each rank */ };

struct step {
    bool is_access;
    struct isp_call call;
    struct isp_access access;
    struct isp_access_run run;
};

struct scene {
    struct step steps[RANKS][MOST];
    int n[RANKS];
};

static struct step *next(struct scene *s, int rank) { return &s->steps[rank][s->n[rank]++]; }

static void call(struct scene *s, int rank, struct isp_call c) { next(s, rank)->call = c; }

static void collective(struct scene *s, uint16_t fn, uint8_t mode)
{
    for (int rank = 0; rank < RANKS; rank++)
        call(s, rank,
             (struct isp_call){
                 .op = ISP_OP_COLLECTIVE, .mode = mode, .fn = fn, .flags = ISP_F_FENCE, .root = ISP_NO_RANK});
}

static void message(struct scene *s, int from, int to)
{
    call(s, from,
         (struct isp_call){
             .op = ISP_OP_SEND, .fn = ISP_FN_MPI_Send, .flags = ISP_F_FENCE, .peer = to, .handle = 1});
    call(s, to,
         (struct isp_call){
             .op = ISP_OP_RECV, .fn = ISP_FN_MPI_Recv, .flags = ISP_F_FENCE, .peer = from, .handle = 1});
}

/* To 4 bytes at this offset of rank 0's window. */
static struct isp_access *access_(struct scene *s, int rank, uint32_t site, enum isp_access_kind kind,
                                  enum isp_access_epoch epoch, uint64_t offset)
{
    struct step *step = next(s, rank);
    step->is_access = true;
    step->run = (struct isp_access_run){HERE + offset, 4};
    step->access = (struct isp_access){.kind = (uint8_t)kind,
                                       .epoch = (uint8_t)epoch,
                                       .fn = ISP_FN_MPI_Put,
                                       .site = site,
                                       .base = HERE,
                                       .n = 1};
    return &step->access;
}

static void flush(struct scene *s, int rank)
{
    access_(s, rank, 0, ISP_ACCESS_FLUSH, ISP_EPOCH_NONE, 0)->n = 0;
}

/* ---- running ---- */

struct world {
    struct sched_options options;
    struct sched_run run;
    struct sched_rma *rma;
    bool waits[RANKS];
    int at[RANKS];
};

static void fire(struct world *w)
{
    enum poe_state state;
    while ((state = poe_step(w->run.poe)) == POE_FIRED) {
        const struct poe_fired *f = poe_fired(w->run.poe);
        sched_tell_fired(&w->run, f);
        for (unsigned i = 0; i < f->n_effects; i++)
            if (f->effects[i].release)
                w->waits[f->effects[i].rank] = false;
    }
    assert_true(state == POE_RUNNING || state == POE_DEADLOCK);
}

static void feed(struct world *w, const struct scene *s, int rank)
{
    while (!w->waits[rank] && w->at[rank] < s->n[rank]) {
        const struct step *step = &s->steps[rank][w->at[rank]++];
        if (step->is_access) {
            struct isp_access a = step->access;
            a.runs = &step->run;
            sched_rma_access(w->rma, &w->run, rank, &a);
            continue;
        }
        w->waits[rank] = true;
        sched_tell_call(&w->run, rank, &step->call);
        assert_int_equal(poe_add(w->run.poe, rank, &step->call), 0);
        fire(w);
    }
}

/* Expects a finding that stands at `site`, with the other access at `other`; 0: none. */
static void run(const struct scene *s, bool descending, uint32_t site, uint32_t other)
{
    struct world w = {.options = {.ranks = RANKS}};
    struct poe_config config = {.ranks = RANKS, .polls = 1, .livelock_rounds = 10, .threads = 1};
    w.run = (struct sched_run){.options = &w.options,
                               .sites = sched_sites_create(),
                               .findings = sched_findings_create(),
                               .poe = poe_create(&config),
                               .interleaving = "0"};
    w.rma = sched_rma_create(RANKS, false);
    sched_listeners_add(&w.run.listeners, &sched_rma_listener, w.rma);
    for (uint64_t k = 1; k <= 64; k++)
        sched_sites_intern(w.run.sites, "/nosuch/app", 11, k);
    for (int turn = 0; turn < RANKS * MOST; turn++)
        feed(&w, s, descending ? RANKS - 1 - turn % RANKS : turn % RANKS);
    for (int rank = 0; rank < RANKS; rank++)
        assert_int_equal(w.at[rank], s->n[rank]);
    sched_rma_report(w.rma, &w.run);
    struct sched_finding *const *all;
    size_t n = sched_findings_all(w.run.findings, &all);
    assert_int_equal(n, site ? 1 : 0);
    if (site) {
        assert_int_equal(all[0]->rule, ISP_RULE_RMA_CONFLICT);
        assert_int_equal(all[0]->sites[0].site, site);
        assert_int_equal(all[0]->sites[1].site, other);
    }
    sched_rma_destroy(w.rma);
    poe_destroy(w.run.poe);
    sched_findings_destroy(w.run.findings);
    sched_sites_destroy(w.run.sites);
}

static void expect(const struct scene *s, uint32_t site, uint32_t other)
{
    run(s, false, site, other);
    run(s, true, site, other);
}

static struct scene begin(void)
{
    struct scene s = {.n = {0}};
    collective(&s, ISP_FN_MPI_Win_create, ISP_MAKE_SAME);
    return s;
}

/* ---- tests ---- */

static void test_unordered(void **unused)
{
    struct scene s = begin();
    access_(&s, 1, 1, ISP_ACCESS_PUT, ISP_EPOCH_SHARED, 0);
    access_(&s, 2, 2, ISP_ACCESS_GET, ISP_EPOCH_SHARED, 2);
    expect(&s, 2, 1);
    s = begin();
    access_(&s, 1, 1, ISP_ACCESS_PUT, ISP_EPOCH_SHARED, 0);
    access_(&s, 2, 2, ISP_ACCESS_GET, ISP_EPOCH_SHARED, 4);
    expect(&s, 0, 0);
    s = begin();
    access_(&s, 1, 1, ISP_ACCESS_GET, ISP_EPOCH_SHARED, 0);
    access_(&s, 2, 2, ISP_ACCESS_GET, ISP_EPOCH_SHARED, 0);
    expect(&s, 0, 0);
}

static void test_a_message_orders_what_is_complete(void **unused)
{
    struct scene s = begin();
    access_(&s, 1, 1, ISP_ACCESS_PUT, ISP_EPOCH_SHARED, 0);
    flush(&s, 1);
    message(&s, 1, 2);
    access_(&s, 2, 2, ISP_ACCESS_PUT, ISP_EPOCH_SHARED, 0);
    expect(&s, 0, 0);
    s = begin();
    access_(&s, 1, 1, ISP_ACCESS_PUT, ISP_EPOCH_SHARED, 0);
    message(&s, 1, 2);
    flush(&s, 1);
    access_(&s, 2, 2, ISP_ACCESS_PUT, ISP_EPOCH_SHARED, 0);
    expect(&s, 2, 1);
    s = begin(); /* the sender learns nothing of the receiver */
    access_(&s, 2, 1, ISP_ACCESS_PUT, ISP_EPOCH_SHARED, 0);
    flush(&s, 2);
    message(&s, 1, 2);
    access_(&s, 1, 2, ISP_ACCESS_PUT, ISP_EPOCH_SHARED, 0);
    expect(&s, 1, 2);
}

static void test_a_fence_ends_and_orders(void **unused)
{
    struct scene s = begin();
    access_(&s, 1, 1, ISP_ACCESS_PUT, ISP_EPOCH_FENCE, 0);
    collective(&s, ISP_FN_MPI_Win_fence, ISP_MAKE_NOTHING);
    access_(&s, 2, 2, ISP_ACCESS_GET, ISP_EPOCH_FENCE, 0);
    expect(&s, 0, 0);
    s = begin(); /* a barrier completes nothing */
    access_(&s, 1, 1, ISP_ACCESS_PUT, ISP_EPOCH_SHARED, 0);
    collective(&s, ISP_FN_MPI_Barrier, ISP_MAKE_NOTHING);
    access_(&s, 2, 2, ISP_ACCESS_GET, ISP_EPOCH_SHARED, 0);
    expect(&s, 2, 1);
}

static void test_locks(void **unused)
{
    struct scene s = begin();
    access_(&s, 1, 1, ISP_ACCESS_PUT, ISP_EPOCH_EXCLUSIVE, 0);
    access_(&s, 2, 2, ISP_ACCESS_PUT, ISP_EPOCH_SHARED, 0);
    expect(&s, 0, 0);
    s = begin(); /* the owner has no lock */
    access_(&s, 1, 1, ISP_ACCESS_PUT, ISP_EPOCH_EXCLUSIVE, 0);
    access_(&s, 0, 2, ISP_ACCESS_STORE, ISP_EPOCH_NONE, 0)->fn = ISP_FN_NONE;
    expect(&s, 1, 2);
}

static void test_accumulates(void **unused)
{
    for (int same = 0; same < 2; same++) {
        struct scene s = begin();
        access_(&s, 1, 1, ISP_ACCESS_ACCUMULATE, ISP_EPOCH_SHARED, 0)->op = 0x58000003;
        access_(&s, 2, 2, ISP_ACCESS_ACCUMULATE, ISP_EPOCH_SHARED, 0)->op = same ? 0x58000003 : 0x58000004;
        expect(&s, same ? 0 : 2, 1);
    }
    struct scene s = begin();
    access_(&s, 1, 1, ISP_ACCESS_PUT, ISP_EPOCH_SHARED, 0);
    access_(&s, 1, 2, ISP_ACCESS_PUT, ISP_EPOCH_SHARED, 0);
    expect(&s, 2, 1); /* one rank's puts are not ordered, its accumulates are */
    s = begin();
    access_(&s, 1, 1, ISP_ACCESS_ACCUMULATE, ISP_EPOCH_SHARED, 0)->op = 1;
    access_(&s, 1, 2, ISP_ACCESS_ACCUMULATE, ISP_EPOCH_SHARED, 0)->op = 2;
    expect(&s, 0, 0);
}

/* A receive of rank 0 into its window: it lasts until it is complete for the program. */
static void test_buffers(void **unused)
{
    for (int when = 0; when < 3; when++) {
        struct scene s = begin();
        access_(&s, 0, 1, ISP_ACCESS_TAKE, ISP_EPOCH_NONE, 0)->buffer = 5;
        for (int i = 0; i < 2; i++) {
            if (i == when) {
                struct isp_access *done = access_(&s, 0, 0, ISP_ACCESS_DONE, ISP_EPOCH_NONE, 0);
                done->n = 0;
                done->buffer = 5;
            }
            if (i == 0)
                message(&s, 0, 2);
        }
        access_(&s, 2, 2, ISP_ACCESS_PUT, ISP_EPOCH_SHARED, 0);
        expect(&s, when == 0 ? 0 : 2, 1);
    }
    struct scene s = begin();
    access_(&s, 0, 1, ISP_ACCESS_GIVE, ISP_EPOCH_NONE, 0);
    access_(&s, 2, 2, ISP_ACCESS_GET, ISP_EPOCH_SHARED, 0);
    access_(&s, 2, 3, ISP_ACCESS_PUT, ISP_EPOCH_SHARED, 8);
    expect(&s, 0, 0);
}

/* Rank 1 puts, and sets a flag; rank 2 reads the flag, and gets. */
static void test_a_flag_may_order(void **unused)
{
    for (int atomic = 0; atomic < 2; atomic++) {
        struct scene s = begin();
        access_(&s, 1, 1, ISP_ACCESS_PUT, ISP_EPOCH_SHARED, 0);
        flush(&s, 1);
        access_(&s, 1, 3, ISP_ACCESS_ACCUMULATE, ISP_EPOCH_SHARED, 8);
        flush(&s, 1);
        access_(&s, 2, 4, ISP_ACCESS_FETCH, ISP_EPOCH_SHARED, atomic ? 8 : 16)->no_op = true;
        flush(&s, 2);
        access_(&s, 2, 2, ISP_ACCESS_GET, ISP_EPOCH_SHARED, 0);
        expect(&s, atomic ? 0 : 2, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unordered),
        cmocka_unit_test(test_a_message_orders_what_is_complete),
        cmocka_unit_test(test_a_fence_ends_and_orders),
        cmocka_unit_test(test_locks),
        cmocka_unit_test(test_accumulates),
        cmocka_unit_test(test_buffers),
        cmocka_unit_test(test_a_flag_may_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
