/* SPDX-License-Identifier: BSD-3-Clause */
#include "loop.h"

static __thread unsigned depth __attribute__((tls_model("initial-exec")));

bool prof_in_loop(void) { return depth > 0; }

unsigned prof_loop_depth(void) { return depth; }

void prof_loop_begin(void) { depth++; }

void prof_loop_end(void)
{
    if (depth)
        depth--;
}
