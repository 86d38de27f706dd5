/* SPDX-License-Identifier: BSD-3-Clause */
/* What was probably meant by a word that is no option, and no command. */
#ifndef SCHED_NEAREST_H
#define SCHED_NEAREST_H

#include "settings.h"

/* The option that is spelled most like `word` (with its dashes; "=value" may follow), or NULL. */
const struct sched_setting *sched_nearest(const char *word);
/* That of which `word` is the name with one dash (-html), or NULL. */
const struct sched_setting *sched_nearest_of_one_dash(const char *word);

/* The command (isp doctor) that is spelled most like it, and not as it is; or NULL. */
const char *sched_nearest_command(const char *word);

#endif
