/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Checks, driven by poe without MPI: each test is a few transitions of a few ranks, run to their end with
 * the first alternative at each choice point, and what is found. Site s of a test is the place "app+0x<s>".
 */
#include "case.h"

#include "check/check.h"
#include "check/deeds.h"
#include "isp/functions.h"

enum { MAX_CALLS = 16, MAX_RANKS = 32 };

struct scene {
    struct sched_options options;
    struct sched_run run;
    struct isp_call calls[MAX_RANKS][MAX_CALLS];
    int n[MAX_RANKS], next[MAX_RANKS];
    bool waits[MAX_RANKS];
    enum poe_state end;
    bool may_go_on;       /* what sched_check_match said last */
    unsigned alternative; /* that is taken at each choice point */
};

static void scene_init(struct scene *s, int ranks, bool buffered)
{
    memset(s, 0, sizeof *s);
    s->options = (struct sched_options){.ranks = ranks, .buffering = ISP_BUFFERING_AUTO};
    struct poe_config config = {
        .ranks = ranks, .buffered = buffered, .polls = 1, .livelock_rounds = 10, .threads = 1};
    s->run = (struct sched_run){.options = &s->options,
                                .sites = sched_sites_create(),
                                .findings = sched_findings_create(),
                                .poe = poe_create(&config),
                                .interleaving = "0",
                                .buffered = buffered};
    s->may_go_on = true;
    for (uint64_t site = 1; site <= 64; site++)
        sched_sites_intern(s->run.sites, "/nosuch/app", 11, site);
}

static void scene_finish(struct scene *s)
{
    poe_destroy(s->run.poe);
    sched_deeds_destroy(s->run.deeds);
    sched_findings_destroy(s->run.findings);
    sched_sites_destroy(s->run.sites);
}

static void add(struct scene *s, int rank, struct isp_call call) { s->calls[rank][s->n[rank]++] = call; }

static struct isp_call send_to(uint32_t site, int peer, int tag)
{
    return (struct isp_call){.op = ISP_OP_SEND,
                             .fn = ISP_FN_MPI_Send,
                             .site = site,
                             .flags = ISP_F_FENCE,
                             .peer = peer,
                             .tag = tag,
                             .bytes = 4,
                             .handle = site};
}

static struct isp_call receive_from(uint32_t site, int peer, int tag)
{
    return (struct isp_call){.op = ISP_OP_RECV,
                             .fn = ISP_FN_MPI_Recv,
                             .site = site,
                             .flags = ISP_F_FENCE,
                             .peer = peer,
                             .tag = tag,
                             .bytes = 4,
                             .handle = site};
}

static struct isp_call nonblocking(struct isp_call call, uint16_t fn)
{
    call.flags = 0;
    call.fn = fn;
    return call;
}

/* A send that is complete at once: MPI_Bsend, or MPI_Send where standard sends are buffered. */
static struct isp_call detached(struct isp_call call)
{
    call.flags = ISP_F_DETACHED;
    return call;
}

static struct isp_call collective(uint32_t site, uint16_t fn, int root, uint32_t redop)
{
    return (struct isp_call){
        .op = ISP_OP_COLLECTIVE, .fn = fn, .site = site, .flags = ISP_F_FENCE, .root = root, .redop = redop};
}

static struct isp_call finalize(void)
{
    return (struct isp_call){
        .op = ISP_OP_FINALIZE, .fn = ISP_FN_MPI_Finalize, .site = 60, .flags = ISP_F_FENCE};
}

static void feed(struct scene *s)
{
    for (int r = 0; r < s->options.ranks; r++)
        while (!s->waits[r] && s->next[r] < s->n[r]) {
            const struct isp_call *c = &s->calls[r][s->next[r]++];
            sched_check_listener.call(NULL, &s->run, r, c);
            assert_int_equal(poe_add(s->run.poe, r, c), 0);
            s->waits[r] = c->flags & ISP_F_FENCE;
        }
}

/* Runs to the end; poll: a poll that is told `not yet` is made again. */
static void play(struct scene *s)
{
    for (;;) {
        s->end = poe_step(s->run.poe);
        if (s->end == POE_FIRED) {
            const struct poe_fired *fired = poe_fired(s->run.poe);
            s->may_go_on &= sched_check_match(&s->run, fired);
            for (unsigned i = 0; i < fired->n_effects; i++) {
                const struct poe_effect *e = &fired->effects[i];
                if (!e->release)
                    continue;
                s->waits[e->rank] = false;
                s->next[e->rank] -= !e->result.flag;
            }
        } else if (s->end == POE_RUNNING) {
            feed(s);
        } else if (s->end == POE_CHOICE) {
            sched_check_choice(&s->run, poe_choice(s->run.poe));
            poe_decide(s->run.poe, s->alternative);
        } else {
            return;
        }
    }
}

/* The only finding. */
static const struct sched_finding *only(const struct scene *s, enum isp_rule rule)
{
    struct sched_finding *const *all;
    assert_int_equal(sched_findings_all(s->run.findings, &all), 1);
    assert_string_equal(sched_rule_id(all[0]->rule), sched_rule_id(rule));
    return all[0];
}

static size_t count(const struct scene *s)
{
    struct sched_finding *const *all;
    return sched_findings_all(s->run.findings, &all);
}

/* ---- deadlocks ---- */

