/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a sanitizer is in the program. It is not asked for by dlsym(): where there is none, that would
 * leave an error behind that dlerror() tells. */
#ifndef PROF_SANITIZED_H
#define PROF_SANITIZED_H

#include <stdbool.h>

extern void __sanitizer_print_stack_trace(void) __attribute__((weak));

static inline bool prof_is_sanitized(void) { return &__sanitizer_print_stack_trace; }

#endif
