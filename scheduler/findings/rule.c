/* SPDX-License-Identifier: BSD-3-Clause */
#include "rule.h"

#include <string.h>

static const struct {
    const char *id;
    enum isp_severity severity;
    enum isp_rule_group group;
    const char *brief, *told;
} rules[] = {
#define ROW(name, id, severity, group, brief, told) \
    {id, ISP_SEVERITY_##severity, ISP_RULE_GROUP_##group, brief, told},
    ISP_RULES(ROW)
#undef ROW
};

enum isp_rule sched_rule_find(const char *id)
{
    int rule = 0;
    while (rule < ISP_RULE_COUNT && strcmp(rules[rule].id, id) != 0)
        rule++;
    return (enum isp_rule)rule;
}

enum isp_rule_group sched_rule_group(enum isp_rule rule)
{
    return rule < ISP_RULE_COUNT ? rules[rule].group : ISP_RULE_GROUP_ERRORS;
}

bool sched_rule_is_leak(enum isp_rule rule) { return sched_rule_group(rule) == ISP_RULE_GROUP_LEAKS; }
const char *sched_rule_id(enum isp_rule rule) { return rules[rule].id; }
enum isp_severity sched_rule_severity(enum isp_rule rule) { return rules[rule].severity; }
const char *sched_rule_brief(enum isp_rule rule) { return rules[rule].brief; }
const char *sched_rule_told(enum isp_rule rule) { return rules[rule].told; }
