! SPDX-License-Identifier: BSD-3-Clause
! use mpi: rank 0 sends first.
program use_mpi_ring_ok
    use mpi
    implicit none
    integer :: ierr, rank, size, got
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
    call step()
    call MPI_Finalize(ierr)
contains
    subroutine step()
        if (rank == 0) call MPI_Send(rank, 1, MPI_INTEGER, 1, 7, MPI_COMM_WORLD, ierr)
        call MPI_Recv(got, 1, MPI_INTEGER, mod(rank + size - 1, size), 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
        if (rank /= 0) call MPI_Send(rank, 1, MPI_INTEGER, mod(rank + 1, size), 7, MPI_COMM_WORLD, ierr)
    end subroutine
end program
