/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of settings: texts to numbers, words and flags. */
#ifndef SCHED_VALUES_H
#define SCHED_VALUES_H

#include "settings.h"

/* Reads the value into its field; false: this is no value of it. A field of text points to `text` then. */
bool sched_setting_set(const struct sched_setting *setting, struct sched_options *options, const char *text);
/* What would be a value: "zero, infinite or auto". Caller frees. */
char *sched_setting_wants(const struct sched_setting *setting);

bool sched_read_whole(const char *text, long min, long max, long *value);

#endif
