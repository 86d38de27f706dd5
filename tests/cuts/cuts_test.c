/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts of runs that are drawn here: a row is a rank, its events from 0 on; o is an event, ) where it is
 * done. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cuts/cuts.h"

enum { FENCE = ISP_F_FENCE, ANY = ISP_ANY_SOURCE };

static int32_t send_to(struct cuts_run *run, int rank, int to, uint32_t flags)
{
    return cuts_add(run, &(struct cuts_call){.op = ISP_OP_SEND, .rank = rank, .peer = to, .flags = flags});
}

static int32_t receive(struct cuts_run *run, int rank, int from, uint32_t flags)
{
    return cuts_add(run, &(struct cuts_call){.op = ISP_OP_RECV, .rank = rank, .peer = from, .flags = flags});
}

static int32_t barrier(struct cuts_run *run, int rank)
{
    return cuts_add(
        run, &(struct cuts_call){.op = ISP_OP_COLLECTIVE, .rank = rank, .flags = FENCE, .root = ISP_NO_RANK});
}

static int32_t wait_for(struct cuts_run *run, int rank, const int32_t *named, uint32_t n, uint8_t mode,
                        bool same_call)
{
    return cuts_add(run, &(struct cuts_call){.op = ISP_OP_COMPLETE,
                                             .mode = mode,
                                             .rank = rank,
                                             .flags = FENCE,
                                             .named = named,
                                             .n_named = n,
                                             .same_call = same_call});
}

static void assert_cut(const int32_t *limits, int n, const int32_t *wanted)
{
    for (int rank = 0; rank < n; rank++)
        assert_int_equal(limits[rank], wanted[rank]);
}

#define CUT(...) ((const int32_t[]){__VA_ARGS__})

static void assert_moves(struct cuts_run *run, const int32_t *from, const int32_t *to, int focus,
                         const int32_t *wanted, uint32_t n)
{
    const struct cuts_move *moves;
    uint32_t n_moves;
    assert_int_equal(cuts_plan(run, from, to, focus, &moves, &n_moves), CUTS_FORWARD);
    assert_int_equal(n_moves, n);
    for (uint32_t i = 0; i < n; i++) {
        assert_int_equal(moves[i].rank, wanted[2 * i]);
        assert_int_equal(moves[i].limit, wanted[2 * i + 1]);
    }
}

/*
 * Hong and Kim 2001, the causal distributed breakpoint: rank 2 stops behind its receive (|); the others stop
 * in the earliest state that contains what happened before it, and nothing more.
 *
 *         0    1    2
 *   0    [o    o    o]          send 1, send 1, receive 2
 *           \    \    ^
 *   1    [o  o    o    \        receive, send 2, receive, (done)
 *            ^ \   ^    \
 *   2        [  o) |     o      receive, send 0
 */
static struct cuts_run *chain(void)
{
    struct cuts_run *run = cuts_create(3, true);
    int32_t a = send_to(run, 0, 1, FENCE), b = send_to(run, 0, 1, FENCE);
    int32_t c = receive(run, 1, 0, FENCE), d = send_to(run, 1, 2, FENCE), e = receive(run, 1, 0, FENCE);
    int32_t f = receive(run, 2, 1, FENCE), g = send_to(run, 2, 0, FENCE), h = receive(run, 0, 2, FENCE);
    cuts_match(run, a, c);
    cuts_match(run, d, f);
    cuts_match(run, b, e);
    cuts_match(run, g, h);
    assert_true(cuts_finish(run, NULL));
    return run;
}

static void test_breakpoint(void **state)
{
    struct cuts_run *run = chain();
    int32_t limits[3];
    assert_true(cuts_earliest_after(run, 2, 0, limits));
    assert_cut(limits, 3, CUT(1, 2, 1));
    assert_true(cuts_earliest(run, 2, 0, limits));
    assert_cut(limits, 3, CUT(0, 0, 0));
    assert_true(cuts_earliest(run, 0, 3, limits)); /* its end */
    assert_cut(limits, 3, CUT(3, 2, 2));
    cuts_destroy(run);
}

