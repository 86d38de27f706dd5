! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! A reduction operation is never freed.
! Twin: it is freed.
program p
    use mpi
    implicit none
    integer :: op, ierr, x, total

    call MPI_Init(ierr)
    call MPI_Op_create(add, .true., op, ierr) ! @leak-op
    x = 1
    call MPI_Allreduce(x, total, 1, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
#ifdef TWIN
    call MPI_Op_free(op, ierr)
#endif
    call MPI_Finalize(ierr)
contains
    subroutine add(in, inout, n, kind)
        integer :: n, kind, in(n), inout(n)
        inout = inout + in
    end subroutine add
end program p
