! SPDX-License-Identifier: BSD-3-Clause
! Rank 0 changes an element of what it is sending.
! Twin: rank 0 changes an element of what it has sent.
program main
  use mpi_f08
  implicit none
  integer :: rank
  integer, asynchronous :: x(5)
  type(MPI_Request) :: request
  x = 3
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  if (rank == 0) then
    call MPI_Isend(x, 5, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request)
#ifdef TWIN
    call MPI_Wait(request, MPI_STATUS_IGNORE)
    x(4) = 8
#else
    x(4) = 8 ! @send-buffer-modified
    call MPI_Wait(request, MPI_STATUS_IGNORE)
#endif
  else
    call MPI_Recv(x, 5, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end if
  call MPI_Finalize()
end program
