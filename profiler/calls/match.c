/* SPDX-License-Identifier: BSD-3-Clause */
#include "match.h"

#include "engine/fence.h"

void prof_comm_match(const struct prof_comm *c, enum isp_make make, struct isp_call *call,
                     struct isp_result *result)
{
    call->op = ISP_OP_COLLECTIVE;
    call->mode = (uint8_t)make;
    call->comm = c->number;
    call->root = ISP_NO_RANK;
    prof_fence(call, result);
}
