/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What scenarios do not show of poe: the wait-for story of a deadlock, new
 * communicators, mismatches, cancels, livelocks, names of interleavings, and transitions that
 * no MPI program can produce.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isp/functions.h"
#include "poe/mixed.h"
#include "poe/poe.h"
#include "poe/search.h"

static struct poe *create(int ranks, bool buffered)
{
    return poe_create(&(struct poe_config){
        .ranks = ranks, .buffered = buffered, .polls = 1, .livelock_rounds = 5, .threads = 1});
}

static void add(struct poe *poe, int rank, struct isp_call call)
{
    assert_int_equal(poe_add(poe, rank, &call), 0);
}

static void refused(struct poe *poe, int rank, struct isp_call call)
{
    assert_int_equal(poe_add(poe, rank, &call), -1);
}

static struct isp_call send_to(int peer, int tag, uint32_t handle, uint16_t flags)
{
    return (struct isp_call){
        .op = ISP_OP_SEND, .peer = peer, .tag = tag, .handle = handle, .flags = flags, .bytes = 4};
}

static struct isp_call recv_from(int peer, int tag, uint32_t handle, uint16_t flags)
{
    return (struct isp_call){
        .op = ISP_OP_RECV, .peer = peer, .tag = tag, .handle = handle, .flags = flags, .bytes = 4};
}

static struct isp_call wait_for(const uint32_t *handles, uint32_t n, uint16_t flags)
{
    return (struct isp_call){
        .op = ISP_OP_COMPLETE, .n = n, .list = handles, .flags = ISP_F_FENCE | flags, .site = 7};
}

static struct isp_call collective(uint16_t fn, enum isp_make make, int comm)
{
    return (struct isp_call){.op = ISP_OP_COLLECTIVE,
                             .fn = fn,
                             .mode = make,
                             .comm = comm,
                             .flags = ISP_F_FENCE,
                             .root = ISP_NO_RANK};
}

static const struct isp_call FINALIZE = {.op = ISP_OP_FINALIZE, .flags = ISP_F_FENCE};

static void test_deadlock_names_the_cycle(void **state)
{
    struct poe *poe = create(3, false);
    add(poe, 0, recv_from(1, 0, 0, ISP_F_FENCE));
    add(poe, 1, send_to(2, 0, 0, ISP_F_FENCE));
    add(poe, 2, recv_from(0, 0, 0, ISP_F_FENCE));
    assert_int_equal(poe_step(poe), POE_DEADLOCK);
    int ranks[3];
    assert_int_equal(poe_wait_cycle(poe, ranks), 3);
    assert_int_equal(ranks[0], 0);
    assert_int_equal(ranks[1], 1);
    assert_int_equal(ranks[2], 2);
    const struct poe_wait *w = poe_wait(poe, 1);
    assert_true(w->send_blocked);
    assert_int_equal(w->n_ranks, 1);
    assert_int_equal(w->ranks[0], 2);
    assert_false(poe_wait(poe, 0)->send_blocked);
    poe_destroy(poe);
}

static void test_deadlock_on_a_finished_rank_has_no_cycle(void **state)
{
    struct poe *poe = create(2, true);
    add(poe, 0, recv_from(ISP_ANY_SOURCE, 0, 0, ISP_F_FENCE));
    add(poe, 1, FINALIZE);
    assert_int_equal(poe_step(poe), POE_DEADLOCK);
    int ranks[2];
    assert_int_equal(poe_wait_cycle(poe, ranks), 0);
    assert_int_equal(poe_wait(poe, 0)->kind, POE_WAITS_ANY);
    assert_true(poe_wait(poe, 1)->finished);
    poe_destroy(poe);
}

static void test_waitall_waits_for_all_and_waitany_for_any(void **state)
{
    struct poe *poe = create(3, false);
    const uint32_t both[] = {0, 1};
    add(poe, 0, recv_from(1, 0, 0, 0));
    add(poe, 0, recv_from(2, 0, 1, 0));
    add(poe, 0, wait_for(both, 2, 0));
    struct isp_call any = wait_for(both, 2, 0);
    any.mode = ISP_COMPLETE_ANY;
    add(poe, 1, recv_from(0, 0, 0, 0));
    add(poe, 1, recv_from(2, 0, 1, 0));
    add(poe, 1, any);
    add(poe, 2, FINALIZE);
    assert_int_equal(poe_step(poe), POE_DEADLOCK);
    assert_int_equal(poe_wait(poe, 0)->kind, POE_WAITS_ALL);
    assert_int_equal(poe_wait(poe, 0)->n_pending, 2);
    assert_int_equal(poe_wait(poe, 1)->kind, POE_WAITS_ANY);
    int ranks[3];
    assert_int_equal(poe_wait_cycle(poe, ranks), 2); /* 0 <-> 1, by the OR edge */
    poe_destroy(poe);
}

static int new_comm(struct poe *poe, int rank)
{
    const struct poe_fired *f = poe_fired(poe);
    for (unsigned i = 0; i < f->n_effects; i++)
        if (f->effects[i].rank == rank)
            return f->effects[i].result.new_comm;
    return -2;
}

static void test_split_orders_by_key_and_leaves_undefined_out(void **state)
{
    struct poe *poe = create(4, false);
    for (int rank = 0; rank < 4; rank++) {
        struct isp_call c = collective(ISP_FN_MPI_Comm_split, ISP_MAKE_SPLIT, ISP_COMM_WORLD);
        c.color = rank == 3 ? ISP_NO_COLOR : 5;
        c.key = -rank;
        add(poe, rank, c);
    }
    assert_int_equal(poe_step(poe), POE_FIRED);
    int comm = new_comm(poe, 0);
    assert_int_equal(new_comm(poe, 2), comm);
    assert_int_equal(new_comm(poe, 3), ISP_NO_COMM);
    const int *members;
    assert_int_equal(poe_comm_members(poe, comm, &members), 3);
    assert_int_equal(members[0], 2);
    assert_int_equal(members[2], 0);
    poe_destroy(poe);
}

static void test_create_group_needs_only_its_members(void **state)
{
    struct poe *poe = create(3, false);
    const uint32_t group[] = {2, 0};
    struct isp_call c = collective(ISP_FN_MPI_Comm_create_group, ISP_MAKE_GROUP, ISP_COMM_WORLD);
    c.flags |= ISP_F_SUBSET;
    c.n = 2, c.list = group;
    add(poe, 0, c);
    assert_int_equal(poe_step(poe), POE_RUNNING);
    add(poe, 2, c);
    assert_int_equal(poe_step(poe), POE_FIRED);
    const int *members;
    assert_int_equal(poe_comm_members(poe, new_comm(poe, 0), &members), 2);
    assert_int_equal(members[0], 2);
    poe_destroy(poe);
}

static void test_different_collectives_mismatch(void **state)
{
    struct poe *poe = create(2, false);
    add(poe, 0, collective(ISP_FN_MPI_Barrier, ISP_MAKE_NOTHING, ISP_COMM_WORLD));
    add(poe, 1, collective(ISP_FN_MPI_Bcast, ISP_MAKE_NOTHING, ISP_COMM_WORLD));
    assert_int_equal(poe_step(poe), POE_MISMATCH);
    assert_int_equal(poe_fired(poe)->n_members, 2);
    poe_destroy(poe);
}

static struct isp_call pending(uint16_t fn, enum isp_make make, int comm, uint32_t handle)
{
    struct isp_call c = collective(fn, make, comm);
    c.flags = ISP_F_SLOT;
    c.handle = handle;
    return c;
}

/* The action for a rank's handle in the last match set, or NULL. */
static const struct isp_action *action(struct poe *poe, int rank, uint32_t handle)
{
    const struct poe_fired *f = poe_fired(poe);
    for (unsigned i = 0; i < f->n_effects; i++)
        if (f->effects[i].rank == rank && !f->effects[i].release && f->effects[i].action.handle == handle)
            return &f->effects[i].action;
    return NULL;
}

