/* SPDX-License-Identifier: BSD-3-Clause */
/* What isp knows of this rank, for its state: operations, requests, handles, what checks remember. */
#ifndef PROF_STATE_OPERATIONS_H
#define PROF_STATE_OPERATIONS_H

#include "base/hash.h"

/* NULL, or why it cannot be known. */
const char *prof_state_operations(struct prof_hash *hash);

#endif
