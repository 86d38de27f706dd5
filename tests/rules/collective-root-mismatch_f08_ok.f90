! SPDX-License-Identifier: BSD-3-Clause
! isp -n 3
! All count from 0.
program test
    use mpi_f08
    implicit none
    integer :: rank, x(3), y

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    x = rank
    call MPI_Scatter(x, 1, MPI_INTEGER, y, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Finalize()
end program test
