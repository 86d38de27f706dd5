! SPDX-License-Identifier: BSD-3-Clause
! Fortran: an element of an array goes by two ranks, a section of it by MPI_Bcast.
! @ask 3: focus 2; why field(3); why; why
program field_of_ranks
  use mpi
  implicit none
  integer :: rank, ierror, i
  double precision :: field(5), edge(2)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  do i = 1, 5
    field(i) = i
  end do
  if (rank == 1) then
    edge(1) = 0
    edge(2) = -2 ! @wrong 1
    call MPI_Send(edge, 2, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, ierror)
  else if (rank == 0) then
    call MPI_Recv(field(2), 2, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
  end if
  call MPI_Bcast(field, 5, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD, ierror)
  call MPI_Finalize(ierror)
end program field_of_ranks
