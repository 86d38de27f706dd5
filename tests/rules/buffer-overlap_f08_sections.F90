! SPDX-License-Identifier: BSD-3-Clause
! Two receives into sections of an array, which share a column.
! Twin: two receives into sections of an array that are interleaved, but apart.
program sections
  use mpi_f08
  implicit none
  integer :: rank, x(4, 6)
  type(MPI_Request) :: r(2)
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = rank
  if (rank == 0) then
    call MPI_Send(x(2, 1:3), 3, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
    call MPI_Send(x(2, 1:3), 3, MPI_INTEGER, 1, 1, MPI_COMM_WORLD)
  else
    call MPI_Irecv(x(2, 1:3), 3, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, r(1))
#ifdef TWIN
    call MPI_Irecv(x(3, 2:4), 3, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, r(2))
#else
    call MPI_Irecv(x(2, 2:4), 3, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, r(2)) ! @buffer-overlap
#endif
    call MPI_Waitall(2, r, MPI_STATUSES_IGNORE)
  end if
  call MPI_Finalize()
end program
