/* SPDX-License-Identifier: BSD-3-Clause */
/* Units of a partitioned message (poe/partition.h): which meet, and what becomes of the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "poe/poe.h"

/* Rank 0 sends to rank 1; WHOLE is the handle of the whole on both sides, a unit's is its number. */
enum { WHOLE = 0 };

static void add(struct poe *poe, int rank, struct isp_call call)
{
    assert_int_equal(poe_add(poe, rank, &call), 0);
}

/* color: the unit, 0 for the whole; units: how many that side cuts it into */
static struct isp_call part(enum isp_op op, int color, int units)
{
    return (struct isp_call){.op = (uint8_t)op,
                             .peer = op == ISP_OP_RECV ? 0 : 1,
                             .tag = 4,
                             .flags = ISP_F_PARTITIONED,
                             .color = color,
                             .key = units,
                             .handle = (uint32_t)color};
}

static void start_receive(struct poe *poe, int units)
{
    for (int color = 0; color <= units; color++)
        add(poe, 1, part(ISP_OP_RECV, color, units));
}

static void start_send(struct poe *poe, int units)
{
    struct isp_call whole = part(ISP_OP_SEND, WHOLE, units);
    whole.flags |= ISP_F_HELD;
    add(poe, 0, whole);
}

static void mark_ready(struct poe *poe, int color, int units)
{
    add(poe, 0, part(ISP_OP_SEND, color, units));
}

static const struct isp_call ALL_MARKED = {.op = ISP_OP_READY, .handle = WHOLE};
static const struct isp_call FINALIZE = {.op = ISP_OP_FINALIZE, .flags = ISP_F_FENCE};

/* MPI_Parrived of what lies in these units; it waits, for the test's sake. */
static void await(struct poe *poe, const uint32_t *units, uint32_t n)
{
    add(poe, 1,
        (struct isp_call){
            .op = ISP_OP_COMPLETE, .mode = ISP_COMPLETE_ALL, .flags = ISP_F_FENCE, .n = n, .list = units});
}

static enum poe_state step_to_end(struct poe *poe)
{
    enum poe_state state;
    do
        state = poe_step(poe);
    while (state == POE_FIRED);
    return state;
}

static struct poe *create(void)
{
    return poe_create(&(struct poe_config){.ranks = 2, .polls = 1, .livelock_rounds = 5, .threads = 1});
}

static void test_a_unit_arrives_before_the_whole(void **state)
{
    struct poe *poe = create();
    const uint32_t second[] = {2};
    start_receive(poe, 2);
    start_send(poe, 2);
    mark_ready(poe, 2, 2);
    await(poe, second, 1);
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_int_equal(poe_fired(poe)->members[1]->call.color, 2);
    assert_int_equal(poe_step(poe), POE_FIRED); /* the wait, while the whole is held */
    assert_false(poe_fired(poe)->members[0]->call.flags & ISP_F_PARTITIONED);
    poe_destroy(poe);
}

/* Neither units of other numbers nor the whole itself. */
static void test_a_unit_meets_its_like_only(void **state)
{
    struct poe *poe = create();
    start_receive(poe, 3);
    start_send(poe, 2);
    mark_ready(poe, 1, 2);
    mark_ready(poe, 2, 2);
    assert_int_equal(poe_step(poe), POE_RUNNING);
    add(poe, 0, part(ISP_OP_SEND, 3, 3));
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_int_equal(poe_fired(poe)->members[1]->call.color, 3);
    poe_destroy(poe);
}

/* Units that are cut otherwise are complete with the whole: the sender's are cancelled, and what waits for
 * the receiver's goes on. */
static void cut_otherwise(bool asks, bool meanwhile, bool wanted)
{
    struct poe *poe = create();
    const uint32_t units[] = {1, 2, 3}, *asked = asks ? &units[1] : units;
    start_receive(poe, 3);
    start_send(poe, 2);
    mark_ready(poe, 1, 2);
    if (meanwhile)
        add(poe, 0, (struct isp_call){.op = ISP_OP_SEND, .peer = 1, .handle = 7, .flags = ISP_F_DETACHED});
    mark_ready(poe, 2, 2);
    await(poe, asked, asks ? 1 : 3);
    assert_int_equal(poe_step(poe), POE_RUNNING);
    add(poe, 0, ALL_MARKED);
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_int_equal(poe_fired(poe)->members[0]->call.color, WHOLE);
    unsigned cancelled[2] = {0};
    for (unsigned i = 0; i < poe_fired(poe)->n_effects; i++) {
        const struct poe_effect *e = &poe_fired(poe)->effects[i];
        cancelled[e->rank] += !e->release && e->action.kind == ISP_ACTION_CANCEL;
    }
    assert_int_equal(cancelled[0], 2);
    assert_int_equal(cancelled[1], 3);
    assert_int_equal(poe_step(poe), POE_FIRED); /* the wait */
    const struct poe_cut *cut = poe_first_cut(poe);
    assert_int_equal(cut != NULL, wanted);
    if (cut) {
        assert_int_equal(cut->kind, POE_CUT_UNITS);
        assert_int_equal(cut->rank, 1);
    }
    poe_destroy(poe);
}

static void test_units_that_are_cut_otherwise(void **state)
{
    cut_otherwise(true, true, true);
    cut_otherwise(true, false, false); /* all were marked at one time */
    cut_otherwise(false, true, false); /* it has asked for the whole */
}

/* The second start's units are those of the second whole. */
static void test_what_arrived_stays(void **state)
{
    struct poe *poe = create();
    const uint32_t whole[] = {WHOLE};
    start_receive(poe, 2);
    start_send(poe, 2);
    mark_ready(poe, 1, 2);
    mark_ready(poe, 2, 2);
    add(poe, 0, ALL_MARKED);
    await(poe, whole, 1);
    add(poe, 0, FINALIZE);
    assert_int_equal(step_to_end(poe), POE_RUNNING);
    assert_null(poe_first_cut(poe));
    add(poe, 1, FINALIZE);
    assert_int_equal(step_to_end(poe), POE_FINISHED);
    poe_destroy(poe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_unit_arrives_before_the_whole),
        cmocka_unit_test(test_a_unit_meets_its_like_only),
        cmocka_unit_test(test_units_that_are_cut_otherwise),
        cmocka_unit_test(test_what_arrived_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
