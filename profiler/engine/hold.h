/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A rank that somebody debugs holds at an event, before it makes it, until it is told to go further.
 * Meanwhile it does its part of what has matched, as in a fence: so what others need of it never depends on
 * when it goes on.
 *
 * A rank with several threads does not hold: its threads have an order each.
 */
#ifndef PROF_HOLD_H
#define PROF_HOLD_H

#include <stdbool.h>

#include "isp/call.h"
#include "isp/functions.h"
#include "isp/wire.h"

/* MPI_Init is about to return: a rank that is to hold in it does so. */
void prof_hold_start(enum isp_fn fn, const void *site);
/* Somebody debugs this rank: its calls tell the map of their buffers (types/map.h). */
bool prof_hold_is_used(void);
/* A call begins: only at the first event of a call does a rank hold. */
void prof_hold_enter(void);
/* The rank is about to record this call: it holds here, if it is to. */
void prof_hold(struct isp_call *call);
/* A HOLD message has come. */
void prof_hold_take(struct isp_reader *message);

#endif
