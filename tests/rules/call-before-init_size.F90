! SPDX-License-Identifier: BSD-3-Clause
! The size of MPI_COMM_WORLD is asked for before MPI_Init.
program main
  use mpi
  implicit none
  integer :: n, ierr

  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr) ! @call-before-init
  call MPI_Init(ierr)
  call MPI_Finalize(ierr)
end program
