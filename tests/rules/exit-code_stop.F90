! SPDX-License-Identifier: BSD-3-Clause
! Rank 1 stops with an error in the middle of the program.
! Twin: rank 2 would stop with an error; there is none.
program main
  use mpi_f08
  implicit none
  integer :: rank

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Barrier(MPI_COMM_WORLD) ! @exit-code
#ifdef TWIN
  if (rank == 2) error stop 5
#else
  if (rank == 1) error stop 5
#endif
  call MPI_Finalize()
end program
