/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses that take turns. In an epoch of a shared lock several ranks may fetch and update one place
 * (MPI-4.0, section 12.7.1), and who comes first shows. So such an access waits for its turn, which the
 * scheduler grants in every order that matters (poe/visit.h), and is complete at its target before anybody
 * else goes on: what fetches, what updates a single element, and reads with a request that are as small as a
 * flag that is polled.
 *
 * Others are made at once: no order of theirs shows in a correct program, but for that of an update of many
 * elements and a fetch.
 */
#ifndef PROF_TURNS_H
#define PROF_TURNS_H

#include <stdbool.h>

struct prof_rma;

/* The access, which the thread is about to make. */
bool prof_turn_is_needed(const struct prof_rma *access);
/* After prof_rma_check: waits for it. */
void prof_turn_await(const struct prof_rma *access);
/* MPI has made it, and said rc: completes it at the target. compare: of MPI_Compare_and_swap. */
int prof_turn_end(const struct prof_rma *access, int rc, const void *compare);

#endif
