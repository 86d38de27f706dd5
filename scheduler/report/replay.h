/* SPDX-License-Identifier: BSD-3-Clause */
/* The command that shows a finding again, ready to paste into a shell. */
#ifndef SCHED_REPORT_REPLAY_H
#define SCHED_REPORT_REPLAY_H

#include "findings/findings.h"
#include "options/options.h"

/* Caller frees. NULL if the finding belongs to no interleaving. */
char *sched_replay_command(const struct sched_options *options, const struct sched_finding *finding);

#endif
