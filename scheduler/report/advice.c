/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A library that polls its requests (BLACS tests the buffers that it has sent, at every call) doubles the number of
 * interleavings with each poll, though the answer rarely matters to it. Who meets that needs to hear of
 * --polls 0: at a library's poll nothing in the program's own text hints at it.
 */
#include "advice.h"

#include <inttypes.h>
#include <stdbool.h>

#include "isp/functions.h"
#include "alloc.h"

static bool is_poll(const struct sched_finding *f)
{
    switch (f->n_sites ? f->sites[0].fn : 0) {
    case ISP_FN_MPI_Test:
    case ISP_FN_MPI_Testall:
    case ISP_FN_MPI_Testany:
    case ISP_FN_MPI_Testsome:
    case ISP_FN_MPI_Iprobe:
    case ISP_FN_MPI_Improbe:
    case ISP_FN_MPI_Request_get_status: return true;
    default: return false;
    }
}

char *sched_advice(const struct sched_result *result)
{
    if (!result->incomplete_because || result->unsupported || result->options->replay || !result->options->polls)
        return NULL;
    struct sched_finding *const *all;
    size_t n = sched_findings_all(result->findings, &all);
    uint64_t choices = 0, polls = 0;
    const struct sched_finding *most = NULL;
    for (size_t i = 0; i < n; i++) {
        if (all[i]->rule != ISP_RULE_WILDCARD)
            continue;
        choices += all[i]->count;
        if (!is_poll(all[i]))
            continue;
        polls += all[i]->count;
        if (!most || all[i]->count > most->count)
            most = all[i];
    }
    if (polls * 2 < choices || !most)
        return NULL;
    return sched_format("%" PRIu64 " of %" PRIu64 " choice points are polls, most of them %s: with --polls 0 they wait until "
                        "they succeed, in fewer interleavings",
                        polls, choices, isp_fn_name((enum isp_fn)most->sites[0].fn));
}
