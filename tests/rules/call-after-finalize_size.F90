! SPDX-License-Identifier: BSD-3-Clause
! The size of MPI_COMM_WORLD is asked for after MPI_Finalize.
! Twin: the size of MPI_COMM_WORLD is asked for before MPI_Finalize.
program main
  use mpi_f08
  implicit none
  integer :: n

  call MPI_Init()
#ifdef TWIN
  call MPI_Comm_size(MPI_COMM_WORLD, n)
  call MPI_Finalize()
#else
  call MPI_Finalize()
  call MPI_Comm_size(MPI_COMM_WORLD, n) ! @call-after-finalize
#endif
end program