/* Two pending on one communicator: each is matched with its like by call order, and waits in any order. */
static void test_nonblocking_collectives_are_requests(void **state)
{
    struct poe *poe = create(2, false);
    const uint32_t first[] = {0}, second[] = {1};
    add(poe, 0, pending(ISP_FN_MPI_Ibarrier, ISP_MAKE_NOTHING, ISP_COMM_WORLD, 0));
    add(poe, 0, pending(ISP_FN_MPI_Iallreduce, ISP_MAKE_NOTHING, ISP_COMM_WORLD, 1));
    add(poe, 0, wait_for(second, 1, 0));
    add(poe, 1, pending(ISP_FN_MPI_Ibarrier, ISP_MAKE_NOTHING, ISP_COMM_WORLD, 1));
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_int_equal(poe_fired(poe)->n_members, 2);
    assert_int_equal(poe_fired(poe)->n_effects, 2); /* nobody goes on: rank 0 waits for the other one */
    assert_int_equal(action(poe, 0, 0)->kind, ISP_ACTION_ISSUE);
    assert_int_equal(action(poe, 1, 1)->peer, ISP_NO_COMM);
    assert_int_equal(poe_step(poe), POE_RUNNING);
    refused(poe, 1, pending(ISP_FN_MPI_Iallreduce, ISP_MAKE_NOTHING, ISP_COMM_WORLD, 1)); /* not waited for */
    add(poe, 1, pending(ISP_FN_MPI_Iallreduce, ISP_MAKE_NOTHING, ISP_COMM_WORLD, 0));
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_int_equal(action(poe, 0, 1)->kind, ISP_ACTION_ISSUE);
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_true(poe_fired(poe)->effects[0].release);
    add(poe, 0, wait_for(first, 1, 0));
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_true(poe_fired(poe)->effects[0].release);
    poe_destroy(poe);
}

static void test_wait_names_who_has_not_called(void **state)
{
    struct poe *poe = create(3, false);
    const uint32_t list[] = {0};
    add(poe, 0, pending(ISP_FN_MPI_Ibarrier, ISP_MAKE_NOTHING, ISP_COMM_WORLD, 0));
    add(poe, 0, wait_for(list, 1, 0));
    add(poe, 1, pending(ISP_FN_MPI_Ibarrier, ISP_MAKE_NOTHING, ISP_COMM_WORLD, 0));
    add(poe, 1, wait_for(list, 1, 0));
    add(poe, 2, recv_from(0, 0, 0, ISP_F_FENCE));
    assert_int_equal(poe_step(poe), POE_DEADLOCK);
    const struct poe_wait *w = poe_wait(poe, 0);
    assert_int_equal(w->n_ranks, 1);
    assert_int_equal(w->ranks[0], 2);
    assert_int_equal(w->n_pending, 1);
    assert_int_equal(w->pending[0]->call.fn, ISP_FN_MPI_Ibarrier);
    assert_int_equal(w->kind, POE_WAITS_ALL);
    int ranks[3];
    assert_int_equal(poe_missing(poe, w->pending[0], ranks), 1);
    assert_int_equal(ranks[0], 2);
    assert_int_equal(poe_wait_cycle(poe, ranks), 2);
    poe_destroy(poe);
}

static void test_nonblocking_and_blocking_do_not_match(void **state)
{
    struct poe *poe = create(2, false);
    add(poe, 0, collective(ISP_FN_MPI_Barrier, ISP_MAKE_NOTHING, ISP_COMM_WORLD));
    add(poe, 1, pending(ISP_FN_MPI_Ibarrier, ISP_MAKE_NOTHING, ISP_COMM_WORLD, 0));
    assert_int_equal(poe_step(poe), POE_RUNNING); /* rank 1 may still bring a clash that comes before */
    add(poe, 1, wait_for((uint32_t[]){0}, 1, 0));
    assert_int_equal(poe_step(poe), POE_MISMATCH);
    poe_destroy(poe);
}

static void start_two(struct poe *poe, int rank)
{
    static const uint16_t called[2][2] = {{ISP_FN_MPI_Bcast_init, ISP_FN_MPI_Barrier_init},
                                          {ISP_FN_MPI_Reduce_init, ISP_FN_MPI_Scan_init}};
    for (int i = 0; i < 2; i++) {
        int which = rank == 0 ? i : 1 - i;
        struct isp_call c = pending(called[which][rank], ISP_MAKE_NOTHING, ISP_COMM_WORLD, (uint32_t)which);
        c.key = which + 1;
        add(poe, rank, c);
    }
    add(poe, rank, wait_for((uint32_t[]){0, 1}, 2, 0));
}

/* Starts of persistent collectives come in any order. Of two that clash the same one is shown, whoever comes
 * last. */
static void test_the_first_clash_is_shown(void **state)
{
    for (int first = 0; first < 2; first++) {
        struct poe *poe = create(2, false);
        start_two(poe, first);
        start_two(poe, 1 - first);
        assert_int_equal(poe_step(poe), POE_MISMATCH);
        assert_int_equal(poe_fired(poe)->members[0]->call.fn, ISP_FN_MPI_Bcast_init);
        poe_destroy(poe);
    }
}

static void test_idup_numbers_the_communicator_when_it_fires(void **state)
{
    struct poe *poe = create(2, false);
    const uint32_t list[] = {5};
    for (int rank = 0; rank < 2; rank++)
        add(poe, rank, pending(ISP_FN_MPI_Comm_idup, ISP_MAKE_SAME, ISP_COMM_WORLD, 5));
    assert_int_equal(poe_step(poe), POE_FIRED);
    int comm = action(poe, 0, 5)->peer;
    const int *members;
    assert_int_equal(poe_comm_members(poe, comm, &members), 2);
    assert_int_equal(action(poe, 1, 5)->peer, comm);
    add(poe, 0, wait_for(list, 1, 0));
    assert_int_equal(poe_step(poe), POE_FIRED);
    poe_destroy(poe);
}

/* ---- flows ---- */

/* A blocking collective of a run with buffered sends. */
static struct isp_call early(uint16_t fn, enum isp_flow flow, int root)
{
    struct isp_call c = collective(fn, ISP_MAKE_NOTHING, ISP_COMM_WORLD);
    c.flags |= ISP_F_SLOT;
    c.flow = (uint8_t)flow;
    c.root = root;
    return c;
}

static bool released(struct poe *poe, int rank)
{
    const struct poe_fired *f = poe_fired(poe);
    for (unsigned i = 0; i < f->n_effects; i++)
        if (f->effects[i].rank == rank && f->effects[i].release)
            return true;
    return false;
}

/* The effects of a match set as text: 0>1 sends its part, 1<0+2 receives it and 2 more follow, 1! its slot is
 * done (or is issued), 1. goes on. */
static void actions(struct poe *poe, const char *expected)
{
    char text[256] = "";
    const struct poe_fired *f = poe_fired(poe);
    for (unsigned i = 0; i < f->n_effects; i++) {
        const struct poe_effect *e = &f->effects[i];
        char one[32];
        if (e->release)
            snprintf(one, sizeof one, "%s%d.", *text ? " " : "", e->rank);
        else if (e->action.kind == ISP_ACTION_PART_SEND)
            snprintf(one, sizeof one, "%s%d>%d", *text ? " " : "", e->rank, e->action.peer);
        else if (e->action.kind == ISP_ACTION_PART_RECV)
            snprintf(one, sizeof one, "%s%d<%d+%d", *text ? " " : "", e->rank, e->action.peer, e->action.tag);
        else
            snprintf(one, sizeof one, "%s%d!", *text ? " " : "", e->rank);
        strcat(text, one);
    }
    assert_string_equal(text, expected);
}

static void fires(struct poe *poe, const char *expected)
{
    assert_int_equal(poe_step(poe), POE_FIRED);
    actions(poe, expected);
}

static void test_broadcast_root_leaves_first(void **state)
{
    struct poe *poe = create(3, true);
    add(poe, 1, early(ISP_FN_MPI_Bcast, ISP_FLOW_FROM_ROOT, 0));
    fires(poe, "");
    add(poe, 0, early(ISP_FN_MPI_Bcast, ISP_FLOW_FROM_ROOT, 0));
    fires(poe, "0. 0>1 1<0+0 1. 1!");
    refused(poe, 0, send_to(1, 0, 0, 0)); /* rank 2's part is still to be sent from this slot */
    add(poe, 1, send_to(2, 0, 0, 0));     /* done on rank 1 */
    add(poe, 2, early(ISP_FN_MPI_Bcast, ISP_FLOW_FROM_ROOT, 0));
    fires(poe, "0>2 2<0+0 2. 2! 0!");
    assert_int_equal(poe_fired(poe)->n_members, 3);
    add(poe, 0, send_to(1, 0, 0, 0));
    poe_destroy(poe);
}

