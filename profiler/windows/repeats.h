/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses that a rank tells again and again, since it polls a window. Nobody learns anything from the same
 * few messages in the same order, as long as the rank records nothing: so after two rounds only the last one
 * is told as well, when something else follows.
 */
#ifndef PROF_REPEATS_H
#define PROF_REPEATS_H

#include "isp/wire.h"

/* Tells an ISP_MSG_ACCESS with this payload, now or later. */
void prof_repeats_tell(const struct isp_buf *payload);
/* Something else is about to be recorded: tells what is due. */
void prof_repeats_over(void);

#endif
