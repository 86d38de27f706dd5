! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! It is started.
program p
    use mpi
    implicit none
    integer :: r, ierr

    call MPI_Init(ierr)
    call MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, r, ierr)
    call MPI_Start(r, ierr)
    call MPI_Wait(r, MPI_STATUS_IGNORE, ierr)
    call MPI_Request_free(r, ierr)
    call MPI_Finalize(ierr)
end program p
