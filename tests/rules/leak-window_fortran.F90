! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! A window is never freed.
! Twin: it is freed.
program p
    use mpi_f08
    implicit none
    type(MPI_Win) :: win
    integer, asynchronous :: x(4)

    call MPI_Init()
    call MPI_Win_create(x, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win) ! @leak-window
    call MPI_Win_fence(0, win)
#ifdef TWIN
    call MPI_Win_free(win)
#endif
    call MPI_Finalize()
end program p
