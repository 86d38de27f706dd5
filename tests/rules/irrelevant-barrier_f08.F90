! SPDX-License-Identifier: BSD-3-Clause
! isp -n 3
! Each receive names its source: the barrier orders nothing.
! Twin: the receives take any source: the barrier tells which is the first.
program test
    use mpi_f08
    implicit none
    integer :: rank, x, i

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    x = rank
    do i = 1, 2
#ifdef TWIN
        if (rank == 0) call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#else
        if (rank == 0) call MPI_Recv(x, 1, MPI_INTEGER, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#endif
        if (rank == i) call MPI_Send(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD)
        call MPI_Barrier(MPI_COMM_WORLD) ! @irrelevant-barrier
    end do
    call MPI_Finalize()
end program test
