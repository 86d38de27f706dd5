/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks print, as `output` events. A rank that is run again prints the same again: only what goes beyond
 * the furthest that was told before is told.
 */
#ifndef SCHED_DEBUG_DAP_PRINTING_H
#define SCHED_DEBUG_DAP_PRINTING_H

#include "launch/launch.h"
#include "talk.h"

struct sched_dap_printing;

struct sched_dap_printing *sched_dap_printing_create(struct sched_dap_talk *talk, int ranks);
void sched_dap_printing_destroy(struct sched_dap_printing *printing);
const struct sched_printed *sched_dap_printing_hook(struct sched_dap_printing *printing);
/* Sends what has come; a line that has no end yet only if `all`. */
void sched_dap_printing_send(struct sched_dap_printing *printing, bool all);
/* While one goes back: what a rank prints that runs too far is of a time that nobody has come to yet. */
void sched_dap_printing_mute(struct sched_dap_printing *printing, bool muted);
/* Another interleaving: all that is printed from now on is new. */
void sched_dap_printing_anew(struct sched_dap_printing *printing);

#endif
