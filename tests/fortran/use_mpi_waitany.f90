! SPDX-License-Identifier: BSD-3-Clause
! use mpi: Waitany and Waitsome count from 1. Rank 0 completes two receives in either order: two interleavings;
! then it takes what is there with Waitsome: three subsets.
program use_mpi_waitany
    use mpi
    implicit none
    integer :: ierr, rank, got(2), requests(2), index, first, n, indices(2), i
    integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    if (rank == 0) then
        call MPI_Irecv(got(1), 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, requests(1), ierr)
        call MPI_Irecv(got(2), 1, MPI_INTEGER, 2, 0, MPI_COMM_WORLD, requests(2), ierr)
        call MPI_Waitany(2, requests, first, status, ierr)
        if (first < 1 .or. first > 2) error stop 1
        if (got(first) /= first .or. status(MPI_SOURCE) /= first) error stop 2
        if (requests(first) /= MPI_REQUEST_NULL .or. requests(3 - first) == MPI_REQUEST_NULL) error stop 3
        call MPI_Waitany(2, requests, index, MPI_STATUS_IGNORE, ierr)
        if (index /= 3 - first .or. got(index) /= index) error stop 4
        got = 0
        call MPI_Irecv(got(1), 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, requests(1), ierr)
        call MPI_Irecv(got(2), 1, MPI_INTEGER, 2, 1, MPI_COMM_WORLD, requests(2), ierr)
        call MPI_Waitsome(2, requests, n, indices, statuses, ierr)
        if (n < 1 .or. n > 2) error stop 6
        do i = 1, n
            if (got(indices(i)) /= 10 + indices(i) .or. statuses(MPI_SOURCE, i) /= indices(i)) error stop 7
        end do
        call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
        if (any(got /= (/11, 12/))) error stop 8
    else
        call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
        call MPI_Send(10 + rank, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, ierr)
    end if
    call MPI_Finalize(ierr)
end program