/* Only rank 2 runs; where it needs a message its sender runs just up to that send, and its sender before
 * it. */
static void test_demand(void **state)
{
    struct cuts_run *run = chain();
    assert_moves(run, CUT(0, 0, 0), CUT(1, 2, 1), 2, CUT(0, 1, 1, 2, 2, 1), 3);
    assert_moves(run, CUT(1, 2, 1), CUT(3, 3, 2), 2, CUT(2, 2, 0, 3, 1, 3), 3);
    const struct cuts_move *moves;
    uint32_t n;
    assert_int_equal(cuts_plan(run, CUT(2, 0, 0), CUT(1, 2, 1), 2, &moves, &n), CUTS_BACK);
    assert_int_equal(cuts_plan(run, CUT(0, 0, 0), CUT(0, 2, 1), 2, &moves, &n), CUTS_INCONSISTENT);
    cuts_destroy(run);
}

/* Before rank 1 sends, rank 2 waits in its receive, and rank 0 in the one from it. */
static void test_latest(void **state)
{
    struct cuts_run *run = chain();
    int32_t limits[3];
    struct cuts_at at[3];
    assert_true(cuts_latest(run, 1, 1, limits));
    assert_cut(limits, 3, CUT(3, 1, 1));
    assert_true(cuts_state(run, limits, at));
    assert_int_equal(at[0].issued, 3);
    assert_int_equal(at[0].done, 2);
    assert_int_equal(at[1].done, 1);
    assert_int_equal(at[2].done, 0);
    assert_false(cuts_state(run, CUT(0, 2, 0), at));
    assert_int_equal(at[1].issued, 1);
    cuts_destroy(run);
}

/*
 * Aoyagi and Manabe 1991: the focus follows a message. Forward: to its receiver, up to the receive; the
 * others minimally. Backward: to its sender, at the last receive before that send; the others to the first
 * state that is consistent with that.
 *
 *        0      1      2
 *   0    o---.                  send 1
 *   1    (   o)-.   o           receive 0 | send 2, send 2
 *   2           o)--.  o        receive 1, receive 1
 */
static void test_focus(void **state)
{
    struct cuts_run *run = chain();
    int32_t forward[3], backward[3];
    assert_true(cuts_earliest_after(run, 2, 0, forward)); /* the message 1.1 -> 2.0, from its send on */
    assert_cut(forward, 3, CUT(1, 2, 1));
    assert_true(cuts_earliest(run, 1, 1, backward)); /* back: behind 1.0, the last receive before 1.1 */
    assert_cut(backward, 3, CUT(1, 1, 0));
    assert_true(cuts_before(run, cuts_event(run, 0, 0), cuts_event(run, 2, 0)));
    assert_false(cuts_before(run, cuts_event(run, 0, 1), cuts_event(run, 2, 0)));
    cuts_max(run, backward, forward);
    assert_cut(backward, 3, CUT(1, 2, 1));
    cuts_destroy(run);
}

/* A send that is not buffered waits for its receive to be called, wherever that is. */
static void test_zero_buffering(void **state)
{
    struct cuts_run *run = cuts_create(2, false);
    int32_t s = send_to(run, 0, 1, FENCE);
    barrier(run, 1);
    int32_t r = receive(run, 1, 0, FENCE), limits[2];
    cuts_match(run, s, r);
    cuts_collect(run, CUT(1), 1); /* of a communicator of its own */
    send_to(run, 0, ISP_NO_RANK, 0);
    assert_true(cuts_finish(run, NULL));
    assert_true(cuts_earliest(run, 0, 1, limits));
    assert_cut(limits, 2, CUT(1, 2));
    assert_moves(run, CUT(0, 0), CUT(2, 2), 0, CUT(1, 2, 0, 2), 2);
    cuts_destroy(run);
}

