! SPDX-License-Identifier: BSD-3-Clause
! A program that starts other processes.
program main
  use mpi_f08
  implicit none
  type(MPI_Comm) :: workers

  call MPI_Init()
  call MPI_Comm_spawn('worker', MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, workers, MPI_ERRCODES_IGNORE) ! @unsupported
  call MPI_Comm_disconnect(workers)
  call MPI_Finalize()
end program
