! SPDX-License-Identifier: BSD-3-Clause
! values NAME: as values.c.
module store
  use mpi
  implicit none
  integer, save :: rank
  integer, save, asynchronous :: table(3, 4) = 0
  integer(kind=1), save, asynchronous :: small(4) = 5_1
  logical, save, asynchronous :: flags(3) = .false.
  character(len=8), save, asynchronous :: text = 'abcdefgh'
  complex, save, asynchronous :: z(2) = (1.0, 2.0)
  real(kind=8), save, asynchronous :: x(0:9) = 0.5d0
  real(kind=16), save, asynchronous :: quad(2) = 0.5_16
  complex(kind=8), save, asynchronous :: w(2) = (1.0d0, 2.0d0)
contains
  subroutine finish(request)
    integer, intent(inout) :: request
    integer :: ierr
    call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  end subroutine finish

  ! SAYS store::table(2,3): 0 → 8
  subroutine f_table(request)
    integer, intent(out) :: request
    integer :: ierr
    call MPI_Isend(table, 12, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, ierr)
    table(2, 3) = 8
  end subroutine f_table

  ! SAYS store::small(4): 5 → -5
  subroutine f_small(request)
    integer, intent(out) :: request
    integer :: ierr
    call MPI_Isend(small, 4, MPI_INTEGER1, 1, 0, MPI_COMM_WORLD, request, ierr)
    small(4) = -5_1
  end subroutine f_small

  ! SAYS store::flags(2): .false. → .true.
  subroutine f_logical(request)
    integer, intent(out) :: request
    integer :: ierr
    call MPI_Isend(flags, 3, MPI_LOGICAL, 1, 0, MPI_COMM_WORLD, request, ierr)
    flags(2) = .true.
  end subroutine f_logical

  ! SAYS element 2 (MPI_CHARACTER): 'c' → 'X'
  subroutine f_text(request)
    integer, intent(out) :: request
    integer :: ierr
    call MPI_Isend(text, 8, MPI_CHARACTER, 1, 0, MPI_COMM_WORLD, request, ierr)
    text(3:3) = 'X'
  end subroutine f_text

  ! SAYS store::z(2): (1, 2) → (1, 3)
  subroutine f_complex(request)
    integer, intent(out) :: request
    integer :: ierr
    call MPI_Isend(z, 2, MPI_COMPLEX, 1, 0, MPI_COMM_WORLD, request, ierr)
    z(2) = (1.0, 3.0)
  end subroutine f_complex

  ! SAYS store::w(1): (1, 2) → (0, 2)
  subroutine f_double_complex(request)
    integer, intent(out) :: request
    integer :: ierr
    call MPI_Isend(w, 2, MPI_DOUBLE_COMPLEX, 1, 0, MPI_COMM_WORLD, request, ierr)
    w(1) = (0.0d0, 2.0d0)
  end subroutine f_double_complex

  ! SAYS store::x(7): 0.5 → 1.5
  subroutine f_lower_bound(request)
    integer, intent(out) :: request
    integer :: ierr
    call MPI_Isend(x, 10, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, request, ierr)
    x(7) = 1.5d0
  end subroutine f_lower_bound

  ! SAYS store::quad(2): 0.5 → 0.125
  subroutine f_quad(request)
    integer, intent(out) :: request
    integer :: ierr
    call MPI_Isend(quad, 2, MPI_REAL16, 1, 0, MPI_COMM_WORLD, request, ierr)
    quad(2) = 0.125_16
  end subroutine f_quad
end module store

program values
  use store
  implicit none
  character(len=20) :: name
  integer :: ierr, request
  call get_command_argument(1, name)
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  if (rank == 0) then
    select case (name)
    case ('f_table'); call f_table(request)
    case ('f_small'); call f_small(request)
    case ('f_logical'); call f_logical(request)
    case ('f_text'); call f_text(request)
    case ('f_complex'); call f_complex(request)
    case ('f_double_complex'); call f_double_complex(request)
    case ('f_lower_bound'); call f_lower_bound(request)
    case ('f_quad'); call f_quad(request)
    end select
    call finish(request)
  else
    select case (name)
    case ('f_table'); call MPI_Recv(table, 12, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    case ('f_small'); call MPI_Recv(small, 4, MPI_INTEGER1, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    case ('f_logical'); call MPI_Recv(flags, 3, MPI_LOGICAL, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    case ('f_text'); call MPI_Recv(text, 8, MPI_CHARACTER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    case ('f_complex'); call MPI_Recv(z, 2, MPI_COMPLEX, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    case ('f_double_complex')
      call MPI_Recv(w, 2, MPI_DOUBLE_COMPLEX, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    case ('f_lower_bound')
      call MPI_Recv(x, 10, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    case ('f_quad'); call MPI_Recv(quad, 2, MPI_REAL16, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
    end select
  end if
  call MPI_Finalize(ierr)
end program values
