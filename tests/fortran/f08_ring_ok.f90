! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: every rank sends, then waits for its receive.
program f08_ring_ok
    use mpi_f08
    implicit none
    integer :: rank, size, got
    type(MPI_Request) :: request
    type(MPI_Status) :: status
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, size)
    call MPI_Irecv(got, 1, MPI_INTEGER, mod(rank + size - 1, size), 7, MPI_COMM_WORLD, request)
    call MPI_Send(rank, 1, MPI_INTEGER, mod(rank + 1, size), 7, MPI_COMM_WORLD)
    call finish()
    if (got /= mod(rank + size - 1, size) .or. status%MPI_SOURCE /= got .or. status%MPI_TAG /= 7) error stop 1
    call MPI_Finalize()
contains
    subroutine finish()
        call MPI_Wait(request, status)
    end subroutine
end program
