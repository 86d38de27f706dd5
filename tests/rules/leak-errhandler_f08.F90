! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! An error handler is never freed.
! Twin: it is freed.
program p
    use mpi_f08
    implicit none
    type(MPI_Errhandler) :: h

    call MPI_Init()
    call MPI_Comm_create_errhandler(handler, h) ! @leak-errhandler
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, h)
#ifdef TWIN
    call MPI_Errhandler_free(h)
#endif
    call MPI_Finalize()
contains
    subroutine handler(comm, code)
        type(MPI_Comm) :: comm
        integer :: code
    end subroutine handler
end program p
