! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: Waitany, Waitsome, Testsome and Waitall on arrays of requests. What index MPI_Waitany returns is not looked at:
! MPICH 4.0.2 counts from 0 in mpi_f08.
program f08_waitany
    use mpi_f08
    implicit none
    integer :: rank, got(2), first, n, indices(2), i
    type(MPI_Request) :: requests(2)
    type(MPI_Status) :: status, statuses(2)
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    if (rank == 0) then
        call MPI_Irecv(got(1), 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, requests(1))
        call MPI_Irecv(got(2), 1, MPI_INTEGER, 2, 0, MPI_COMM_WORLD, requests(2))
        call MPI_Waitany(2, requests, first, status)
        first = status%MPI_SOURCE
        if (got(first) /= first) error stop 1
        if (requests(first) /= MPI_REQUEST_NULL) error stop 3
        call MPI_Waitsome(2, requests, n, indices, statuses)
        if (n /= 1 .or. statuses(1)%MPI_SOURCE /= 3 - first) error stop 4
        call MPI_Testsome(2, requests, n, indices, MPI_STATUSES_IGNORE)
        if (n /= MPI_UNDEFINED) error stop 5
        call MPI_Irecv(got(1), 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, requests(1))
        call MPI_Irecv(got(2), 1, MPI_INTEGER, 2, 1, MPI_COMM_WORLD, requests(2))
        call MPI_Waitall(2, requests, statuses)
        do i = 1, 2
            if (got(i) /= 10 + i .or. statuses(i)%MPI_SOURCE /= i .or. statuses(i)%MPI_TAG /= 1) error stop 6
        end do
    else
        call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD)
        call MPI_Send(10 + rank, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD)
    end if
    call MPI_Finalize()
end program
