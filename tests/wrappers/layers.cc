// SPDX-License-Identifier: BSD-3-Clause
// Layers of C++ that were written after the rules, to see whether they hold: see c.c.
#include <mpi.h>

#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "silent.h"

namespace net
{

/* A traits class, a policy, and a base class that knows the class which is derived from it. */
template <typename T> struct Traits;
template <> struct Traits<int> {
    static MPI_Datatype type() { return MPI_INT; }
};
template <> struct Traits<double> {
    static MPI_Datatype type() { return MPI_DOUBLE; }
};

struct Synchronous {
    static int post(const void *x, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
    {
        return MPI_Ssend(x, n, type, to, tag, comm);
    }
};

template <typename Self> class Endpoint
{
  public:
    template <typename T> void put(const T &x, int tag = 0)
    {
        Self::Policy::post(&x, 1, Traits<T>::type(), self().peer(), tag, MPI_COMM_WORLD);
    }
    template <typename T> T take(int tag = 0)
    {
        T x{};
        MPI_Recv(&x, 1, Traits<T>::type(), self().peer(), tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return x;
    }

  private:
    Self &self() { return static_cast<Self &>(*this); }
};

class Link : public Endpoint<Link>
{
  public:
    using Policy = Synchronous;
    explicit Link(int to) : to(to) {}
    int peer() const { return to; }

  private:
    int to;
};

/* Waits for its request when it goes out of scope. */
class Pending
{
  public:
    Pending(int *into, int from, int tag)
    {
        MPI_Irecv(into, 1, MPI_INT, from, tag, MPI_COMM_WORLD, &request);
    }
    Pending(const Pending &) = delete;
    ~Pending() { MPI_Wait(&request, MPI_STATUS_IGNORE); }

  private:
    MPI_Request request;
};

/* An interface with one implementation. */
struct Transport {
    virtual ~Transport() = default;
    virtual void broadcast(int *x, int root) = 0;
    virtual void barrier() = 0;
};

struct Mpi : Transport {
    void broadcast(int *x, int root) override { MPI_Bcast(x, 1, MPI_INT, root, MPI_COMM_WORLD); }
    void barrier() override { MPI_Barrier(MPI_COMM_WORLD); }
};

/* Anything, piece by piece. */
template <typename T> void send_one(const T &x, int to)
{
    MPI_Send(&x, 1, Traits<T>::type(), to, 1, MPI_COMM_WORLD);
}
template <typename... All> void send_all(int to, const All &...all) { (send_one(all, to), ...); }

template <typename T> void receive_one(T &x, int from)
{
    MPI_Recv(&x, 1, Traits<T>::type(), from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
template <typename... All> void receive_all(int from, All &...all) { (receive_one(all, from), ...); }

struct Reader {
    int from;
    Reader &operator>>(int &x)
    {
        MPI_Recv(&x, 1, MPI_INT, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return *this;
    }
    int operator()(int tag)
    {
        int x = 0;
        MPI_Recv(&x, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return x;
    }
    int operator[](int tag) { return (*this)(tag); }
};

} // namespace net

namespace
{

int rank, other, number;

int derived()
{
    net::Link link(other), nowhere(MPI_PROC_NULL);
    nowhere.put(1);
    if (rank == 0)
        link.put(number, 4);
    else
        link.take<int>(4);
    link.put(number); // @derived
    return 0;
}

int destructor()
{
    int got;
    {
        net::Pending pending(&got, other, 6);
        if (rank == 0)
            MPI_Send(&number, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
    } // @destructor
    return 0;
}

int interface()
{
    std::unique_ptr<net::Transport> net = std::make_unique<net::Mpi>();
    net->barrier();
    if (rank == 0)
        net->barrier(); // @interface
    else
        net->broadcast(&number, 0); // @interface
    return 0;
}

int pack()
{
    double real = 0;
    if (rank == 0)
        net::send_all(1, number);
    else
        net::receive_all(0, number, real); // @pack
    return 0;
}

int chained()
{
    int a, b;
    net::Reader in{other};
    if (rank == 0)
        MPI_Send(&number, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    else
        in >> a;
    in >> a >> b; // @chained
    return 0;
}

int call_operator()
{
    net::Reader in{other}, nowhere{MPI_PROC_NULL};
    number = nowhere[1] + in[7]; // @call_operator
    return 0;
}

/* Functions by name. */
int dispatch()
{
    std::map<std::string, std::function<void(int)>> table = {
        {"get", [](int from) { MPI_Recv(&number, 1, MPI_INT, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }},
        {"put", [](int to) { MPI_Ssend(&number, 1, MPI_INT, to, 3, MPI_COMM_WORLD); }},
    };
    if (rank == 0)
        table["put"](1);
    else
        table["get"](0);
    table["get"](other); // @dispatch
    return 0;
}

/* A lambda that is given to a template, which calls it. */
template <typename Body> void on_each(const std::vector<int> &all, Body &&body)
{
    for (int one : all)
        std::forward<Body>(body)(one);
}

int generic_lambda()
{
    auto receive = [](auto &x, int from) { // a template
        MPI_Recv(&x, 1, MPI_INT, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    };
    receive(number, MPI_PROC_NULL);
    receive(number, other); // @generic_lambda
    return 0;
}

int body()
{
    on_each({other}, [](int from) {
        MPI_Recv(&number, 1, MPI_INT, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); // @body
    });
    return 0;
}

int applied()
{
    auto receive = [](int *x, int from, int tag) {
        MPI_Recv(x, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    };
    std::apply(receive, std::make_tuple(&number, MPI_PROC_NULL, 1));
    std::apply(receive, std::make_tuple(&number, other, 1)); // @applied
    return 0;
}

int bound_member()
{
    net::Link link(other);
    auto take = std::bind(&net::Link::take<int>, &link, 8);
    number = take(); // @bound_member
    return 0;
}

int silent_exchange()
{
    char text[24];
    silent_put("hello", other); // @silent_exchange
    silent_get(text, other);
    return 0;
}

int silent_reduction()
{
    std::array<double, 3> x{1, 2, 3};
    silent_norm(x.data(), 3);
    if (rank == 0)
        silent_norm(x.data(), 3); // @silent_reduction
    return 0;
}

#define PROGRAM(name) \
    {                 \
#name, name   \
    }

const struct {
    const char *name;
    int (*run)();
} programs[] = {
    PROGRAM(derived),
    PROGRAM(destructor),
    PROGRAM(interface),
    PROGRAM(pack),
    PROGRAM(chained),
    PROGRAM(call_operator),
    PROGRAM(dispatch),
    PROGRAM(generic_lambda),
    PROGRAM(body),
    PROGRAM(applied),
    PROGRAM(bound_member),
    PROGRAM(silent_exchange),
    PROGRAM(silent_reduction),
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
