/* SPDX-License-Identifier: BSD-3-Clause */
/* What `launch` and `attach` are given. */
#ifndef SCHED_DEBUG_DAP_ARGUMENTS_H
#define SCHED_DEBUG_DAP_ARGUMENTS_H

#include "dap.h"

/* program, args, n, choices, options, cwd, env, stopOnEntry, stepAll, noDebug: fills the subject. False:
 * dap->problem. */
bool sched_dap_take_launch(struct sched_dap *dap, const json_t *arguments);
/* result, finding, stepAll: likewise. */
bool sched_dap_take_result(struct sched_dap *dap, const json_t *arguments);
/* Enters the subject's folder, and asks whether isp replay would take its words: in a process of its own,
 * since a refusal ends it. */
bool sched_dap_check_options(struct sched_dap *dap);

/* In a time that says nothing of where they differ. */
bool sched_dap_is_token(const char *given, const char *token);

#endif
