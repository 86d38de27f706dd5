! SPDX-License-Identifier: BSD-3-Clause
! Layers of modern Fortran, over mpi_f08, that were written after the rules: see c.c.
module transport
  use mpi_f08
  implicit none
  integer :: rank, other, number
  interface fetch ! generic, with optional arguments
    module procedure fetch_integer, fetch_real, fetch_vector
  end interface
  type, abstract :: port
  contains
    procedure(pull_of), deferred :: pull
  end type
  abstract interface
    subroutine pull_of(self, x)
      import :: port
      class(port), intent(in) :: self
      integer, intent(out) :: x
    end subroutine
  end interface
  type, extends(port) :: plain_port
    integer :: peer = MPI_PROC_NULL
  contains
    procedure :: pull => plain_pull
    procedure :: push => plain_push
    generic :: operator(+) => push
    final :: drain
  end type
  type :: group
    type(MPI_Comm) :: comm
  contains
    procedure :: sum => group_sum
  end type
contains
  subroutine fetch_integer(x, from, tag)
    integer, intent(out) :: x
    integer, intent(in) :: from
    integer, intent(in), optional :: tag
    integer :: which
    which = 0
    if (present(tag)) which = tag
    call MPI_Recv(x, 1, MPI_INTEGER, from, which, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine
  subroutine fetch_real(x, from, tag)
    real, intent(out) :: x
    integer, intent(in) :: from
    integer, intent(in), optional :: tag
    integer :: which
    which = 0
    if (present(tag)) which = tag
    call MPI_Recv(x, 1, MPI_REAL, from, which, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine
  subroutine fetch_vector(x, from, tag)
    integer, intent(out) :: x(:)
    integer, intent(in) :: from
    integer, intent(in), optional :: tag
    integer :: i
    do i = 1, size(x)
      call fetch_integer(x(i), from, tag) ! @fetch_vector
    end do
  end subroutine
  subroutine plain_pull(self, x)
    class(plain_port), intent(in) :: self
    integer, intent(out) :: x
    call MPI_Recv(x, 1, MPI_INTEGER, self%peer, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end subroutine
  function plain_push(self, x) result(code)
    class(plain_port), intent(in) :: self
    integer, intent(in) :: x
    integer :: code
    call MPI_Ssend(x, 1, MPI_INTEGER, self%peer, 2, MPI_COMM_WORLD, code)
  end function
  subroutine drain(self)
    type(plain_port), intent(inout) :: self
    integer :: x
    if (self%peer /= MPI_PROC_NULL) then
      call MPI_Recv(x, 1, MPI_INTEGER, self%peer, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    end if
  end subroutine
  function group_sum(self, x) result(all)
    class(group), intent(in) :: self
    integer, intent(in) :: x
    integer :: all
    call MPI_Allreduce(x, all, 1, MPI_INTEGER, MPI_SUM, self%comm)
  end function
end module

program main
  use transport
  implicit none
  character(32) :: what
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  other = 1 - rank
  call get_command_argument(1, what)
  select case (what)
  case ('optional')
    call optional_arguments()
  case ('fetch_vector')
    call vectors()
  case ('deferred')
    call deferred()
  case ('operators')
    call operators()
  case ('finalizer')
    call finalizer()
  case ('function_bound')
    call function_bound()
  end select
  call MPI_Finalize()
contains
  subroutine optional_arguments()
    call fetch(number, MPI_PROC_NULL)
    call fetch(number, other, tag=4) ! @optional
  end subroutine
  subroutine vectors()
    integer :: x(3)
    call fetch(x, other)
  end subroutine
  subroutine deferred()
    class(port), allocatable :: to
    to = plain_port(other)
    call to%pull(number) ! @deferred
  end subroutine
  subroutine operators()
    type(plain_port) :: to
    to%peer = other
    number = to + 5 ! @operators
    to%peer = MPI_PROC_NULL
  end subroutine
  subroutine finalizer()
    block
      type(plain_port) :: to
      to%peer = other
      number = to%peer ! @finalizer
    end block ! @finalizer
  end subroutine
  subroutine function_bound()
    type(group) :: all
    all%comm = MPI_COMM_WORLD
    number = all%sum(1)
    if (rank == 0) number = all%sum(2) ! @function_bound
  end subroutine
end program
