! SPDX-License-Identifier: BSD-3-Clause
! mpif.h: generalized requests: MPI calls subroutines of the program.
      subroutine query(state, status, ierr)
      implicit none
      include 'mpif.h'
      integer(kind=MPI_ADDRESS_KIND) state
      integer status(MPI_STATUS_SIZE), ierr
      status(MPI_SOURCE) = 7
      status(MPI_TAG) = 8
      call MPI_STATUS_SET_ELEMENTS(status, MPI_INTEGER, 3, ierr)
      call MPI_STATUS_SET_CANCELLED(status, state .ge. 100, ierr)
      ierr = MPI_SUCCESS
      end

      subroutine freed(state, ierr)
      implicit none
      include 'mpif.h'
      integer(kind=MPI_ADDRESS_KIND) state
      integer ierr
      state = -state
      ierr = MPI_SUCCESS
      end

      subroutine cancelled(state, complete, ierr)
      implicit none
      include 'mpif.h'
      integer(kind=MPI_ADDRESS_KIND) state
      logical complete
      integer ierr
      if (.not. complete) state = state + 100
      ierr = MPI_SUCCESS
      end

      program mpif_general_ok
      implicit none
      include 'mpif.h'
      external query, freed, cancelled
      integer(kind=MPI_ADDRESS_KIND) state
      integer ierr, rank, number, request, n
      integer status(MPI_STATUS_SIZE)
      logical flag
      volatile state
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)

      state = 5
      call MPI_GREQUEST_START(query, freed, cancelled, state, request, ierr)
      call MPI_TEST(request, flag, status, ierr)
      if (flag) stop 1
      if (rank .eq. 0) then
        call MPI_RECV(number, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      else
        call MPI_SEND(rank, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
      end if
      call MPI_GREQUEST_COMPLETE(request, ierr)
      call MPI_WAIT(request, status, ierr)
      if (state .ne. -5 .or. request .ne. MPI_REQUEST_NULL) stop 2
      if (status(MPI_SOURCE) .ne. 7 .or. status(MPI_TAG) .ne. 8) stop 3
      call MPI_GET_COUNT(status, MPI_INTEGER, n, ierr)
      if (n .ne. 3) stop 4
      call MPI_TEST_CANCELLED(status, flag, ierr)
      if (flag) stop 5

      state = 6
      call MPI_GREQUEST_START(query, freed, cancelled, state, request, ierr)
      call MPI_CANCEL(request, ierr)
      if (state .ne. 106) stop 6
      call MPI_GREQUEST_COMPLETE(request, ierr)
      call MPI_CANCEL(request, ierr)
      if (state .ne. 106) stop 7
      call MPI_WAIT(request, status, ierr)
      call MPI_TEST_CANCELLED(status, flag, ierr)
      if (.not. flag .or. state .ne. -106) stop 8

      state = 7
      call MPI_GREQUEST_START(query, freed, cancelled, state, request, ierr)
      number = request
      call MPI_REQUEST_FREE(request, ierr)
      call MPI_GREQUEST_COMPLETE(number, ierr)
      if (state .ne. -7) stop 9
      call MPI_FINALIZE(ierr)
      end
