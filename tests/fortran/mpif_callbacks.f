! SPDX-License-Identifier: BSD-3-Clause
! mpif.h: functions of the program that MPI calls: a reduction, attributes' copy and delete, an error handler.
      subroutine larger(in, inout, n, datatype)
      implicit none
      integer n, in(n), inout(n), datatype, i
      do i = 1, n
        if (abs(in(i)) .gt. abs(inout(i))) inout(i) = in(i)
      end do
      end

      subroutine copied(comm, keyval, extra, old, new, flag, ierr)
      implicit none
      include 'mpif.h'
      integer comm, keyval, ierr
      integer(kind=MPI_ADDRESS_KIND) extra, old, new
      logical flag
      new = old + extra
      flag = .true.
      ierr = MPI_SUCCESS
      end

      subroutine deleted(comm, keyval, value, extra, ierr)
      implicit none
      include 'mpif.h'
      integer comm, keyval, ierr, count, handled
      integer(kind=MPI_ADDRESS_KIND) extra, value
      common /counts/ count, handled
      count = count + 1
      ierr = MPI_SUCCESS
      end

      subroutine handler(comm, code)
      implicit none
      integer comm, code, count, handled
      common /counts/ count, handled
      handled = handled + 1
      end

      program mpif_callbacks
      implicit none
      include 'mpif.h'
      external larger, copied, deleted, handler
      integer ierr, rank, size, op, keyval, comm, twin, errh, old
      integer mine(2), best(2), count, handled
      integer(kind=MPI_ADDRESS_KIND) value, extra
      logical flag
      common /counts/ count, handled
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, size, ierr)
      count = 0
      handled = 0

      call MPI_OP_CREATE(larger, .true., op, ierr)
      mine(1) = rank
      mine(2) = -rank
      call MPI_ALLREDUCE(mine, best, 2, MPI_INTEGER, op, MPI_COMM_WORLD, ierr)
      if (best(1) .ne. size - 1 .or. best(2) .ne. 1 - size) stop 1
      call MPI_OP_FREE(op, ierr)

      extra = 2
      call MPI_COMM_CREATE_KEYVAL(copied, deleted, keyval, extra, ierr)
      call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierr)
      value = 40
      call MPI_COMM_SET_ATTR(comm, keyval, value, ierr)
      call MPI_COMM_DUP(comm, twin, ierr)
      call MPI_COMM_GET_ATTR(twin, keyval, value, flag, ierr)
      if (.not. flag .or. value .ne. 42) stop 2
      call MPI_COMM_FREE(twin, ierr)
      if (count .ne. 1) stop 3
      call MPI_ATTR_GET(MPI_COMM_WORLD, MPI_TAG_UB, old, flag, ierr)
      if (.not. flag .or. old .lt. 32767) stop 4

      call MPI_COMM_CREATE_ERRHANDLER(handler, errh, ierr)
      call MPI_COMM_SET_ERRHANDLER(comm, errh, ierr)
      call MPI_SEND(mine, 1, MPI_INTEGER, size, 0, comm, ierr) ! @invalid-rank
      if (handled .ne. 1 .or. ierr .eq. MPI_SUCCESS) stop 5
      call MPI_ERRHANDLER_FREE(errh, ierr)
      call MPI_COMM_FREE(comm, ierr)
      if (count .ne. 2) stop 6
      call MPI_COMM_FREE_KEYVAL(keyval, ierr)
      call MPI_FINALIZE(ierr)
      end
