! SPDX-License-Identifier: BSD-3-Clause
! The size of MPI_COMM_WORLD is asked for after MPI_Finalize.
program main
  use mpi_f08
  implicit none
  integer :: n

  call MPI_Init()
  call MPI_Finalize()
  call MPI_Comm_size(MPI_COMM_WORLD, n) ! @call-after-finalize
end program
