/* SPDX-License-Identifier: BSD-3-Clause */
#include "options.h"

const struct sched_options sched_default_options = {
#define OPTION(commands, name, value, type, field, usual, ...) .field = usual,
#include "options.def"
};
