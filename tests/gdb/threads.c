/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread computes while the other one receives. */
#include <pthread.h>
#include <stdbool.h>
#include <sys/prctl.h>

#include "stand_in.h"

static volatile bool done;
static volatile long turns;

static void *compute(void *context)
{
    while (!done)
        turns++;
    return context;
}

int main(void)
{
    pthread_t thread;
    int value = 0;
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    pthread_create(&thread, NULL, compute, NULL);
    while (turns == 0)
        continue;
    MPI_Recv(&value); /* @first */
    done = true;      /* @done */
    pthread_join(thread, NULL);
    return value;
}
