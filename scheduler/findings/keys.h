/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of findings outside the process that made them: sites have names there, not numbers. */
#ifndef SCHED_FINDINGS_KEYS_H
#define SCHED_FINDINGS_KEYS_H

#include "sites/sites.h"

/* The key with the names of its sites, and back. Caller frees. */
char *sched_findings_key_named(const struct sched_sites *sites, const char *key);
char *sched_findings_key_numbered(struct sched_sites *sites, const char *named);

#endif
