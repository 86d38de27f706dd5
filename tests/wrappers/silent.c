/* SPDX-License-Identifier: BSD-3-Clause */
/* A library that is compiled with -O2 -g0: symbols of what it exports, no lines, and its own functions are
 * inlined. */
#include <mpi.h>
#include <string.h>

#include "silent.h"

static volatile int calls;

struct message {
    int kind, length;
    char text[24];
};

static int post(struct message *m, int peer, int tag)
{
    calls++;
    int code = MPI_Ssend(m, (int)sizeof *m, MPI_BYTE, peer, tag, MPI_COMM_WORLD);
    calls++;
    return code;
}

static int fetch(struct message *m, int peer, int tag)
{
    calls++;
    int code = MPI_Recv(m, (int)sizeof *m, MPI_BYTE, peer, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    calls++;
    return code;
}

void silent_put(const char *text, int peer)
{
    struct message m = {1, 0, ""};
    strncpy(m.text, text, sizeof m.text - 1);
    m.length = (int)strlen(m.text);
    if (post(&m, peer, 3) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

void silent_get(char *text, int peer)
{
    struct message m = {0, 0, ""};
    if (fetch(&m, peer, 3) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memcpy(text, m.text, sizeof m.text);
}

double silent_norm(const double *x, int n)
{
    double mine = 0, all = 0;
    for (int i = 0; i < n; i++)
        mine += x[i] * x[i];
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    calls++;
    return all;
}
