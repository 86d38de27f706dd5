/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of a rule by its number: its row in isp/rules.h. */
#ifndef SCHED_RULE_H
#define SCHED_RULE_H

#include <stdbool.h>

#include "isp/rules.h"

enum isp_severity sched_rule_severity(enum isp_rule rule);
const char *sched_rule_id(enum isp_rule rule);
/* Half a sentence: "a message that is sent and never received". */
const char *sched_rule_brief(enum isp_rule rule);
/* What a rank's finding says by itself; NULL: nothing. */
const char *sched_rule_told(enum isp_rule rule);
/* ISP_RULE_COUNT: there is none with this id. */
enum isp_rule sched_rule_find(const char *id);
/* Of ISP_RULE_COUNT (a rule of another version's trace): the other errors. */
enum isp_rule_group sched_rule_group(enum isp_rule rule);
bool sched_rule_is_leak(enum isp_rule rule);

#endif
