/* SPDX-License-Identifier: BSD-3-Clause */
/* What the programs of this folder check with: both values are shown, and the run ends. */
#ifndef CHECK_H
#define CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK_EQUAL(a, b)                                                                   \
    do {                                                                                    \
        long a_ = (long)(a), b_ = (long)(b);                                                \
        if (a_ != b_) {                                                                     \
            printf("%s:%d: %s is %ld, not %s = %ld\n", __FILE__, __LINE__, #a, a_, #b, b_); \
            fflush(stdout);                                                                 \
            _Exit(9);                                                                       \
        }                                                                                   \
    } while (0)

#endif