static void test_cycle(void **state)
{
    struct scene s;
    scene_init(&s, 3, false);
    add(&s, 0, send_to(1, 1, 0)), add(&s, 0, receive_from(2, 1, 0)), add(&s, 0, finalize());
    add(&s, 1, send_to(3, 0, 0)), add(&s, 1, receive_from(4, 0, 0)), add(&s, 1, finalize());
    add(&s, 2, finalize());
    play(&s);
    assert_int_equal(s.end, POE_DEADLOCK);
    char *key = sched_deadlock_key(&s.run);
    struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_DEADLOCK);
    assert_string_equal(f->message, "deadlock: ranks 0, 1 wait for each other in MPI_Send at app+0x1 and "
                                    "MPI_Send at app+0x3");
    assert_has(f->story, "rank 0  MPI_Send(to 1, tag 0)  app+0x1   waits for a receive by rank 1\n");
    assert_has(f->story, "rank 1  MPI_Send(to 0, tag 0)  app+0x3   waits for a receive by rank 0\n");
    assert_has(f->story, "rank 2  MPI_Finalize           app+0x3c  has finished\n");
    assert_has(f->story, "wait-for cycle: rank 0 → rank 1 → rank 0\n");
    assert_int_equal(f->n_ranks, 2);
    assert_int_equal(f->n_sites, 3);
    assert_int_equal(f->sites[0].site, 1);
    char *again = sched_deadlock_key(&s.run);
    assert_string_equal(key, again);
    free(again);
    free(key);
    scene_finish(&s);
}

static void test_unsafe_buffering(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    add(&s, 0, send_to(1, 1, 0)), add(&s, 0, receive_from(2, 1, 0)), add(&s, 0, finalize());
    add(&s, 1, send_to(3, 0, 0)), add(&s, 1, receive_from(4, 0, 0)), add(&s, 1, finalize());
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_UNSAFE_BUFFERING);
    assert_has(f->message,
               "deadlock unless MPI buffers the message: ranks 0, 1 wait for each other in MPI_Send");
    assert_has(f->story, "it goes away if MPI buffers the message");
    scene_finish(&s);
}

static void test_waits_for_a_finished_rank(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    add(&s, 0, nonblocking(send_to(1, 1, 5), ISP_FN_MPI_Isend)), add(&s, 0, finalize());
    add(&s, 1, receive_from(2, 0, 3)), add(&s, 1, finalize());
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_DEADLOCK);
    assert_string_equal(f->message, "deadlock: tag 3 expected at app+0x2, 5 sent at app+0x1; rank 1 waits in "
                                    "MPI_Recv for rank 0, which has finished after MPI_Isend at app+0x1");
    assert_has(f->story, "near miss: rank 1 waits for tag 3 from rank 0, which sends it tag 5 [MPI_Isend(to "
                         "1, tag 5), app+0x1]");
    assert_int_equal(f->sites[0].rank, 1);
    scene_finish(&s);
}

/* Rank 0 has taken the message that it waits for by a wildcard, and the other one is still there. */
static void test_near_misses_of_a_wildcard(void **state)
{
    struct scene s;
    scene_init(&s, 3, false);
    add(&s, 0, receive_from(1, ISP_ANY_SOURCE, 0)), add(&s, 0, receive_from(2, 1, 0)), add(&s, 0, finalize());
    add(&s, 1, send_to(3, 0, 0)), add(&s, 1, finalize());
    add(&s, 2, send_to(4, 0, 0)), add(&s, 2, finalize());
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_DEADLOCK);
    assert_has(f->story,
               "near miss: rank 0 waits for a message from rank 1, which has finished; rank 2 sends it one "
               "[MPI_Send(to 0, tag 0), app+0x4]");
    assert_has(f->story, "the message of rank 1 was taken by MPI_Recv(from any, tag 0) at app+0x1");
    scene_finish(&s);
}

/* ... which the wildcard could have taken: then it is the first thing to say. */
static void test_taken_in_exchange(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    add(&s, 0, receive_from(1, 1, ISP_ANY_TAG)), add(&s, 0, receive_from(2, 1, 7)), add(&s, 0, finalize());
    add(&s, 1, send_to(3, 0, 7)), add(&s, 1, send_to(4, 0, 8)), add(&s, 1, finalize());
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_DEADLOCK);
    assert_has(f->message,
               "deadlock: what MPI_Recv at app+0x2 waits for was taken by MPI_Recv(from 1, any tag) "
               "at app+0x1; ranks 0, 1 wait for each other");
    scene_finish(&s);
}

/* Each receives from its right neighbour, and has a message from the left one. */
static void test_ring_the_wrong_way(void **state)
{
    struct scene s;
    scene_init(&s, 3, false);
    for (int r = 0; r < 3; r++) {
        add(&s, r, nonblocking(send_to(1, (r + 1) % 3, 0), ISP_FN_MPI_Isend));
        add(&s, r, receive_from(2, (r + 1) % 3, 0)), add(&s, r, finalize());
    }
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_DEADLOCK);
    assert_has(f->message, "a message from rank 1 expected at app+0x2, one from rank 2 sent at app+0x1; "
                           "ranks 0-2 wait for each other in MPI_Recv");
    scene_finish(&s);
}

static void test_what_was_before(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    for (int i = 0; i < 3; i++)
        add(&s, 0, send_to(1, 1, 0));
    add(&s, 0, finalize());
    for (int i = 0; i < 2; i++)
        add(&s, 1, receive_from(2, 0, 0));
    add(&s, 1, finalize());
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_DEADLOCK);
    assert_string_equal(f->message,
                        "deadlock: no receive for MPI_Send at app+0x1 (2 messages before, received "
                        "by MPI_Recv at app+0x2); rank 0 waits in MPI_Send for rank 1, which has "
                        "finished after MPI_Recv at app+0x2");
    scene_finish(&s);
}

