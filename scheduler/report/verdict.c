/* SPDX-License-Identifier: BSD-3-Clause */
/* See verdict.h. An unmodelled call makes the run worth nothing after it, so it comes before all else;
 * a finding stands whether or not everything was explored. */
#include "verdict.h"

size_t sched_verdict_count(const struct sched_result *result, enum isp_severity severity)
{
    struct sched_finding *const *all;
    size_t n = sched_findings_all(result->findings, &all), count = 0;
    for (size_t i = 0; i < n; i++)
        count += all[i]->rule != ISP_RULE_UNSUPPORTED && sched_rule_severity(all[i]->rule) == severity;
    return count;
}

static bool has_findings(const struct sched_result *result)
{
    return sched_verdict_count(result, ISP_SEVERITY_ERROR) +
               sched_verdict_count(result, ISP_SEVERITY_WARNING) >
           0;
}

enum sched_verdict sched_verdict(const struct sched_result *result)
{
    return result->unsupported          ? SCHED_VERDICT_UNSUPPORTED
           : has_findings(result)       ? SCHED_VERDICT_FINDINGS
           : result->incomplete_because ? SCHED_VERDICT_INCOMPLETE
                                        : SCHED_VERDICT_CLEAN;
}

const char *sched_verdict_name(enum sched_verdict verdict)
{
    static const char *const names[] = {[SCHED_VERDICT_CLEAN] = "clean",
                                        [SCHED_VERDICT_FINDINGS] = "findings",
                                        [SCHED_VERDICT_INCOMPLETE] = "incomplete",
                                        [SCHED_VERDICT_UNSUPPORTED] = "unsupported"};
    return names[verdict];
}

int sched_exit_code(const struct sched_result *result)
{
    bool fails = result->options->fail_on == SCHED_FAIL_ON_ERROR
                     ? sched_verdict_count(result, ISP_SEVERITY_ERROR) > 0
                     : has_findings(result);
    if (fails)
        return result->options->error_exitcode;
    return result->unsupported || result->incomplete_because ? ISP_EXIT_INCOMPLETE : ISP_EXIT_CLEAN;
}
