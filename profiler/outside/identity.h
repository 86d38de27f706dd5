/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program knows its process by is the same in every process that goes on in the rank's place
 * (checkpoint.h): its ids, its parent's, the thread id that the C library keeps in locks, and the processor
 * time that it has used. So the functions that tell these are interposed (identity.c), and isp's own code
 * asks the kernel by the functions of base/own_ids.h.
 */
#ifndef PROF_IDENTITY_H
#define PROF_IDENTITY_H

#include "base/own_ids.h"

/* Before a process forks that is to go on as the same, and in the child. */
void prof_identity_prepare(void);
void prof_identity_forked(void);

#endif
