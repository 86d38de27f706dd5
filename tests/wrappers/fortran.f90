! SPDX-License-Identifier: BSD-3-Clause
! The same with modules of Fortran: see c.c.
module strip
  use mpi
  implicit none
  integer :: rank, other, number
  type :: channel
    integer :: peer
  contains
    procedure :: receive => channel_receive
  end type
  interface get
    module procedure get_integer, get_real
  end interface
contains
  subroutine diagnose(from)
    integer, intent(in) :: from
    integer :: ierr
    call MPI_Recv(number, 1, MPI_INTEGER, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    if (ierr /= MPI_SUCCESS) stop 1
  end subroutine
  subroutine take(from)
    integer, intent(in) :: from
    integer :: ierr
    call MPI_Recv(number, 1, MPI_INTEGER, from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine
  subroutine get_integer(x, from)
    integer, intent(out) :: x
    integer, intent(in) :: from
    integer :: ierr
    call MPI_Recv(x, 1, MPI_INTEGER, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine
  subroutine get_real(x, from)
    real, intent(out) :: x
    integer, intent(in) :: from
    integer :: ierr
    call MPI_Recv(x, 1, MPI_REAL, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
  end subroutine
  subroutine channel_receive(self)
    class(channel), intent(in) :: self
    call diagnose(self%peer)
  end subroutine
  function copy_of(comm) result(copy)
    integer, intent(in) :: comm
    integer :: copy, ierr
    call MPI_Comm_dup(comm, copy, ierr)
  end function
  subroutine everyone()
    integer :: ierr
    call MPI_Barrier(MPI_COMM_WORLD, ierr)
  end subroutine
end module

module physics
  use strip
  implicit none
contains
  subroutine halo()
    integer :: ierr
    call diagnose(other) ! @fortran_worker
    call MPI_Send(number, 1, MPI_INTEGER, other, 0, MPI_COMM_WORLD, ierr)
  end subroutine
end module

program main
  use physics
  implicit none
  character(32) :: what
  integer :: ierr
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  other = 1 - rank
  call get_command_argument(1, what)
  select case (what)
  case ('module')
    call take(other) ! @module
  case ('module_twice')
    call diagnose(MPI_PROC_NULL)
    call diagnose(other) ! @module_twice
  case ('generic')
    call generic()
  case ('bound')
    call bound()
  case ('fortran_dup')
    number = copy_of(MPI_COMM_WORLD) ! @fortran_dup
  case ('everyone')
    call everyone()
    if (rank == 0) call everyone() ! @everyone
  case ('fortran_worker')
    call halo()
    call halo()
  end select
  call MPI_Finalize(ierr)
contains
  subroutine generic()
    real :: x
    if (rank == 0) then
      call get(number, 1) ! @generic
    else
      call get(x, 0)
    end if
  end subroutine
  subroutine bound()
    type(channel) :: nowhere, to
    nowhere%peer = MPI_PROC_NULL
    to%peer = other
    call nowhere%receive()
    call to%receive() ! @bound
  end subroutine
end program
