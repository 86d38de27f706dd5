! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! A message of a type that was never committed.
! Twin: a message of a type that was committed.
program main
    use mpi_f08
    implicit none
    integer :: rank, size, ierr
    integer :: x(6) = 0
    type(MPI_Datatype) :: column
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
    call MPI_Type_vector(2, 1, 3, MPI_INTEGER, column)
#ifdef TWIN
    call MPI_Type_commit(column)
#endif
    if (rank == 0) then
        call MPI_Send(x, 1, column, 1, 0, MPI_COMM_WORLD) ! @invalid-datatype
    else
        call MPI_Recv(x, 2, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    end if
    call MPI_Type_free(column)
    call MPI_Finalize(ierr)
end program
