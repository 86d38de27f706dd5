! SPDX-License-Identifier: BSD-3-Clause
! At MPI_THREAD_FUNNELED a thread of an OpenMP team that is not the master sends.
! Twin: at MPI_THREAD_FUNNELED the master of an OpenMP team sends.
program team
  use mpi_f08
  use omp_lib
  implicit none
  integer :: rank, level, n

  call MPI_Init_thread(MPI_THREAD_FUNNELED, level)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) then
    !$omp parallel num_threads(2)
#ifdef TWIN
    if (omp_get_thread_num() == 0) then
#else
    if (omp_get_thread_num() == 1) then
#endif
      n = 1
      call MPI_Send(n, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD) ! @thread-level
    end if
    !$omp end parallel
  else
    call MPI_Recv(n, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end if
  call MPI_Finalize()
end program
