/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef PROF_MATCH_H
#define PROF_MATCH_H

#include "isp/call.h"
#include "tables/communicators.h"

/* A collective without root, as a fence. */
void prof_comm_match(const struct prof_comm *c, enum isp_make make, struct isp_call *call,
                     struct isp_result *result);

#endif
