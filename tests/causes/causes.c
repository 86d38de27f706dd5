/* SPDX-License-Identifier: BSD-3-Clause */
/* causes NAME [repaired]: runs one of the programs. */
#include "causes.h"

#include <stdio.h>
#include <string.h>

int rank, size;
bool repaired;
static struct program *programs;

void add_program(struct program *program)
{
    program->next = programs;
    programs = program;
}

int main(int argc, char **argv)
{
    const struct program *p = programs;
    while (p && (argc < 2 || strcmp(p->name, argv[1]) != 0))
        p = p->next;
    if (!p) {
        fprintf(stderr, "usage: causes NAME [repaired]\n");
        return 2;
    }
    repaired = argc > 2;
    int level;
    MPI_Init_thread(&argc, &argv, p->threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    p->run();
    MPI_Finalize();
    return 0;
}
