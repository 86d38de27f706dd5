! SPDX-License-Identifier: BSD-3-Clause
! Rank 1 takes another tag in every other run: what a file holds decides.
! isp -n 3
! Twin: rank 1 writes to a file in every run, but that decides nothing.
program main
  use mpi_f08
  implicit none
  integer :: rank, x, runs, unit, size

  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = 0
  if (rank == 0) then
    call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  else
    runs = 0
    if (rank == 1) then
      open(newunit=unit, file='nondeterminism_runs', access='stream', position='append')
      write(unit) 'x'
      inquire(unit, size=size)
      close(unit)
      runs = mod(size, 2)
    end if
#ifdef TWIN
    call MPI_Send(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD)
#else
    call MPI_Send(x, 1, MPI_INTEGER, 0, runs, MPI_COMM_WORLD) ! @nondeterminism
#endif
  end if
  call MPI_Finalize()
end program
