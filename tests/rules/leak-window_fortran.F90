! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! A window is never freed.
program p
    use mpi_f08
    implicit none
    type(MPI_Win) :: win
    integer, asynchronous :: x(4)

    call MPI_Init()
    call MPI_Win_create(x, 16_MPI_ADDRESS_KIND, 4, MPI_INFO_NULL, MPI_COMM_WORLD, win) ! @leak-window
    call MPI_Win_fence(0, win)
    call MPI_Finalize()
end program p
