/* SPDX-License-Identifier: BSD-3-Clause */
#include "access.h"

bool prof_fn_is_access(enum isp_fn fn)
{
    switch (fn) {
    case ISP_FN_MPI_Put:
    case ISP_FN_MPI_Put_c:
    case ISP_FN_MPI_Get:
    case ISP_FN_MPI_Get_c:
    case ISP_FN_MPI_Accumulate:
    case ISP_FN_MPI_Accumulate_c:
    case ISP_FN_MPI_Get_accumulate:
    case ISP_FN_MPI_Get_accumulate_c:
    case ISP_FN_MPI_Fetch_and_op:
    case ISP_FN_MPI_Compare_and_swap:
    case ISP_FN_MPI_Rput:
    case ISP_FN_MPI_Rput_c:
    case ISP_FN_MPI_Rget:
    case ISP_FN_MPI_Rget_c:
    case ISP_FN_MPI_Raccumulate:
    case ISP_FN_MPI_Raccumulate_c:
    case ISP_FN_MPI_Rget_accumulate:
    case ISP_FN_MPI_Rget_accumulate_c: return true;
    default: return false;
    }
}
