! SPDX-License-Identifier: BSD-3-Clause
! The same with mpif.h.
#define MPIF
#include "use_mpi_sentinels.F90"
