/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bytes between this rank and the scheduler: through a socket, and on the scheduler's own host, once it
 * has shared memory with the rank, through rings in that (isp/ring.h). What the bytes mean is uplink.c's to
 * know.
 */
#ifndef PROF_CHANNEL_H
#define PROF_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "unix:PATH" or "tcp:HOST:PORT". */
bool prof_channel_open(const char *where);
/* This process forgets it: others still use it. */
void prof_channel_drop(void);

/* Sends HELLO, and waits until the answer begins, which prof_channel_read() reads. False: the connection has
 * ended. */
bool prof_channel_greet(const uint8_t *hello, size_t size);

/* Ends the process if nobody reads any more. */
void prof_channel_write(const uint8_t *data, size_t size);
/* Writes as much as there is room for; returns how much. wakes: isp is to see it soon; else it does now and
 * then. */
size_t prof_channel_offer(const uint8_t *data, size_t size, bool wakes);
/* Reads some bytes into `room`. 0: none came in this time (below 0: for ever). Ends the process if none will
 * ever come. Until prof_channel_attach it also takes the descriptor of the shared memory. */
size_t prof_channel_read(uint8_t *room, size_t size, int64_t timeout_ns);
/* WELCOME is there: uses the shared memory of this rank of n from now on, if it came with it. ahead: the rank
 * does not wait for isp. */
void prof_channel_attach(int rank, int n, bool ahead);

/* Something of the scheduler's is there to be read. */
bool prof_channel_has(void);
/* Drops what the scheduler has sent in frames and nobody has read. */
void prof_channel_forget(void);

/* Waits until there is something to read, and leaves it there. */
void prof_channel_look(void);
/* Whether the scheduler is gone, or has told this process to die. */
bool prof_channel_is_over(void);
/* Drops what comes until that is so. progress: MPI works meanwhile, if others need it to. */
void prof_channel_hold(bool progress);

#endif