static void test_sends_to_nobody(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    add(&s, 0, receive_from(1, 1, 4)), add(&s, 0, finalize());
    add(&s, 1, detached(send_to(2, ISP_NO_RANK, 4))), add(&s, 1, finalize());
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_DEADLOCK);
    assert_has(f->message, "deadlock: MPI_Recv at app+0x1 waits for rank 1, which sends to MPI_PROC_NULL in "
                           "MPI_Send at app+0x2; rank 0 waits in MPI_Recv for rank 1");
    scene_finish(&s);
}

static void test_never_started(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    add(&s, 0, receive_from(1, 1, 4)), add(&s, 0, finalize());
    add(&s, 1, finalize());
    struct sched_made made = {1, ISP_FN_MPI_Send_init, 9, ISP_NO_COMM, ISP_NO_RANK, ISP_ANY_TAG};
    sched_deeds_unstarted(&s.run.deeds, 2, &made);
    struct sched_deeds *copy = sched_deeds_copy(s.run.deeds);
    sched_deeds_destroy(s.run.deeds);
    s.run.deeds = copy;
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_DEADLOCK);
    assert_has(f->message, "the request of MPI_Send_init at app+0x9 is not started by rank 1; rank 0 waits");
    scene_finish(&s);
}

/* Rank 0 waits, at `place`, for a second message of `source`, which has finished; the other two may still
 * wait for it. */
static char *cause_of(int source, bool others_wait, int tag, uint32_t place)
{
    struct scene s;
    scene_init(&s, 4, false);
    add(&s, 0, receive_from(1, ISP_ANY_SOURCE, 0)), add(&s, 0, receive_from(place, source, tag)),
        add(&s, 0, finalize());
    for (int rank = 1; rank < 4; rank++) {
        if (rank == source || others_wait)
            add(&s, rank, send_to(3, 0, 0));
        add(&s, rank, finalize());
    }
    s.alternative = others_wait ? (unsigned)source - 1 : 0;
    play(&s);
    char *cause = strdup(sched_check_deadlock(&s.run, false, ISP_RULE_DEADLOCK)->cause);
    scene_finish(&s);
    return cause;
}

static void test_causes(void **state)
{
    char *one = cause_of(1, true, 0, 2), *two = cause_of(2, true, 0, 2), *alone = cause_of(1, false, 0, 2),
         *tag = cause_of(1, true, 7, 2), *place = cause_of(1, true, 0, 9);
    assert_string_equal(one, two);
    assert_string_equal(one, alone);
    assert_string_not_equal(one, tag);
    assert_string_not_equal(one, place);
    char *all[] = {one, two, alone, tag, place};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* A message of another rank that a later receive will take is no near miss. */
static void test_no_near_miss(void **state)
{
    struct scene s;
    scene_init(&s, 3, false);
    add(&s, 0, receive_from(1, 1, 0)), add(&s, 0, finalize());
    add(&s, 1, receive_from(2, 0, 0)), add(&s, 1, finalize());
    add(&s, 2, send_to(3, 0, 0)), add(&s, 2, finalize());
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_DEADLOCK);
    assert_null(strstr(f->story, "near miss"));
    scene_finish(&s);
}

static void test_missing_in_a_collective(void **state)
{
    struct scene s;
    scene_init(&s, 32, false);
    for (int r = 0; r < 32; r++) {
        add(&s, r, r == 2 ? receive_from(9, 0, 1) : collective(8, ISP_FN_MPI_Barrier, ISP_NO_RANK, 0));
        add(&s, r, finalize());
    }
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_DEADLOCK);
    assert_has(f->story, "ranks 0, 1, 3-31  MPI_Barrier");
    assert_has(f->story, "missing in MPI_Barrier on MPI_COMM_WORLD: rank 2 is in MPI_Recv at app+0x9\n");
    assert_has(f->story, "wait-for cycle: rank 0 → rank 2 → rank 0");
    assert_int_equal(f->n_ranks, 32);
    scene_finish(&s);
}

static void test_waitall_names_what_is_pending(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    uint32_t handles[] = {1, 2};
    add(&s, 0, nonblocking(receive_from(1, 1, 0), ISP_FN_MPI_Irecv));
    add(&s, 0, nonblocking(receive_from(2, 1, 7), ISP_FN_MPI_Irecv));
    add(&s, 0,
        (struct isp_call){.op = ISP_OP_COMPLETE,
                          .fn = ISP_FN_MPI_Waitall,
                          .site = 3,
                          .flags = ISP_F_FENCE,
                          .n = 2,
                          .list = handles});
    add(&s, 0, finalize());
    add(&s, 1, send_to(4, 0, 0)), add(&s, 1, finalize());
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_DEADLOCK);
    assert_has(f->story, "MPI_Waitall(2 requests)");
    assert_has(f->story, "waits for a message from rank 1 [MPI_Irecv(from 1, tag 7), app+0x2]");
    scene_finish(&s);
}

static void test_livelock(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    add(&s, 0,
        (struct isp_call){.op = ISP_OP_PROBE,
                          .fn = ISP_FN_MPI_Iprobe,
                          .site = 5,
                          .flags = ISP_F_FENCE | ISP_F_POLL,
                          .peer = 1,
                          .tag = 0,
                          .handle = 0});
    add(&s, 0, finalize());
    add(&s, 1, finalize());
    play(&s);
    assert_int_equal(s.end, POE_LIVELOCK);
    const struct sched_finding *f = sched_check_deadlock(&s.run, true, ISP_RULE_LIVELOCK);
    assert_string_equal(f->message, "livelock: rank 0 polls in MPI_Iprobe for something that can never come");
    assert_has(f->story, "polls for a message from rank 1");
    scene_finish(&s);
}

/* ---- collectives ---- */

