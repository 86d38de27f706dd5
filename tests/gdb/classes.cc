// SPDX-License-Identifier: BSD-3-Clause
// Lines of it are found by the words behind "@".
#include <stdexcept>
#include <string>
#include <sys/prctl.h>
#include <vector>

#include "stand_in.h"

namespace grid
{
class Cell
{
  public:
    Cell(int key, double weight) : key(key), weight(weight) {}
    int total() const
    {
        int sum = key;    // @sum
        return sum + 1;   // @plus
    }
    std::vector<int> many{4, 5, 6};

  private:
    int key;
    double weight;
};
template <class T> T twice(T x)
{
    return x + x; // @twice
}
} // namespace grid

int main()
{
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    grid::Cell cell(3, 0.5);
    const std::string name = "cell";
    int value = 0;
    MPI_Recv(&value);                            // @first
    value += cell.total();                       // @total
    value += grid::twice(value);                 // @int
    double half = grid::twice(0.25);             // @double
    MPI_Send(&value);                            // @send
    if (value > 10)                              // @if
        throw std::runtime_error("too large");   // @throw
    return half > 1;
}
