! SPDX-License-Identifier: BSD-3-Clause
! mpif.h, fixed form: two receives from any source.
      program mpif_deadlock_ok
      include 'mpif.h'
      integer ierr, rank, one
      integer status(MPI_STATUS_SIZE)
      call MPI_Init(ierr)
      call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
      one = rank
      if (rank .eq. 0) then
        call MPI_Recv(one, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0,
     &                MPI_COMM_WORLD, status, ierr)
        call MPI_Recv(one, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0,
     &                MPI_COMM_WORLD, status, ierr)
      else
        call MPI_Send(one, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, ierr)
      end if
      call MPI_Finalize(ierr)
      end