static void test_reduce_leaves_leave_first(void **state)
{
    struct poe *poe = create(3, true);
    add(poe, 2, early(ISP_FN_MPI_Reduce, ISP_FLOW_TO_ROOT, 1));
    fires(poe, "2.");
    add(poe, 1, early(ISP_FN_MPI_Reduce, ISP_FLOW_TO_ROOT, 1));
    fires(poe, "");
    refused(poe, 2, send_to(1, 0, 0, 0));
    add(poe, 0, early(ISP_FN_MPI_Reduce, ISP_FLOW_TO_ROOT, 1));
    fires(poe, "0. 1. 0! 1! 2!");
    poe_destroy(poe);
}

static void test_scan_goes_on_as_the_ranks_before_come(void **state)
{
    struct poe *poe = create(4, true);
    add(poe, 1, early(ISP_FN_MPI_Scan, ISP_FLOW_PREFIX, ISP_NO_RANK));
    fires(poe, "");
    add(poe, 2, early(ISP_FN_MPI_Scan, ISP_FLOW_PREFIX, ISP_NO_RANK));
    fires(poe, "");
    add(poe, 0, early(ISP_FN_MPI_Scan, ISP_FLOW_PREFIX, ISP_NO_RANK));
    fires(poe, "0. 0>1 1<0+0 1. 0! 1>2 2<1+0 2. 1!");
    add(poe, 3, early(ISP_FN_MPI_Scan, ISP_FLOW_PREFIX, ISP_NO_RANK));
    fires(poe, "2>3 3<2+0 3. 2! 3!");
    poe_destroy(poe);
}

static void test_neighbours_wait_for_their_sources(void **state)
{
    const uint32_t both[] = {1, (uint32_t)ISP_NO_RANK, 1, 0}, none[] = {(uint32_t)ISP_NO_RANK};
    struct poe *poe = create(3, true);
    struct isp_call c = early(ISP_FN_MPI_Neighbor_alltoall, ISP_FLOW_LIST, ISP_NO_RANK);
    c.list = both, c.n = 4;
    add(poe, 0, c);
    fires(poe, "");
    c.list = none, c.n = 1;
    add(poe, 1, c);
    fires(poe, "1>0 0<1+2 1>0 0<1+1 0>0 0<0+0 0. 1.");
    c.n = 0;
    add(poe, 2, c);
    fires(poe, "2. 0! 1! 2!");
    poe_destroy(poe);
}

/* A rank that waits is told by whom; and a late member that calls something else is noticed, though the
 * others have gone. */
static void test_flows_tell_who_is_missing(void **state)
{
    struct poe *poe = create(3, true);
    add(poe, 0, early(ISP_FN_MPI_Bcast, ISP_FLOW_FROM_ROOT, 0));
    fires(poe, "0.");
    add(poe, 1, early(ISP_FN_MPI_Bcast, ISP_FLOW_FROM_ROOT, 0));
    fires(poe, "0>1 1<0+0 1. 1!");
    add(poe, 2, collective(ISP_FN_MPI_Barrier, ISP_MAKE_NOTHING, ISP_COMM_WORLD));
    assert_int_equal(poe_step(poe), POE_RUNNING); /* the others may have more to say */
    add(poe, 0, FINALIZE);
    add(poe, 1, FINALIZE);
    assert_int_equal(poe_step(poe), POE_MISMATCH);
    assert_int_equal(poe_fired(poe)->n_members, 3);
    poe_destroy(poe);

    poe = create(3, true);
    add(poe, 2, early(ISP_FN_MPI_Scan, ISP_FLOW_PREFIX, ISP_NO_RANK));
    add(poe, 0, early(ISP_FN_MPI_Scan, ISP_FLOW_PREFIX, ISP_NO_RANK));
    fires(poe, "");
    fires(poe, "0.");
    add(poe, 0, FINALIZE);
    add(poe, 1, FINALIZE);
    assert_int_equal(poe_step(poe), POE_DEADLOCK);
    assert_int_equal(poe_wait(poe, 2)->n_ranks, 1);
    assert_int_equal(poe_wait(poe, 2)->ranks[0], 1);
    poe_destroy(poe);

    poe = create(2, true);
    add(poe, 0, early(ISP_FN_MPI_Bcast, ISP_FLOW_FROM_ROOT, 0));
    /* two roots: shown together, and nothing happens */
    add(poe, 1, early(ISP_FN_MPI_Bcast, ISP_FLOW_FROM_ROOT, 1));
    fires(poe, "");
    assert_int_equal(poe_fired(poe)->n_members, 2);
    poe_destroy(poe);
}

/* Those that call Bcast are let go, whenever the one comes that calls Barrier. */
static void test_a_clash_of_flows_does_not_depend_on_who_comes_first(void **state)
{
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        struct poe *poe = create(3, true);
        for (int place = 0; place < 3; place++) {
            int rank = orders[k][place];
            add(poe, rank,
                rank < 2 ? early(ISP_FN_MPI_Bcast, ISP_FLOW_FROM_ROOT, 0)
                         : collective(ISP_FN_MPI_Barrier, ISP_MAKE_NOTHING, ISP_COMM_WORLD));
            while (poe_step(poe) == POE_FIRED)
                ;
        }
        add(poe, 0, FINALIZE);
        add(poe, 1, FINALIZE);
        assert_int_equal(poe_step(poe), POE_MISMATCH);
        assert_int_equal(poe_fired(poe)->n_members, 3);
        poe_destroy(poe);
    }
}

/* With zero buffering the root is blocked; with buffering it would not be. */
static void test_zero_buffering_says_what_a_flow_would_change(void **state)
{
    struct poe *poe = create(2, false);
    struct isp_call c = collective(ISP_FN_MPI_Bcast, ISP_MAKE_NOTHING, ISP_COMM_WORLD);
    c.flow = ISP_FLOW_FROM_ROOT, c.root = 0;
    add(poe, 0, c);
    add(poe, 1, recv_from(0, 0, 0, ISP_F_FENCE));
    assert_int_equal(poe_step(poe), POE_DEADLOCK);
    assert_true(poe_wait(poe, 0)->send_blocked);
    poe_destroy(poe);
    poe = create(2, false);
    c.root = 1;
    add(poe, 0, c);
    add(poe, 1, recv_from(0, 0, 0, ISP_F_FENCE));
    assert_int_equal(poe_step(poe), POE_DEADLOCK);
    assert_false(poe_wait(poe, 0)->send_blocked);
    poe_destroy(poe);
}

/* ---- held, joined, detached ---- */

static const struct isp_call DETACH = {.op = ISP_OP_DETACH, .flags = ISP_F_FENCE};

static struct isp_call ready(uint32_t handle)
{
    return (struct isp_call){.op = ISP_OP_READY, .handle = handle};
}

/* Partitioned messages match in the order of their starts, not in which they get ready. */
static void test_a_held_message_keeps_its_place(void **state)
{
    struct poe *poe = create(2, false);
    const uint32_t list[] = {0};
    uint16_t flags = ISP_F_HELD | ISP_F_PARTITIONED;
    add(poe, 0, send_to(1, 0, 0, flags));
    add(poe, 0, send_to(1, 0, 1, flags));
    add(poe, 1, recv_from(0, 0, 0, ISP_F_PARTITIONED));
    add(poe, 1, recv_from(0, 0, 1, ISP_F_PARTITIONED));
    add(poe, 1, wait_for(list, 1, 0));
    add(poe, 0, ready(1));
    assert_int_equal(poe_step(poe), POE_RUNNING);
    refused(poe, 0, ready(1)); /* it is */
    add(poe, 0, ready(0));
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_int_equal(poe_fired(poe)->members[0]->index, 0);
    assert_int_equal(poe_fired(poe)->members[1]->index, 0);
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_int_equal(poe_fired(poe)->members[0]->index, 1);
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_true(released(poe, 1));
    poe_destroy(poe);
}

static void test_partitioned_matches_partitioned_only(void **state)
{
    struct poe *poe = create(2, true);
    add(poe, 0, send_to(1, 0, 0, 0));
    add(poe, 0, send_to(1, 0, 1, ISP_F_PARTITIONED));
    add(poe, 1, recv_from(0, 0, 0, ISP_F_PARTITIONED));
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_int_equal(poe_fired(poe)->members[0]->index, 1);
    add(poe, 1, recv_from(ISP_ANY_SOURCE, ISP_ANY_TAG, 1, ISP_F_FENCE));
    add(poe, 0, FINALIZE);
    assert_int_equal(poe_step(poe), POE_CHOICE);
    assert_int_equal(poe_choice(poe)->alternatives[0].source_index, 0);
    poe_destroy(poe);
}

