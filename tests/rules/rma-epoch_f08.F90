! SPDX-License-Identifier: BSD-3-Clause
! Each rank puts into the next one's window, without a fence before.
! Twin: each rank puts into the next one's window, behind a fence.
program epoch_f08
    use mpi_f08
    implicit none
    integer :: rank, n
    integer, asynchronous :: memory(4)
    type(MPI_Win) :: win

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, n)
    memory = 0
    call MPI_Win_create(memory, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
#ifdef TWIN
    call MPI_Win_fence(0, win)
#endif
    call MPI_Put(rank, 1, MPI_INTEGER, mod(rank + 1, n), 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) ! @rma-epoch
    call MPI_Win_fence(0, win)
    call MPI_Win_free(win)
    call MPI_Finalize()
end program
