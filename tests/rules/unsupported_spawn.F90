! SPDX-License-Identifier: BSD-3-Clause
! A program that starts other processes.
! Twin: a program whose own ranks are the workers.
program main
  use mpi_f08
  implicit none
  type(MPI_Comm) :: workers

  call MPI_Init()
#ifdef TWIN
  call MPI_Comm_dup(MPI_COMM_WORLD, workers)
#else
  call MPI_Comm_spawn('worker', MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, workers, MPI_ERRCODES_IGNORE) ! @unsupported
#endif
  call MPI_Comm_disconnect(workers)
  call MPI_Finalize()
end program
