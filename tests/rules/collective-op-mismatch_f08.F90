! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! Rank 0 adds what rank 1 multiplies.
! Twin: both ranks add.
program test
    use mpi_f08
    implicit none
    integer :: rank
    real :: x, y
    type(MPI_Op) :: op

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    x = 2
    op = MPI_SUM
#ifdef TWIN
    if (rank == 1) op = MPI_SUM
#else
    if (rank == 1) op = MPI_PROD
#endif
    call MPI_Allreduce(x, y, 1, MPI_REAL, op, MPI_COMM_WORLD) ! @collective-op-mismatch
    call MPI_Finalize()
end program test
