! SPDX-License-Identifier: BSD-3-Clause
! isp -n 2
! A persistent barrier is never freed.
! Twin: it is freed.
program p
    use mpi_f08
    implicit none
    type(MPI_Request) :: r
    type(MPI_Status) :: status

    call MPI_Init()
    call MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, r) ! @leak-request
    call MPI_Start(r)
    call MPI_Wait(r, status)
#ifdef TWIN
    call MPI_Request_free(r)
#endif
    call MPI_Finalize()
end program p
