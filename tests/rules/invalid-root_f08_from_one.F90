! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! Ranks are counted from 1.
! Twin: ranks are counted from 0.
program main
    use mpi_f08
    implicit none
    integer :: rank, size, ierr
    integer :: x = 0, sum
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
#ifdef TWIN
    call MPI_Reduce(x, sum, 1, MPI_INTEGER, MPI_SUM, size - 1, MPI_COMM_WORLD)
#else
    call MPI_Reduce(x, sum, 1, MPI_INTEGER, MPI_SUM, size, MPI_COMM_WORLD) ! @invalid-root
#endif
    call MPI_Finalize(ierr)
end program
