! SPDX-License-Identifier: BSD-3-Clause
! use mpi, and with MPIF defined mpif.h: the constants that stand for something else than their address.
program sentinels
#ifndef MPIF
    use mpi
#endif
    implicit none
#ifdef MPIF
    include 'mpif.h'
#endif
    integer :: ierr, rank, size, x(3), at_bottom, requests(2), other
    integer(kind=MPI_ADDRESS_KIND) :: address
    volatile :: x
    common /mine/ x
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
    other = 1 - rank

    x = rank
    call MPI_Allreduce(MPI_IN_PLACE, x, 3, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierr)
    if (any(x /= size * (size - 1) / 2)) error stop 1
    x(rank + 1) = rank + 5
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, x, 1, MPI_INTEGER, MPI_COMM_WORLD, ierr)
    if (any(x(1:2) /= (/5, 6/))) error stop 2

    call MPI_Get_address(x, address, ierr)
    call MPI_Type_create_hindexed(1, (/3/), (/address/), MPI_INTEGER, at_bottom, ierr)
    call MPI_Type_commit(at_bottom, ierr)
    x = 10 * rank
    if (rank == 0) call MPI_Send(MPI_BOTTOM, 1, at_bottom, 1, 0, MPI_COMM_WORLD, ierr)
    if (rank == 1) call MPI_Recv(MPI_BOTTOM, 1, at_bottom, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    if (any(x /= 0)) error stop 3
    call MPI_Type_free(at_bottom, ierr)

    x(1) = rank
    call MPI_Irecv(x(2), 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Isend(x(1), 1, MPI_INTEGER, other, 1, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    if (x(2) /= other .or. any(requests /= MPI_REQUEST_NULL)) error stop 4
    call MPI_Sendrecv_replace(x(1), 1, MPI_INTEGER, other, 2, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    if (x(1) /= other) error stop 5
    call MPI_Recv(x, 1, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Finalize(ierr)
end program
