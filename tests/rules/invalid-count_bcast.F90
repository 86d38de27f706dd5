! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! A broadcast of -1 elements.
! Twin: a broadcast of one element.
program main
    use mpi
    implicit none
    integer :: rank, size, ierr
    integer :: x = 1
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
#ifdef TWIN
    call MPI_Bcast(x, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr)
#else
    call MPI_Bcast(x, -1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierr) ! @invalid-count
#endif
    call MPI_Finalize(ierr)
end program
