! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: a message of 5 reals for a receive of 4.
program f08_truncation
    use mpi_f08
    implicit none
    integer :: rank
    real :: x(5)
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    x = real(rank)
    if (rank == 0) call MPI_Send(x, 5, MPI_REAL, 1, 0, MPI_COMM_WORLD)
    if (rank == 1) call MPI_Recv(x, 4, MPI_REAL, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! @truncation
    call MPI_Finalize()
end program
