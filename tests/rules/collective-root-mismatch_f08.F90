! SPDX-License-Identifier: BSD-3-Clause
! isp -n 3
! Rank 2 counts from 1.
! Twin: all count from 0.
program test
    use mpi_f08
    implicit none
    integer :: rank, x(3), y

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    x = rank
#ifdef TWIN
    call MPI_Scatter(x, 1, MPI_INTEGER, y, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
#else
    call MPI_Scatter(x, 1, MPI_INTEGER, y, 1, MPI_INTEGER, merge(1, 0, rank == 2), MPI_COMM_WORLD) ! @collective-root-mismatch
#endif
    call MPI_Finalize()
end program test
