! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! The barrier is begun and never waited for.
! Twin: the barrier is waited for.
program p
    use mpi_f08
    implicit none
    type(MPI_Request) :: r
    integer :: ierr

    call MPI_Init(ierr)
    call MPI_Ibarrier(MPI_COMM_WORLD, r, ierr) ! @missing-wait
#ifdef TWIN
    call MPI_Wait(r, MPI_STATUS_IGNORE, ierr)
#endif
    call MPI_Finalize(ierr)
end program p
