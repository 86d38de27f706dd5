/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that isp has not started, and ranks that survive others, are not part of what it verifies. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static MPI_Comm other = MPI_COMM_NULL;
static char port[MPI_MAX_PORT_NAME] = "nowhere";

static void spawn(void)
{
    MPI_Comm_spawn("true", MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE); /* @unsupported? */
}

static void spawn_multiple(void)
{
    char *commands[] = {"true"};
    int counts[] = {1};
    MPI_Info infos[] = {MPI_INFO_NULL};
    MPI_Comm_spawn_multiple(1, commands, MPI_ARGVS_NULL, counts, infos, 0, MPI_COMM_WORLD, &other, MPI_ERRCODES_IGNORE); /* @unsupported? */
}

static void accept_(void)
{
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other); /* @unsupported? */
}

static void connect_(void)
{
    MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other); /* @unsupported? */
}

static void join(void)
{
    MPI_Comm_join(0, &other); /* @unsupported? */
}

static void revoke(void)
{
    MPIX_Comm_revoke(MPI_COMM_WORLD); /* @unsupported? */
}

static void shrink(void)
{
    MPIX_Comm_shrink(MPI_COMM_WORLD, &other); /* @unsupported? */
}

static void agree(void)
{
    int flag = 1;
    MPIX_Comm_agree(MPI_COMM_WORLD, &flag); /* @unsupported? */
}

static const struct {
    const char *name;
    void (*call)(void);
} calls[] = {{"spawn", spawn}, {"spawn_multiple", spawn_multiple}, {"accept", accept_}, {"connect", connect_},
             {"join", join},   {"revoke", revoke},                 {"shrink", shrink},  {"agree", agree}};

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (unsigned i = 0; i < sizeof calls / sizeof *calls; i++)
        if (!strcmp(argv[1], calls[i].name))
            calls[i].call();
    MPI_Finalize();
    return 0;
}
