/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The conditions of the matching rules one by one, where scenarios meet them rarely or not at all: what
 * keeps a message from a receive, which probed messages are not denied. tests/analysis/coverage.py asks for
 * every branch of these rules.
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

static struct isp_call probe(int peer)
{
    return (struct isp_call){.op = ISP_OP_PROBE, .peer = peer, .flags = ISP_F_FENCE};
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
        cmocka_unit_test(test_a_held_receive_takes_nothing),
        cmocka_unit_test(test_a_message_does_not_overtake_a_held_one),
        cmocka_unit_test(test_probed_messages),
        cmocka_unit_test(test_a_message_that_is_probed_again),
        cmocka_unit_test(test_ready_sends_to_threads_are_not_judged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
