/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conditions of the matching rules one by one, where scenarios meet them rarely or not at all: who is an immediate ancestor of whom, what
 * keeps a message from a receive, which probed messages are not denied. tests/analysis/coverage.py asks for every branch of these rules.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isp/functions.h"
#include "poe/poe.h"

static struct poe *create(int ranks)
{
    return poe_create(&(struct poe_config){.ranks = ranks, .polls = 1, .livelock_rounds = 5, .threads = 1});
}

static void add(struct poe *poe, int rank, struct isp_call call)
{
    assert_int_equal(poe_add(poe, rank, &call), 0);
}

static struct isp_call send_to(int peer, int tag, uint32_t handle)
{
    return (struct isp_call){.op = ISP_OP_SEND, .peer = peer, .tag = tag, .handle = handle, .bytes = 4};
}

static struct isp_call receive(int peer, int tag, uint32_t handle)
{
    return (struct isp_call){.op = ISP_OP_RECV, .peer = peer, .tag = tag, .handle = handle, .bytes = 4};
}

static struct isp_call with(struct isp_call call, uint16_t flags)
{
    call.flags |= flags;
    return call;
}

static struct isp_call of_thread(struct isp_call call, uint8_t thread)
{
    call.thread = thread;
    return call;
}

static struct isp_call wait_for(const uint32_t *handles, uint32_t n)
{
    return (struct isp_call){.op = ISP_OP_COMPLETE, .n = n, .list = handles, .flags = ISP_F_FENCE};
}

static struct isp_call probe(int peer) { return (struct isp_call){.op = ISP_OP_PROBE, .peer = peer, .flags = ISP_F_FENCE}; }

static struct isp_call duplicate(void)
{
    return (struct isp_call){.op = ISP_OP_COLLECTIVE, .fn = ISP_FN_MPI_Comm_dup, .mode = ISP_MAKE_SAME, .flags = ISP_F_FENCE, .root = ISP_NO_RANK};
}

static struct isp_call barrier(uint32_t handle)
{
    return (struct isp_call){.op = ISP_OP_COLLECTIVE, .fn = ISP_FN_MPI_Ibarrier, .flags = ISP_F_SLOT, .root = ISP_NO_RANK, .handle = handle};
}

/* The immediate ancestors of rank 0's transition, the latest first; -1 ends the list. */
static void ancestors(const struct poe *poe, uint64_t index, const int *wanted)
{
    uint64_t got[8];
    unsigned n = poe_ancestors(poe, 0, index, got, 8);
    for (unsigned i = 0; i < n; i++) {
        assert_int_not_equal(wanted[i], -1);
        assert_int_equal(got[i], wanted[i]);
    }
    assert_int_equal(wanted[n], -1);
}

#define ANCESTORS(poe, index, ...) ancestors(poe, index, (const int[]){__VA_ARGS__ __VA_OPT__(, ) - 1})

/* C3: the same destination, and tags that some receive could ask for both of. */
static void test_order_of_sends(void **state)
{
    struct poe *poe = create(3);
    add(poe, 0, send_to(1, 5, 0));
    add(poe, 0, send_to(2, 5, 1));
    add(poe, 0, send_to(1, 6, 2));
    add(poe, 0, send_to(1, 5, 3));
    ANCESTORS(poe, 1);
    ANCESTORS(poe, 2);
    ANCESTORS(poe, 3, 0);
    ANCESTORS(poe, 99); /* there is none */
    poe_destroy(poe);
}

/* C4: the earlier one accepts all that the later one does, by source and tag. */
static void test_order_of_receives(void **state)
{
    struct poe *poe = create(4);
    add(poe, 0, receive(2, ISP_ANY_TAG, 0));
    add(poe, 0, receive(2, 7, 1));
    add(poe, 0, receive(2, ISP_ANY_TAG, 2));
    add(poe, 0, receive(3, 7, 3));
    add(poe, 0, receive(ISP_ANY_SOURCE, 7, 4));
    add(poe, 0, receive(1, 7, 5));
    add(poe, 0, send_to(1, 7, 6));
    ANCESTORS(poe, 1, 0);
    ANCESTORS(poe, 2, 1); /* 0 -> 1 -> 2 */
    ANCESTORS(poe, 3);
    ANCESTORS(poe, 4); /* what names its source does not order a wildcard */
    ANCESTORS(poe, 5, 4);
    ANCESTORS(poe, 6);
    poe_destroy(poe);
}

