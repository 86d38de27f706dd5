/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The buffers of pending operations (pending.h), watched: a store to one that MPI reads, and any access to
 * one that MPI writes.
 *
 * A program may post millions of operations, and a debug register costs a system call: without --memory=watch
 * every operation of a call site is watched for the first FIRST times, then one in OFTEN, and after LATE of
 * them one in SELDOM.
 *
 * A run that repeats another one may be told to watch one buffer of one rank only (struct isp_watch_order):
 * that in which the other run has found changed bytes, to find the line of the access.
 */
#ifndef PROF_WATCH_PENDING_H
#define PROF_WATCH_PENDING_H

#include <stdbool.h>

struct prof_pending;

/* It begins; p is filled in. */
void prof_watch_pending_begin(struct prof_pending *p);
/* The program has been told that it is complete: an access that was seen is told now (true). Of a request
 * that is never completed, that alone is told: its buffer may be long gone. */
bool prof_watch_pending_tell(struct prof_pending *p);
void prof_watch_pending_end(struct prof_pending *p);
/* An access was seen, and is not told yet. */
bool prof_watch_pending_has_seen(const struct prof_pending *p);
/* How often buffers of each place were watched. */
struct prof_hash;
void prof_watch_pending_hash(struct prof_hash *hash);
/* This is the buffer that the run was made for. */
bool prof_watch_pending_is_ordered(const struct prof_pending *p);

#endif
