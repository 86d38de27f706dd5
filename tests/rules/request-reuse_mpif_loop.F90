! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! Each turn of the loop puts its request over the one before.
! Twin: each turn has a place of its own.
program p
    use mpi
    implicit none
    integer :: r(3), ierr, rank, i, x(3)

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    do i = 1, 3
#ifdef TWIN
        call MPI_Irecv(x(i), 1, MPI_INTEGER, 1 - rank, i, MPI_COMM_WORLD, r(i), ierr)
#else
        call MPI_Irecv(x(i), 1, MPI_INTEGER, 1 - rank, i, MPI_COMM_WORLD, r(1), ierr) ! @request-reuse
#endif
    end do
    do i = 1, 3
        call MPI_Send(rank, 1, MPI_INTEGER, 1 - rank, i, MPI_COMM_WORLD, ierr)
    end do
#ifdef TWIN
    call MPI_Waitall(3, r, MPI_STATUSES_IGNORE, ierr)
#else
    call MPI_Wait(r(1), MPI_STATUS_IGNORE, ierr)
#endif
    call MPI_Finalize(ierr)
end program p