/* a -> c and a -> b, but not b -> c: a is an immediate ancestor of c. */
static void test_between_is_not_enough(void **state)
{
    struct poe *poe = create(4);
    add(poe, 0, receive(ISP_ANY_SOURCE, ISP_ANY_TAG, 0));
    add(poe, 0, receive(2, 5, 1));
    add(poe, 0, receive(3, 5, 2));
    ANCESTORS(poe, 2, 0);
    poe_destroy(poe);
}

/* C2: a wait is ordered behind its own requests only; and no more are told than there is room for. */
static void test_order_of_waits(void **state)
{
    struct poe *poe = create(2);
    const uint32_t some[] = {0, 2};
    uint64_t got[1];
    add(poe, 0, receive(1, 1, 0));
    add(poe, 0, receive(1, 2, 1));
    add(poe, 0, receive(1, 3, 2));
    add(poe, 0, barrier(3));
    add(poe, 0, barrier(4));
    add(poe, 0, wait_for(some, 2));
    ANCESTORS(poe, 4); /* order of collectives is counted, not looked up */
    ANCESTORS(poe, 5, 2, 0);
    assert_int_equal(poe_ancestors(poe, 0, 5, got, 1), 1);
    assert_int_equal(got[0], 2);
    poe_destroy(poe);
}

/* What has matched orders nothing any more, be it the ancestor or in between. */
static void test_matched_orders_nothing(void **state)
{
    struct poe *poe = create(3);
    add(poe, 0, receive(1, 5, 0));
    add(poe, 0, receive(2, 5, 1));
    add(poe, 0, receive(1, 5, 2));
    add(poe, 0, receive(2, 5, 3));
    add(poe, 2, send_to(0, 5, 0));
    assert_int_equal(poe_step(poe), POE_FIRED);
    ANCESTORS(poe, 2, 0);
    ANCESTORS(poe, 3);
    poe_destroy(poe);
}

/* Each thread has its own order. */
static void test_threads_do_not_order_each_other(void **state)
{
    struct poe *poe = create(2);
    uint64_t got[4];
    add(poe, 0, receive(1, 5, 0));
    add(poe, 0, of_thread(receive(1, 5, 1), 1));
    add(poe, 0, receive(1, 5, 2));
    ANCESTORS(poe, 1, 0); /* of the first thread: index 1 is handle 2 */
    assert_int_equal(poe_ancestors(poe, 0, poe_operation(poe, 0, 1)->index, got, 4), 0);
    poe_destroy(poe);
}

static void test_communicators_do_not_order_each_other(void **state)
{
    struct poe *poe = create(2);
    add(poe, 0, duplicate());
    add(poe, 1, duplicate());
    assert_int_equal(poe_step(poe), POE_FIRED);
    struct isp_call other = receive(1, 5, 1);
    other.comm = poe_fired(poe)->effects[0].result.new_comm;
    add(poe, 0, receive(1, 5, 0));
    add(poe, 0, other);
    ANCESTORS(poe, 2);
    poe_destroy(poe);
}

/* A partitioned receive that is not ready takes nothing, though the message is there. */
static void test_a_held_receive_takes_nothing(void **state)
{
    struct poe *poe = create(2);
    add(poe, 0, with(send_to(1, 0, 0), ISP_F_PARTITIONED));
    add(poe, 1, with(receive(0, 0, 0), ISP_F_PARTITIONED | ISP_F_HELD));
    assert_int_equal(poe_step(poe), POE_RUNNING);
    add(poe, 1, (struct isp_call){.op = ISP_OP_READY, .handle = 0});
    assert_int_equal(poe_step(poe), POE_FIRED);
    poe_destroy(poe);
}

