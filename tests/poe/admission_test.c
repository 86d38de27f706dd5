/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads of a rank: which of them comes first (poe/admission.h). What scenarios cannot say: mutexes,
 * collectives at one time, who woke whom. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "isp/functions.h"
#include "poe/poe.h"

static struct poe *create(void)
{
    return poe_create(&(struct poe_config){.ranks = 2, .polls = 1, .livelock_rounds = 5, .threads = 1});
}

static void add(struct poe *poe, uint16_t thread, struct isp_call call)
{
    call.thread = thread;
    call.others = true;
    assert_int_equal(poe_add(poe, 0, &call), 0);
}

static struct isp_call send_to_1(uint32_t handle, uint32_t flags, uint64_t guards)
{
    return (struct isp_call){
        .op = ISP_OP_SEND, .peer = 1, .handle = handle, .flags = flags, .guards = guards, .site = handle};
}

static const struct isp_call ADMIT = {.op = ISP_OP_ADMIT, .flags = ISP_F_FENCE};

/* Rank 1 waits in MPI_Finalize. */
static struct poe *begin(void)
{
    struct poe *poe = create();
    const struct isp_call finalize = {.op = ISP_OP_FINALIZE, .flags = ISP_F_FENCE};
    assert_int_equal(poe_add(poe, 1, &finalize), 0);
    return poe;
}

/* All that waits for that is admitted, in order; what fires, fires. */
static enum poe_state go_on(struct poe *poe)
{
    enum poe_state state;
    poe_quiet(poe, 0);
    while ((state = poe_step(poe)) == POE_FIRED ||
           (state == POE_CHOICE && poe_choice(poe)->alternatives[0].kind == POE_ADMIT))
        if (state == POE_CHOICE)
            poe_decide(poe, 0);
    return state;
}

static bool is_unordered(const struct poe *poe)
{
    struct poe_unordered pair;
    return poe_unordered(poe, &pair);
}

static void test_a_mutex_is_told(void **state)
{
    struct poe *poe = begin();
    struct poe_unordered pair;
    unsigned number;
    add(poe, 0, send_to_1(1, ISP_F_DETACHED, 6));
    add(poe, 0, ADMIT);
    assert_int_equal(go_on(poe), POE_RUNNING);
    add(poe, 1, send_to_1(2, ISP_F_DETACHED, 4)); /* it may have waited for the mutex only */
    add(poe, 1, ADMIT);
    go_on(poe);
    assert_false(poe_next_race(poe, &number));
    assert_true(poe_unordered(poe, &pair));
    assert_int_equal(pair.why, POE_UNORDERED_MUTEX);
    assert_int_equal(pair.first.site, 1);
    assert_int_equal(pair.second.site, 2);
    poe_destroy(poe);
}

static void receive(struct poe *poe, int32_t tag)
{
    const struct isp_call receive = {.op = ISP_OP_RECV, .peer = 0, .tag = tag, .flags = ISP_F_FENCE};
    assert_int_equal(poe_add(poe, 1, &receive), 0);
}

/* The second thread waits in the mutex for a receive that comes after the first one's message: told, whatever
 * the tags. Not if the mutex is another one, or if MPI has taken its message by itself. */
static void test_who_waits_in_a_mutex_is_told(void **state)
{
    for (int which = 0; which < 3; which++) {
        struct poe *poe = poe_create(&(struct poe_config){
            .ranks = 2, .polls = 1, .livelock_rounds = 5, .threads = 1, .buffered = which == 2});
        struct poe_unordered pair;
        struct isp_call second = send_to_1(0, ISP_F_FENCE, which == 1 ? 2 : 4);
        second.tag = 1;
        second.site = 2;
        receive(poe, 0);
        add(poe, 0, send_to_1(0, ISP_F_FENCE, 4));
        assert_int_equal(go_on(poe), POE_RUNNING);
        receive(poe, 1);
        add(poe, 1, second);
        assert_int_equal(go_on(poe), POE_RUNNING);
        assert_int_equal(poe_unordered(poe, &pair), which == 0);
        if (which == 0)
            assert_int_equal(pair.why, POE_UNORDERED_WAITED);
        poe_destroy(poe);
    }
}

/* Both threads had it before they called: told, but not if the first one's call has woken the second one. */
static void test_a_mutex_before_is_told(void **state)
{
    for (int woken = 0; woken < 2; woken++) {
        struct poe *poe = begin();
        struct poe_unordered pair;
        struct isp_call first = send_to_1(1, ISP_F_DETACHED, 0), second = send_to_1(2, ISP_F_DETACHED, 0);
        first.took = 6;
        second.took = 4;
        second.tag = 1; /* the calls themselves do not compete */
        add(poe, 0, first);
        add(poe, 0, ADMIT);
        if (woken)
            assert_int_equal(go_on(poe), POE_RUNNING);
        add(poe, 1, second);
        add(poe, 1, ADMIT);
        go_on(poe);
        go_on(poe);
        assert_int_equal(poe_unordered(poe, &pair), !woken);
        if (!woken)
            assert_int_equal(pair.why, POE_UNORDERED_BEFORE);
        poe_destroy(poe);
    }
}

