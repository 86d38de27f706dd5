! SPDX-License-Identifier: BSD-3-Clause
! Every call that makes a group of others: each size is as the standard says (MPI-4.0, 7.3.2).
program groups
    use mpi
    implicit none
    integer :: all, one, made, ranks(1), ranges(3, 1), ierr

    call MPI_Init(ierr)
    call MPI_Comm_group(MPI_COMM_WORLD, all, ierr)
    ranks(1) = 1
    ranges(:, 1) = [1, 2, 1]
    call MPI_Group_incl(all, 1, ranks, one, ierr)
    call check(one, 1, .false.)
    call MPI_Group_excl(all, 1, ranks, made, ierr)
    call check(made, 2, .true.)
    call MPI_Group_range_incl(all, 1, ranges, made, ierr)
    call check(made, 2, .true.)
    call MPI_Group_range_excl(all, 1, ranges, made, ierr)
    call check(made, 1, .true.)
    call MPI_Group_union(one, all, made, ierr)
    call check(made, 3, .true.)
    call MPI_Group_intersection(all, one, made, ierr)
    call check(made, 1, .true.)
    call MPI_Group_difference(all, one, made, ierr)
    call check(made, 2, .true.)
    call MPI_Group_free(one, ierr)
    call MPI_Group_free(all, ierr)
    call MPI_Finalize(ierr)
contains
    subroutine check(group, wanted, last)
        integer :: group
        integer, intent(in) :: wanted
        logical, intent(in) :: last
        integer :: n

        call MPI_Group_size(group, n, ierr)
        if (n /= wanted) stop 1
        if (last) call MPI_Group_free(group, ierr)
    end subroutine check
end program groups
