/* SPDX-License-Identifier: BSD-3-Clause */
/* isp: parse, explore, report. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore.h"
#include "launch.h"
#include "report/json.h"
#include "report/text.h"
#include "report/verdict.h"
#include "suppressions.h"

static int report(const struct sched_result *result)
{
    if (result->options->suppressions)
        sched_suppressions_apply(result->options->suppressions, result->findings, result->sites);
    fflush(stdout);
    sched_report_text(result, stderr);
    const char *json = result->options->json;
    int error = json ? sched_report_json(result, json) : 0;
    if (error) {
        fprintf(stderr, "isp: --json %s: %s\n", json, strerror(-error));
        return ISP_EXIT_TOOL;
    }
    return sched_exit_code(result);
}

int main(int argc, char **argv)
{
    struct sched_options options;
    struct sched_result result;
    sched_launch_remember();
    sched_options_parse(&options, argc, argv);
    int code = sched_explore(&options, &result);
    if (code == 0 && !options.slurm_task)
        code = report(&result);
    sched_part_finish(&result);
    sched_sites_destroy(result.sites);
    json_decref(options.saved);
    free(options.choices);
    sched_suppressions_destroy(options.suppressions);
    free((char *)options.program);
    return code;
}
