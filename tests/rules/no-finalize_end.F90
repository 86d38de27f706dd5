! SPDX-License-Identifier: BSD-3-Clause
! The program ends without MPI_Finalize.
! Twin: the program ends with MPI_Finalize.
program main
  use mpi_f08
  implicit none

  call MPI_Init()
  call MPI_Barrier(MPI_COMM_WORLD) ! @no-finalize
#ifdef TWIN
  call MPI_Finalize()
#endif
end program
