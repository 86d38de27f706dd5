! SPDX-License-Identifier: BSD-3-Clause
! mpi_f08: array sections that are not contiguous, which become datatypes that nobody but the binding sees, also
! while a nonblocking operation is pending; derived types; memory of MPI_Alloc_mem.
program f08_sections
    use mpi_f08
    use, intrinsic :: iso_c_binding
    implicit none
    type :: particle
        real(8) :: x(3)
        integer :: id
    end type
    integer :: rank, other, i, matrix(4, 6)
    integer, asynchronous :: a(10), b(10)
    type(particle) :: swarm(2)
    type(MPI_Datatype) :: parts, whole, block
    type(MPI_Request) :: requests(2)
    type(c_ptr) :: memory
    real, pointer :: field(:)
    integer(MPI_ADDRESS_KIND) :: displacements(2)
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    other = 1 - rank

    a = (/(100 * rank + i, i = 1, 10)/)
    b = -1
    call MPI_Irecv(b(2:10:2), 5, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(a(1:10:2), 5, MPI_INTEGER, other, 0, MPI_COMM_WORLD, requests(2))
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)
    if (any(b(2:10:2) /= (/(100 * other + i, i = 1, 9, 2)/)) .or. any(b(1:9:2) /= -1)) error stop 1
    if (.not. MPI_SUBARRAYS_SUPPORTED) error stop 2
    call MPI_Bcast(a(10:1:-3), 4, MPI_INTEGER, 0, MPI_COMM_WORLD)
    if (any(a(10:1:-3) /= (/10, 7, 4, 1/))) error stop 3

    call MPI_Get_address(swarm(1)%x, displacements(1))
    call MPI_Get_address(swarm(1)%id, displacements(2))
    displacements = displacements - displacements(1)
    call MPI_Type_create_struct(2, (/3, 1/), displacements, (/MPI_REAL8, MPI_INTEGER/), parts)
    call MPI_Type_create_resized(parts, 0_MPI_ADDRESS_KIND, int(storage_size(swarm) / 8, MPI_ADDRESS_KIND), whole)
    call MPI_Type_commit(whole)
    call MPI_Type_free(parts)
    swarm(1) = particle((/1d0, 2d0, 3d0/), rank)
    swarm(2) = particle((/4d0, 5d0, 6d0/), rank + 10)
    if (rank == 0) call MPI_Send(swarm, 2, whole, 1, 1, MPI_COMM_WORLD)
    if (rank == 1) call MPI_Recv(swarm, 2, whole, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE)
    if (swarm(2)%id /= 10 .or. swarm(2)%x(3) /= 6d0) error stop 4
    call MPI_Type_free(whole)

    call MPI_Type_create_subarray(2, (/4, 6/), (/2, 3/), (/1, 2/), MPI_ORDER_FORTRAN, MPI_INTEGER, block)
    call MPI_Type_commit(block)
    matrix = rank
    call MPI_Bcast(matrix, 1, block, 0, MPI_COMM_WORLD)
    if (sum(matrix) /= 18 * rank .or. any(matrix(2:3, 3:5) /= 0)) error stop 5
    call MPI_Type_free(block)

    call MPI_Alloc_mem(400_MPI_ADDRESS_KIND, MPI_INFO_NULL, memory)
    call c_f_pointer(memory, field, (/100/))
    field = real(rank)
    call MPI_Allreduce(MPI_IN_PLACE, field, 100, MPI_REAL, MPI_MAX, MPI_COMM_WORLD)
    if (any(field /= 1.0)) error stop 6
    call MPI_Free_mem(field)
    call MPI_Finalize()
end program
