/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuts-cost: what questions cost on a run of RANKS ranks and EVENTS events in all: a ring in which each rank
 * posts a receive from anybody, sends to the next and waits, and a barrier now and then. Prints milliseconds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cuts/cuts.h"

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double began;

static void tell(const char *what)
{
    printf("%-24s %8.2f ms\n", what, now_ms() - began);
    began = now_ms();
}

static struct cuts_run *ring(int ranks, int rounds)
{
    struct cuts_run *run = cuts_create(ranks, true);
    int32_t *receives = calloc((size_t)ranks, sizeof *receives),
            *sends = calloc((size_t)ranks, sizeof *sends);
    for (int round = 0; round < rounds; round++) {
        for (int rank = 0; rank < ranks; rank++) {
            int32_t r =
                cuts_add(run, &(struct cuts_call){.op = ISP_OP_RECV, .rank = rank, .peer = ISP_ANY_SOURCE});
            receives[rank] = r;
            sends[rank] = cuts_add(
                run, &(struct cuts_call){
                         .op = ISP_OP_SEND, .rank = rank, .peer = (rank + 1) % ranks, .flags = ISP_F_FENCE});
            cuts_add(
                run,
                &(struct cuts_call){
                    .op = ISP_OP_COMPLETE, .rank = rank, .named = &r, .n_named = 1, .flags = ISP_F_FENCE});
        }
        for (int rank = 0; rank < ranks; rank++)
            cuts_match(run, sends[rank], receives[(rank + 1) % ranks]);
        for (int rank = 0; rank < ranks && round % 8 == 7; rank++)
            receives[rank] = cuts_add(
                run, &(struct cuts_call){
                         .op = ISP_OP_COLLECTIVE, .rank = rank, .root = ISP_NO_RANK, .flags = ISP_F_FENCE});
        if (round % 8 == 7)
            cuts_collect(run, receives, (uint32_t)ranks);
    }
    free(receives);
    free(sends);
    return run;
}

int main(int argc, char **argv)
{
    int ranks = argc > 1 ? atoi(argv[1]) : 64, events = argc > 2 ? atoi(argv[2]) : 100000;
    began = now_ms();
    struct cuts_run *run = ring(ranks, events * 8 / (25 * ranks));
    tell("tell the run");
    bool whole = cuts_finish(run, NULL);
    tell(whole ? "cuts_finish" : "cuts_finish: no run");
    int32_t *to = calloc((size_t)ranks, sizeof *to), *from = calloc((size_t)ranks, sizeof *from);
    int32_t middle = cuts_count(run, 0) / 2, last = cuts_count(run, 0) - 1;
    const struct cuts_move *moves;
    uint32_t n;
    cuts_earliest(run, 0, middle, from);
    tell("earliest, in the middle");
    cuts_earliest(run, 0, last, to);
    tell("earliest, at the end");
    cuts_latest(run, 0, middle, to);
    tell("latest, in the middle");
    cuts_before(run, cuts_event(run, ranks / 2, middle / 2), cuts_event(run, 0, middle));
    tell("before");
    cuts_earliest(run, 0, last, to);
    began = now_ms();
    cuts_plan(run, from, to, 0, &moves, &n);
    tell("plan of the second half");
    printf("%u moves\n", n);
    free(from);
    free(to);
    cuts_destroy(run);
    return 0;
}
