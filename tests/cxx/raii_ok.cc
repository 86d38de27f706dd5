// SPDX-License-Identifier: BSD-3-Clause
// A communicator and a request that free themselves, also when an exception leaves their block.
#include <mpi.h>
#include <stdexcept>
#include <string>

class Communicator {
public:
    Communicator()
    {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
        MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN);
    }
    ~Communicator() { MPI_Comm_free(&comm_); }
    Communicator(const Communicator &) = delete;
    Communicator &operator=(const Communicator &) = delete;
    MPI_Comm get() const { return comm_; }

private:
    MPI_Comm comm_;
};

class Pending {
public:
    Pending(int &value, int source, const Communicator &comm) { MPI_Irecv(&value, 1, MPI_INT, source, 0, comm.get(), &request_); }
    ~Pending() { MPI_Wait(&request_, MPI_STATUS_IGNORE); }
    Pending(const Pending &) = delete;
    Pending &operator=(const Pending &) = delete;

private:
    MPI_Request request_;
};

static void check(int code)
{
    if (code == MPI_SUCCESS)
        return;
    char text[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Error_string(code, text, &length);
    throw std::runtime_error(std::string(text, length));
}

static int exchange(int rank, const Communicator &comm)
{
    int got = -1;
    Pending pending(got, 1 - rank, comm);
    MPI_Send(&rank, 1, MPI_INT, 1 - rank, 0, comm.get());
    // no such rank: throws, and `pending` is completed
    check(MPI_Send(&rank, 1, MPI_INT, 17, 0, comm.get())); // @invalid-rank
    return got;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, caught = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    try {
        Communicator comm;
        exchange(rank, comm);
    } catch (const std::runtime_error &) {
        caught = 1;
    }
    MPI_Finalize();
    return caught ? 0 : 5;
}
