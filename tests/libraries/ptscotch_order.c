/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Orders a mesh with PT-Scotch: a grid of SIDE x SIDE points with their neighbours along both axes and one
 * diagonal, dealt out to the ranks by rows. Every point gets its place in an elimination
 * order; rank 0 checks that it is a permutation, and prints a line with a
 * fingerprint of it.
 */
#include <stdio.h>

#include <mpi.h>
#include <ptscotch.h>
#include <stdlib.h>

enum { SIDE_DEFAULT = 12, MOST_NEIGHBOURS = 6 };

static void must(int failed)
{
    if (failed)
        MPI_Abort(MPI_COMM_WORLD, 2);
}

struct part {
    SCOTCH_Num first, points; /* of this rank, by number in the whole mesh */
    SCOTCH_Num *starts;       /* where each point's neighbours begin, and the end */
    SCOTCH_Num *neighbours;
};

static struct part mesh_part(int side, int rank, int size)
{
    static const int steps[MOST_NEIGHBOURS][2] = {{-1, -1}, {-1, 0}, {0, -1}, {0, 1}, {1, 0}, {1, 1}};
    int first_row = side * rank / size, end_row = side * (rank + 1) / size;
    struct part part = {.first = first_row * side, .points = (end_row - first_row) * side};
    part.starts = malloc(sizeof(SCOTCH_Num) * (part.points + 1));
    part.neighbours = malloc(sizeof(SCOTCH_Num) * (MOST_NEIGHBOURS * part.points + 1));
    SCOTCH_Num edges = 0;
    for (SCOTCH_Num p = 0; p < part.points; p++) {
        int row = (int)((part.first + p) / side), column = (int)((part.first + p) % side);
        part.starts[p] = edges;
        for (int s = 0; s < MOST_NEIGHBOURS; s++) {
            int r = row + steps[s][0], c = column + steps[s][1];
            if (r >= 0 && r < side && c >= 0 && c < side)
                part.neighbours[edges++] = r * side + c;
        }
    }
    part.starts[part.points] = edges;
    return part;
}

/* The new number of each point of this rank. */
static SCOTCH_Num *ordered(const struct part *part)
{
    SCOTCH_Num *places = malloc(sizeof *places * (part->points + 1));
    SCOTCH_Dgraph graph;
    SCOTCH_Dordering ordering;
    SCOTCH_Strat strategy;
    must(SCOTCH_dgraphInit(&graph, MPI_COMM_WORLD));
    must(SCOTCH_dgraphBuild(&graph, 0, part->points, part->points, part->starts, part->starts + 1, NULL,
                            NULL, part->starts[part->points], part->starts[part->points],
                            part->neighbours, NULL, NULL));
    must(SCOTCH_dgraphCheck(&graph));
    must(SCOTCH_stratInit(&strategy));
    must(SCOTCH_dgraphOrderInit(&graph, &ordering));
    must(SCOTCH_dgraphOrderCompute(&graph, &ordering, &strategy));
    must(SCOTCH_dgraphOrderPerm(&graph, &ordering, places));
    SCOTCH_dgraphOrderExit(&graph, &ordering);
    SCOTCH_stratExit(&strategy);
    SCOTCH_dgraphExit(&graph);
    return places;
}

/* Says whether `places` has each number below n once. */
static int is_permutation(const SCOTCH_Num *places, int n)
{
    char *seen = calloc(n, 1);
    int good = 1;
    for (int i = 0; i < n; i++) {
        good &= places[i] >= 0 && places[i] < n && !seen[places[i]];
        if (good)
            seen[places[i]] = 1;
    }
    free(seen);
    return good;
}

static unsigned fingerprint(const SCOTCH_Num *places, int n)
{
    unsigned hash = 2166136261U;
    for (int i = 0; i < n; i++)
        hash = (hash ^ (unsigned)places[i]) * 16777619U;
    return hash;
}

int main(int argc, char **argv)
{
    int rank, size, provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int side = argc > 1 ? atoi(argv[1]) : SIDE_DEFAULT, points = side * side;

    struct part part = mesh_part(side, rank, size);
    SCOTCH_Num *places = ordered(&part);
    SCOTCH_Num *all = malloc(sizeof *all * points);
    int *counts = malloc(sizeof *counts * size), *displs = malloc(sizeof *displs * size);
    for (int r = 0; r < size; r++) {
        displs[r] = side * r / size * side;
        counts[r] = side * (r + 1) / size * side - displs[r];
    }
    MPI_Datatype number = sizeof(SCOTCH_Num) == sizeof(int) ? MPI_INT : MPI_LONG_LONG;
    MPI_Gatherv(places, (int)part.points, number, all, counts, displs, number, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d points ordered by %d ranks: %s, fingerprint %08x\n", points, size,
               is_permutation(all, points) ? "a permutation" : "NOT a permutation", fingerprint(all, points));
    free(places);
    free(all);
    free(counts);
    free(displs);
    free(part.starts);
    free(part.neighbours);
    MPI_Finalize();
    return 0;
}
