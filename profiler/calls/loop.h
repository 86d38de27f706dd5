/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops that the program marks (include/isp.h). Records of calls in them are flagged; what that means is
 * the scheduler's business. */
#ifndef PROF_LOOP_H
#define PROF_LOOP_H

#include <stdbool.h>

/* The calling thread is in such a loop. */
bool prof_in_loop(void);

#endif
