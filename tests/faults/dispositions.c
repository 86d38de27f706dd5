/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints the signals that a program is given with another disposition than the default, or blocked: those
 * that ask for an end, and those of limits. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void show(void)
{
    sigset_t blocked;
    sigprocmask(SIG_SETMASK, NULL, &blocked);
    for (int i = 1; i < NSIG; i++) {
        struct sigaction action;
        if (i == SIGSEGV || i == SIGBUS || i == SIGFPE || i == SIGILL || i == SIGABRT || i == SIGTRAP ||
            sigaction(i, NULL, &action) != 0)
            continue; /* those that the library hears of, for crashes and debug registers */
        if (action.sa_handler != SIG_DFL)
            printf("signal %d %s\n", i, action.sa_handler == SIG_IGN ? "ignored" : "caught");
        if (sigismember(&blocked, i) == 1)
            printf("signal %d blocked\n", i);
    }
}

int main(int argc, char **argv)
{
    if (strcmp(getenv("PMI_RANK"), "0") == 0)
        show();
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
