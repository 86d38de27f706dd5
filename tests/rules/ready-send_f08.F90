! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! The ready send may come before the receive is posted.
! Twin: the ready send comes after the receive is posted.
program test
    use mpi_f08
    implicit none
    integer :: rank, x
    type(MPI_Request) :: request

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    x = rank
    if (rank == 1) call MPI_Irecv(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request)
#ifdef TWIN
    call MPI_Barrier(MPI_COMM_WORLD)
#else
    
#endif
    if (rank == 0) call MPI_Rsend(x, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD) ! @ready-send
    if (rank == 1) call MPI_Wait(request, MPI_STATUS_IGNORE)
    call MPI_Finalize()
end program test
