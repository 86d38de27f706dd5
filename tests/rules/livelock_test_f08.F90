! SPDX-License-Identifier: BSD-3-Clause
! isp -n 3
! Rank 1 tests a receive from rank 2, which sends nothing.
! Twin: rank 1 tests a receive from rank 0, which sends it.
program test
    use mpi_f08
    implicit none
    integer :: rank, x
    logical :: done
    type(MPI_Request) :: request

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    x = rank
    done = .false.
#ifdef TWIN
    if (rank == 0) call MPI_Send(x, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD)
    if (rank == 2) then
        x = 0
#else
    if (rank == 0) call MPI_Send(x, 1, MPI_INTEGER, 2, 0, MPI_COMM_WORLD)
    if (rank == 2) then
        call MPI_Recv(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#endif
    end if
    if (rank == 1) then
#ifdef TWIN
        call MPI_Irecv(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request)
#else
        call MPI_Irecv(x, 1, MPI_INTEGER, 2, 0, MPI_COMM_WORLD, request)
#endif
        do while (.not. done) ! @livelock?
            call MPI_Test(request, done, MPI_STATUS_IGNORE) ! @livelock?
        end do
    end if
    call MPI_Finalize()
end program test
