/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a sanitizer is in the program. It is not asked for by dlsym(): where there is none, that would
 * leave an error behind that dlerror() tells. */
#ifndef PROF_SANITIZED_H
#define PROF_SANITIZED_H

#include <stdbool.h>

extern void __sanitizer_print_stack_trace(void) __attribute__((weak));
/* Sets what is called before one ends the process because of what it has found. */
extern void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));
/* LeakSanitizer is there, alone or with AddressSanitizer. */
extern void __lsan_do_leak_check(void) __attribute__((weak));
/* AddressSanitizer has found something, and what: "heap-buffer-overflow". */
extern int __asan_report_present(void) __attribute__((weak));
extern const char *__asan_get_report_description(void) __attribute__((weak));

static inline bool prof_is_sanitized(void) { return &__sanitizer_print_stack_trace; }

#endif
