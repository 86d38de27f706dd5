! SPDX-License-Identifier: BSD-3-Clause
! The sum of the ranks is not what was hoped for: all ranks abort.
! Twin: the ranks would abort if their sum were not 1.
program main
  use mpi
  implicit none
  integer :: rank, total, ierr

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
#ifdef TWIN
  if (total /= 1) then
#else
  if (total /= 2) then
#endif
    call MPI_Abort(MPI_COMM_WORLD, 4, ierr) ! @abort
  end if
  call MPI_Finalize(ierr)
end program
