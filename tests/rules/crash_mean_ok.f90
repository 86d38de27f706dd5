! SPDX-License-Identifier: BSD-3-Clause
! The mean of what the other ranks have, which there always are.
program main
  use mpi
  implicit none
  integer :: rank, mine, others, ierr

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  mine = rank + 1
  call MPI_Allreduce(mine, others, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
  mine = 100 / others
  if (mine < 0) error stop 1
  call MPI_Finalize(ierr)
end program
