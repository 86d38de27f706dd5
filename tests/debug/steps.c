/* SPDX-License-Identifier: BSD-3-Clause */ /* clang-format off */ /* The lines are those of papers.py. */
#include <mpi.h>
static int message, i; static MPI_Comm world = MPI_COMM_WORLD; int main(int argc, char **argv) { int rank;
  MPI_Init(&argc, &argv); MPI_Comm_rank(world, &rank);
  switch (rank) {
  case 1:
    MPI_Recv(&message, 1, MPI_INT, 0, 0, world, MPI_STATUS_IGNORE);
    message++; break;
  case 0: for (i = 0; i < 1; i++)
      message++;
    MPI_Send(&message, 1, MPI_INT, 1, 0, world); break;
  default:
    message = 1;
    message = 2;
    message = 3;
  }
  MPI_Finalize();
  return 0; }
