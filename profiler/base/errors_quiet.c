/* SPDX-License-Identifier: BSD-3-Clause */
#include "errors_quiet.h"

static __thread bool quiet_ __attribute__((tls_model("initial-exec")));

void prof_errors_quiet(bool quiet) { quiet_ = quiet; }

bool prof_errors_are_quiet(void) { return quiet_; }
