! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! A message is taken by MPI_Mprobe, and never received.
! Twin: it is received.
program p
    use mpi_f08
    implicit none
    type(MPI_Message) :: message
    type(MPI_Status) :: status
    type(MPI_Request) :: r
    integer :: rank
    integer, asynchronous :: x

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    if (rank == 0) then
        call MPI_Isend(x, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, r)
        call MPI_Request_free(r)
    else
        call MPI_Mprobe(0, 0, MPI_COMM_WORLD, message, status) ! @leak-message
#ifdef TWIN
        call MPI_Mrecv(x, 1, MPI_INTEGER, message, status)
#endif
    end if
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Finalize()
end program p
