! SPDX-License-Identifier: BSD-3-Clause
! use mpi: a rank stops with an error in the second of two orders of messages.
program use_mpi_exit
    use mpi
    implicit none
    integer :: ierr, rank, got, i, sum
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    sum = 0
    if (rank == 0) then
        do i = 1, 2
            call MPI_Recv(got, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
            sum = 10 * sum + got
        end do
        if (sum /= 12) stop 3
    else
        call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
    end if
    call MPI_Finalize(ierr)
end program
