! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! A request that is complete is freed.
! Twin: a persistent request is freed.
program main
    use mpi
    implicit none
    integer :: rank, size, ierr
    integer :: x, request
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
    x = rank
#ifdef TWIN
    call MPI_Send_init(x, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, request, ierr)
    call MPI_Start(request, ierr)
#else
    call MPI_Isend(x, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, request, ierr)
#endif
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
    call MPI_Request_free(request, ierr) ! @invalid-request
    call MPI_Finalize(ierr)
end program
