! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: a communicator, a group and a datatype, all freed.
program f08_leak_ok
    use mpi_f08
    implicit none
    type(MPI_Comm) :: row
    type(MPI_Group) :: group
    type(MPI_Datatype) :: pair
    call MPI_Init()
    call MPI_Comm_dup(MPI_COMM_WORLD, row)
    call MPI_Comm_group(row, group)
    call MPI_Type_contiguous(2, MPI_REAL, pair)
    call MPI_Type_commit(pair)
    call MPI_Barrier(row)
    call MPI_Type_free(pair)
    call MPI_Group_free(group)
    call MPI_Comm_free(row)
    if (row /= MPI_COMM_NULL .or. group /= MPI_GROUP_NULL .or. pair /= MPI_DATATYPE_NULL) error stop 1
    call MPI_Finalize()
end program
