/* SPDX-License-Identifier: BSD-3-Clause */
/* What ahead.c and ahead_fences.c share. */
#ifndef PROF_AHEAD_INSIDE_H
#define PROF_AHEAD_INSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "isp/call.h"
#include "tables/communicators.h"

/* Index of the transition that was recorded last, and of the next one. */
uint64_t prof_ahead_present(void);
uint64_t prof_ahead_next(void);
bool prof_ahead_can_be_done(const struct isp_call *call);
/* MPI has said yes to the poll that is about to be recorded. */
bool prof_ahead_has_seen(void);

/* What MPI is told of a receive or probe: as the program has called it, or what is forced. */
void prof_ahead_find_message(const struct isp_call *call, const struct prof_comm *c, int *peer, int *tag);
/* All members come here first: then what MPI does blocks nobody. */
void prof_ahead_meet_members(const struct isp_call *call);
/* The number of a communicator that this call makes. isp renames them. */
int32_t prof_ahead_number_made(uint8_t make);

#endif
