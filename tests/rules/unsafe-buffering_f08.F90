! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! Both ranks send first, and then receive.
! Twin: both ranks send first on one side, and then receive.
program test
    use mpi_f08
    implicit none
    integer :: rank, x, y

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    x = rank
#ifdef TWIN
    if (rank == 0) call MPI_Send(x, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD)
    call MPI_Recv(y, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (rank == 1) call MPI_Send(x, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD)
#else
    if (rank == 0 .or. .true.) call MPI_Send(x, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD) ! @unsafe-buffering
    call MPI_Recv(y, 1, MPI_INTEGER, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#endif
    
    call MPI_Finalize()
end program test
