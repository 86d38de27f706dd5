! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2 --stacks
! A subroutine makes types for its callers, and one of them is freed: the report names the way to the other, without the frames of the binding.
! Twin: both are freed.
program p
    use mpi_f08
    implicit none
    type(MPI_Datatype) :: one, two

    call MPI_Init()
    call make(3, one)
    call make(4, two)
    call MPI_Type_free(two)
#ifdef TWIN
    call MPI_Type_free(one)
#endif
    call MPI_Finalize()
contains
    subroutine make(n, t)
        integer, intent(in) :: n
        type(MPI_Datatype) :: t
        call MPI_Type_contiguous(n, MPI_INTEGER, t) ! @leak-datatype
    end subroutine make
end program p
