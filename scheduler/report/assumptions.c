/* SPDX-License-Identifier: BSD-3-Clause */
#include "assumptions.h"

const char *sched_assumption(const struct sched_result *result, size_t k)
{
    const struct {
        bool holds;
        const char *words;
    } all[] = {
        {result->threads, "threads of a rank: what they tell each other through memory was seen in one order only"},
        {result->blind, "threads of a rank in a program that isp-cc has linked: which mutexes and semaphores they "
                        "take was not seen"},
        {result->looks, "ranks that look at a window in vain: that the heap or the time makes them do something else "
                        "the next time was not seen"},
        {result->shares, "ranks that have memory in common (a window, or what they map): what they tell each other by "
                         "loads and stores was seen in one order only"},
        {result->waited, "ranks that look for a file until it is there: that looking in vain makes them do something "
                         "else afterwards was not seen"},
        {result->given_up, "ranks that only looked at memory, or called nothing, while another one was put off: "
                           "what they do when seconds are over was not seen"},
    };
    bool judged = !result->unsupported && !result->options->replay;
    for (size_t i = 0; judged && i < sizeof all / sizeof *all; i++)
        if (all[i].holds && k-- == 0)
            return all[i].words;
    return NULL;
}
