/* SPDX-License-Identifier: BSD-3-Clause */
/* What an mpi.h of MPI 3.1 lacks. Scenarios for such a player are made without: compare_real.py --mpi3. */
#ifndef PLAYER_MPI4_H
#define PLAYER_MPI4_H

#include <mpi.h>

#if MPI_VERSION < 4
#define MPI_Isendrecv(...) fail("needs MPI 4", "MPI_Isendrecv")
#define MPI_Isendrecv_replace(...) fail("needs MPI 4", "MPI_Isendrecv_replace")
#define MPI_Psend_init(...) fail("needs MPI 4", "MPI_Psend_init")
#define MPI_Precv_init(...) fail("needs MPI 4", "MPI_Precv_init")
#define MPI_Pready(...) fail("needs MPI 4", "MPI_Pready")
#define MPI_Pready_range(...) fail("needs MPI 4", "MPI_Pready_range")
#define MPI_Barrier_init(...) fail("needs MPI 4", "MPI_Barrier_init")
#define MPI_Bcast_init(...) fail("needs MPI 4", "MPI_Bcast_init")
#define MPI_Reduce_init(...) fail("needs MPI 4", "MPI_Reduce_init")
#define MPI_Scan_init(...) fail("needs MPI 4", "MPI_Scan_init")
#define MPI_Neighbor_allgather_init(...) fail("needs MPI 4", "MPI_Neighbor_allgather_init")
#endif

#endif
