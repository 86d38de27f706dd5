! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: functions of the program that MPI calls: a reduction, attributes' copy and delete, an error handler.
module f08_callbacks_functions
    use mpi_f08
    use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
    implicit none
    integer :: copied = 0, deleted = 0, handled = 0
contains
    subroutine larger_magnitude(in, inout, n, datatype)
        type(c_ptr), value :: in, inout
        integer :: n
        type(MPI_Datatype) :: datatype
        integer, pointer :: a(:), b(:)
        integer :: i
        if (datatype /= MPI_INTEGER) error stop 10
        call c_f_pointer(in, a, (/n/))
        call c_f_pointer(inout, b, (/n/))
        do i = 1, n
            if (abs(a(i)) > abs(b(i))) b(i) = a(i)
        end do
    end subroutine

    subroutine copy(oldcomm, keyval, extra, value_in, value_out, flag, ierror)
        type(MPI_Comm) :: oldcomm
        integer :: keyval, ierror
        integer(MPI_ADDRESS_KIND) :: extra, value_in, value_out
        logical :: flag
        copied = copied + int(extra)
        value_out = value_in + 1
        flag = .true.
        ierror = MPI_SUCCESS
    end subroutine

    subroutine delete(comm, keyval, value, extra, ierror)
        type(MPI_Comm) :: comm
        integer :: keyval, ierror
        integer(MPI_ADDRESS_KIND) :: value, extra
        deleted = deleted + int(extra)
        ierror = MPI_SUCCESS
    end subroutine

    subroutine handler(comm, code)
        type(MPI_Comm) :: comm
        integer :: code
        handled = handled + 1
    end subroutine
end module

program f08_callbacks
    use f08_callbacks_functions
    implicit none
    integer :: rank, size, keyval, mine(2), best(2), code
    type(MPI_Op) :: op
    type(MPI_Comm) :: comm, twin
    type(MPI_Errhandler) :: errhandler
    integer(MPI_ADDRESS_KIND) :: value
    logical :: flag
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, size)

    call MPI_Op_create(larger_magnitude, .true., op)
    mine = (/rank, -rank/)
    call MPI_Allreduce(mine, best, 2, MPI_INTEGER, op, MPI_COMM_WORLD)
    if (any(best /= (/size - 1, 1 - size/))) error stop 1
    call MPI_Op_free(op)

    call MPI_Comm_create_keyval(copy, delete, keyval, 1_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_set_attr(comm, keyval, 41_MPI_ADDRESS_KIND)
    call MPI_Comm_dup(comm, twin)
    call MPI_Comm_get_attr(twin, keyval, value, flag)
    if (.not. flag .or. value /= 42 .or. copied /= 1) error stop 2
    call MPI_Comm_delete_attr(twin, keyval)
    if (deleted /= 1) error stop 3
    call MPI_Comm_free(twin)
    call MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, value, flag)
    if (.not. flag .or. value < 32767) error stop 4

    call MPI_Comm_create_errhandler(handler, errhandler)
    call MPI_Comm_set_errhandler(comm, errhandler)
    call MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER)
    if (handled /= 1) error stop 5
    call MPI_Send(mine, 1, MPI_INTEGER, size, 0, comm, code) ! no such rank ! @invalid-rank
    if (handled /= 2 .or. code == MPI_SUCCESS) error stop 6
    call MPI_Errhandler_free(errhandler)
    call MPI_Comm_free(comm)
    if (deleted /= 2) error stop 7
    call MPI_Comm_free_keyval(keyval)
    call MPI_Finalize()
end program
