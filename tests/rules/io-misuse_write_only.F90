! SPDX-License-Identifier: BSD-3-Clause
! A file is read that was opened for writing only.
! Twin: a file is read that was opened for reading and writing.
program main
  use mpi
  implicit none
  integer :: file, n, ierr

  call MPI_Init(ierr)
#ifdef TWIN
  call MPI_File_open(MPI_COMM_WORLD, 'io-misuse.dat', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierr)
#else
  call MPI_File_open(MPI_COMM_WORLD, 'io-misuse.dat', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, ierr)
#endif
  call MPI_File_read_all(file, n, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr) ! @io-misuse
  call MPI_File_close(file, ierr)
  call MPI_Finalize(ierr)
end program
