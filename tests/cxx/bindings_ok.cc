// SPDX-License-Identifier: BSD-3-Clause
// The C++ bindings of MPI-2: a reduction of the program's own, an error as an exception, Waitany, attributes.
#include <cstdlib>
#include <mpi.h>

static void larger(const void *in, void *inout, int n, const MPI::Datatype &)
{
    for (int i = 0; i < n; i++)
        if (static_cast<const int *>(in)[i] > static_cast<int *>(inout)[i])
            static_cast<int *>(inout)[i] = static_cast<const int *>(in)[i];
}

int main(int argc, char **argv)
{
    MPI::Init(argc, argv);
    MPI::Intracomm comm = MPI::COMM_WORLD.Dup();
    int rank = comm.Get_rank(), size = comm.Get_size(), best = -1;

    MPI::Op op;
    op.Init(larger, true);
    comm.Allreduce(&rank, &best, 1, MPI::INT, op);
    op.Free();
    if (best != size - 1)
        exit(1);

    comm.Set_errhandler(MPI::ERRORS_THROW_EXCEPTIONS);
    bool caught = false;
    try {
        comm.Send(&rank, 1, MPI::INT, size, 0); // @invalid-rank
    } catch (MPI::Exception &e) {
        caught = e.Get_error_class() == MPI::ERR_RANK;
    }
    if (!caught)
        exit(2);

    if (rank == 0) {
        int got[2];
        MPI::Request requests[2] = {comm.Irecv(&got[0], 1, MPI::INT, 1, 0), comm.Irecv(&got[1], 1, MPI::INT, 2, 0)};
        MPI::Status status;
        int first = MPI::Request::Waitany(2, requests, status);
        if (got[first] != first + 1 || status.Get_source() != first + 1)
            exit(3);
        requests[1 - first].Wait();
    } else {
        comm.Send(&rank, 1, MPI::INT, 0, 0);
    }
    comm.Free();
    MPI::Finalize();
}
