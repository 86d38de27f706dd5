! SPDX-License-Identifier: BSD-3-Clause
! See opens.c.
subroutine opened() bind(c, name="opened")
  use mpi
  integer :: rank, value, ierr
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) call MPI_Send(MPI_IN_PLACE, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr) ! @invalid-buffer
  if (rank == 1) call MPI_Recv(value, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
end subroutine