/* The receive is there first, and the older message is not ready: the younger one may not overtake it. */
static void test_a_message_does_not_overtake_a_held_one(void **state)
{
    struct poe *poe = create(2);
    add(poe, 1, with(receive(0, 0, 0), ISP_F_PARTITIONED));
    add(poe, 0, with(send_to(1, 0, 0), ISP_F_PARTITIONED | ISP_F_HELD));
    add(poe, 0, with(send_to(1, 0, 1), ISP_F_PARTITIONED));
    assert_int_equal(poe_step(poe), POE_RUNNING);
    add(poe, 0, (struct isp_call){.op = ISP_OP_READY, .handle = 0});
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_int_equal(poe_fired(poe)->members[0]->index, 0);
    poe_destroy(poe);
}

/* Two messages have been probed; a receive of one leaves what is known of the other. */
static void test_probed_messages(void **state)
{
    struct poe *poe = create(3);
    add(poe, 1, send_to(0, 0, 0));
    add(poe, 1, send_to(0, 0, 1));
    add(poe, 2, send_to(0, 0, 0));
    add(poe, 0, probe(1));
    assert_int_equal(poe_step(poe), POE_FIRED);
    add(poe, 0, probe(2));
    assert_int_equal(poe_step(poe), POE_FIRED);
    add(poe, 0, receive(2, 1, 0)); /* neither */
    add(poe, 0, with(probe(1), ISP_F_POLL));
    add(poe, 1, (struct isp_call){.op = ISP_OP_FINALIZE, .flags = ISP_F_FENCE});
    add(poe, 2, (struct isp_call){.op = ISP_OP_FINALIZE, .flags = ISP_F_FENCE});
    assert_int_equal(poe_step(poe), POE_CHOICE);
    assert_int_equal(poe_choice(poe)->n, 1); /* what was seen is not denied */
    poe_destroy(poe);
}

/* The rank is told that it has found this message before: it polls for something else. */
static void test_a_message_that_is_probed_again(void **state)
{
    struct poe *poe = create(2);
    add(poe, 1, send_to(0, 0, 0));
    for (int flag = 1; flag <= 2; flag++) {
        add(poe, 0, probe(1));
        assert_int_equal(poe_step(poe), POE_FIRED);
        assert_int_equal(poe_fired(poe)->effects[0].result.flag, flag);
    }
    poe_destroy(poe);
}

/* The clock that tells whether a ready send comes too early knows nothing of ranks with threads. */
static void test_ready_sends_to_threads_are_not_judged(void **state)
{
    struct poe *poe = create(2);
    struct isp_call early = send_to(1, 0, 0), late = send_to(1, 1, 1);
    early.mode = late.mode = ISP_SEND_READY;
    add(poe, 0, early);
    add(poe, 1, receive(0, 0, 0));
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_true(poe_fired(poe)->members[0]->unready);
    add(poe, 0, late);
    add(poe, 1, of_thread(receive(0, 1, 1), 1));
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_false(poe_fired(poe)->members[0]->unready);
    poe_destroy(poe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_sends),
        cmocka_unit_test(test_order_of_receives),
        cmocka_unit_test(test_between_is_not_enough),
        cmocka_unit_test(test_order_of_waits),
        cmocka_unit_test(test_matched_orders_nothing),
        cmocka_unit_test(test_threads_do_not_order_each_other),
        cmocka_unit_test(test_communicators_do_not_order_each_other),
        cmocka_unit_test(test_a_held_receive_takes_nothing),
        cmocka_unit_test(test_a_message_does_not_overtake_a_held_one),
        cmocka_unit_test(test_probed_messages),
        cmocka_unit_test(test_a_message_that_is_probed_again),
        cmocka_unit_test(test_ready_sends_to_threads_are_not_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
