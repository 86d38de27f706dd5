! SPDX-License-Identifier: BSD-3-Clause
! The attached buffer is too small for two messages.
! Twin: the attached buffer is large enough for two messages.
program small
  use mpi_f08
  use, intrinsic :: iso_c_binding
  implicit none
  integer :: rank, x(10), bytes
#ifdef TWIN
  character, asynchronous :: buffer(2 * (40 + MPI_BSEND_OVERHEAD))
#else
  character, asynchronous :: buffer(1 * (40 + MPI_BSEND_OVERHEAD))
#endif
  type(c_ptr) :: old
  call MPI_Init()
  call MPI_Comm_rank(MPI_COMM_WORLD, rank)
  x = rank
  call MPI_Buffer_attach(buffer, size(buffer))
  if (rank == 0) then
    call MPI_Bsend(x, 10, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
    call MPI_Bsend(x, 10, MPI_INTEGER, 1, 1, MPI_COMM_WORLD) ! @bsend-buffer
    call MPI_Barrier(MPI_COMM_WORLD)
  else
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Recv(x, 10, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    call MPI_Recv(x, 10, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
  end if
  call MPI_Buffer_detach(old, bytes)
  call MPI_Finalize()
end program