/* It was perhaps under a semaphore that is a mutex by the time the other thread has got it; both perhaps:
 * neither gave it back. */
static void test_a_semaphore_of_late_is_told(void **state)
{
    for (int sure = 0; sure < 2; sure++) {
        struct poe *poe = begin();
        unsigned number;
        struct isp_call first = send_to_1(1, ISP_F_DETACHED, 0),
                        second = send_to_1(2, ISP_F_DETACHED, sure ? 4 : 0);
        first.perhaps = 6;
        second.perhaps = sure ? 0 : 4;
        add(poe, 0, first);
        add(poe, 0, ADMIT);
        poe_guessed(poe, 0, true); /* who woke the second one is not known */
        assert_int_equal(go_on(poe), POE_RUNNING);
        add(poe, 1, second);
        add(poe, 1, ADMIT);
        go_on(poe);
        assert_int_equal(is_unordered(poe), sure);
        assert_int_equal(poe_next_race(poe, &number), !sure);
        poe_destroy(poe);
    }
}

/* Nobody sees mutexes: what was idle may have waited for one, what was there at the same time has not. */
static void test_blind(void **state)
{
    for (int idle = 0; idle < 2; idle++)
        for (int tag = 0; tag < 2; tag++) {
            struct poe *poe = begin();
            struct poe_unordered pair;
            struct isp_call second = send_to_1(2, ISP_F_DETACHED | ISP_F_BLIND, 0);
            unsigned number;
            second.tag = tag; /* 1: it does not compete */
            add(poe, 0, send_to_1(1, ISP_F_DETACHED | ISP_F_BLIND, 0));
            add(poe, 0, ADMIT);
            if (idle)
                assert_int_equal(go_on(poe), POE_RUNNING);
            add(poe, 1, second);
            add(poe, 1, ADMIT);
            go_on(poe);
            go_on(poe);
            assert_true(poe_is_blind(poe));
            assert_int_equal(poe_unordered(poe, &pair), idle && !tag);
            if (idle && !tag)
                assert_int_equal(pair.why, POE_UNORDERED_BLIND);
            assert_int_equal(poe_next_race(poe, &number), !idle && !tag);
            poe_destroy(poe);
        }
}

static void test_another_mutex_is_none(void **state)
{
    struct poe *poe = begin();
    unsigned number;
    add(poe, 0, send_to_1(1, ISP_F_DETACHED, 2));
    add(poe, 0, ADMIT);
    add(poe, 1, send_to_1(2, ISP_F_DETACHED, 4));
    add(poe, 1, ADMIT);
    go_on(poe); /* the first thread runs on */
    go_on(poe);
    assert_false(is_unordered(poe));
    assert_true(poe_next_race(poe, &number));
    assert_int_equal(number, 0);
    poe_destroy(poe);
}

/* The second thread was idle, and only the first one can have woken it. */
static void test_who_was_woken_comes_after(void **state)
{
    for (int guessed = 0; guessed < 2; guessed++) {
        struct poe *poe = begin();
        unsigned number;
        add(poe, 0, send_to_1(1, ISP_F_DETACHED, 0));
        add(poe, 0, ADMIT);
        poe_guessed(poe, 0, guessed);
        assert_int_equal(go_on(poe), POE_RUNNING);
        add(poe, 1, send_to_1(2, ISP_F_DETACHED, 0));
        add(poe, 1, ADMIT);
        go_on(poe);
        assert_int_equal(poe_next_race(poe, &number), guessed);
        poe_destroy(poe);
    }
}

static void test_polls_under_a_mutex(void **state)
{
    for (uint64_t other = 1; other <= 2; other++) {
        struct poe *poe = begin();
        const uint32_t request[] = {1};
        struct isp_call test = {.op = ISP_OP_COMPLETE,
                                .mode = ISP_COMPLETE_ALL,
                                .flags = ISP_F_FENCE | ISP_F_POLL,
                                .n = 1,
                                .list = request,
                                .guards = 1};
        add(poe, 0, (struct isp_call){.op = ISP_OP_RECV, .peer = 1, .handle = 1});
        add(poe, 0, ADMIT);
        assert_int_equal(go_on(poe), POE_RUNNING);
        add(poe, 0, test);
        assert_int_equal(go_on(poe), POE_CHOICE);
        poe_decide(poe, poe_choice(poe)->n - 1); /* not yet */
        assert_int_equal(go_on(poe), POE_RUNNING);
        test.guards = other;
        add(poe, 1, test);
        assert_int_equal(is_unordered(poe), other == 1);
        poe_destroy(poe);
    }
}

