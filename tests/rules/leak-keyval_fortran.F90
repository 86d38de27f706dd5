! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! An attribute key is never freed.
! Twin: it is freed.
program p
    use mpi
    implicit none
    integer :: key, ierr
    integer(MPI_ADDRESS_KIND) :: nothing

    call MPI_Init(ierr)
    nothing = 0
    call MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, key, nothing, ierr) ! @leak-keyval
#ifdef TWIN
    call MPI_Comm_free_keyval(key, ierr)
#endif
    call MPI_Finalize(ierr)
end program p
