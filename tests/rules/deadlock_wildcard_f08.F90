! SPDX-License-Identifier: BSD-3-Clause
! isp -n 3
! The first receive may take the message that the second one wants.
! Twin: each receive names the rank that it wants.
program test
    use mpi_f08
    implicit none
    integer :: rank, x

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    x = rank
    if (rank == 0) then
#ifdef TWIN
        call MPI_Recv(x, 1, MPI_INTEGER, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#else
        call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#endif
        call MPI_Recv(x, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! @deadlock
    else
        call MPI_Send(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD)
    end if
    call MPI_Finalize()
end program test
