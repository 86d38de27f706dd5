/* SPDX-License-Identifier: BSD-3-Clause */
/* What the user has given, now, and when the exploration that is gone on with was saved. */
#ifndef SCHED_GIVEN_H
#define SCHED_GIVEN_H

#include "settings.h"

/* For --save, if it is not about this invocation alone. What is given several times is one text. */
void sched_given_add(struct sched_options *options, const struct sched_setting *setting, const char *text);
/* NULL: it was not given. */
const char *sched_given_text(const struct sched_options *options, const char *name);
void sched_given_finish(struct sched_options *options);

/* --resume: options that are not given now are as they were, and so is the command (NULL: not given now).
 * Those that matter may not be others: that ends isp. Returns the command. */
char **sched_given_resume(struct sched_options *options, char **command);

#endif
