/* SPDX-License-Identifier: BSD-3-Clause */
/* See phase.h. */
#include "phase.h"

#include <stdio.h>
#include <stdlib.h>

#include "own_ids.h"

enum prof_phase prof_phase = PROF_OFF;
bool prof_finalizing;
__thread int prof_depth __attribute__((tls_model("initial-exec")));
__thread struct prof_current prof_current __attribute__((tls_model("initial-exec")));

static pid_t self; /* set once this process acts as a rank */

bool prof_is_rank(void) { return self == prof_own_pid(); }

void prof_take_rank(void)
{
    self = prof_own_pid();
    /* In place, where it can be: the list of variables is the program's, and stays as it is. */
    static char text[sizeof PROF_ENV_PID + 16];
    snprintf(text, sizeof text, PROF_ENV_PID "=%d", (int)self);
    if (getenv(PROF_ENV_PID) != text + sizeof PROF_ENV_PID)
        putenv(text);
}
