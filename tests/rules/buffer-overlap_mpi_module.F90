! SPDX-License-Identifier: BSD-3-Clause
! Two receives are pending for one variable.
! Twin: two receives are pending for two variables.
program module_
  use mpi
  implicit none
  integer :: rank, x(2), r(2), ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  x = rank
  if (rank == 0) then
    call MPI_Send(x(1), 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
    call MPI_Send(x(1), 1, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, ierr)
  else
    call MPI_Irecv(x(1), 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, r(1), ierr)
#ifdef TWIN
    call MPI_Irecv(x(2), 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, r(2), ierr)
#else
    call MPI_Irecv(x(1), 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, r(2), ierr) ! @buffer-overlap
#endif
    call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, ierr)
  end if
  call MPI_Finalize(ierr)
end program
