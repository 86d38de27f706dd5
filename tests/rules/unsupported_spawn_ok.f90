! SPDX-License-Identifier: BSD-3-Clause
! A program whose own ranks are the workers.
program main
  use mpi_f08
  implicit none
  type(MPI_Comm) :: workers

  call MPI_Init()
  call MPI_Comm_dup(MPI_COMM_WORLD, workers)
  call MPI_Comm_disconnect(workers)
  call MPI_Finalize()
end program