/* A generalized request: a held operation with nobody. */
static void test_a_held_operation_with_nobody_completes_when_ready(void **state)
{
    struct poe *poe = create(1, false);
    const uint32_t list[] = {0};
    struct isp_call c = send_to(ISP_NO_RANK, 0, 0, ISP_F_HELD);
    add(poe, 0, c);
    add(poe, 0, ready(0));
    add(poe, 0, wait_for(list, 1, 0));
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_true(released(poe, 0));
    add(poe, 0, c);
    add(poe, 0, wait_for(list, 1, 0));
    assert_int_equal(poe_step(poe), POE_DEADLOCK);
    assert_int_equal(poe_wait(poe, 0)->n_ranks, 1);
    assert_int_equal(poe_wait(poe, 0)->ranks[0], 0);
    assert_false(poe_wait(poe, 0)->send_blocked);
    poe_destroy(poe);
}

static void test_a_join_is_complete_when_all_of_it_is(void **state)
{
    struct poe *poe = create(2, false);
    const uint32_t both[] = {0, 1}, twice[] = {0, 0}, joined[] = {2};
    add(poe, 0, send_to(1, 0, 0, 0));
    add(poe, 0, recv_from(1, 0, 1, 0));
    refused(poe, 0, (struct isp_call){.op = ISP_OP_JOIN, .handle = 2, .n = 2, .list = twice});
    add(poe, 0, (struct isp_call){.op = ISP_OP_JOIN, .handle = 2, .n = 2, .list = both});
    refused(poe, 0, wait_for(both, 1, 0)); /* consumed */
    poe_destroy(poe);

    poe = create(2, false);
    add(poe, 0, send_to(1, 0, 0, 0));
    add(poe, 0, recv_from(1, 0, 1, 0));
    add(poe, 0, (struct isp_call){.op = ISP_OP_JOIN, .handle = 2, .n = 2, .list = both});
    add(poe, 0, wait_for(joined, 1, 0));
    add(poe, 1, recv_from(0, 0, 0, ISP_F_FENCE));
    fires(poe, "0! 1! 1.");
    add(poe, 1, FINALIZE);
    assert_int_equal(poe_step(poe), POE_DEADLOCK);
    const struct poe_wait *w = poe_wait(poe, 0);
    assert_int_equal(w->n_pending, 1);
    assert_int_equal(w->pending[0]->call.op, ISP_OP_RECV);
    poe_destroy(poe);

    poe = create(2, true); /* buffered: the message may wait longer than its join */
    add(poe, 0, send_to(1, 0, 0, 0));
    add(poe, 0, recv_from(ISP_NO_RANK, 0, 1, 0));
    add(poe, 0, (struct isp_call){.op = ISP_OP_JOIN, .handle = 2, .n = 2, .list = both});
    add(poe, 0, wait_for(joined, 1, 0));
    fires(poe, "0.");
    add(poe, 0, recv_from(1, 0, 1, 0)); /* slots 1 and 2 are free, 0 is not */
    add(poe, 0, recv_from(1, 0, 2, 0));
    refused(poe, 0, recv_from(1, 0, 0, 0));
    add(poe, 1, recv_from(0, 0, 0, ISP_F_FENCE));
    fires(poe, "0! 1! 1.");
    add(poe, 0, recv_from(1, 0, 0, 0));
    poe_destroy(poe);
}

static struct isp_call bsend_to(int peer, uint32_t handle)
{
    struct isp_call c = send_to(peer, 0, handle, ISP_F_DETACHED);
    c.mode = ISP_SEND_BUFFERED;
    return c;
}

static void test_detach_waits_for_what_is_in_the_buffer(void **state)
{
    struct poe *poe = create(2, false);
    add(poe, 0, bsend_to(1, 0));
    add(poe, 0, bsend_to(1, 1));
    add(poe, 0, DETACH);
    add(poe, 1, recv_from(0, 0, 0, ISP_F_FENCE));
    fires(poe, "0! 1! 1.");
    add(poe, 1, recv_from(0, 0, 0, ISP_F_FENCE));
    fires(poe, "0! 1! 1.");
    fires(poe, "0.");
    add(poe, 0, DETACH); /* nothing left */
    fires(poe, "0.");
    add(poe, 0, bsend_to(1, 0));
    add(poe, 0, DETACH);
    add(poe, 1, FINALIZE);
    assert_int_equal(poe_step(poe), POE_DEADLOCK);
    const struct poe_wait *w = poe_wait(poe, 0);
    assert_true(w->send_blocked);
    assert_int_equal(w->n_pending, 1);
    assert_int_equal(w->ranks[0], 1);
    poe_destroy(poe);
    poe = create(2, true);
    add(poe, 0, bsend_to(1, 0));
    add(poe, 0, DETACH);
    fires(poe, "0.");
    poe_destroy(poe);
}

/* ---- locks ---- */

static struct isp_call lock(enum isp_lock_mode mode, int target)
{
    return (struct isp_call){.op = ISP_OP_LOCK, .mode = (uint8_t)mode, .peer = target, .flags = ISP_F_FENCE};
}

static struct isp_call unlock(int target) { return (struct isp_call){.op = ISP_OP_UNLOCK, .peer = target}; }

/* The next lock, turn or access is decided, and fires. */
static void grants(struct poe *poe, const char *expected)
{
    assert_int_equal(poe_step(poe), POE_CHOICE);
    assert_int_equal(poe_choice(poe)->n, 1);
    assert_int_equal(poe_choice(poe)->alternatives[0].kind, POE_GRANT);
    poe_decide(poe, 0);
    fires(poe, expected);
}

static void test_locks_wait_until_all_wait(void **state)
{
    struct poe *poe = create(3, false);
    add(poe, 1, lock(ISP_LOCK_EXCLUSIVE, 0));
    add(poe, 2, lock(ISP_LOCK_SHARED, 0));
    assert_int_equal(poe_step(poe), POE_RUNNING);
    add(poe, 0, lock(ISP_LOCK_SHARED, ISP_ANY_SOURCE));
    grants(poe, "0."); /* the lowest first ... */
    grants(poe, "2."); /* ... and who can hold it with him */
    assert_int_equal(poe_step(poe), POE_RUNNING);
    refused(poe, 0, unlock(0));
    add(poe, 0, unlock(ISP_ANY_SOURCE));
    add(poe, 0, lock(ISP_LOCK_EXCLUSIVE, 0));
    add(poe, 2, FINALIZE);
    assert_int_equal(poe_step(poe), POE_DEADLOCK); /* rank 2 keeps its lock */
    assert_int_equal(poe_wait(poe, 1)->n_ranks, 1);
    assert_int_equal(poe_wait(poe, 1)->ranks[0], 2);
    poe_destroy(poe);
}

static void test_who_had_no_lock_for_longest_comes_first(void **state)
{
    struct poe *poe = create(2, false);
    add(poe, 1, lock(ISP_LOCK_EXCLUSIVE, 0));
    add(poe, 0, lock(ISP_LOCK_EXCLUSIVE, 0));
    grants(poe, "0.");
    add(poe, 0, unlock(0));
    add(poe, 0, lock(ISP_LOCK_EXCLUSIVE, 0));
    grants(poe, "1.");
    struct isp_call fenced = unlock(0);
    fenced.flags = ISP_F_FENCE;
    add(poe, 1, fenced);
    fires(poe, "1.");
    add(poe, 1, lock(ISP_LOCK_EXCLUSIVE, 1)); /* another target */
    grants(poe, "0.");
    add(poe, 0, FINALIZE);
    grants(poe, "1.");
    poe_destroy(poe);
}

static void test_turns_come_one_by_one(void **state)
{
    struct poe *poe = create(3, false);
    for (int rank = 2; rank >= 0; rank--)
        add(poe, rank, lock(ISP_LOCK_TURN, rank));
    grants(poe, "0.");
    assert_int_equal(poe_step(poe), POE_RUNNING);
    add(poe, 0, lock(ISP_LOCK_TURN, 0));
    grants(poe, "1.");
    add(poe, 1, FINALIZE);
    grants(poe, "2.");
    refused(poe, 2, unlock(2)); /* nothing is locked */
    add(poe, 2, FINALIZE);
    grants(poe, "0.");
    poe_destroy(poe);
}

static struct isp_call at_site(struct isp_call call, uint32_t site)
{
    call.site = site;
    return call;
}

static void reads(struct poe *poe, int rank)
{
    poe_access(poe, rank, 0, ISP_COMM_WORLD, 0, POE_READS, 0, 1, 0, 4);
}

