! SPDX-License-Identifier: BSD-3-Clause
! isp -n 3
! Rank 0 receives from whoever comes first.
! Twin: rank 0 receives from rank 1 and then from rank 2.
program test
    use mpi_f08
    implicit none
    integer :: rank, x, i

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    x = rank
    if (rank == 0) then
        do i = 1, 2
#ifdef TWIN
            call MPI_Recv(x, 1, MPI_INTEGER, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
#else
            call MPI_Recv(x, 1, MPI_INTEGER, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) ! @wildcard
#endif
        end do
    else
        call MPI_Send(x, 1, MPI_INTEGER, 0, 0, MPI_COMM_WORLD)
    end if
    call MPI_Finalize()
end program test
