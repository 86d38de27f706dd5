/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether a program that polls does the same again. A poll that failed, and is asked again at the same place
 * by a program in the same state, may fail again without leading anywhere else: the scheduler then lets it
 * wait. If the program has changed its state since then (it counts, it prints, it has received something),
 * the record says so (ISP_F_CHANGED); if it has asked the time, or there is too much memory to compare, it
 * says that nobody knows (ISP_F_UNSEEN). So it does in a long series while others than MPI may end it.
 *
 * The state is the program's memory (state/STATE.md), the stack from the caller's frame on, and the registers
 * that a call leaves as they are. Where MPI's memory is not apart from the program's (a static program, an
 * allocator of its own, ranks of other hosts) it is all that the process can write, but for isp's own; then
 * what MPI and isp change inside of the calls does not count, and MPI's threads are held in between. It is
 * looked at from the first failed poll of a series on, and after some more only now and then, so ordinary
 * programs pay nothing. Of a rank with several threads only stack and registers are looked at: what the
 * others write meanwhile depends on time.
 */
#ifndef PROF_POLLED_H
#define PROF_POLLED_H

#include <stdbool.h>
#include <stdint.h>

/* The polls of a thread that have failed, one after the other. */
struct prof_polled {
    uint64_t polls;
    bool answered; /* the present call is one */
};
extern __thread struct prof_polled prof_polled __attribute__((tls_model("initial-exec")));

/* For prof_enter, if there are polls: before isp changes anything; and for prof_leave, if this is one: when
 * it has. */
void prof_polled_enter(void);
void prof_polled_leave(void);
/* What the record of a poll says. */
uint16_t prof_polled_flags(void);
/* Its answer; `flag` is that of struct isp_result. */
void prof_polled_answer(int flag);
/* The program has asked the time. */
void prof_polled_time(void);

/* What the next polls depend on. NULL, or why it is not known. */
struct prof_hash;
const char *prof_polled_hash(struct prof_hash *hash);

#endif
