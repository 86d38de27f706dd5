! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! Rank 1 takes real numbers where rank 0 gives integers.
! Twin: each rank gives what the other one takes.
program exchange
    use mpi_f08
    implicit none
    integer :: rank, outs(2), ins(2), at(2)
    integer :: out(4), in(4)
    type(MPI_Datatype) :: kind

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    out = rank
    outs = [1, 2]
    ins = rank + 1
    at = [0, 2]
    kind = MPI_INTEGER
#ifdef TWIN
    if (rank == 1) kind = MPI_INTEGER4
#else
    if (rank == 1) kind = MPI_REAL
#endif
    call MPI_Alltoallv(out, outs, at, MPI_INTEGER, in, ins, at, kind, MPI_COMM_WORLD) ! @type-mismatch
    call MPI_Finalize()
end program exchange
