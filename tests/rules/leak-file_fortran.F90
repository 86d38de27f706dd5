! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! A file is never closed.
! Twin: it is closed.
program p
    use mpi
    implicit none
    integer :: fh, ierr

    call MPI_Init(ierr)
    call MPI_File_open(MPI_COMM_WORLD, '/dev/null', MPI_MODE_RDWR, MPI_INFO_NULL, fh, ierr) ! @leak-file
#ifdef TWIN
    call MPI_File_close(fh, ierr)
#endif
    call MPI_Finalize(ierr)
end program p
