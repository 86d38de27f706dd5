! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: a communicator, a group and a datatype that are never freed.
program f08_leak
    use mpi_f08
    implicit none
    type(MPI_Comm) :: row
    type(MPI_Group) :: group
    type(MPI_Datatype) :: pair
    call MPI_Init()
    call MPI_Comm_dup(MPI_COMM_WORLD, row) ! @leak-communicator
    call MPI_Comm_group(row, group) ! @leak-group
    call MPI_Type_contiguous(2, MPI_REAL, pair) ! @leak-datatype
    call MPI_Type_commit(pair)
    call MPI_Barrier(row)
    call MPI_Finalize()
end program
