! SPDX-License-Identifier: BSD-3-Clause
! isp -n 3
! Rank 0 goes to the barrier first, the others to the broadcast.
! Twin: all ranks go to the broadcast first.
program test
    use mpi_f08
    implicit none
    integer :: rank, x

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    x = rank
#ifdef TWIN
    call MPI_Bcast(x, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
    call MPI_Barrier(MPI_COMM_WORLD)
#else
    if (rank == 0) call MPI_Barrier(MPI_COMM_WORLD) ! @collective-mismatch
    call MPI_Bcast(x, 1, MPI_INTEGER, 0, MPI_COMM_WORLD)
    if (rank /= 0) call MPI_Barrier(MPI_COMM_WORLD)
#endif
    call MPI_Finalize()
end program test
