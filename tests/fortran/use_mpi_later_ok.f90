! SPDX-License-Identifier: BSD-3-Clause
! What a binding of Fortran cannot pass on as it is: arrays of datatypes, as long as the communicator is large;
! a communicator that is written later; and more attributes than a fixed table holds.
program later
   use mpi
   implicit none
   integer :: ierror, rank, n, i, request, comm, copy, key, type, bytes
   integer, allocatable :: sent(:), got(:), counts(:), places(:), types(:)
   integer(kind=MPI_ADDRESS_KIND) :: value
   logical :: found

   call MPI_Init(ierror)
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
   call MPI_Comm_size(MPI_COMM_WORLD, n, ierror)
   sent = [(10*rank + i, i=0, n - 1)]
   counts = [(1, i=1, n)]
   places = [(4*i, i=0, n - 1)]
   types = [(MPI_INTEGER, i=1, n)]

   got = [(-1, i=1, n)]
   call MPI_Alltoallw(sent, counts, places, types, got, counts, places, types, MPI_COMM_WORLD, ierror)
   call check(all(got == [(10*i + rank, i=0, n - 1)]), 1)
   got = [(-1, i=1, n)]
   call MPI_Ialltoallw(sent, counts, places, types, got, counts, places, types, MPI_COMM_WORLD, request, ierror)
   call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
   call check(all(got == [(10*i + rank, i=0, n - 1)]), 2)
   call MPI_Alltoallw(MPI_IN_PLACE, counts, places, types, sent, counts, places, types, MPI_COMM_WORLD, ierror)
   call check(all(sent == got), 3)

   call MPI_Comm_idup(MPI_COMM_WORLD, comm, request, ierror)
   call MPI_Wait(request, MPI_STATUS_IGNORE, ierror)
   call MPI_Comm_rank(comm, i, ierror)
   call check(i == rank, 4)

   call MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, type, ierror)
   call MPI_Type_size(type, bytes, ierror)
   call check(bytes == 8, 5)

   call MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, key, 0_MPI_ADDRESS_KIND, ierror)
   call MPI_Comm_dup(comm, copy, ierror)
   call MPI_Comm_set_attr(copy, key, 42_MPI_ADDRESS_KIND, ierror)
   do i = 1, 3000
      value = i
      call MPI_Comm_set_attr(comm, key, value, ierror)
   end do
   call MPI_Comm_get_attr(copy, key, value, found, ierror)
   call check(found .and. value == 42, 6)
   call MPI_Comm_get_attr(comm, key, value, found, ierror)
   call check(found .and. value == 3000, 7)
   call MPI_Comm_free(copy, ierror)
   call MPI_Comm_free(comm, ierror)
   call MPI_Comm_free_keyval(key, ierror)
   call MPI_Finalize(ierror)

contains

   subroutine check(ok, which)
      logical, intent(in) :: ok
      integer, intent(in) :: which
      if (.not. ok) then
         print *, 'wrong:', which
         call MPI_Abort(MPI_COMM_WORLD, 7, ierror)
      end if
   end subroutine check
end program later
