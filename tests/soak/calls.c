/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many calls in one run, for soak.py: argv[1] steps of 16 calls for each rank. A step has a ring with
 * requests, the same with persistent ones, a message that is probed for, a collective, and a type that is
 * made and freed. Rank 0 prints the number of the step, 40 times in all. Makes no communicators and no
 * wildcards: what isp keeps of those until the end of the run is said in docs/performance.md.
 */
#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int rank, size, next, before;

static void ring(void) /* 3 calls */
{
    int in = -1, out = rank;
    MPI_Request requests[2];
    MPI_Irecv(&in, 1, MPI_INT, before, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&out, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    assert(in == before);
}

static void probed(void) /* 4 calls */
{
    int in = -1, out = rank;
    MPI_Request request;
    MPI_Status status;
    MPI_Isend(&out, 1, MPI_INT, next, 1, MPI_COMM_WORLD, &request);
    MPI_Probe(before, 1, MPI_COMM_WORLD, &status);
    MPI_Recv(&in, 1, MPI_INT, before, 1, MPI_COMM_WORLD, &status);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(in == before);
}

static void collective(void) /* 2 calls */
{
    int sum = 0, root_value = rank ? -1 : 7;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(&root_value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    assert(sum == size * (size - 1) / 2 && root_value == 7);
}

/* 4 calls. Of a type with gaps MPICH 4.0.2 loses 56 bytes each time, on ranks whose heap lies so that bit 31
 * of an address is set, without isp as well: it takes the address for a negative number, which means that
 * there is nothing to free. */
static void type(void)
{
    int data[2] = {rank, rank}, got[2] = {-1, -1};
    MPI_Datatype two;
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    MPI_Sendrecv(data, 1, two, next, 2, got, 2, MPI_INT, before, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&two);
    assert(got[0] == before && got[1] == before);
}

int main(int argc, char **argv)
{
    long steps = argc > 1 ? atol(argv[1]) : 1000;
    int in = -1, out;
    MPI_Request kept[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    before = (rank + size - 1) % size;
    MPI_Recv_init(&in, 1, MPI_INT, before, 3, MPI_COMM_WORLD, &kept[0]);
    MPI_Send_init(&out, 1, MPI_INT, next, 3, MPI_COMM_WORLD, &kept[1]);
    /* Of a run of 3 s isp shows which call the only rank that computes made last, and reads the program's
     * lines for that, once: rank 0 sleeps after a call that isp knows. */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        sleep(4);
    for (long step = 0; step < steps; step++) {
        ring();
        probed();
        collective();
        type();
        out = (int)step;
        MPI_Startall(2, kept);
        MPI_Wait(&kept[0], MPI_STATUS_IGNORE);
        MPI_Wait(&kept[1], MPI_STATUS_IGNORE);
        assert(in == (int)step);
        if (rank == 0 && (steps < 40 || (step + 1) % (steps / 40) == 0)) {
            printf("step %ld\n", step + 1);
            fflush(stdout);
        }
    }
    MPI_Request_free(&kept[0]);
    MPI_Request_free(&kept[1]);
    MPI_Finalize();
    return 0;
}
