/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a rank with several threads is quiet: every thread that is inside MPI waits at a fence, and the
 * others are blocked (in a join, a barrier, a mutex) with nobody left to wake them.
 *
 * A thread is taken to be idle if it sleeps in a futex without a time-out, and has not run since it was seen
 * asleep before. That is a proof: let every thread outside of fences be seen asleep at its time s, and again
 * at a later time e without having run in between, and let all the s be before all the e. Then at any time
 * between, all of them slept at once, and only they could wake each other. A thread that sleeps for a time,
 * or runs, is not idle.
 *
 * Threads that wait for others may also spin, or sleep for short times in a loop, and nothing tells these
 * from threads that compute. If all that do not sleep have run for some time since the last call and the last
 * release of the rank, the rank seems to be quiet. So it does while a thread waits for what another process
 * may bring (input, a connection, a semaphore in shared memory), or the handler of a timer's signal: it may
 * come, but nobody can say that it will. That is a guess: decisions are made by it, but no deadlock is found
 * by it. It is worth waiting for as long as a thread that computes may take, and not longer if the threads do
 * spin: so the time gets shorter each time that a release followed the guess, and longer if a call did.
 */
#ifndef PROF_QUIET_H
#define PROF_QUIET_H

#include <stdbool.h>
#include <stdint.h>

enum prof_quiet {
    PROF_QUIET_NO,    /* a thread runs */
    PROF_QUIET_MAYBE, /* all sleep, and some were not seen asleep before: look again */
    PROF_QUIET_SEEMS, /* some run, but call nothing */
    PROF_QUIET_YES,
};

/* Called by one thread at a time, which is itself at a fence; with the releases that the rank has got so far,
 * and its records. */
enum prof_quiet prof_quiet_look(uint64_t releases, uint64_t records);

/* Where all calls are of one program order, by the thread that makes them: the others sleep for certain. */
bool prof_quiet_others(void);

#endif
