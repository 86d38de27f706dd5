/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands for a newer mpi.h: functions that the table cannot know. */
int MPI_Frobnicate(MPI_Comm comm, const int displs[]);
int MPI_Frobnicate_c(MPI_Comm comm, const MPI_Count displs[]);
extern double MPIX_Frobtime(void) __attribute__((pure));
