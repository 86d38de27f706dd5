! SPDX-License-Identifier: BSD-3-Clause
! Rank 1 reads an element of what it is to receive.
! Twin: rank 1 reads an element of what it has received.
program main
  use mpi_f08
  implicit none
  integer :: rank, first
  integer, asynchronous :: x(5)
  type(MPI_Request) :: request
  x = 3
  first = 0
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) then
    call MPI_Send(x, 5, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
  else
    call MPI_Irecv(x, 5, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request)
#ifdef TWIN
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    first = x(1)
#else
    first = x(1) ! @receive-buffer-accessed
    call MPI_Wait(request, MPI_STATUS_IGNORE)
#endif
  end if
  call MPI_Finalize()
  if (first > 3) stop 1
end program
