! SPDX-License-Identifier: BSD-3-Clause
! Lines of it are found by the words behind "@".
module shapes
  implicit none
  type :: point
    integer :: key
    real(8) :: where(3)
  end type
contains
  subroutine shift(p, by)
    type(point), intent(inout) :: p
    real(8), intent(in) :: by
    p%where = p%where + by ! @shift
    p%key = p%key + 1      ! @bump
  end subroutine
end module

program loop
  use shapes
  implicit none
  type(point) :: p
  integer :: value, error, i
  integer :: table(2, 3)
  p%key = 5
  p%where = [1d0, 2d0, 3d0]
  table = reshape([1, 2, 3, 4, 5, 6], [2, 3])
  call mpi_recv(value, error)   ! @first
  do i = 1, 3                   ! @do
    call shift(p, real(i, 8))   ! @call
  end do
  call mpi_recv(error, value)   ! @second
end program
