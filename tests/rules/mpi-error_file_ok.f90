! SPDX-License-Identifier: BSD-3-Clause
! A file that does not exist is opened; errors of files are returned, and looked at.
program main
  use mpi_f08
  implicit none
  type(MPI_File) :: file
  integer :: ierr

  call MPI_Init()
  call MPI_File_open(MPI_COMM_WORLD, 'no such folder/no such file', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierr)
  if (ierr == MPI_SUCCESS) call MPI_File_close(file)
  call MPI_Finalize()
end program
