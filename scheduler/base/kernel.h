/* SPDX-License-Identifier: BSD-3-Clause */
/* What this machine's kernel can do. */
#ifndef SCHED_KERNEL_H
#define SCHED_KERNEL_H

#include <stdbool.h>

/* profiler/rewind/pages.c needs asynchronous write protection, and a list of the pages that were written
 * (both Linux 6.7): then ranks go back to a choice point in place, without forks. */
bool sched_kernel_tells_changes(void);

#endif
