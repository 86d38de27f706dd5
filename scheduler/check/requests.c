/* SPDX-License-Identifier: BSD-3-Clause */
/* At MPI_Finalize every nonblocking operation must have been completed (Wait, a successful Test) or freed. */
#include "requests.h"

#include <stdlib.h>

#include "isp/functions.h"
#include "alloc.h"

static char *tell(const struct sched_run *run, const struct poe_transition *t)
{
    return sched_format(t->matched ? "has matched, but is not waited for" : "has not matched");
}

void sched_check_missing_wait(struct sched_run *run, const struct sched_groups *operations)
{
    for (size_t i = 0; i < operations->n; i++) {
        const struct sched_group *g = &operations->groups[i];
        char *message = sched_format("the request of this %s is never completed: no MPI_Wait, no MPI_Test that succeeds, "
                                     "no MPI_Request_free",
                                     isp_fn_name((enum isp_fn)g->fn));
        sched_group_report(run, g, ISP_RULE_MISSING_WAIT, message, 1, tell);
        free(message);
    }
}