/*
 * Messages do not overtake: rank 1's second receive can take the message of rank 0 only when the first one,
 * which would take it as well, has got that of rank 2.
 *
 *   0        o---------.
 *   1    o(any)   o(0) )        the first one took what 2 sent
 *   2    o---^
 */
static void test_shield(void **state)
{
    struct cuts_run *run = cuts_create(3, true);
    int32_t a = receive(run, 1, ANY, 0), b = receive(run, 1, 0, FENCE);
    int32_t c = send_to(run, 0, 1, FENCE), d = send_to(run, 2, 1, FENCE), limits[3];
    cuts_match(run, d, a);
    cuts_match(run, c, b);
    assert_true(cuts_finish(run, NULL));
    assert_true(cuts_earliest_after(run, 1, 1, limits));
    assert_cut(limits, 3, CUT(1, 2, 1));
    cuts_destroy(run);
}

/* MPI_Sendrecv of two ranks with each other: one call each, done together; nobody is held inside. */
static void test_sendrecv(void **state)
{
    struct cuts_run *run = cuts_create(2, false);
    int32_t parts[2][2], limits[2];
    for (int rank = 0; rank < 2; rank++) {
        parts[rank][0] = send_to(run, rank, 1 - rank, 0);
        parts[rank][1] = cuts_add(
            run, &(struct cuts_call){.op = ISP_OP_RECV, .rank = rank, .peer = 1 - rank, .same_call = true});
        wait_for(run, rank, parts[rank], 2, ISP_COMPLETE_ALL, true);
    }
    cuts_match(run, parts[0][0], parts[1][1]);
    cuts_match(run, parts[1][0], parts[0][1]);
    assert_true(cuts_finish(run, NULL));
    assert_true(cuts_earliest_after(run, 0, 1, limits));
    assert_cut(limits, 2, CUT(3, 3));
    struct cuts_at at[2];
    assert_true(cuts_state(run, CUT(1, 0), at)); /* the whole call */
    assert_int_equal(at[0].issued, 3);
    assert_int_equal(at[0].done, 0);
    cuts_destroy(run);
}

/* Waitany was told of the second request: the first one's message is not needed. */
static void test_waitany(void **state)
{
    struct cuts_run *run = cuts_create(3, true);
    int32_t r[2] = {receive(run, 0, 1, 0), receive(run, 0, 2, 0)}, limits[3];
    int32_t w = wait_for(run, 0, r, 2, ISP_COMPLETE_ANY, false);
    int32_t a = send_to(run, 1, 0, 0), b = send_to(run, 2, 0, 0);
    cuts_match(run, a, r[0]);
    cuts_match(run, b, r[1]);
    cuts_completed(run, w, &r[1], 1);
    assert_true(cuts_finish(run, NULL));
    assert_true(cuts_earliest_after(run, 0, 2, limits));
    assert_cut(limits, 3, CUT(3, 0, 1));
    cuts_destroy(run);
}

/* MPI_Reduce: the root needs all, a leaf nobody; with zero buffering each needs all. */
static void test_flow(void **state)
{
    for (int buffered = 0; buffered < 2; buffered++) {
        struct cuts_run *run = cuts_create(3, buffered);
        int32_t members[3], limits[3];
        for (int rank = 0; rank < 3; rank++)
            members[rank] = cuts_add(run, &(struct cuts_call){.op = ISP_OP_COLLECTIVE,
                                                              .rank = rank,
                                                              .flags = FENCE | ISP_F_SLOT,
                                                              .flow = ISP_FLOW_TO_ROOT,
                                                              .root = 1});
        cuts_collect(run, members, 3);
        assert_true(cuts_finish(run, NULL));
        assert_true(cuts_earliest_after(run, 0, 0, limits));
        assert_cut(limits, 3, buffered ? CUT(1, 0, 0) : CUT(1, 1, 1));
        assert_true(cuts_earliest_after(run, 1, 0, limits));
        assert_cut(limits, 3, CUT(1, 1, 1));
        cuts_destroy(run);
    }
}

