/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a clean verdict takes for granted of a program, where isp cannot see it. The only list: name (of the
 * field here, and in the JSON of a part) and the words behind the verdict. What sets one is in settle.c.
 */
#ifndef SCHED_EXPLORE_ASSUMPTIONS_H
#define SCHED_EXPLORE_ASSUMPTIONS_H

#include <stdbool.h>

/* threads: several threads of a rank have called MPI. blind: ... in a program in which nobody sees their
 * mutexes. looks: a rank that looked at a window in vain waited until it was changed. shares: ranks have
 * memory in common that they load from and store to. waited: a rank has looked for a file in vain, until it
 * was there. given_up: a branch was given up in which ranks polled memory or called nothing. */
#define SCHED_ASSUMPTION_LIST(X)                                                                           \
    X(threads, "threads of a rank: what they tell each other through memory was seen in one order only")   \
    X(blind,                                                                                               \
      "threads of a rank in a program that isp-cc has linked: which mutexes and semaphores they take was " \
      "not seen")                                                                                          \
    X(looks,                                                                                               \
      "ranks that look at a window in vain: that the heap or the time makes them do something else the "   \
      "next time was not seen")                                                                            \
    X(shares,                                                                                              \
      "ranks that have memory in common (a window, or what they map): what they tell each other by loads " \
      "and stores was seen in one order only")                                                             \
    X(waited,                                                                                              \
      "ranks that look for a file until it is there: that looking in vain makes them do something else "   \
      "afterwards was not seen")                                                                           \
    X(given_up,                                                                                            \
      "ranks that only looked at memory, or called nothing, while another one was put off: what they do "  \
      "when seconds are over was not seen")

struct sched_assumptions {
#define SCHED_ASSUMPTION_FIELD(name, words) bool name;
    SCHED_ASSUMPTION_LIST(SCHED_ASSUMPTION_FIELD)
#undef SCHED_ASSUMPTION_FIELD
};

#endif
