! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2 --timeout=3
! A loop that never ends between two barriers.
! Twin: a loop that ends between two barriers.
program test
    use mpi_f08
    implicit none
    integer :: rank
    integer, volatile :: i

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    i = 1
    call MPI_Barrier(MPI_COMM_WORLD)
#ifdef TWIN
    do while (rank == 0 .and. i > 10)
#else
    do while (rank == 0 .and. i > 0) ! @hang?
#endif
        i = 2 ! @hang?
    end do
    call MPI_Barrier(MPI_COMM_WORLD)
    call MPI_Finalize()
end program test
