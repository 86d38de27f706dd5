! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! A receive with a negative tag.
! Twin: a receive with any tag.
program main
    use mpi_f08
    implicit none
    integer :: rank, size, ierr
    integer :: x
    type(MPI_Request) :: request
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
#ifdef TWIN
    call MPI_Irecv(x, 1, MPI_INTEGER, 1 - rank, MPI_ANY_TAG, MPI_COMM_WORLD, request)
#else
    call MPI_Irecv(x, 1, MPI_INTEGER, 1 - rank, -10, MPI_COMM_WORLD, request) ! @invalid-tag
#endif
    call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 10, MPI_COMM_WORLD)
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Finalize(ierr)
end program
