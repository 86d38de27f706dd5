/* SPDX-License-Identifier: BSD-3-Clause */
/* The loops that the program marks (include/isp.h). Records of calls in them are flagged; what that means is
 * the scheduler's business. */
#ifndef PROF_LOOP_H
#define PROF_LOOP_H

#include <stdbool.h>

/* The calling thread has come to the beginning of one, and to its end. */
void prof_loop_begin(void);
void prof_loop_end(void);
/* In how many it is, one in another. */
unsigned prof_loop_depth(void);
/* It is in one. */
bool prof_in_loop(void);

#endif
