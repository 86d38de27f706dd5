/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the program calls MPI_Cancel: then a receive that it names the source of is a choice as well
 * (poe/cancel.h), which costs time and digits of the interleavings' names, so no other program has it. It
 * calls it if one of its modules asks the dynamic linker for that function, in any language. What is not
 * seen so (a module that is loaded later, dlsym, a program with MPICH's archive in it) explores one order,
 * and is told to.
 */
#ifndef PROF_CANCELS_H
#define PROF_CANCELS_H

#include <stdint.h>

/* ISP_F_CANCELLABLE, or 0: of a nonblocking receive of this program. The same each time. */
uint16_t prof_cancels_flag(void);

#endif