static void test_different_collectives(void **state)
{
    struct scene s;
    scene_init(&s, 3, false);
    for (int r = 0; r < 3; r++)
        add(&s, r,
            r == 1 ? collective(2, ISP_FN_MPI_Bcast, 0, 0)
                   : collective(1, ISP_FN_MPI_Barrier, ISP_NO_RANK, 0));
    play(&s);
    assert_int_equal(s.end, POE_MISMATCH);
    sched_check_mismatch(&s.run, poe_fired(s.run.poe));
    const struct sched_finding *f = only(&s, ISP_RULE_COLLECTIVE_MISMATCH);
    assert_string_equal(f->message, "ranks call different collectives on MPI_COMM_WORLD: "
                                    "MPI_Barrier on ranks 0, 2 (app+0x1); MPI_Bcast on rank 1 (app+0x2)");
    assert_int_equal(f->sites[0].rank, 1); /* the one that went elsewhere */
    assert_int_equal(f->n_sites, 3);
    scene_finish(&s);
}

static void test_different_roots(void **state)
{
    struct scene s;
    scene_init(&s, 3, false);
    for (int r = 0; r < 3; r++)
        add(&s, r, collective(1, ISP_FN_MPI_Bcast, r == 2 ? 2 : 0, 0)), add(&s, r, finalize());
    play(&s);
    const struct sched_finding *f = only(&s, ISP_RULE_COLLECTIVE_ROOT_MISMATCH);
    assert_has(f->message, "root 0 on ranks 0, 1; root 2 on rank 2");
    assert_false(s.may_go_on);
    scene_finish(&s);
}

static void test_different_operations(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    for (int r = 0; r < 2; r++)
        add(&s, r, collective(1, ISP_FN_MPI_Allreduce, ISP_NO_RANK, r ? 0x58000003 : 0x58000001)),
            add(&s, r, finalize());
    play(&s);
    assert_has(only(&s, ISP_RULE_COLLECTIVE_OP_MISMATCH)->message, "MPI_MAX on rank 0; MPI_SUM on rank 1");
    assert_true(s.may_go_on);
    scene_finish(&s);
}

/* ---- messages and requests ---- */

static void test_truncation(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    struct isp_call large = send_to(1, 1, 0);
    large.bytes = 400;
    add(&s, 0, large), add(&s, 0, finalize());
    add(&s, 1, receive_from(2, ISP_ANY_SOURCE, 0)), add(&s, 1, finalize());
    play(&s);
    assert_int_equal(s.end, POE_FINISHED);
    const struct sched_finding *f = only(&s, ISP_RULE_TRUNCATION);
    assert_has(f->message, "400 bytes from rank 0 is longer than the 4 bytes");
    assert_int_equal(f->sites[0].site, 2);
    scene_finish(&s);
}

/* What rank 0 sends as `out` bytes of a type, rank 1 receives as `in` bytes of another. */
static void exchange(struct scene *s, struct isp_call out, uint64_t out_bytes, struct isp_call in,
                     uint64_t in_bytes)
{
    struct isp_call send = send_to(1, 1, 0), receive = receive_from(2, 0, 0);
    send.type = out.type, send.count = out.count, send.bytes = out_bytes;
    receive.type = in.type, receive.count = in.count, receive.bytes = in_bytes;
    add(s, 0, send), add(s, 0, finalize());
    add(s, 1, receive), add(s, 1, finalize());
    play(s);
    assert_int_equal(s->end, POE_FINISHED);
}

#define ITEMS(n, what) ((struct isp_call){.type = what, .count = n})

static void test_types(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    exchange(&s, ITEMS(4, ISP_BASIC_INT), 16, ITEMS(4, ISP_BASIC_FLOAT), 16);
    const struct sched_finding *f = only(&s, ISP_RULE_TYPE_MISMATCH);
    assert_string_equal(f->message,
                        "rank 0 sends 4 MPI_INT at app+0x1, rank 1 receives 4 MPI_FLOAT at app+0x2");
    assert_int_equal(f->sites[0].site, 2);
    scene_finish(&s);
}

/* A member's record of an exchange of all with all, of integers: what it gives to each, and what it takes. */
static struct isp_call exchange_all(uint32_t site, uint32_t *words, const uint64_t *given,
                                    const uint64_t *taken, uint32_t n)
{
    struct isp_call call = collective(site, ISP_FN_MPI_Alltoallv, ISP_NO_RANK, 0);
    for (uint32_t i = 0; i < 2 * n; i++)
        isp_share_write(words + ISP_SHARE_WORDS * i,
                        &(struct isp_share){1, ISP_NO_RANK, ISP_BASIC_INT, i < n ? given[i] : taken[i - n]});
    call.list = words;
    call.n_given = call.n_taken = n;
    return call;
}

static void test_parts(void **state)
{
    enum { N = 3 };
    /* rank 2 takes 4 of rank 0, not 3 */
    static const uint64_t given[N][N] = {{1, 2, 3}, {0, 0, 7}, {1, 1, 1}};
    static const uint64_t taken[N][N] = {{1, 0, 1}, {2, 0, 1}, {4, 7, 1}};
    uint32_t words[N][2 * N * ISP_SHARE_WORDS];
    struct scene s;
    scene_init(&s, N, false);
    for (uint32_t r = 0; r < N; r++)
        add(&s, (int)r, exchange_all(r + 1, words[r], given[r], taken[r], N)), add(&s, (int)r, finalize());
    play(&s);
    const struct sched_finding *f = only(&s, ISP_RULE_TYPE_MISMATCH);
    assert_string_equal(
        f->message,
        "rank 2 takes 4 MPI_INT (recvcounts[0]) from rank 0, which gives it 3 MPI_INT (sendcounts[2]), in "
        "MPI_Alltoallv on MPI_COMM_WORLD");
    assert_int_equal(f->sites[0].site, 3);
    assert_int_equal(f->sites[1].site, 1);
    assert_false(s.may_go_on);
    scene_finish(&s);
}

