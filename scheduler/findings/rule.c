/* SPDX-License-Identifier: BSD-3-Clause */
#include "rule.h"

#include <string.h>

static const struct {
    const char *id;
    enum isp_severity severity;
} rules[] = {
#define ROW(name, id, severity) {id, ISP_SEVERITY_##severity},
    ISP_RULES(ROW)
#undef ROW
};

bool sched_rule_is_leak(enum isp_rule rule)
{
    return rule >= ISP_RULE_LEAK_COMMUNICATOR && rule <= ISP_RULE_LEAK_FILE;
}

enum isp_rule sched_rule_find(const char *id)
{
    int rule = 0;
    while (rule < ISP_RULE_COUNT && strcmp(rules[rule].id, id) != 0)
        rule++;
    return (enum isp_rule)rule;
}

const char *sched_rule_id(enum isp_rule rule) { return rules[rule].id; }
enum isp_severity sched_rule_severity(enum isp_rule rule) { return rules[rule].severity; }
