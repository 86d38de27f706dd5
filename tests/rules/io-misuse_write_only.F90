! SPDX-License-Identifier: BSD-3-Clause
! A file is read that was opened for writing only.
program main
  use mpi
  implicit none
  integer :: file, n, ierr

  call MPI_Init(ierr)
  call MPI_File_open(MPI_COMM_WORLD, 'io-misuse.dat', MPI_MODE_CREATE + MPI_MODE_WRONLY, MPI_INFO_NULL, file, ierr)
  call MPI_File_read_all(file, n, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr) ! @io-misuse
  call MPI_File_close(file, ierr)
  call MPI_Finalize(ierr)
end program
