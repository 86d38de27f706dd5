! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2 --stacks
! Both are freed.
program p
    use mpi_f08
    implicit none
    type(MPI_Datatype) :: one, two

    call MPI_Init()
    call make(3, one)
    call make(4, two)
    call MPI_Type_free(two)
    call MPI_Type_free(one)
    call MPI_Finalize()
contains
    subroutine make(n, t)
        integer, intent(in) :: n
        type(MPI_Datatype) :: t
        call MPI_Type_contiguous(n, MPI_INTEGER, t)
    end subroutine make
end program p
