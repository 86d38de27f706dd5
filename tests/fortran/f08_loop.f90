! SPDX-License-Identifier: BSD-3-Clause
! Two workers report twice, the first time in a loop that is marked (isp.h).
program f08_loop
  use mpi_f08
  implicit none
  integer :: rank, x, round, k
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = rank
  do round = 1, 2
    if (round == 1) call MPI_Pcontrol(1526801)
    if (rank == 0) then
      do k = 1, 2
        call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
      end do
    else
      call MPI_Send(x, 1, MPI_INTEGER, 0, round, MPI_COMM_WORLD)
    end if
    if (round == 1) call MPI_Pcontrol(1526802)
  end do
  call MPI_Finalize()
end program f08_loop