/* What a poll reads in vain it reads again when somebody has written. */
static void test_a_poll_of_memory_waits_for_a_change(void **state)
{
    struct poe *poe = create(2, false);
    for (int i = 0; i < 2; i++) {
        reads(poe, 0);
        add(poe, 0, at_site(lock(ISP_LOCK_ATOMIC, 0), 7));
        if (i > 0)
            break;
        add(poe, 1, recv_from(0, 0, 0, ISP_F_FENCE));
        grants(poe, "0.");
    }
    assert_int_equal(poe_step(poe), POE_FIRED); /* nothing else moves: it may give up */
    assert_true(poe_fired(poe)->vain);
    add(poe, 0, send_to(1, 0, 0, ISP_F_FENCE));
    fires(poe, "0! 1! 0. 1.");
    poe_access(poe, 1, 0, ISP_COMM_WORLD, 0, POE_WRITES, 0, 1, 0, 4);
    add(poe, 1, lock(ISP_LOCK_ATOMIC, 0));
    reads(poe, 0);
    add(poe, 0, at_site(lock(ISP_LOCK_ATOMIC, 0), 7));
    grants(poe, "1.");
    add(poe, 1, FINALIZE);
    grants(poe, "0.");
    poe_destroy(poe);
}

/* A swap that finds nothing to swap commutes with its like; nobody needs to have been first. */
static void test_what_changes_nothing_races_with_no_read(void **state)
{
    struct poe *poe = create(2, false);
    for (int rank = 0; rank < 2; rank++) {
        poe_access(poe, rank, 0, ISP_COMM_WORLD, 0, POE_FETCHES, 0, 1, 0, 4);
        add(poe, rank, lock(ISP_LOCK_ATOMIC, 0));
    }
    for (int rank = 0; rank < 2; rank++) {
        grants(poe, rank ? "1." : "0.");
        poe_unchanged(poe, rank, 0);
        add(poe, rank, FINALIZE);
    }
    unsigned race;
    assert_false(poe_next_race(poe, &race));
    poe_destroy(poe);
}

/* Rank 1 dies after its access, and never tells that it is over: it could have come first all the same. */
static void test_the_last_access_of_the_dead_races(void **state)
{
    const enum isp_lock_mode modes[] = {ISP_LOCK_ATOMIC, ISP_LOCK_EXCLUSIVE};
    for (unsigned k = 0; k < 2; k++) {
        struct poe *poe = create(2, false);
        for (int rank = 0; rank < 2; rank++) {
            if (modes[k] == ISP_LOCK_ATOMIC)
                poe_access(poe, rank, 0, ISP_COMM_WORLD, 0, POE_FETCHES, 0, 1, 0, 4);
            add(poe, rank, lock(modes[k], 0));
        }
        grants(poe, "0.");
        if (modes[k] == ISP_LOCK_EXCLUSIVE) {
            poe_access(poe, 0, 0, ISP_COMM_WORLD, 0, POE_WRITES, 0, 1, 0, 4);
            add(poe, 0, unlock(0));
        }
        add(poe, 0, FINALIZE);
        grants(poe, "1.");
        unsigned race = 99;
        assert_false(poe_next_race(poe, &race));
        poe_visits_over(poe);
        assert_true(poe_next_race(poe, &race));
        assert_int_equal(race, 0);
        poe_destroy(poe);
    }
}

/* The classic one: each holds what the other wants. */
static void test_two_locks_in_crossed_order_deadlock(void **state)
{
    struct poe *poe = create(2, false);
    for (int rank = 0; rank < 2; rank++)
        add(poe, rank, lock(ISP_LOCK_EXCLUSIVE, rank));
    grants(poe, "0.");
    add(poe, 0, lock(ISP_LOCK_EXCLUSIVE, 1));
    grants(poe, "1.");
    add(poe, 1, lock(ISP_LOCK_EXCLUSIVE, 0));
    assert_int_equal(poe_step(poe), POE_DEADLOCK);
    int ranks[2];
    assert_int_equal(poe_wait_cycle(poe, ranks), 2);
    poe_destroy(poe);
}

static void test_signals_order_but_meet_no_message(void **state)
{
    struct poe *poe = create(2, false);
    add(poe, 0, send_to(1, 0, 0, ISP_F_SIGNAL | ISP_F_DETACHED));
    add(poe, 0, send_to(1, 0, 1, 0));
    add(poe, 1, recv_from(0, ISP_ANY_TAG, 0, ISP_F_FENCE));
    fires(poe, "0! 1! 1.");
    assert_int_equal(poe_fired(poe)->members[0]->index, 1);
    add(poe, 1, recv_from(0, 0, 0, ISP_F_SIGNAL | ISP_F_FENCE));
    fires(poe, "0! 1! 1.");
    poe_destroy(poe);
}

static struct isp_call intercomm(int local, int leader, int remote, int tag)
{
    struct isp_call c = collective(ISP_FN_MPI_Intercomm_create, ISP_MAKE_INTER, local);
    c.root = leader, c.peer = remote, c.color = ISP_COMM_WORLD, c.tag = tag;
    return c;
}

/* Even ranks and odd ranks of four: two local communicators. */
static void split_in_two(struct poe *poe, int *even, int *odd)
{
    for (int rank = 0; rank < 4; rank++) {
        struct isp_call c = collective(ISP_FN_MPI_Comm_split, ISP_MAKE_SPLIT, ISP_COMM_WORLD);
        c.color = rank % 2;
        add(poe, rank, c);
    }
    assert_int_equal(poe_step(poe), POE_FIRED);
    *even = new_comm(poe, 0);
    *odd = new_comm(poe, 1);
}

static void test_intercomm_needs_both_sides(void **state)
{
    struct poe *poe = create(4, false);
    int even, odd;
    split_in_two(poe, &even, &odd);
    /* the side of the lower leader comes first, not the one that is there first */
    add(poe, 3, intercomm(odd, 3, 0, 7));
    add(poe, 1, intercomm(odd, 3, -1, 7));
    assert_int_equal(poe_step(poe), POE_RUNNING);
    add(poe, 0, intercomm(even, 0, 3, 7));
    assert_int_equal(poe_step(poe), POE_RUNNING);
    add(poe, 2, intercomm(even, 0, -1, 0));
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_int_equal(poe_fired(poe)->n_members, 4);
    int comm = new_comm(poe, 0);
    for (int rank = 1; rank < 4; rank++)
        assert_int_equal(new_comm(poe, rank), comm);
    const int *members;
    assert_int_equal(poe_comm_members(poe, comm, &members), 4);
    assert_int_equal(members[1], 2);
    assert_int_equal(members[2], 1);
    struct isp_call any = recv_from(ISP_ANY_SOURCE, 0, 0, ISP_F_FENCE);
    any.comm = comm;
    add(poe, 1, any);
    for (int rank = 0; rank < 4; rank++)
        if (rank != 1)
            add(poe, rank, FINALIZE);
    assert_int_equal(poe_step(poe), POE_DEADLOCK);
    assert_int_equal(poe_wait(poe, 1)->n_ranks, 2); /* the other side only */
    assert_int_equal(poe_wait(poe, 1)->ranks[1], 2);
    poe_destroy(poe);
}

static void test_half_an_intercomm_waits_for_the_other_leader(void **state)
{
    struct poe *poe = create(4, false);
    int even, odd;
    split_in_two(poe, &even, &odd);
    add(poe, 0, intercomm(even, 0, 1, 7));
    add(poe, 2, intercomm(even, 0, -1, 7));
    add(poe, 1, intercomm(odd, 1, 0, 8)); /* another tag */
    add(poe, 3, intercomm(odd, 1, -1, 8));
    assert_int_equal(poe_step(poe), POE_DEADLOCK);
    const struct poe_wait *w = poe_wait(poe, 2);
    assert_int_equal(w->n_ranks, 1);
    assert_int_equal(w->ranks[0], 1);
    int ranks[4];
    assert_int_equal(poe_wait_cycle(poe, ranks), 2);
    poe_destroy(poe);
    poe = create(4, false);
    split_in_two(poe, &even, &odd);
    refused(poe, 0, intercomm(even, 1, 1, 7));  /* its leader is no member */
    refused(poe, 0, intercomm(even, 0, -1, 7)); /* the leader names nobody */
    poe_destroy(poe);
}

/* The call is over at once, and only marks the receive. */
static const struct isp_call CANCEL_0 = {.op = ISP_OP_CANCEL, .handle = 0, .flags = ISP_F_FENCE};

