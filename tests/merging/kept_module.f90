! SPDX-License-Identifier: BSD-3-Clause
! A variable of a module keeps the last message; it does not matter. With `mark` it is marked, by the
! interface that isp_ignore(3) shows; with `poll` the messages are waited for by MPI_Iprobe, and it counts how
! often.
module kept
  implicit none
  integer, save :: last(3) = 0
end module kept

program kept_module
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use kept
  implicit none
  interface
    subroutine isp_ignore(level, variable, bytes) bind(C, name="MPI_Pcontrol")
      import :: c_int, c_size_t
      integer(c_int), value :: level
      type(*) :: variable(*)
      integer(c_size_t), value :: bytes
    end subroutine isp_ignore
  end interface
  integer :: rank, ranks, i, message
  logical :: flag
  character(4) :: what
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  call get_command_argument(1, what)
  if (what == "mark") call isp_ignore(1526803, last, c_sizeof(last))
  do i = 1, ranks - 1
    if (rank /= 0) exit
    flag = what /= "poll"
    do while (.not. flag)
      call MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, flag, MPI_STATUS_IGNORE)
      last(1) = last(1) + 1
    end do
    call MPI_Recv(message, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    last(2) = message
    message = 0
  end do
  if (rank > 0) call MPI_Send(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD)
  call MPI_Finalize()
end program kept_module
