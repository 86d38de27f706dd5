! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! Rank 1 takes no message, and goes home.
! Twin: rank 1 takes the message, and goes home.
program test
    use mpi_f08
    implicit none
    integer :: rank, x

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    x = rank
    if (rank == 0) call MPI_Send(x, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD) ! @lost-message
#ifdef TWIN
    if (rank == 1) call MPI_Recv(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#else
    if (rank == 1 .and. .false.) call MPI_Recv(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#endif
    call MPI_Finalize()
end program test
