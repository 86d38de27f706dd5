/* SPDX-License-Identifier: BSD-3-Clause */
/* How states of this rank differ: for who asks why they are not the same. What is kept stays when the process
 * goes back to an earlier state; ordinary runs keep nothing. */
#ifndef PROF_STATE_COMPARE_H
#define PROF_STATE_COMPARE_H

#include <stdint.h>

/* MPI has been initialized, and states are compared: takes the memory for it. */
void prof_compare_begin(void);
/* Keeps what the present state is made of, under this number, in place of what was kept there. */
void prof_compare_keep(uint32_t number);
/* Tells ISP_MSG_DIFFERS: how the present state differs from that one. */
void prof_compare_tell(uint32_t number);

#endif
