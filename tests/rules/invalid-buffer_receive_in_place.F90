! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! MPI_IN_PLACE where the result is to go.
! Twin: MPI_IN_PLACE where the operand is.
program main
    use mpi
    implicit none
    integer :: rank, size, ierr
    integer :: x = 1
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
#ifdef TWIN
    call MPI_Allreduce(MPI_IN_PLACE, x, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
#else
    call MPI_Allreduce(x, MPI_IN_PLACE, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr) ! @invalid-buffer
#endif
    call MPI_Finalize(ierr)
end program
