! SPDX-License-Identifier: BSD-3-Clause
! The mean of what the other ranks have, of which there are none: a division by zero.
! Twin: the mean of what the other ranks have, which there always are.
program main
  use mpi
  implicit none
  integer :: rank, mine, others, ierr

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
#ifdef TWIN
  mine = rank + 1
#else
  mine = rank / 2
#endif
  call MPI_Allreduce(mine, others, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  mine = 100 / others ! @crash
  if (mine < 0) error stop 1
  call MPI_Finalize(ierr)
end program
