/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands that show a finding again, ready to paste into a shell. */
#ifndef SCHED_REPORT_REPLAY_H
#define SCHED_REPORT_REPLAY_H

#include "findings/findings.h"
#include "run/options.h"

/* Caller frees. NULL if the finding belongs to no interleaving. */
char *sched_replay_command(const struct sched_options *options, const struct sched_finding *finding);
/* isp debug in its place: stands at the finding. NULL also if that cannot be: it is a note, or no single run
 * shows it. */
char *sched_replay_debug_command(const struct sched_options *options, const struct sched_finding *finding);

#endif
