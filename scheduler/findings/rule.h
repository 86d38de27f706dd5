/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of a rule by its number (isp/rules.h). */
#ifndef SCHED_RULE_H
#define SCHED_RULE_H

#include <stdbool.h>

#include "isp/rules.h"

enum isp_severity sched_rule_severity(enum isp_rule rule);
const char *sched_rule_id(enum isp_rule rule);
/* ISP_RULE_COUNT: there is none with this id. */
enum isp_rule sched_rule_find(const char *id);
bool sched_rule_is_leak(enum isp_rule rule);

#endif
