/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PROF_CLOCK_H
#define PROF_CLOCK_H

#include <stdint.h>

/* A clock that never goes back. */
int64_t prof_now_ns(void);

#endif
