! SPDX-License-Identifier: BSD-3-Clause
! The program ends without MPI_Finalize.
program main
  use mpi_f08
  implicit none

  call MPI_Init()
  call MPI_Barrier(MPI_COMM_WORLD) ! @no-finalize
end program
