! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! A copy of a communicator is used after the communicator was freed.
! Twin: the communicator is freed when it is used no more.
program main
    use mpi_f08
    implicit none
    integer :: rank, size, ierr
    type(MPI_Comm) :: comm, copy
    integer :: x = 1
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    copy = comm
#ifdef TWIN
    call MPI_Bcast(x, 1, MPI_INTEGER, 0, copy)
    call MPI_Comm_free(comm)
#else
    call MPI_Comm_free(comm)
    call MPI_Bcast(x, 1, MPI_INTEGER, 0, copy) ! @invalid-communicator
#endif
    call MPI_Finalize(ierr)
end program
