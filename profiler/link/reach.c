/* SPDX-License-Identifier: BSD-3-Clause */
/* See reach.h. */
#include "reach.h"

#include <stdlib.h>
#include <unistd.h>

#include "finding.h"
#include "uplink.h"

int prof_given_rank(void)
{
    const char *rank = getenv("PMI_RANK");
    return rank ? atoi(rank) : -1;
}

bool prof_reach_scheduler(void) { return prof_link_is_open() || prof_link_open(prof_given_rank(), -1); }

static _Noreturn void refuse(enum isp_fn fn, const void *site, const char *text)
{
    if (!prof_reach_scheduler())
        _exit(ISP_LINK_BROKEN_STATUS);
    prof_finding_tell(
        &(struct prof_finding){.rule = ISP_RULE_UNSUPPORTED, .at = {fn, site}, .text = text, .flush = true});
    prof_link_await_end();
}

int prof_unsupported(enum isp_fn fn, const void *site) { refuse(fn, site, NULL); }

void isp_unsupported(const char *text, const void *site) { refuse(ISP_FN_NONE, site, text); }
