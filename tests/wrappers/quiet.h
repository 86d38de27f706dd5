/* SPDX-License-Identifier: BSD-3-Clause */
/* A library without debug information. */
#ifndef QUIET_H
#define QUIET_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif
void quiet_recv(int *x, int from);
void quiet_dup(MPI_Comm of, MPI_Comm *copy);
void quiet_each(int from, void (*event)(int from));
#ifdef __cplusplus
}
namespace quiet
{
template <typename T> struct Box {
    void recv(T *x, int from);
};
} // namespace quiet
#endif

#endif
