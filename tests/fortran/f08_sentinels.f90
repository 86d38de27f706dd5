! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: the constants that stand for something else than their address.
program f08_sentinels
    use mpi_f08
    implicit none
    integer :: rank, size, other
    integer, target, asynchronous :: x(3)
    type(MPI_Request) :: requests(2)
    type(MPI_Datatype) :: at_bottom
    type(MPI_Status) :: status
    integer(MPI_ADDRESS_KIND) :: address
    logical :: flag
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    other = 1 - rank

    x = rank
    call MPI_Allreduce(MPI_IN_PLACE, x, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD)
    if (any(x /= size * (size - 1) / 2)) error stop 1
    x(rank + 1) = rank + 5
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, 1, MPI_INTEGER, MPI_COMM_WORLD)
    if (any(x(1:2) /= (/5, 6/))) error stop 2

    call MPI_Get_address(x, address)
    call MPI_Type_create_hindexed(1, (/3/), (/address/), MPI_INTEGER, at_bottom)
    call MPI_Type_commit(at_bottom)
    x = 10 * rank
    if (rank == 0) call MPI_Send(MPI_BOTTOM, 1, at_bottom, 1, 0, MPI_COMM_WORLD)
    if (rank == 1) call MPI_Recv(MPI_BOTTOM, 1, at_bottom, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (any(x /= 0)) error stop 3
    call MPI_Type_free(at_bottom)

    x(1) = rank
    call MPI_Irecv(x(2), 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(x(1), 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    if (x(2) /= other .or. any(requests%MPI_VAL /= MPI_REQUEST_NULL%MPI_VAL)) error stop 4
    call MPI_Sendrecv(x(2), 1, MPI_INTEGER, other, 2, x(3), 1, MPI_INTEGER, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (x(3) /= rank) error stop 5
    call MPI_Isend(x(1), 1, MPI_INTEGER, other, 3, MPI_COMM_WORLD, requests(1))
    call MPI_Probe(other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Recv(x(2), 1, MPI_INTEGER, other, 3, MPI_COMM_WORLD, status)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    call MPI_Test(requests(1), flag, MPI_STATUS_IGNORE)
    if (.not. flag .or. status%MPI_SOURCE /= other .or. x(2) /= other) error stop 6
    call MPI_Finalize()
end program
