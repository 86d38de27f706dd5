// SPDX-License-Identifier: BSD-3-Clause
// The same with a layer of C++: see c.c.
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <vector>

#include "quiet.h"

namespace mpi {

template <typename T> MPI_Datatype type_of();
template <> inline MPI_Datatype type_of<int>() { return MPI_INT; }
template <> inline MPI_Datatype type_of<double>() { return MPI_DOUBLE; }

inline void check(int code)
{
    if (code != MPI_SUCCESS)
        throw std::runtime_error("MPI");
}

template <typename T> void send(const T &x, int to)
{
    check(MPI_Send(&x, 1, type_of<T>(), to, 0, MPI_COMM_WORLD));
}

template <typename T> T recv(int from)
{
    T x;
    check(MPI_Recv(&x, 1, type_of<T>(), from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    return x;
}

/* What calls any function of MPI. */
template <typename F, typename... Arguments> void call(F function, Arguments... arguments)
{
    check(function(arguments...));
}

class Communicator {
  public:
    explicit Communicator(MPI_Comm of, bool owns = true) : owns(owns) { MPI_Comm_dup(of, &comm); }
    ~Communicator()
    {
        if (owns)
            MPI_Comm_free(&comm);
    }
    Communicator(const Communicator &) = delete;
    void barrier() { MPI_Barrier(comm); }
    template <typename T> void recv(std::vector<T> &into, int from)
    {
        MPI_Status status;
        int n;
        MPI_Probe(from, 0, comm, &status);
        MPI_Get_count(&status, type_of<T>(), &n);
        into.resize(static_cast<size_t>(n));
        MPI_Recv(into.data(), n, type_of<T>(), from, 0, comm, MPI_STATUS_IGNORE);
    }

  private:
    MPI_Comm comm;
    bool owns;
};

template <typename T, int N> class Channel {
  public:
    explicit Channel(int peer) : peer(peer) {}
    void send(const T &x) { post(&x); }
    void receive(T &x)
    {
        MPI_Recv(&x, N, type_of<T>(), peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    Channel &operator<<(const T &x)
    {
        send(x);
        return *this;
    }

  private:
    void post(const T *x) { MPI_Ssend(x, N, type_of<T>(), peer, 0, MPI_COMM_WORLD); }
    int peer;
};

} // namespace mpi

namespace {

int rank, other, number;

class Solver {
  public:
    void step()
    {
        mpi::recv<int>(other); // @solver
        mpi::send(number, other);
    }
};

int template_function()
{
    if (rank == 0)
        mpi::recv<int>(1); // @template_function
    else
        mpi::recv<double>(0);
    return 0;
}

int template_once()
{
    number = mpi::recv<int>(other); // @template_once
    return 0;
}

int channel()
{
    mpi::Channel<int, 1> to(other);
    to.receive(number); // @channel
    return 0;
}

int channel_layers()
{
    mpi::Channel<int, 1> ints(other);
    mpi::Channel<double, 1> reals(MPI_PROC_NULL);
    reals.send(1);
    ints.send(number); // @channel_layers
    return 0;
}

int channel_operator()
{
    mpi::Channel<int, 1> to(other), nowhere(MPI_PROC_NULL);
    nowhere << 1;
    to << number; // @channel_operator
    return 0;
}

int lambda()
{
    auto get = [](int from) { MPI_Recv(&number, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); };
    get(MPI_PROC_NULL);
    get(other); // @lambda
    return 0;
}

int lambda_once()
{
    int tag = 4;
    auto get = [tag](int from) {
        MPI_Recv(&number, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    };
    get(other); // @lambda_once
    return 0;
}

int std_function()
{
    std::function<void(int)> get = [](int from) {
        MPI_Recv(&number, 1, MPI_INT, from, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    };
    if (rank == 0)
        MPI_Send(&number, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
    else
        get(0);
    get(other); // @std_function
    return 0;
}

/* The algorithm calls what stands there: that is the program's line. */
int for_each()
{
    std::vector<int> ranks{other};
    std::for_each(ranks.begin(), ranks.end(), [](int from) {
        MPI_Recv(&number, 1, MPI_INT, from, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // @for_each
    });
    return 0;
}

int raii()
{
    mpi::Communicator first(MPI_COMM_WORLD), second(MPI_COMM_WORLD, false); // @raii
    first.barrier();
    return 0;
}

int method()
{
    mpi::Communicator all(MPI_COMM_WORLD);
    all.barrier();
    if (rank == 0)
        all.barrier(); // @method
    return 0;
}

int vectors()
{
    std::vector<int> into;
    mpi::Communicator all(MPI_COMM_WORLD);
    all.recv(into, other); // @vectors
    return 0;
}

int any_function()
{
    mpi::call(MPI_Barrier, MPI_COMM_WORLD);
    mpi::call(MPI_Recv, &number, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // @any_function
    return 0;
}

int solver()
{
    Solver first, second;
    first.step();
    second.step();
    return 0;
}

int stripped_cxx()
{
    quiet::Box<int> box;
    box.recv(&number, other); // @stripped_cxx
    return 0;
}

#define PROGRAM(name) {#name, name}

const struct {
    const char *name;
    int (*run)();
} programs[] = {
    PROGRAM(template_function), PROGRAM(template_once), PROGRAM(channel),      PROGRAM(channel_layers),
    PROGRAM(channel_operator),  PROGRAM(lambda),        PROGRAM(lambda_once),  PROGRAM(std_function),
    PROGRAM(for_each),          PROGRAM(raii),          PROGRAM(method),       PROGRAM(vectors),
    PROGRAM(any_function),      PROGRAM(solver),        PROGRAM(stripped_cxx),
};

} // namespace

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    for (const auto &program : programs)
        if (argc > 1 && std::strcmp(program.name, argv[1]) == 0)
            program.run();
    MPI_Finalize();
}