/* MPI_IN_PLACE on one of them. */
static void test_in_place(void **state)
{
    struct scene s;
    scene_init(&s, 3, false);
    for (int r = 0; r < 3; r++) {
        struct isp_call call = collective((uint32_t)r + 1, ISP_FN_MPI_Allreduce, ISP_NO_RANK, 0x58000003);
        call.flags |= r == 1 ? ISP_F_IN_PLACE : 0;
        add(&s, r, call), add(&s, r, finalize());
    }
    play(&s);
    const struct sched_finding *f = only(&s, ISP_RULE_COLLECTIVE_MISMATCH);
    assert_string_equal(
        f->message,
        "ranks call MPI_Allreduce on MPI_COMM_WORLD with different send buffers: a buffer on ranks 0, 2 "
        "(app+0x1 and elsewhere); MPI_IN_PLACE on rank 1 (app+0x2)");
    assert_true(s.may_go_on);
    scene_finish(&s);
}

/* A told type against a basic one, and against another that begins like it. */
static void test_told_types(void **state)
{
    struct isp_buf b;
    isp_buf_init(&b);
    isp_put_u32(&b, 1), isp_put_u32(&b, 2); /* {2 MPI_INT, MPI_DOUBLE} */
    isp_put_u64(&b, 2), isp_put_u32(&b, ISP_BASIC_INT);
    isp_put_u64(&b, 1), isp_put_u32(&b, ISP_BASIC_DOUBLE);
    struct sched_signatures *signatures = sched_signatures_create();
    struct isp_reader in = isp_reader_of(b.data, b.size);
    uint32_t type = sched_signatures_take(signatures, &in);
    isp_buf_finish(&b);

    struct scene s;
    scene_init(&s, 2, false);
    s.run.signatures = signatures;
    exchange(&s, ITEMS(2, ISP_BASIC_INT), 8, ITEMS(5, type), 80);
    assert_int_equal(count(&s), 0);
    scene_finish(&s);

    scene_init(&s, 2, false);
    s.run.signatures = signatures;
    exchange(&s, ITEMS(3, ISP_BASIC_INT), 12, ITEMS(5, type), 80);
    const struct sched_finding *f = only(&s, ISP_RULE_TYPE_MISMATCH);
    assert_has(f->message, "rank 1 receives 5 {2 MPI_INT, MPI_DOUBLE}");
    assert_has(f->story, "element 2 (from 0): MPI_INT is sent, and MPI_DOUBLE received");
    scene_finish(&s);
    sched_signatures_destroy(signatures);
}

/* No type: nothing in the message, a type that is not known, MPI_PACKED. */
static void test_types_that_match_all(void **state)
{
    static const struct {
        uint32_t out, in;
        uint64_t bytes;
    } pairs[] = {{ISP_BASIC_INT, ISP_BASIC_FLOAT, 0},
                 {ISP_BASIC_NONE, ISP_BASIC_FLOAT, 4},
                 {ISP_TYPE_TOLD, ISP_BASIC_FLOAT, 4},
                 {ISP_BASIC_PACKED, ISP_BASIC_INT, 4}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct scene s;
        scene_init(&s, 2, false);
        exchange(&s, ITEMS(1, pairs[i].out), pairs[i].bytes, ITEMS(1, pairs[i].in), 4);
        assert_int_equal(count(&s), 0);
        scene_finish(&s);
    }
}

static void test_lost_and_never_waited_for(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    add(&s, 0, nonblocking(send_to(1, 1, 5), ISP_FN_MPI_Isend)), add(&s, 0, finalize());
    add(&s, 1, finalize());
    play(&s);
    sched_check_end(&s.run);
    struct sched_finding *const *all;
    assert_int_equal(sched_findings_all(s.run.findings, &all), 2);
    assert_int_equal(all[0]->rule, ISP_RULE_LOST_MESSAGE);
    assert_string_equal(all[0]->message, "the message from rank 0 to rank 1 (tag 5) is never received");
    assert_int_equal(all[1]->rule, ISP_RULE_MISSING_WAIT);
    scene_finish(&s);
}

static void test_lost_but_waited_for(void **state)
{
    struct scene s;
    scene_init(&s, 2, true);
    uint32_t handle = 1;
    add(&s, 0, nonblocking(send_to(1, 1, 5), ISP_FN_MPI_Isend));
    add(&s, 0,
        (struct isp_call){.op = ISP_OP_COMPLETE,
                          .fn = ISP_FN_MPI_Wait,
                          .site = 3,
                          .flags = ISP_F_FENCE,
                          .n = 1,
                          .list = &handle});
    add(&s, 0, finalize());
    add(&s, 1, finalize());
    play(&s);
    assert_int_equal(s.end, POE_FINISHED);
    sched_check_end(&s.run);
    only(&s, ISP_RULE_LOST_MESSAGE);
    scene_finish(&s);
}

static void test_matched_and_never_waited_for(void **state)
{
    struct scene s;
    scene_init(&s, 3, false);
    for (int r = 1; r < 3; r++)
        add(&s, r, nonblocking(send_to(1, 0, 0), ISP_FN_MPI_Isend)), add(&s, r, finalize());
    add(&s, 0, receive_from(2, 1, 0)), add(&s, 0, receive_from(3, 2, 0)), add(&s, 0, finalize());
    play(&s);
    sched_check_end(&s.run);
    const struct sched_finding *f = only(&s, ISP_RULE_MISSING_WAIT); /* one for the place, not one per rank */
    assert_int_equal(f->n_ranks, 2);
    assert_has(f->story, "ranks 1, 2  MPI_Isend(to 0, tag 0)  app+0x1  has matched, but is not waited for");
    scene_finish(&s);
}

