! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! Dimensions are counted from 1.
! Twin: dimensions are counted from 0.
program main
    use mpi_f08
    implicit none
    integer :: rank, size, ierr
    integer :: left, right
    type(MPI_Comm) :: ring
    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    call MPI_Comm_size(MPI_COMM_WORLD, size, ierr)
    call MPI_Cart_create(MPI_COMM_WORLD, 1, (/size/), (/.true./), .false., ring)
#ifdef TWIN
    call MPI_Cart_shift(ring, 0, 1, left, right)
#else
    call MPI_Cart_shift(ring, 1, 1, left, right) ! @invalid-argument
#endif
    call MPI_Comm_free(ring)
    call MPI_Finalize(ierr)
end program
