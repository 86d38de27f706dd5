// SPDX-License-Identifier: BSD-3-Clause
// The C functions from C++: a communicator that frees itself, a template, a namespace. Both ranks receive first.
#include <mpi.h>
#include <vector>

namespace halo {

class Communicator {
public:
    Communicator() { MPI_Comm_dup(MPI_COMM_WORLD, &comm_); }
    ~Communicator() { MPI_Comm_free(&comm_); }
    Communicator(const Communicator &) = delete;
    Communicator &operator=(const Communicator &) = delete;
    operator MPI_Comm() const { return comm_; }

private:
    MPI_Comm comm_;
};

template <typename T> MPI_Datatype type_of();
template <> MPI_Datatype type_of<double>() { return MPI_DOUBLE; }

template <typename T> void swap(std::vector<T> &mine, int other, const Communicator &comm)
{
    std::vector<T> theirs(mine.size());
    MPI_Recv(theirs.data(), static_cast<int>(theirs.size()), type_of<T>(), other, 0, comm, MPI_STATUS_IGNORE); // @deadlock
    MPI_Send(mine.data(), static_cast<int>(mine.size()), type_of<T>(), other, 0, comm);
    mine.swap(theirs);
}

} // namespace halo

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    {
        halo::Communicator comm;
        std::vector<double> cells(4, rank);
        halo::swap(cells, 1 - rank, comm);
    }
    MPI_Finalize();
}