static void test_cancel_of_a_receive_that_nothing_matches(void **state)
{
    struct poe *poe = create(2, false);
    const uint32_t list[] = {0};
    add(poe, 0, recv_from(1, 0, 0, 0));
    add(poe, 0, CANCEL_0);
    add(poe, 1, FINALIZE);
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_true(poe_fired(poe)->effects[0].release);
    add(poe, 0, wait_for(list, 1, 0));
    assert_int_equal(poe_step(poe), POE_CHOICE);
    assert_int_equal(poe_choice(poe)->n, 1);
    assert_int_equal(poe_choice(poe)->alternatives[0].kind, POE_CANCEL);
    poe_decide(poe, 0);
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_int_equal(poe_fired(poe)->effects[0].action.kind, ISP_ACTION_CANCEL);
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_true(poe_fired(poe)->effects[0].release);
    add(poe, 0, FINALIZE);
    assert_int_equal(poe_step(poe), POE_FIRED);
    assert_int_equal(poe_step(poe), POE_FINISHED);
    assert_null(poe_first_cut(poe));
    poe_destroy(poe);
}

/* The message that a receive has got when it is cancelled: that decision needs *later*. If it was none, that
 * is told. */
static void test_cancel_of_a_receive_that_has_its_message(void **state)
{
    for (int flagged = 0; flagged < 2; flagged++) {
        struct poe *poe = create(2, false);
        unsigned number = 99;
        struct isp_call receive = recv_from(1, 0, 0, 0);
        receive.flags |= flagged ? ISP_F_CANCELLABLE : 0;
        add(poe, 0, receive);
        /* a choice: so the first one is decided before it */
        add(poe, 0, recv_from(ISP_ANY_SOURCE, 1, 1, ISP_F_FENCE));
        add(poe, 1, send_to(0, 0, 0, 0));
        add(poe, 1, send_to(0, 1, 1, ISP_F_FENCE));
        for (enum poe_state s; (s = poe_step(poe)) != POE_RUNNING;)
            if (s == POE_CHOICE)
                poe_decide(poe, 0);
        add(poe, 1, FINALIZE);
        assert_false(poe_next_race(poe, &number));
        add(poe, 0, CANCEL_0);
        assert_int_equal(poe_step(poe), POE_FIRED);
        add(poe, 0, FINALIZE);
        for (enum poe_state s; (s = poe_step(poe)) != POE_FINISHED;)
            if (s == POE_CHOICE)
                poe_decide(poe, 0);
        assert_int_equal(poe_next_race(poe, &number), flagged);
        assert_int_equal(number, flagged ? 0 : 99);
        assert_int_equal(poe_first_cut(poe) != NULL, !flagged);
        poe_destroy(poe);
    }
}

/* A send is cancelled when nothing else can move; a receive that might have got it shows up later. */
static void test_cancel_of_a_send(void **state)
{
    for (int wanted = 0; wanted < 2; wanted++) {
        struct poe *poe = create(2, false);
        const uint32_t list[] = {0};
        add(poe, 0, send_to(1, 0, 0, 0));
        add(poe, 0, CANCEL_0);
        add(poe, 1, recv_from(0, 1, 0, ISP_F_FENCE)); /* another tag */
        assert_int_equal(poe_step(poe), POE_CHOICE);
        assert_int_equal(poe_choice(poe)->alternatives[0].kind, POE_CANCEL);
        poe_decide(poe, 0);
        assert_int_equal(poe_step(poe), POE_FIRED);
        assert_int_equal(poe_fired(poe)->effects[0].action.kind, ISP_ACTION_CANCEL);
        assert_int_equal(poe_step(poe), POE_FIRED);
        assert_true(poe_fired(poe)->effects[0].release);
        add(poe, 0, wait_for(list, 1, 0));
        assert_int_equal(poe_step(poe), POE_FIRED);
        add(poe, 0, send_to(1, 1, 0, ISP_F_FENCE));
        assert_int_equal(poe_step(poe), POE_FIRED);
        assert_null(poe_first_cut(poe));
        add(poe, 1, recv_from(0, wanted ? 0 : 2, 0, ISP_F_FENCE));
        assert_int_equal(poe_first_cut(poe) != NULL, wanted);
        poe_destroy(poe);
    }
}

/* A look of rank 1 by an atomic access at one place. */
static void look(struct poe *poe, bool changed)
{
    poe_access(poe, 1, 0, ISP_COMM_WORLD, 0, POE_READS, 0, 1, 0, 4);
    add(poe, 1,
        (struct isp_call){.op = ISP_OP_LOCK,
                          .mode = ISP_LOCK_ATOMIC,
                          .peer = 0,
                          .site = 7,
                          .flags = ISP_F_FENCE | (changed ? ISP_F_CHANGED : 0)});
}

/* Rank 0 writes there after that many looks, where that can be; the first `changed` ones, but for the very
 * first, come with another state of the program. */
static enum poe_state write_after(unsigned looks, unsigned changed, bool *cut)
{
    struct poe *poe = create(2, false);
    unsigned made = 0;
    enum poe_state s;
    poe_access(poe, 0, 0, ISP_COMM_WORLD, 0, POE_WRITES, 0, 1, 0, 4);
    add(poe, 0,
        (struct isp_call){.op = ISP_OP_LOCK, .mode = ISP_LOCK_ATOMIC, .flags = ISP_F_FENCE, .site = 6});
    look(poe, false);
    while ((s = poe_step(poe)) == POE_CHOICE || s == POE_FIRED) {
        if (s == POE_CHOICE) {
            poe_decide(poe, poe_choice(poe)->transition->rank == 0 && made < looks);
            continue;
        }
        const struct poe_fired *fired = poe_fired(poe);
        bool looked = fired->n_members == 1 && fired->members[0]->rank == 1 &&
                      fired->members[0]->call.op == ISP_OP_LOCK;
        bool written = fired->n_members == 1 && fired->members[0]->rank == 0 &&
                       fired->members[0]->call.op == ISP_OP_LOCK;
        if (looked && ++made <= looks)
            look(poe, made < changed);
        else if (looked)
            add(poe, 1, FINALIZE);
        if (written)
            add(poe, 0, FINALIZE);
    }
    const struct poe_cut *first = poe_first_cut(poe);
    *cut = first != NULL;
    if (first) {
        assert_int_equal(first->kind, POE_CUT_LOOKS);
        assert_int_equal(first->rank, 1);
    }
    poe_destroy(poe);
    return s;
}

/* A look at what nobody has changed waits. If the program has changed its state since the first one, which
 * may only be what that one read, one more is made; if it has again, that more were not made is told. */