/* Rank 0 has lost the first of two requests at different lines; rank 1 that of a loop, whose last one is lost
 * as well. */
static void test_who_has_overwritten(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    for (uint32_t i = 1; i < 3; i++) {
        struct isp_call one = nonblocking(receive_from(i, ISP_NO_RANK, 0), ISP_FN_MPI_Irecv), loop = one;
        one.handle = loop.handle = i;
        loop.site = 5;
        add(&s, 0, one), add(&s, 1, loop);
    }
    add(&s, 0, finalize()), add(&s, 1, finalize());
    struct sched_overwritten overwritten[] = {{0, 1, ISP_FN_MPI_Irecv, 2}, {1, 1, ISP_FN_MPI_Irecv, 5}};
    s.run.overwritten = overwritten;
    s.run.n_overwritten = 2;
    play(&s);
    sched_check_end(&s.run);
    struct sched_finding *const *all;
    assert_int_equal(sched_findings_all(s.run.findings, &all), 3);
    for (int i = 0; i < 3; i++) {
        const struct sched_finding *f = all[i];
        bool loop = f->ranks[0] == 1, lost = f->rule == ISP_RULE_REQUEST_REUSE;
        assert_int_equal(f->n_ranks, 1);
        assert_true(lost || (!loop && f->rule == ISP_RULE_MISSING_WAIT));
        /* both of rank 0: the second call is to blame, and not waited for */
        assert_int_equal(f->sites[0].site, loop ? 5 : 2);
        assert_int_equal(f->sites[f->n_sites - 1].site, loop ? 5 : lost ? 1 : 2);
    }
    scene_finish(&s);
}

static void test_proc_null_needs_a_wait_too(void **state)
{
    struct scene s;
    scene_init(&s, 1, false);
    add(&s, 0, nonblocking(send_to(1, ISP_NO_RANK, 0), ISP_FN_MPI_Isend)), add(&s, 0, finalize());
    play(&s);
    sched_check_end(&s.run);
    assert_has(only(&s, ISP_RULE_MISSING_WAIT)->story, "MPI_Isend(to MPI_PROC_NULL, tag 0)");
    scene_finish(&s);
}

static void test_freed_and_detached_are_no_missing_wait(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    add(&s, 0, nonblocking(send_to(1, 1, 0), ISP_FN_MPI_Isend));
    add(&s, 0, (struct isp_call){.op = ISP_OP_FREE, .fn = ISP_FN_MPI_Request_free, .site = 4, .handle = 1});
    add(&s, 0, detached(send_to(2, 1, 0))), add(&s, 0, finalize());
    add(&s, 1, receive_from(3, 0, 0)), add(&s, 1, receive_from(3, 0, 0)), add(&s, 1, finalize());
    play(&s);
    assert_int_equal(s.end, POE_FINISHED);
    sched_check_end(&s.run);
    assert_int_equal(count(&s), 0);
    scene_finish(&s);
}

static void test_probed_and_never_received(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    add(&s, 0, detached(send_to(1, 1, 0))), add(&s, 0, finalize());
    add(&s, 1,
        (struct isp_call){.op = ISP_OP_PROBE,
                          .fn = ISP_FN_MPI_Mprobe,
                          .site = 2,
                          .flags = ISP_F_FENCE | ISP_F_MATCHED,
                          .peer = 0,
                          .tag = 0,
                          .handle = 2});
    add(&s, 1, finalize());
    play(&s);
    assert_int_equal(s.end, POE_FINISHED);
    sched_check_end(&s.run);
    assert_int_equal(only(&s, ISP_RULE_LEAK_MESSAGE)->sites[0].site, 2);
    scene_finish(&s);
}

/* ---- requests over collectives, locks, buffers ---- */

static struct isp_call pending(uint32_t site, uint16_t fn, uint32_t handle)
{
    return (struct isp_call){.op = ISP_OP_COLLECTIVE,
                             .fn = fn,
                             .site = site,
                             .flags = ISP_F_SLOT,
                             .root = ISP_NO_RANK,
                             .handle = handle};
}

static struct isp_call wait_for(uint32_t site, const uint32_t *handle)
{
    return (struct isp_call){.op = ISP_OP_COMPLETE,
                             .fn = ISP_FN_MPI_Wait,
                             .site = site,
                             .flags = ISP_F_FENCE,
                             .n = 1,
                             .list = handle};
}

/* Rank 0 sends when it has heard from rank 1, which has posted its receive before it says so, or after. */
static void play_ready(struct scene *s, bool before)
{
    static const uint32_t handle = 2;
    struct isp_call ready = send_to(1, 1, 0), posted = nonblocking(receive_from(2, 0, 0), ISP_FN_MPI_Irecv);
    ready.mode = ISP_SEND_READY;
    add(s, 0, receive_from(3, 1, 1)), add(s, 0, ready), add(s, 0, finalize());
    if (before)
        add(s, 1, posted), add(s, 1, send_to(4, 0, 1));
    else
        add(s, 1, send_to(4, 0, 1)), add(s, 1, posted);
    add(s, 1, wait_for(6, &handle)), add(s, 1, finalize());
    play(s);
    assert_int_equal(s->end, POE_FINISHED);
}

