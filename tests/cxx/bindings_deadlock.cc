// SPDX-License-Identifier: BSD-3-Clause
// The C++ bindings of MPI-2 that MPICH still has: sites are in the program, not in mpicxx.h. Rank 0's second receive wants
// what its first may have taken.
#include <mpi.h>

static void collect(MPI::Intracomm &comm)
{
    int got;
    comm.Recv(&got, 1, MPI::INT, MPI::ANY_SOURCE, 0);
    MPI::Request request = comm.Irecv(&got, 1, MPI::INT, 2, 0);
    request.Wait(); // @deadlock
}

int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
    int rank = comm.Get_rank();
    if (rank == 0)
        collect(comm);
    else
        comm.Send(&rank, 1, MPI::INT, 0, 0);
    comm.Free();
    MPI::Finalize();
}
