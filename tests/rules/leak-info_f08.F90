! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! A copy of an info object is never freed.
! Twin: it is freed.
program p
    use mpi_f08
    implicit none
    type(MPI_Info) :: info, copy

    call MPI_Init()
    call MPI_Info_create(info)
    call MPI_Info_dup(info, copy) ! @leak-info
    call MPI_Info_free(info)
#ifdef TWIN
    call MPI_Info_free(copy)
#endif
    call MPI_Finalize()
end program p
