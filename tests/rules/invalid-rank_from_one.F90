! SPDX-License-Identifier: BSD-3-Clause
! isp -n 3
! Ranks are counted from 1.
! Twin: ranks are counted from 0.
program main
    use mpi
    implicit none
    integer :: rank, size, ierr
    integer :: i, x
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
    x = rank
    if (rank == 0) then
#ifdef TWIN
        do i = 1, size - 1
#else
        do i = 1, size
#endif
            call MPI_Recv(x, 1, MPI_INTEGER, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr) ! @invalid-rank
        end do
    else
        call MPI_Send(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
    end if
    call MPI_Finalize(ierr)
end program