static void test_looks_that_are_not_made_are_told(void **state)
{
    const struct {
        unsigned looks, changed;
        enum poe_state state;
        bool cut;
    } cases[] = {
        {1, 0, POE_FINISHED, false}, {2, 0, POE_REDUNDANT, false}, {1, 2, POE_FINISHED, false},
        {2, 2, POE_FINISHED, false}, {2, 9, POE_FINISHED, true},   {3, 9, POE_REDUNDANT, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool cut;
        enum poe_state s = write_after(cases[i].looks, cases[i].changed, &cut);
        print_message("%u looks, %u changed: %d %d\n", cases[i].looks, cases[i].changed, s, cut);
        assert_int_equal(s, cases[i].state);
        if (s == POE_FINISHED)
            assert_int_equal(cut, cases[i].cut);
    }
}

/* MPI_Request_get_status said true: MPI_Test may not deny it. */
static void test_what_was_seen_is_not_denied(void **state)
{
    struct poe *poe = create(2, false);
    const uint32_t list[] = {0};
    add(poe, 0, recv_from(1, 0, 0, 0));
    add(poe, 1, send_to(0, 0, 0, 0));
    add(poe, 1, FINALIZE);
    assert_int_equal(poe_step(poe), POE_FIRED);
    for (int i = 0; i < 2; i++) {
        struct isp_call poll = wait_for(list, 1, ISP_F_POLL | (i == 0 ? ISP_F_KEEP : 0));
        poll.site = 20 + (uint32_t)i;
        add(poe, 0, poll);
        assert_int_equal(poe_step(poe), POE_CHOICE);
        assert_int_equal(poe_choice(poe)->n, i == 0 ? 2 : 1);
        poe_decide(poe, 0);
        assert_int_equal(poe_step(poe), POE_FIRED);
        assert_int_equal(poe_fired(poe)->effects[0].result.flag, 1);
    }
    poe_destroy(poe);
}

/* A poll for a message that never comes: K `not yet`s by choice, then forced ones, then a livelock; it may go
 * on. */
static void test_polling_in_vain_is_a_livelock(void **state)
{
    struct poe *poe = create(2, false);
    const uint32_t list[] = {0};
    add(poe, 1, FINALIZE);
    add(poe, 0, recv_from(1, 0, 0, 0));
    add(poe, 0, wait_for(list, 1, ISP_F_POLL));
    assert_int_equal(poe_step(poe), POE_CHOICE);
    assert_int_equal(poe_choice(poe)->n, 1);
    poe_decide(poe, 0);
    unsigned told = 0;
    for (;;) {
        enum poe_state s = poe_step(poe);
        if (s == POE_LIVELOCK)
            break;
        assert_int_equal(s, POE_FIRED);
        assert_int_equal(poe_fired(poe)->effects[0].result.flag, 0);
        assert_true(++told < 20);
        add(poe, 0, wait_for(list, 1, ISP_F_POLL));
    }
    assert_int_equal(told, 6);
    assert_true(poe_wait(poe, 0)->polling);
    assert_int_equal(poe_step(poe), POE_FIRED);
    poe_destroy(poe);
}

static void test_a_stopped_rank_does_not_keep_the_others_running(void **state)
{
    struct poe *poe = create(3, false);
    poe_stop(poe, 2);
    add(poe, 0, send_to(1, 0, 0, ISP_F_FENCE));
    assert_int_equal(poe_step(poe), POE_RUNNING);
    add(poe, 1, recv_from(0, 0, 0, ISP_F_FENCE));
    assert_int_equal(poe_step(poe), POE_FIRED);
    add(poe, 0, FINALIZE);
    add(poe, 1, FINALIZE);
    assert_int_equal(poe_step(poe), POE_DEADLOCK);
    poe_destroy(poe);
}

static void test_impossible_transitions_are_refused(void **state)
{
    const uint32_t twice[] = {0, 0}, unknown[] = {9}, one[] = {0};
    struct poe *poe = create(2, false);
    refused(poe, 2, FINALIZE);
    refused(poe, -1, FINALIZE);
    refused(poe, 0, (struct isp_call){.op = 99});
    refused(poe, 0, (struct isp_call){.op = ISP_OP_FINALIZE});
    refused(poe, 0, send_to(2, 0, 0, 0));
    refused(poe, 0, send_to(ISP_ANY_SOURCE, 0, 0, 0));
    refused(poe, 0, send_to(1, 0, UINT32_MAX, 0));
    struct isp_call elsewhere = send_to(1, 0, 0, 0);
    elsewhere.comm = 77;
    refused(poe, 0, elsewhere);
    elsewhere.comm = ISP_COMM_SELF(0); /* 1 is no member */
    refused(poe, 0, elsewhere);
    add(poe, 0, recv_from(1, 0, 0, 0));
    refused(poe, 0, recv_from(1, 0, 0, 0)); /* the slot is taken */
    refused(poe, 0, wait_for(unknown, 1, 0));
    refused(poe, 0, wait_for(twice, 2, 0));
    add(poe, 0, wait_for(one, 1, 0));
    refused(poe, 0, FINALIZE); /* it waits already */
    poe_destroy(poe);
}

/* A refusal leaves everything as it was: whatever is asked afterwards has its answer. */
static void test_what_is_refused_changes_nothing(void **state)
{
    struct poe *poe = create(2, true);
    const uint32_t nobody[] = {0, 5}, twice[] = {0, 0}, one[] = {0};
    struct isp_call polling = FINALIZE, flows = collective(ISP_FN_MPI_Ibarrier, ISP_MAKE_NOTHING, 0),
                    handle = recv_from(1, 0, UINT32_MAX, 0);
    add(poe, 0, recv_from(1, 0, 0, 0));
    refused(poe, 0, wait_for(nobody, 2, 0));
    refused(poe, 0, wait_for(twice, 2, 0));
    assert_null(poe_wait(poe, 0)->at);
    polling.flags |= ISP_F_POLL; /* of what is no poll */
    refused(poe, 0, polling);
    refused(poe, 0, handle);
    flows.flags = ISP_F_SLOT;
    flows.handle = 1;
    add(poe, 0, flows);
    flows.flow = ISP_FLOW_PREFIX; /* the same function, but its rank leaves early */
    refused(poe, 1, flows);
    add(poe, 0, wait_for(one, 1, 0));
    add(poe, 1, send_to(0, 0, 0, ISP_F_FENCE));
    while (poe_step(poe) == POE_FIRED)
        ;
    assert_null(poe_wait(poe, 0)->at);
    poe_destroy(poe);
}

static void test_names_of_interleavings(void **state)
{
    static const struct {
        const char *name;
        int n;
        const char *again;
    } CASES[] = {
        {"0", 1, "0"},
        {"0.2.1", 3, "0.2.1"},
        {"1.0.0", 3, "1"},
        {"0*5.1", 6, "0*5.1"},
        {"0.0.0.0.2", 5, "0*4.2"},
        {"", -1, NULL},
        {"1.", -1, NULL},
        {".1", -1, NULL},
        {"a", -1, NULL},
        {"-1", -1, NULL},
        {"1*", -1, NULL},
        {"1**2", -1, NULL},
        {"1*99999999999", -1, NULL},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        unsigned *choices = NULL;
        int n = poe_choices_parse(CASES[i].name, &choices);
        assert_int_equal(n, CASES[i].n);
        if (n < 0)
            continue;
        char *name = poe_choices_name(choices, (unsigned)n);
        assert_string_equal(name, CASES[i].again);
        free(name);
        free(choices);
    }
}

static void test_search_takes_later_only_after_a_race(void **state)
{
    struct poe_search *s = poe_search_create(NULL);
    assert_int_equal(poe_search_next(s, 0, 1, 11, false), 0);
    assert_int_equal(poe_search_next(s, 1, 2, 12, false), 0);
    assert_true(poe_search_backtrack(s));
    assert_int_equal(poe_search_next(s, 0, 1, 11, false), 0);
    assert_int_equal(poe_search_next(s, 1, 2, 12, false), 1);
    poe_search_race(s, 0);
    assert_true(poe_search_backtrack(s));
    assert_int_equal(poe_search_next(s, 0, 1, 11, false), 1); /* later */
    char *name = poe_search_name(s);
    assert_string_equal(name, "1");
    free(name);
    assert_int_equal(poe_search_next(s, 0, 1, 99, false), -1); /* another choice point than before */
    assert_false(poe_search_backtrack(s));
    poe_search_destroy(s);
}

static enum poe_state step_on(struct poe *poe)
{
    enum poe_state s;
    while ((s = poe_step(poe)) == POE_FIRED)
        ;
    return s;
}

/* Takes one alternative after another of one choice point, and back to a choice point before it. */
static void test_restore_takes_another_alternative(void **state)
{
    struct poe *poe = create(3, false);
    for (int rank = 1; rank < 3; rank++)
        add(poe, rank, send_to(0, 0, 0, ISP_F_FENCE));
    add(poe, 0, recv_from(ISP_ANY_SOURCE, ISP_ANY_TAG, 0, ISP_F_FENCE));
    assert_int_equal(step_on(poe), POE_CHOICE);
    const struct poe_choice *c = poe_choice(poe);
    uint64_t signature = c->signature;
    struct poe_saved *saved = poe_save(poe), *second = NULL;
    assert_true(poe_saved_bytes(saved) > 0);
    for (unsigned round = 0; round < 6; round++) {
        unsigned k = round % 3;
        poe_restore(poe, saved);
        assert_int_equal(poe_step(poe), POE_CHOICE);
        assert_ptr_equal(poe_choice(poe), c);
        assert_int_equal(c->n, 2);
        assert_int_equal(c->number, 0);
        assert_int_equal(c->signature, signature);
        assert_int_equal(c->transition->rank, 0);
        assert_int_equal(c->alternatives[1].source, 2);
        poe_decide(poe, k);
        if (k == 2) { /* nothing new */
            assert_int_equal(step_on(poe), POE_REDUNDANT);
            continue;
        }
        assert_int_equal(poe_step(poe), POE_FIRED);
        assert_int_equal(poe_fired(poe)->members[0]->rank, (int)k + 1);
        add(poe, 0, recv_from(ISP_ANY_SOURCE, 0, 1, ISP_F_FENCE));
        add(poe, (int)k + 1, FINALIZE);
        assert_int_equal(step_on(poe), POE_CHOICE);
        assert_int_equal(poe_choice(poe)->n, 1);
        assert_int_equal(poe_choice(poe)->alternatives[0].source, 2 - (int)k);
        if (round == 1)
            second = poe_save(poe);
    }
    poe_saved_destroy(saved);
    poe_restore(poe, second);
    assert_int_equal(poe_choice(poe)->alternatives[0].source, 1);
    poe_destroy(poe);
    poe_saved_destroy(second);
}

/* A ring, over and over: what is live is all that it takes. */
static void test_memory_does_not_grow_with_the_run(void **state)
{
    enum { RANKS = 5 };
    struct poe *poe = create(RANKS, false);
    struct poe_saved *early = NULL;
    const uint32_t both[] = {0, 1};
    for (int lap = 0; lap < 2000; lap++) {
        for (int rank = 0; rank < RANKS; rank++) {
            add(poe, rank, send_to((rank + 1) % RANKS, 0, 0, 0));
            add(poe, rank, recv_from((rank + RANKS - 1) % RANKS, 0, 1, 0));
            add(poe, rank, wait_for(both, 2, 0));
        }
        assert_int_equal(step_on(poe), POE_RUNNING);
        if (lap == 2)
            early = poe_save(poe);
    }
    struct poe_saved *late = poe_save(poe);
    assert_true(poe_saved_bytes(late) <= poe_saved_bytes(early));
    poe_saved_destroy(early);
    poe_saved_destroy(late);
    poe_destroy(poe);
}

/* ---- bounds of mixed buffering ---- */

/* Adds the call and lets all that is decided happen. Takes the first alternative of a choice. */
static void run_call(struct poe *poe, int rank, struct isp_call call)
{
    add(poe, rank, call);
    enum poe_state state;
    while ((state = poe_step(poe)) == POE_FIRED || state == POE_CHOICE)
        if (state == POE_CHOICE)
            poe_decide(poe, 0);
}

static enum poe_mixed_limit limit_of(const struct poe *run)
{
    struct poe_mixed *mixed = poe_mixed_create(run);
    struct poe_mixed_cut cut;
    while (poe_mixed_next(mixed, &cut)) {
    }
    enum poe_mixed_limit limit = poe_mixed_limit(mixed);
    poe_mixed_destroy(mixed);
    return limit;
}

static struct poe *create_recorded(int ranks)
{
    return poe_create(&(struct poe_config){
        .ranks = ranks, .buffered = true, .polls = 1, .livelock_rounds = 8, .threads = 1, .record = true});
}

/* One wildcard of two messages, and calls of rank 1 that are none of its business. */
static enum poe_mixed_limit limit_after(uint32_t calls)
{
    struct poe *poe = create_recorded(3);
    add(poe, 1, send_to(0, 0, 0, ISP_F_DETACHED));
    for (uint32_t i = 0; i < calls; i++)
        run_call(poe, 1, wait_for(NULL, 0, 0));
    run_call(poe, 1, FINALIZE);
    add(poe, 2, send_to(0, 0, 0, ISP_F_DETACHED));
    run_call(poe, 2, FINALIZE);
    run_call(poe, 0, recv_from(ISP_ANY_SOURCE, 0, 0, ISP_F_FENCE));
    run_call(poe, 0, recv_from(ISP_ANY_SOURCE, 0, 0, ISP_F_FENCE));
    run_call(poe, 0, FINALIZE);
    enum poe_mixed_limit limit = limit_of(poe);
    poe_destroy(poe);
    return limit;
}

static void test_mixed_buffering_of_a_long_run(void **state)
{
    assert_int_equal(limit_after(1 << 18), POE_MIXED_TOO_LONG);
    assert_int_equal(limit_after(1000), POE_MIXED_ALL);
}

/* Each message of rank 1 that rank 0 takes needs one more send to rank 2 to be kept. */
static enum poe_mixed_limit limit_of_sets(uint32_t sets)
{
    struct poe *poe = create_recorded(4);
    add(poe, 3, send_to(0, 0, 0, ISP_F_DETACHED));
    run_call(poe, 3, FINALIZE);
    for (uint32_t i = 0; i < sets; i++) {
        add(poe, 1, send_to(2, 0, 2 * i, ISP_F_DETACHED));
        add(poe, 1, send_to(0, 0, 2 * i + 1, ISP_F_DETACHED));
    }
    run_call(poe, 1, FINALIZE);
    run_call(poe, 2, recv_from(0, 0, 0, ISP_F_FENCE));
    for (uint32_t i = 0; i < sets; i++)
        run_call(poe, 0, recv_from(ISP_ANY_SOURCE, 0, 0, ISP_F_FENCE));
    add(poe, 0, send_to(2, 0, 0, ISP_F_DETACHED));
    run_call(poe, 0, FINALIZE);
    for (uint32_t i = 0; i < sets; i++)
        run_call(poe, 2, recv_from(1, 0, 0, ISP_F_FENCE));
    run_call(poe, 2, FINALIZE);
    enum poe_mixed_limit limit = limit_of(poe);
    poe_destroy(poe);
    return limit;
}

static void test_mixed_buffering_of_many_sets(void **state)
{
    assert_int_equal(limit_of_sets(300), POE_MIXED_TOO_MANY);
    assert_int_equal(limit_of_sets(20), POE_MIXED_ALL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deadlock_names_the_cycle),
        cmocka_unit_test(test_deadlock_on_a_finished_rank_has_no_cycle),
        cmocka_unit_test(test_waitall_waits_for_all_and_waitany_for_any),
        cmocka_unit_test(test_split_orders_by_key_and_leaves_undefined_out),
        cmocka_unit_test(test_create_group_needs_only_its_members),
        cmocka_unit_test(test_different_collectives_mismatch),
        cmocka_unit_test(test_nonblocking_collectives_are_requests),
        cmocka_unit_test(test_wait_names_who_has_not_called),
        cmocka_unit_test(test_nonblocking_and_blocking_do_not_match),
        cmocka_unit_test(test_the_first_clash_is_shown),
        cmocka_unit_test(test_idup_numbers_the_communicator_when_it_fires),
        cmocka_unit_test(test_broadcast_root_leaves_first),
        cmocka_unit_test(test_reduce_leaves_leave_first),
        cmocka_unit_test(test_scan_goes_on_as_the_ranks_before_come),
        cmocka_unit_test(test_neighbours_wait_for_their_sources),
        cmocka_unit_test(test_flows_tell_who_is_missing),
        cmocka_unit_test(test_a_clash_of_flows_does_not_depend_on_who_comes_first),
        cmocka_unit_test(test_zero_buffering_says_what_a_flow_would_change),
        cmocka_unit_test(test_a_held_message_keeps_its_place),
        cmocka_unit_test(test_partitioned_matches_partitioned_only),
        cmocka_unit_test(test_a_held_operation_with_nobody_completes_when_ready),
        cmocka_unit_test(test_a_join_is_complete_when_all_of_it_is),
        cmocka_unit_test(test_detach_waits_for_what_is_in_the_buffer),
        cmocka_unit_test(test_locks_wait_until_all_wait),
        cmocka_unit_test(test_who_had_no_lock_for_longest_comes_first),
        cmocka_unit_test(test_turns_come_one_by_one),
        cmocka_unit_test(test_a_poll_of_memory_waits_for_a_change),
        cmocka_unit_test(test_what_changes_nothing_races_with_no_read),
        cmocka_unit_test(test_two_locks_in_crossed_order_deadlock),
        cmocka_unit_test(test_signals_order_but_meet_no_message),
        cmocka_unit_test(test_intercomm_needs_both_sides),
        cmocka_unit_test(test_half_an_intercomm_waits_for_the_other_leader),
        cmocka_unit_test(test_cancel_of_a_receive_that_nothing_matches),
        cmocka_unit_test(test_cancel_of_a_receive_that_has_its_message),
        cmocka_unit_test(test_the_last_access_of_the_dead_races),
        cmocka_unit_test(test_cancel_of_a_send),
        cmocka_unit_test(test_looks_that_are_not_made_are_told),
        cmocka_unit_test(test_what_was_seen_is_not_denied),
        cmocka_unit_test(test_polling_in_vain_is_a_livelock),
        cmocka_unit_test(test_a_stopped_rank_does_not_keep_the_others_running),
        cmocka_unit_test(test_impossible_transitions_are_refused),
        cmocka_unit_test(test_what_is_refused_changes_nothing),
        cmocka_unit_test(test_names_of_interleavings),
        cmocka_unit_test(test_search_takes_later_only_after_a_race),
        cmocka_unit_test(test_restore_takes_another_alternative),
        cmocka_unit_test(test_memory_does_not_grow_with_the_run),
        cmocka_unit_test(test_mixed_buffering_of_a_long_run),
        cmocka_unit_test(test_mixed_buffering_of_many_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
