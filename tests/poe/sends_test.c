/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends of one MPI_Startall (poe/startall.h), and the space that buffered sends take (poe/attached.h). Rank 0
 * sends to rank 1. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isp/functions.h"
#include "poe/poe.h"

static void add(struct poe *poe, int rank, struct isp_call call)
{
    assert_int_equal(poe_add(poe, rank, &call), 0);
}

static struct poe *create(void)
{
    return poe_create(
        &(struct poe_config){.ranks = 2, .buffered = true, .polls = 1, .livelock_rounds = 5, .threads = 1});
}

static struct isp_call started(int tag, uint32_t handle)
{
    return (struct isp_call){
        .op = ISP_OP_SEND, .fn = ISP_FN_MPI_Startall, .peer = 1, .tag = tag, .handle = handle, .site = 9};
}

static struct isp_call receive(int tag, uint32_t handle)
{
    return (struct isp_call){.op = ISP_OP_RECV, .peer = 0, .tag = tag, .handle = handle};
}

static struct isp_call with_fence(struct isp_call call)
{
    call.flags |= ISP_F_FENCE;
    return call;
}

static void fire_all(struct poe *poe)
{
    while (poe_step(poe) == POE_FIRED)
        ;
}

/* MPI-4.0, 3.9: they are started in some order; a receive of any tag could take another one of them first. */
static void test_any_tag_takes_one_of_a_startall(void **state)
{
    const struct {
        int tags[2], wanted[2];
        bool cut;
    } cases[] = {
        {{1, 2}, {ISP_ANY_TAG, ISP_ANY_TAG}, true},
        {{1, 2}, {1, ISP_ANY_TAG}, false}, /* only one is left */
        {{1, 2}, {1, 2}, false},
        {{1, 1}, {ISP_ANY_TAG, ISP_ANY_TAG}, false}, /* they cannot be told apart */
        {{1, 2}, {2, ISP_ANY_TAG}, false},
        {{1, 2}, {ISP_ANY_TAG, 2}, true}, /* 2 might be taken, and the second receive would wait for ever */
        {{1, 2}, {ISP_ANY_TAG, 1}, true},
        {{1, 2}, {ISP_ANY_TAG, 3}, true}, /* the other one is left */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int receives_first = 0; receives_first < 2; receives_first++) {
            struct poe *poe = create();
            for (int turn = 0; turn < 2; turn++) {
                bool receives = turn != receives_first;
                for (uint32_t k = 0; k < 2; k++)
                    add(poe, receives,
                        receives ? receive(cases[i].wanted[k], k) : started(cases[i].tags[k], k));
            }
            fire_all(poe);
            const struct poe_cut *cut = poe_first_cut(poe);
            assert_int_equal(cut != NULL, cases[i].cut);
            if (cut)
                assert_int_equal(cut->kind, POE_CUT_STARTALL);
            poe_destroy(poe);
        }
}

static struct isp_call buffered(uint32_t handle, uint64_t bytes)
{
    return (struct isp_call){.op = ISP_OP_SEND,
                             .mode = ISP_SEND_BUFFERED,
                             .peer = 1,
                             .handle = handle,
                             .flags = ISP_F_DETACHED,
                             .reserved = bytes,
                             .attached = 100};
}

static void see(const struct poe_transition *t, void *context)
{
    struct poe_transition *wanted = context;
    if (t->rank == wanted->rank && t->index == wanted->index)
        *wanted = *t;
}

/* What may be pending when rank 0's send with this index is called, if that is too much. Nobody has received
 * it. */
static uint64_t crowd(struct poe *poe, uint64_t index)
{
    struct poe_transition send = {.rank = 0, .index = index};
    poe_each_live(poe, see, &send);
    assert_int_equal(send.call.op, ISP_OP_SEND);
    return send.crowd;
}

/* MPI-4.0, 3.6: space is free when the message is delivered, which the sender knows by an answer only. */
static void test_space_is_free_when_the_delivery_is_known(void **state)
{
    for (int answered = 0; answered < 2; answered++) {
        struct poe *poe = create();
        add(poe, 0, buffered(0, 60));
        add(poe, 0, buffered(1, 40));
        assert_int_equal(crowd(poe, 1), 0); /* it fits */
        add(poe, 1, with_fence(receive(0, 0)));
        fire_all(poe);
        if (answered) {
            add(poe, 1, with_fence((struct isp_call){.op = ISP_OP_SEND}));
            add(poe, 0, with_fence((struct isp_call){.op = ISP_OP_RECV, .peer = 1, .handle = 2}));
            fire_all(poe);
        }
        add(poe, 0, buffered(3, 60));
        assert_int_equal(crowd(poe, answered ? 3 : 2), answered ? 0 : 100);
        poe_destroy(poe);
    }
}

static void test_detach_frees_space(void **state)
{
    struct poe *poe = create();
    add(poe, 0, buffered(0, 60));
    add(poe, 1, receive(0, 0));
    add(poe, 0, with_fence((struct isp_call){.op = ISP_OP_DETACH}));
    fire_all(poe);
    add(poe, 0, buffered(1, 100));
    assert_int_equal(crowd(poe, 2), 0);
    poe_destroy(poe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_tag_takes_one_of_a_startall),
        cmocka_unit_test(test_space_is_free_when_the_delivery_is_known),
        cmocka_unit_test(test_detach_frees_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
