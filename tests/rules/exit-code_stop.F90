! SPDX-License-Identifier: BSD-3-Clause
! Rank 1 stops with an error in the middle of the program.
program main
  use mpi_f08
  implicit none
  integer :: rank

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Barrier(MPI_COMM_WORLD) ! @exit-code
  if (rank == 1) error stop 5
  call MPI_Finalize()
end program
