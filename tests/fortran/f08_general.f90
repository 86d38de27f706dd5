! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: a generalized request, whose subroutines MPI calls.
module requests
  use mpi_f08
  implicit none
contains
  subroutine query(state, status, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    type(MPI_Status) :: status
    integer :: ierror
    status%MPI_SOURCE = 7
    status%MPI_TAG = int(state)
    call MPI_Status_set_elements(status, MPI_INTEGER, 3)
    call MPI_Status_set_cancelled(status, .false.)
    ierror = MPI_SUCCESS
  end subroutine

  subroutine freed(state, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    integer :: ierror
    state = -state
    ierror = MPI_SUCCESS
  end subroutine

  subroutine cancelled(state, complete, ierror)
    integer(MPI_ADDRESS_KIND) :: state
    logical :: complete
    integer :: ierror
    if (.not. complete) state = state + 100
    ierror = MPI_SUCCESS
  end subroutine
end module

program f08_general
  use requests
  implicit none
  integer(MPI_ADDRESS_KIND), volatile :: state
  type(MPI_Request) :: request
  type(MPI_Status) :: status
  integer :: n
  call MPI_Init()
  state = 5
  call MPI_Grequest_start(query, freed, cancelled, state, request)
  call MPI_Cancel(request)
  call MPI_Grequest_complete(request)
  call MPI_Wait(request, status)
  if (status%MPI_SOURCE /= 7 .or. status%MPI_TAG /= 105 .or. state /= -105) stop 1
  call MPI_Get_count(status, MPI_INTEGER, n)
  if (n /= 3) stop 2
  call MPI_Finalize()
end program
