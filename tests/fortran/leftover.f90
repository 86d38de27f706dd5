! SPDX-License-Identifier: BSD-3-Clause
! Which message came first is in a file that the next interleaving reads, before it writes it: isp cannot take
! it back, and says so. OPEN does not say ACTION, so the file is opened for both (libgfortran).
program leftover
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
    open(10, file=trim(name)//'.tmp')
    before = 0
    read(10, *, iostat=status) before
    if (before == 7) call MPI_Abort(MPI_COMM_WORLD, 1, ierr)
    call MPI_Recv(first, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    call MPI_Recv(second, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    rewind(10)
    write(10, *) first
    close(10)
  end if
  call MPI_Finalize(ierr)
end program
