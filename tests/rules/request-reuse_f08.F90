! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! A copy of a request that was completed is waited for.
! Twin: the copy is not used.
program p
    use mpi_f08
    implicit none
    type(MPI_Request) :: r, copy
    type(MPI_Status) :: status
    integer :: rank
    integer, asynchronous :: x

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Irecv(x, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, r)
    copy = r
    call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD)
    call MPI_Wait(r, status)
#ifndef TWIN
    call MPI_Wait(copy, status) ! @request-reuse
#endif
    call MPI_Finalize()
end program p
