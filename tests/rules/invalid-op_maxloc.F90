! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! MPI_MAXLOC of values without their places.
! Twin: MPI_MAXLOC of pairs.
program main
    use mpi
    implicit none
    integer :: rank, size, ierr
    integer :: x(2), y(2)
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
    x = rank
#ifdef TWIN
    call MPI_Allreduce(x, y, 1, MPI_2INTEGER, MPI_MAXLOC, MPI_COMM_WORLD, ierr)
#else
    call MPI_Allreduce(x, y, 1, MPI_INTEGER, MPI_MAXLOC, MPI_COMM_WORLD, ierr) ! @invalid-op
#endif
    call MPI_Finalize(ierr)
end program