/* Who was second at a lock waits for the first one to unlock. */
static void test_after(void **state)
{
    struct cuts_run *run = cuts_create(2, true);
    int32_t lock[2], unlock[2], limits[2];
    for (int rank = 0; rank < 2; rank++) {
        lock[rank] = cuts_add(run, &(struct cuts_call){.op = ISP_OP_LOCK, .rank = rank, .flags = FENCE});
        unlock[rank] = cuts_add(run, &(struct cuts_call){.op = ISP_OP_UNLOCK, .rank = rank});
    }
    cuts_after(run, lock[0], unlock[1]);
    assert_true(cuts_finish(run, NULL));
    assert_true(cuts_earliest(run, 0, 1, limits));
    assert_cut(limits, 2, CUT(1, 2));
    cuts_destroy(run);
}

/* What is told cannot be: two receives that need each other's sends first. */
static void test_no_run(void **state)
{
    struct cuts_run *run = cuts_create(2, true);
    int32_t r[2], s[2], stuck, limits[2];
    for (int rank = 0; rank < 2; rank++) {
        r[rank] = receive(run, rank, 1 - rank, FENCE);
        s[rank] = send_to(run, rank, 1 - rank, FENCE);
    }
    cuts_match(run, s[0], r[1]);
    cuts_match(run, s[1], r[0]);
    assert_false(cuts_finish(run, &stuck));
    assert_int_equal(stuck, s[0]);
    assert_false(cuts_latest(run, 0, 1, limits));
    cuts_destroy(run);
}

/* What is behind a message can be received when that is cancelled. No random scenario cancels sends. */
static void test_cancelled_send(void **state)
{
    struct cuts_run *run = cuts_create(2, true);
    int32_t s[2], limits[2];
    for (int i = 0; i < 2; i++)
        s[i] = cuts_add(run,
                        &(struct cuts_call){.op = ISP_OP_SEND, .mode = ISP_SEND_SYNC, .rank = 1, .peer = 0});
    cuts_add(run, &(struct cuts_call){
                      .op = ISP_OP_CANCEL, .rank = 1, .flags = FENCE, .named = &s[0], .n_named = 1});
    int32_t r = receive(run, 0, 1, FENCE);
    wait_for(run, 1, &s[0], 1, ISP_COMPLETE_ALL, false);
    cuts_cancelled(run, s[0]);
    cuts_match(run, s[1], r);
    assert_true(cuts_finish(run, NULL));
    assert_true(cuts_earliest_after(run, 0, 0, limits));
    assert_cut(limits, 2, CUT(1, 3));
    assert_true(cuts_earliest(run, 1, 4, limits));
    assert_cut(limits, 2, CUT(0, 4));
    cuts_destroy(run);
}

/* A rank that waits for ever, at the end of a deadlock, is never done; its event can be reached. */
static void test_deadlock(void **state)
{
    struct cuts_run *run = cuts_create(2, true);
    receive(run, 0, 1, FENCE);
    int32_t limits[2] = {7, 7};
    assert_true(cuts_finish(run, NULL));
    assert_true(cuts_earliest(run, 0, 0, limits));
    assert_cut(limits, 2, CUT(0, 0));
    limits[0] = 7;
    assert_false(cuts_earliest_after(run, 0, 0, limits));
    assert_false(cuts_latest(run, 0, 1, limits));
    assert_false(cuts_earliest(run, 0, 2, limits));
    assert_int_equal(limits[0], 7);
    cuts_destroy(run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_breakpoint),     cmocka_unit_test(test_demand),
        cmocka_unit_test(test_latest),         cmocka_unit_test(test_focus),
        cmocka_unit_test(test_zero_buffering), cmocka_unit_test(test_shield),
        cmocka_unit_test(test_sendrecv),       cmocka_unit_test(test_waitany),
        cmocka_unit_test(test_flow),           cmocka_unit_test(test_after),
        cmocka_unit_test(test_no_run),         cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_cancelled_send),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
