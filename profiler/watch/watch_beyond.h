/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of the C library that touch bytes beyond their arguments, and make no use of them: strlen,
 * memcmp and the like load whole vectors, and with AVX-512 memset stores some, of which lanes are masked
 * off. A debug register does not know that.
 */
#ifndef PROF_WATCH_BEYOND_H
#define PROF_WATCH_BEYOND_H

#include <stdbool.h>
#include <stdint.h>

/* Looks the functions up; before the first question. */
void prof_beyond_start(void);
/* The instruction is in one of these functions. For signal handlers. */
bool prof_beyond_is_at(uintptr_t pc);

#endif
