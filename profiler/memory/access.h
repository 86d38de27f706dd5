/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PROF_ACCESS_H
#define PROF_ACCESS_H

#include <stdbool.h>

#include "isp/functions.h"

/* The function accesses windows: its buffers are origin and result buffers. */
bool prof_fn_is_access(enum isp_fn fn);

#endif
