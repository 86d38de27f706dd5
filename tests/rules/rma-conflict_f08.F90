! SPDX-License-Identifier: BSD-3-Clause
! isp -n 3
! All ranks put into the first element of rank 0 in one epoch.
! Twin: all ranks put into elements of their own of rank 0 in one epoch.
program conflict_f08
    use mpi_f08
    implicit none
    integer :: rank
#ifdef TWIN
    integer(MPI_ADDRESS_KIND) :: place
#endif
    integer, asynchronous :: memory(4)
    type(MPI_Win) :: win

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    memory = 0
    call MPI_Win_create(memory, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win)
    call MPI_Win_fence(0, win)
#ifdef TWIN
    place = rank
    call MPI_Put(rank, 1, MPI_INTEGER, 0, place, 1, MPI_INTEGER, win)
#else
    call MPI_Put(rank, 1, MPI_INTEGER, 0, 0_MPI_ADDRESS_KIND, 1, MPI_INTEGER, win) ! @rma-conflict
#endif
    call MPI_Win_fence(0, win)
    call MPI_Win_free(win)
    call MPI_Finalize()
end program
