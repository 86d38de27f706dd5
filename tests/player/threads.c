/* SPDX-License-Identifier: BSD-3-Clause */
/* The threads of a rank: they start together, and each plays the tokens of its line. */
#include <pthread.h>
#include <stdint.h>

#include "player.h"

static void play_line(int thread)
{
    int end = thread < n_threads[me] ? first_token[me][thread + 1] : n_tokens[me];
    for (int k = first_token[me][thread]; k < end; k++)
        play(k);
    say("end %d", thread);
}

static void *run(void *thread)
{
    play_line((int)(intptr_t)thread);
    return NULL;
}

void play_all(void)
{
    pthread_t threads[THREADS];
    for (int k = 1; k <= n_threads[me]; k++)
        if (pthread_create(&threads[k], NULL, run, (void *)(intptr_t)k))
            fail("no thread", "more");
    play_line(0);
    for (int k = 1; k <= n_threads[me]; k++)
        pthread_join(threads[k], NULL);
}
