/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long poe looks for a choice point among many pending wildcards, with one thread and with two.
 * Drives poe by itself, compiled with PARALLEL_FROM = 1 so that two threads are used at every size: the size
 * at which the second column wins is what PARALLEL_FROM should be.
 *
 * Each of R ranks has W pending receives from anybody with tag WANTED, and one message from each rank
 * with tag OTHER, so each search looks at all R * W * R pairs and finds nothing. Only the last rank has, at
 * the end, receives that match: deciding one of them costs one search. Between two searches there is a pause,
 * as there is when ranks run: with OMP_WAIT_POLICY=passive the second thread then sleeps and must be woken.
 *
 * Prints a line per size: ranks, wildcards of all ranks, pairs, and microseconds (median) for 1 and 2
 * threads.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "poe/poe.h"

enum { WANTED = 1, OTHER = 2, MATCHING = 3, NEVER = 4 };
enum { SEARCHES = 41 };

static void add(struct poe *poe, int rank, uint32_t handle, enum isp_op op, int peer, int tag, uint16_t flags)
{
    struct isp_call call = {.op = (uint8_t)op,
                            .flags = flags,
                            .handle = handle,
                            .comm = ISP_COMM_WORLD,
                            .peer = peer,
                            .tag = tag,
                            .root = ISP_NO_RANK,
                            .bytes = 4};
    int rc = poe_add(poe, rank, &call);
    assert(rc == 0);
}

static void until_choice(struct poe *poe)
{
    enum poe_state state;
    while ((state = poe_step(poe)) == POE_FIRED)
        ;
    assert(state == POE_CHOICE);
}

static struct poe *build(int ranks, int wildcards, unsigned threads)
{
    struct poe *poe = poe_create(&(struct poe_config){
        .ranks = ranks, .buffered = true, .polls = 1, .livelock_rounds = 1, .threads = threads});
    for (int rank = 0; rank < ranks; rank++) {
        uint32_t handle = 0;
        for (int i = 0; i < wildcards; i++)
            add(poe, rank, handle++, ISP_OP_RECV, ISP_ANY_SOURCE, WANTED, 0);
        for (int peer = 0; peer < ranks; peer++)
            add(poe, rank, handle++, ISP_OP_SEND, peer, OTHER, 0);
        for (int i = 0; i < SEARCHES + 1 && rank == 0; i++)
            add(poe, rank, handle++, ISP_OP_SEND, ranks - 1, MATCHING, 0);
        for (int i = 0; i < SEARCHES + 1 && rank == ranks - 1; i++)
            add(poe, rank, handle++, ISP_OP_RECV, ISP_ANY_SOURCE, MATCHING, 0);
        add(poe, rank, handle, ISP_OP_RECV, (rank + 1) % ranks, NEVER, ISP_F_FENCE);
    }
    until_choice(poe);
    return poe;
}

static double search_us(struct poe *poe)
{
    struct timespec from, to;
    nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    clock_gettime(CLOCK_MONOTONIC, &from);
    poe_decide(poe, 0);
    until_choice(poe);
    clock_gettime(CLOCK_MONOTONIC, &to);
    return (double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_nsec - from.tv_nsec) / 1e3;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(int ranks, int wildcards)
{
    static double one[SEARCHES], two[SEARCHES];
    struct poe *a = build(ranks, wildcards, 1), *b = build(ranks, wildcards, 2);
    for (int i = 0; i < SEARCHES; i++) {
        one[i] = search_us(a);
        two[i] = search_us(b);
    }
    poe_destroy(a);
    poe_destroy(b);
    qsort(one, SEARCHES, sizeof *one, ascending);
    qsort(two, SEARCHES, sizeof *two, ascending);
    int all = ranks * wildcards + SEARCHES / 2;
    printf("%d %d %d %.1f %.1f\n", ranks, all, all * ranks, one[SEARCHES / 2], two[SEARCHES / 2]);
    fflush(stdout);
}

int main(void)
{
    static const int ranks[] = {4, 16, 64};
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        for (int pairs = 1 << 8; pairs <= 1 << 20; pairs *= 4)
            if (pairs / ranks[i] / ranks[i] > 0)
                measure(ranks[i], pairs / ranks[i] / ranks[i]);
    return 0;
}