static void test_ready_send(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    play_ready(&s, false);
    const struct sched_finding *f = only(&s, ISP_RULE_READY_SEND);
    assert_has(f->message, "the ready send of rank 0 may begin before rank 1 has posted its receive");
    assert_int_equal(f->sites[0].site, 1);
    scene_finish(&s);
    scene_init(&s, 2, false);
    play_ready(&s, true);
    assert_int_equal(count(&s), 0);
    scene_finish(&s);
}

static void test_wait_names_the_collective_and_who_has_not_called(void **state)
{
    struct scene s;
    scene_init(&s, 3, false);
    uint32_t handle = 1;
    for (int r = 0; r < 2; r++)
        add(&s, r, pending(1, ISP_FN_MPI_Ibarrier, 1)), add(&s, r, wait_for(2, &handle)),
            add(&s, r, finalize());
    add(&s, 2, receive_from(9, 0, 1)), add(&s, 2, finalize());
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_DEADLOCK);
    assert_string_equal(f->message, "deadlock: ranks 0, 2 wait for each other in MPI_Wait at app+0x2 "
                                    "(MPI_Ibarrier at app+0x1) and MPI_Recv at app+0x9");
    assert_has(
        f->story,
        "ranks 0, 1  MPI_Wait                 app+0x2  wait for rank 2 to call it [MPI_Ibarrier, app+0x1]\n");
    assert_has(f->story, "missing in MPI_Ibarrier on MPI_COMM_WORLD: rank 2 is in MPI_Recv at app+0x9\n");
    scene_finish(&s);
}

static void test_a_collective_that_synchronizes_is_no_message(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    struct isp_call bcast = collective(1, ISP_FN_MPI_Bcast, 0, 0);
    bcast.flow = ISP_FLOW_FROM_ROOT;
    add(&s, 0, bcast), add(&s, 0, send_to(2, 1, 0)), add(&s, 0, finalize());
    add(&s, 1, receive_from(3, 0, 0)), add(&s, 1, bcast), add(&s, 1, finalize());
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_UNSAFE_BUFFERING);
    assert_has(f->message, "deadlock if MPI_Bcast synchronizes: ranks 0, 1 wait for each other in MPI_Bcast "
                           "at app+0x1 and MPI_Recv "
                           "at app+0x3");
    assert_has(f->story, "it goes away if MPI_Bcast lets ranks leave before others have come");
    scene_finish(&s);
}

static void test_a_collective_that_one_never_calls(void **state)
{
    struct scene s;
    scene_init(&s, 3, true);
    struct isp_call bcast = collective(1, ISP_FN_MPI_Bcast, 0, 0);
    bcast.flow = ISP_FLOW_FROM_ROOT;
    bcast.flags |= ISP_F_SLOT;
    for (int r = 0; r < 3; r++) {
        if (r < 2)
            add(&s, r, bcast);
        add(&s, r, finalize());
    }
    play(&s);
    assert_int_equal(s.end, POE_FINISHED);
    sched_check_end(&s.run);
    const struct sched_finding *f = only(&s, ISP_RULE_COLLECTIVE_MISMATCH);
    assert_string_equal(f->message, "not every rank of MPI_COMM_WORLD calls this MPI_Bcast");
    assert_has(f->story, "rank 0  MPI_Bcast(root 0)  app+0x1  left it; rank 2 never called it");
    scene_finish(&s);
}

static void test_an_intercommunicator_lacks_its_other_side(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    for (int r = 0; r < 2; r++) {
        struct isp_call c = collective(4 + (uint32_t)r, ISP_FN_MPI_Intercomm_create, r, 0);
        c.mode = ISP_MAKE_INTER, c.comm = ISP_COMM_SELF(r), c.peer = 1 - r, c.color = ISP_COMM_WORLD,
        c.tag = r;
        add(&s, r, c), add(&s, r, finalize());
    }
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_DEADLOCK);
    assert_has(f->message, "ranks 0, 1 wait for each other in MPI_Intercomm_create");
    assert_has(f->story, "missing in MPI_Intercomm_create on MPI_COMM_SELF: rank 1, the other side's leader, "
                         "is in MPI_Intercomm_create");
    scene_finish(&s);
}

static struct isp_call lock(uint32_t site, enum isp_lock_mode mode, int target)
{
    return (struct isp_call){.op = ISP_OP_LOCK,
                             .fn = ISP_FN_MPI_Win_lock,
                             .site = site,
                             .mode = (uint8_t)mode,
                             .peer = target,
                             .flags = ISP_F_FENCE};
}

static void test_a_lock_names_its_holder(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    add(&s, 0, lock(1, ISP_LOCK_EXCLUSIVE, 1)), add(&s, 0, receive_from(2, 1, 0)), add(&s, 0, finalize());
    add(&s, 1, lock(3, ISP_LOCK_SHARED, 1)), add(&s, 1, finalize());
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_DEADLOCK);
    assert_has(f->story,
               "rank 1  MPI_Win_lock(of rank 1, shared)  app+0x3  waits for the lock that rank 0 holds\n");
    assert_has(f->story, "wait-for cycle: rank 0 → rank 1 → rank 0");
    scene_finish(&s);
}

static void test_detach_names_its_messages(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    struct isp_call bsend = detached(send_to(1, 1, 0));
    bsend.mode = ISP_SEND_BUFFERED, bsend.fn = ISP_FN_MPI_Bsend;
    add(&s, 0, bsend);
    add(&s, 0,
        (struct isp_call){
            .op = ISP_OP_DETACH, .fn = ISP_FN_MPI_Buffer_detach, .site = 2, .flags = ISP_F_FENCE});
    add(&s, 0, send_to(3, 1, 1)), add(&s, 0, finalize());
    add(&s, 1, receive_from(4, 0, 1)), add(&s, 1, finalize());
    play(&s);
    const struct sched_finding *f = sched_check_deadlock(&s.run, false, ISP_RULE_UNSAFE_BUFFERING);
    assert_has(f->message, "deadlock unless MPI buffers the message: tag 1 expected at app+0x4, 0 sent at "
                           "app+0x1; ranks 0, 1 wait for each other in MPI_Buffer_detach and MPI_Recv");
    assert_has(f->story, "waits for a receive by rank 1 [MPI_Bsend(to 1, tag 0), app+0x1]");
    scene_finish(&s);
}

