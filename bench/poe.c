/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * poe by itself: what a call costs it with 8, 64 and 128 ranks, and what saving and restoring a run costs.
 * Three programs: ring (each rank sends to the next), all (each sends to each), barrier (a ring, and a
 * barrier after each step). Then all ranks send to rank 0, which takes from any: the state is saved at each
 * choice point.
 *
 * poe RANKS: what so many ranks cost it. Prints microseconds per call of the ring, of 1000 calls of each
 * rank; microseconds of a choice among the messages of all ranks but one, from its receive to its release;
 * bytes per rank while these are pending; and microseconds per call of barrier.
 *
 * Prints a line per number of ranks: ranks; microseconds per call of ring, all, barrier; then microseconds
 * and bytes of the first save, of the next ones (median, mean), and microseconds of a restore.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "isp/functions.h"
#include "poe/poe.h"

enum { SAVES = 50, MOST = 128, SHORT = 200000 };

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static unsigned calls;

static void add(struct poe *poe, int rank, struct isp_call call)
{
    int rc = poe_add(poe, rank, &call);
    assert(rc == 0);
    calls++;
}

static void step_until(struct poe *poe, enum poe_state wanted)
{
    enum poe_state state;
    while ((state = poe_step(poe)) == POE_FIRED)
        ;
    assert(state == wanted);
}

static void receive(struct poe *poe, int rank, int source, uint32_t handle, uint16_t flags)
{
    add(poe, rank,
        (struct isp_call){.op = ISP_OP_RECV, .peer = source, .handle = handle, .flags = flags, .bytes = 4});
}

static void send(struct poe *poe, int rank, int dest, uint32_t handle, uint16_t flags)
{
    add(poe, rank,
        (struct isp_call){.op = ISP_OP_SEND, .peer = dest, .handle = handle, .flags = flags, .bytes = 4});
}

/* Exchanges with the `others` next ranks. */
static void exchange(struct poe *poe, int ranks, int others)
{
    uint32_t list[2 * MOST];
    for (int rank = 0; rank < ranks; rank++) {
        uint32_t n = 0;
        for (int k = 1; k <= others; k++, n++)
            receive(poe, rank, (rank + ranks - k) % ranks, list[n] = n, 0);
        for (int k = 1; k <= others; k++, n++)
            send(poe, rank, (rank + k) % ranks, list[n] = n, 0);
        add(poe, rank, (struct isp_call){.op = ISP_OP_COMPLETE, .n = n, .list = list, .flags = ISP_F_FENCE});
    }
    step_until(poe, POE_RUNNING);
}

static void barrier(struct poe *poe, int ranks)
{
    for (int rank = 0; rank < ranks; rank++)
        add(poe, rank,
            (struct isp_call){.op = ISP_OP_COLLECTIVE,
                              .fn = ISP_FN_MPI_Barrier,
                              .flow = ISP_FLOW_ALL,
                              .flags = ISP_F_FENCE,
                              .root = ISP_NO_RANK,
                              .site = 1});
    step_until(poe, POE_RUNNING);
}

static struct poe *create(int ranks)
{
    return poe_create(&(struct poe_config){.ranks = ranks, .polls = 1, .livelock_rounds = 1, .threads = 1});
}

/* Microseconds of processor time per call, of so many at least. */
static double price(int ranks, int others, bool barriers, unsigned most)
{
    struct poe *poe = create(ranks);
    calls = 0;
    clock_t begin = clock();
    while (calls < most) {
        exchange(poe, ranks, others);
        if (barriers)
            barrier(poe, ranks);
    }
    double us = (double)(clock() - begin) * 1e6 / CLOCKS_PER_SEC / calls;
    poe_destroy(poe);
    return us;
}

static int ascending(const void *a, const void *b)
{
    return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void print_saves(int ranks)
{
    struct poe *poe = create(ranks);
    struct poe_saved *saves[SAVES];
    double us[SAVES];
    for (int rank = 1; rank < ranks; rank++)
        send(poe, rank, 0, 0, ISP_F_FENCE);
    for (int k = 0; k < SAVES; k++) {
        receive(poe, 0, ISP_ANY_SOURCE, 0, ISP_F_FENCE);
        step_until(poe, POE_CHOICE);
        double begin = now_us();
        saves[k] = poe_save(poe);
        us[k] = now_us() - begin;
        int source = poe_choice(poe)->alternatives[0].source;
        poe_decide(poe, 0);
        step_until(poe, POE_RUNNING);
        send(poe, source, 0, 0, ISP_F_FENCE);
    }
    double begin = now_us();
    for (int k = SAVES - 1; k >= 0; k--)
        poe_restore(poe, saves[k]);
    double restore = (now_us() - begin) / SAVES;
    size_t bytes = 0, first = poe_saved_bytes(saves[0]);
    for (int k = 0; k < SAVES; k++) {
        bytes += k ? poe_saved_bytes(saves[k]) : 0;
        poe_saved_destroy(saves[k]);
    }
    poe_destroy(poe);
    qsort(us + 1, SAVES - 1, sizeof *us, ascending);
    printf(" %.1f %zu %.1f %zu %.1f\n", us[0], first, us[SAVES / 2], bytes / (SAVES - 1), restore);
}

/* Of many ranks. */
static void print_many(int ranks)
{
    struct poe *poe = create(ranks);
    for (int rank = 1; rank < ranks; rank++)
        send(poe, rank, 0, 0, ISP_F_FENCE);
    receive(poe, 0, ISP_ANY_SOURCE, 0, ISP_F_FENCE);
    step_until(poe, POE_CHOICE);
    struct poe_saved *saved = poe_save(poe);
    size_t bytes = poe_saved_bytes(saved);
    poe_saved_destroy(saved);
    double begin = now_us();
    for (int k = 0; k < SAVES && k < ranks - 2; k++) {
        poe_decide(poe, 0);
        step_until(poe, POE_RUNNING);
        add(poe, k + 1, (struct isp_call){.op = ISP_OP_FINALIZE, .flags = ISP_F_FENCE});
        receive(poe, 0, ISP_ANY_SOURCE, 0, ISP_F_FENCE);
        step_until(poe, POE_CHOICE);
    }
    double choice = (now_us() - begin) / SAVES;
    poe_destroy(poe);
    unsigned most = 1000 * (unsigned)ranks;
    double call = price(ranks, 1, false, most > SHORT ? most : SHORT);
    printf("%.2f %.1f %zu %.2f\n", call, choice, bytes / (size_t)ranks, price(ranks, 1, true, SHORT));
}

int main(int argc, char **argv)
{
    if (argc > 1) {
        print_many(atoi(argv[1]));
        return 0;
    }
    const int RANKS[] = {8, 64, MOST};
    for (int i = 0; i < 3; i++) {
        int n = RANKS[i];
        printf("%d %.2f %.2f %.2f", n, price(n, 1, false, SHORT), price(n, n - 1, false, SHORT),
               price(n, 1, true, SHORT));
        print_saves(n);
    }
    return 0;
}
