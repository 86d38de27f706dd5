/* SPDX-License-Identifier: BSD-3-Clause */
#include "assumptions.h"

#include "sites/variables.h"

const char *sched_assumption(const struct sched_result *result, size_t k)
{
    const struct {
        bool holds;
        const char *words;
    } all[] = {
#define ASSUMPTION(name, words) {result->assumes.name, words},
        SCHED_ASSUMPTION_LIST(ASSUMPTION)
#undef ASSUMPTION
    };
    bool judged = !result->unsupported && !result->options->replay;
    for (size_t i = 0; judged && i < sizeof all / sizeof *all; i++)
        if (all[i].holds && k-- == 0)
            return all[i].words;
    return judged ? sched_variables_assumed(result->sites, k) : NULL;
}
