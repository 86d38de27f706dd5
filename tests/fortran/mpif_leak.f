! SPDX-License-Identifier: BSD-3-Clause
! mpif.h: a communicator that is never freed; and a request that nobody completes.
      program mpif_leak
      implicit none
      include 'mpif.h'
      integer ierr, rank, row, request, n
      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      call MPI_COMM_SPLIT(MPI_COMM_WORLD, mod(rank, 2), rank, row, ierr) ! @leak-communicator
      n = rank
      if (rank .eq. 0) then
        call MPI_ISEND(n, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, request, ierr) ! @missing-wait
      else if (rank .eq. 1) then
        call MPI_RECV(n, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierr)
      end if
      call MPI_FINALIZE(ierr)
      end