static void test_collectives_at_one_time(void **state)
{
    struct poe *poe = begin();
    const struct isp_call barrier = {
        .op = ISP_OP_COLLECTIVE, .fn = ISP_FN_MPI_Barrier, .flags = ISP_F_FENCE, .root = ISP_NO_RANK};
    add(poe, 0, barrier);
    add(poe, 1, barrier);
    poe_quiet(poe, 0);
    assert_int_equal(poe_step(poe), POE_CHOICE);
    assert_non_null(poe_rival(poe));
    assert_int_equal(poe_rival(poe)->call.thread, 1);
    poe_decide(poe, 0);
    assert_int_equal(poe_step(poe), POE_CHOICE);
    assert_int_equal(poe_rival(poe)->call.thread, 0); /* it waits in its own */
    poe_destroy(poe);
}

/* The message is there, but the probe may still come after what another thread calls. */
static void test_a_probe_that_is_not_let_in_finds_nothing(void **state)
{
    struct poe *poe = create();
    const struct isp_call message = {.op = ISP_OP_SEND, .peer = 0, .flags = ISP_F_DETACHED};
    add(poe, 0, (struct isp_call){.op = ISP_OP_PROBE, .peer = 1, .flags = ISP_F_FENCE});
    assert_int_equal(poe_add(poe, 1, &message), 0);
    assert_int_equal(poe_step(poe), POE_RUNNING);
    poe_quiet(poe, 0);
    assert_int_equal(poe_step(poe), POE_RUNNING); /* rank 1 runs */
    assert_int_equal(poe_add(poe, 1, &(struct isp_call){.op = ISP_OP_FINALIZE, .flags = ISP_F_FENCE}), 0);
    assert_int_equal(poe_step(poe), POE_CHOICE);
    assert_int_equal(poe_choice(poe)->alternatives[0].kind, POE_ADMIT);
    poe_decide(poe, 0);
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_int_equal(poe_fired(poe)->members[0]->call.op, ISP_OP_SEND);
    poe_destroy(poe);
}

/* All threads that wait in a probe of one message find it, in the order in which they were let in. */
static void test_all_probes_of_a_message_find_it(void **state)
{
    struct poe *poe = create();
    const struct isp_call message = {.op = ISP_OP_SEND, .peer = 0, .tag = 1, .flags = ISP_F_DETACHED};
    const struct isp_call duplicate = {.op = ISP_OP_COLLECTIVE,
                                       .fn = ISP_FN_MPI_Comm_dup,
                                       .mode = ISP_MAKE_SAME,
                                       .flags = ISP_F_FENCE,
                                       .root = ISP_NO_RANK};
    const struct isp_call receive = {.op = ISP_OP_RECV, .handle = 9, .flags = ISP_F_FENCE};
    const struct isp_call probe = {.op = ISP_OP_PROBE, .peer = 1, .tag = 1, .flags = ISP_F_FENCE};
    struct isp_call elsewhere = probe;
    const int order[] = {3, 0, 2};
    assert_int_equal(poe_add(poe, 0, &duplicate), 0);
    assert_int_equal(poe_add(poe, 1, &duplicate), 0);
    assert_int_equal(poe_step(poe), POE_FIRED);
    elsewhere.comm = poe_fired(poe)->effects[0].result.new_comm;
    add(poe, 1, (struct isp_call){.op = ISP_OP_RECV, .peer = 1, .flags = ISP_F_FENCE});
    add(poe, 4, elsewhere);
    assert_int_equal(poe_add(poe, 1, &receive), 0);
    for (int i = 0; i < 3; i++) {
        add(poe, (uint16_t)order[i], probe);
        assert_int_equal(go_on(poe), POE_DEADLOCK); /* unless another thread lets rank 1 go on */
    }
    add(poe, 5, send_to_1(9, ISP_F_DETACHED, 0));
    add(poe, 5, ADMIT);
    assert_int_equal(go_on(poe), POE_RUNNING);
    assert_int_equal(poe_add(poe, 1, &message), 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(poe_step(poe), POE_FIRED);
        assert_int_equal(poe_fired(poe)->members[1]->call.op, ISP_OP_PROBE);
        assert_int_equal(poe_fired(poe)->members[1]->call.thread, order[i]);
    }
    assert_int_equal(poe_step(poe), POE_RUNNING);
    poe_destroy(poe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_waits_in_a_mutex_is_told),
        cmocka_unit_test(test_a_mutex_before_is_told),
        cmocka_unit_test(test_a_semaphore_of_late_is_told),
        cmocka_unit_test(test_blind),
        cmocka_unit_test(test_a_mutex_is_told),
        cmocka_unit_test(test_another_mutex_is_none),
        cmocka_unit_test(test_who_was_woken_comes_after),
        cmocka_unit_test(test_polls_under_a_mutex),
        cmocka_unit_test(test_collectives_at_one_time),
        cmocka_unit_test(test_a_probe_that_is_not_let_in_finds_nothing),
        cmocka_unit_test(test_all_probes_of_a_message_find_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
