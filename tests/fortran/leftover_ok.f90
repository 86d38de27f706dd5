! SPDX-License-Identifier: BSD-3-Clause
! As leftover.f90, but what is read nobody writes, and what is written is read behind that only. All are opened
! for both, since OPEN does not say ACTION.
program leftover_ok
  use mpi
  implicit none
  integer :: rank, ierr, first, second, before, status
  character(len=200) :: name
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank > 0) then
    call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
  else
    call get_command_argument(0, name)
    open(10, file=trim(name)//'.in')
    before = 0
    read(10, *, iostat=status) before
    open(11, file=trim(name)//'.out')
    call MPI_Recv(first, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Recv(second, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    write(11, *) first
    rewind(11)
    read(11, *, iostat=status) before
    if (before /= first) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    close(11)
    close(10)
  end if
  call MPI_Finalize(ierr)
end program
