/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of memory as a program would write them. */
#ifndef SCHED_VALUES_WORDS_H
#define SCHED_VALUES_WORDS_H

#include <stddef.h>

#include "isp/datatypes.h"

/* "7 \u2192 9": two values of a kind. What cannot be told apart so is shown as bytes, in hexadecimal. Caller
 * frees. */
char *sched_values_words(enum isp_value_kind kind, size_t size, const unsigned char *was,
                         const unsigned char *is);

#endif
