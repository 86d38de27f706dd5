/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bells between the ranks of one host: a rank that goes ahead sleeps while it waits for a message, and
 * whoever sends it one rings. So the core goes to a rank that has something to do; by sched_yield() it is
 * offered to all of them in turn, and most have nothing. A bell says that there may be something, and no
 * more: who sleeps wakes up by itself after a time.
 */
#ifndef PROF_BELLS_H
#define PROF_BELLS_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/ring.h"

/* This rank is one of n. head: what it shares with isp, and with the other ranks of this host. */
void prof_bells_attach(struct isp_ring_head *head, int rank, int n);
/* How the address begins under which UCX reaches this rank (endpoints.c). */
void prof_bells_address(const void *address);
/* The rank whose address begins so, or -1. tried: of an address, 0 at first; it is not looked for again
 * before another rank has attached. */
int prof_bells_find(const void *address, uint32_t *tried);

/* There are bells, and many ranks for each core. */
bool prof_bells_are_used(void);
/* ... all ranks are on this host, and this one may sleep now. */
bool prof_bells_pay(void);
/* more: +1 when something has begun inside MPI that gets on only if this rank lets MPI work, without anybody
 * ringing; -1 when it is over. */
void prof_bells_busy(int more);

/* This rank is about to sleep; what it waits for must be looked for once more. */
void prof_bell_doze(void);
/* Sleeps, if nobody has rung since prof_bell_doze(). False: for `most_ns`, and nobody has. */
bool prof_bell_sleep(int64_t most_ns);
/* It does not sleep after all. */
void prof_bell_wake(void);
/* There may be something for this rank (of the world; -1: nobody knows for whom). */
void prof_bell_ring(int rank);

#endif
