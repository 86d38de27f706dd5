/* SPDX-License-Identifier: BSD-3-Clause */
/* What can be known to fail before anything is launched. */
#ifndef SCHED_USABLE_H
#define SCHED_USABLE_H

#include "run/options.h"

/* Options that do not go together, a program or a launcher that is not there, files that cannot be written:
 * each ends isp. Fills in the path of the program. */
void sched_options_check(struct sched_options *options);

#endif
