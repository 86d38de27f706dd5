! SPDX-License-Identifier: BSD-3-Clause
! What is begun as a collective read is ended as a write.
! Twin: a collective read is begun and ended.
program main
  use mpi_f08
  implicit none
  type(MPI_File) :: file
  integer :: n(2)

  call MPI_Init()
  call MPI_File_open(MPI_COMM_WORLD, 'io-misuse.dat', MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file)
  n = 0
  call MPI_File_read_all_begin(file, n, 2, MPI_INTEGER)
#ifdef TWIN
  call MPI_File_read_all_end(file, n, MPI_STATUS_IGNORE)
#else
  call MPI_File_write_all_end(file, n, MPI_STATUS_IGNORE) ! @io-misuse
#endif
  call MPI_File_close(file)
  call MPI_Finalize()
end program
