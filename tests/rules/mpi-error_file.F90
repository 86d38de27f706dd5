! SPDX-License-Identifier: BSD-3-Clause
! A file that does not exist is opened, where errors of files are fatal.
! Twin: a file that does not exist is opened; errors of files are returned, and looked at.
program main
  use mpi_f08
  implicit none
  type(MPI_File) :: file
#ifdef TWIN
  integer :: ierr
#endif

  call MPI_Init()
#ifdef TWIN
  call MPI_File_open(MPI_COMM_WORLD, 'no such folder/no such file', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierr)
  if (ierr == MPI_SUCCESS) call MPI_File_close(file)
#else
  call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL)
  call MPI_File_open(MPI_COMM_WORLD, 'no such folder/no such file', MPI_MODE_RDONLY, MPI_INFO_NULL, file) ! @mpi-error
  call MPI_File_close(file)
#endif
  call MPI_Finalize()
end program
