/* SPDX-License-Identifier: BSD-3-Clause */
#include "errors_quiet.h"

static __thread bool quiet_ __attribute__((tls_model("initial-exec")));

static __thread int heard __attribute__((tls_model("initial-exec")));

void prof_errors_quiet(bool quiet)
{
    quiet_ = quiet;
    heard = 0;
}

bool prof_errors_are_quiet(void) { return quiet_; }

bool prof_errors_hear(int code)
{
    if (quiet_)
        heard = code;
    return quiet_;
}

int prof_errors_heard(int rc)
{
    int code = rc ? rc : heard;
    heard = 0;
    return code;
}
