! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! A persistent barrier is waited for and never started: nobody waits for anybody.
! Twin: it is started.
program p
    use mpi
    implicit none
    integer :: r, ierr

    call MPI_Init(ierr)
    call MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, r, ierr)
#ifdef TWIN
    call MPI_Start(r, ierr)
#endif
    call MPI_Wait(r, MPI_STATUS_IGNORE, ierr) ! @missing-start
    call MPI_Request_free(r, ierr)
    call MPI_Finalize(ierr)
end program p
