! SPDX-License-Identifier: BSD-3-Clause
! A file that does not exist is opened, where errors of files are fatal.
program main
  use mpi_f08
  implicit none
  type(MPI_File) :: file

  call MPI_Init()
  call MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL)
  call MPI_File_open(MPI_COMM_WORLD, 'no such folder/no such file', MPI_MODE_RDONLY, MPI_INFO_NULL, file) ! @mpi-error
  call MPI_File_close(file)
  call MPI_Finalize()
end program