static void test_a_join_without_wait_and_signals_without_receiver(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    uint32_t both[] = {1, 2};
    struct isp_call signal = detached(send_to(3, 1, 0));
    signal.flags |= ISP_F_SIGNAL;
    add(&s, 0, nonblocking(send_to(1, ISP_NO_RANK, 0), ISP_FN_MPI_Isendrecv));
    add(&s, 0, nonblocking(receive_from(2, ISP_NO_RANK, 0), ISP_FN_MPI_Isendrecv));
    add(&s, 0,
        (struct isp_call){
            .op = ISP_OP_JOIN, .fn = ISP_FN_MPI_Isendrecv, .site = 5, .handle = 7, .n = 2, .list = both});
    add(&s, 0, signal), add(&s, 0, finalize());
    add(&s, 1, finalize());
    play(&s);
    sched_check_end(&s.run);
    assert_has(only(&s, ISP_RULE_MISSING_WAIT)->message,
               "the request of this MPI_Isendrecv is never completed");
    scene_finish(&s);
}

static void test_wildcard_note(void **state)
{
    struct scene s;
    scene_init(&s, 3, false);
    add(&s, 0, receive_from(1, ISP_ANY_SOURCE, 0)), add(&s, 0, receive_from(1, ISP_ANY_SOURCE, 0)),
        add(&s, 0, finalize());
    for (int r = 1; r < 3; r++)
        add(&s, r, send_to(2, 0, 0)), add(&s, r, finalize());
    play(&s);
    sched_check_end(&s.run);
    const struct sched_finding *f = only(&s, ISP_RULE_WILDCARD);
    assert_string_equal(f->message, "MPI_Recv(from any, tag 0) can take any of 2 messages");
    assert_has(f->story, "ranks 1, 2  MPI_Send(to 0, tag 0)");
    assert_int_equal(f->count, 1); /* the second receive had one sender only */
    scene_finish(&s);
}

static void test_correct_program_has_no_finding(void **state)
{
    struct scene s;
    scene_init(&s, 2, false);
    uint32_t handle = 1;
    add(&s, 0, nonblocking(send_to(1, 1, 0), ISP_FN_MPI_Isend));
    add(&s, 0, collective(5, ISP_FN_MPI_Bcast, 0, 0));
    add(&s, 0,
        (struct isp_call){.op = ISP_OP_COMPLETE,
                          .fn = ISP_FN_MPI_Wait,
                          .site = 3,
                          .flags = ISP_F_FENCE,
                          .n = 1,
                          .list = &handle});
    add(&s, 0, finalize());
    add(&s, 1, collective(6, ISP_FN_MPI_Bcast, 0, 0)), add(&s, 1, receive_from(2, 0, ISP_ANY_TAG)),
        add(&s, 1, finalize());
    play(&s);
    assert_int_equal(s.end, POE_FINISHED);
    sched_check_end(&s.run);
    assert_int_equal(count(&s), 0);
    scene_finish(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cycle),
        cmocka_unit_test(test_unsafe_buffering),
        cmocka_unit_test(test_waits_for_a_finished_rank),
        cmocka_unit_test(test_missing_in_a_collective),
        cmocka_unit_test(test_waitall_names_what_is_pending),
        cmocka_unit_test(test_livelock),
        cmocka_unit_test(test_different_collectives),
        cmocka_unit_test(test_different_roots),
        cmocka_unit_test(test_different_operations),
        cmocka_unit_test(test_truncation),
        cmocka_unit_test(test_ready_send),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_told_types),
        cmocka_unit_test(test_types_that_match_all),
        cmocka_unit_test(test_lost_and_never_waited_for),
        cmocka_unit_test(test_lost_but_waited_for),
        cmocka_unit_test(test_matched_and_never_waited_for),
        cmocka_unit_test(test_who_has_overwritten),
        cmocka_unit_test(test_proc_null_needs_a_wait_too),
        cmocka_unit_test(test_freed_and_detached_are_no_missing_wait),
        cmocka_unit_test(test_probed_and_never_received),
        cmocka_unit_test(test_wait_names_the_collective_and_who_has_not_called),
        cmocka_unit_test(test_a_collective_that_synchronizes_is_no_message),
        cmocka_unit_test(test_a_collective_that_one_never_calls),
        cmocka_unit_test(test_an_intercommunicator_lacks_its_other_side),
        cmocka_unit_test(test_a_lock_names_its_holder),
        cmocka_unit_test(test_detach_names_its_messages),
        cmocka_unit_test(test_a_join_without_wait_and_signals_without_receiver),
        cmocka_unit_test(test_parts),
        cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_near_misses_of_a_wildcard),
        cmocka_unit_test(test_taken_in_exchange),
        cmocka_unit_test(test_ring_the_wrong_way),
        cmocka_unit_test(test_what_was_before),
        cmocka_unit_test(test_sends_to_nobody),
        cmocka_unit_test(test_never_started),
        cmocka_unit_test(test_causes),
        cmocka_unit_test(test_no_near_miss),
        cmocka_unit_test(test_wildcard_note),
        cmocka_unit_test(test_correct_program_has_no_finding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
