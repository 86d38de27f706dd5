/* SPDX-License-Identifier: BSD-3-Clause */
/* What docs/rules says about each rule, compiled in (rule_pages.py): reports and `isp explain` need no
 * file. */
#ifndef SCHED_RULE_PAGES_H
#define SCHED_RULE_PAGES_H

#include "isp/rules.h"

struct sched_rule_page {
    const char *meaning; /* a few sentences, without markup */
    const char *page;    /* all of it, as Markdown without links */
};

extern const struct sched_rule_page sched_rule_pages[ISP_RULE_COUNT];

#endif
