! SPDX-License-Identifier: BSD-3-Clause
! The ranks would abort if their sum were not 1.
program main
  use mpi
  implicit none
  integer :: rank, total, ierr

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Allreduce(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  if (total /= 1) then
    call MPI_Abort(MPI_COMM_WORLD, 4, ierr)
  end if
  call MPI_Finalize(ierr)
end program
