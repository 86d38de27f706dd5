/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables by the places that ranks tell (isp/differs.h). */
#ifndef SCHED_PLACES_H
#define SCHED_PLACES_H

#include "isp/differs.h"
#include "variables.h"

/* What is so many bytes behind the place; false: not known. sched_variable_finish is for the caller. */
bool sched_place_variable(struct sched_sites *sites, const struct isp_place *place, int64_t more,
                          struct sched_variable *variable);
/* The same of what a pointer leads to. */
bool sched_place_on_way(struct sched_sites *sites, const struct isp_way *way, unsigned more,
                        struct sched_variable *variable);

#endif
