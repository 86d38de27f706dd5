/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef STAND_IN_H
#define STAND_IN_H

#ifdef __cplusplus
extern "C" {
#endif
typedef void combine(int a, int b, int *result);
int MPI_Recv(int *value);
int MPI_Send(const int *value);
void QMPI_Hint(int *value);
int MPI_Reduce(int a, int b, combine *operation);
#ifdef __cplusplus
}
#endif

#endif
