! SPDX-License-Identifier: BSD-3-Clause
! mpif.h: rank 0 waits for a generalized request that it would complete later.
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

      program mpif_general
      implicit none
      include 'mpif.h'
      external query, freed, cancelled
      integer(kind=MPI_ADDRESS_KIND) state
      integer ierr, rank, request
      integer status(MPI_STATUS_SIZE)
      volatile state
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)

      state = 5
      call MPI_GREQUEST_START(query, freed, cancelled, state, request, ierr)
      if (rank .eq. 0) call MPI_WAIT(request, status, ierr) ! @deadlock
      call MPI_GREQUEST_COMPLETE(request, ierr)
      if (rank .ne. 0) call MPI_WAIT(request, status, ierr)
      call MPI_FINALIZE(ierr)
      end
