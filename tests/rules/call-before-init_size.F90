! SPDX-License-Identifier: BSD-3-Clause
! The size of MPI_COMM_WORLD is asked for before MPI_Init.
! Twin: the size of MPI_COMM_WORLD is asked for after MPI_Init.
program main
  use mpi
  implicit none
  integer :: n, ierr

#ifdef TWIN
  call MPI_Init(ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
#else
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr) ! @call-before-init
  call MPI_Init(ierr)
#endif
  call MPI_Finalize(ierr)
end program
