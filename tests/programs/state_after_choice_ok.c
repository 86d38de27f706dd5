/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process has beside its variables changes between choices: big and small blocks of memory, mappings that are replaced by others of the same size, descriptors, offsets, handlers
 * of signals, timers, the depth of the stack. Each round checks that it is as the rounds before have left it: a run that goes on from an
 * earlier choice must find it as it was there. With argv[1] also what cannot be taken back. */
#include <assert.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

enum { ROUNDS = 4, BIG = 1 << 20, SMALL = 100, BYTES = 2000, PAGES = 16, PAGE = 4096, READ = 10 };

static unsigned char history; /* of the sources that messages came from */
static unsigned char filled;  /* what it was at the last change */
static unsigned char *big, *mapped, *small[SMALL * ROUNDS];
static int n_small, file, extra = -1;
static volatile sig_atomic_t handled;

static void on_even(int signal) { handled = 2; }
static void on_odd(int signal) { handled = 1; }

static int descend(int levels)
{
    volatile char frame[PAGE];
    frame[0] = frame[PAGE - 1] = (char)levels;
    return levels > 0 ? descend(levels - 1) + (frame[0] == (char)levels) : 0;
}

/* As `round` has left it. */
static void check(int round)
{
    struct itimerval timer;
    struct sigaction act;
    int odd = round % 2;
    assert(lseek(file, 0, SEEK_CUR) == READ * (round + 1));
    if (round < 0)
        return;
    for (int i = 0; i < BIG; i += 997)
        assert(big[i] == (unsigned char)(filled + i));
    assert(n_small == SMALL * (round + 1));
    for (int i = 0; i < n_small; i++)
        assert(small[i][0] == (unsigned char)i && small[i][BYTES - 1] == (unsigned char)i);
    for (int page = 0; page < PAGES; page++)
        assert(mapped[page * PAGE] == (page == round || page == 2 * round ? filled : 0));
    sigaction(SIGUSR1, NULL, &act);
    assert(act.sa_handler == (odd ? on_odd : on_even) && handled == (odd ? 1 : 2));
    getitimer(ITIMER_REAL, &timer);
    assert((timer.it_value.tv_sec > 0) == odd);
    assert((extra >= 0) == odd && (!odd || fcntl(extra, F_GETFD) >= 0));
}

static void change(int round)
{
    int odd = round % 2;
    char data[READ];
    filled = (unsigned char)(history + 1);
    free(big);
    big = malloc(odd ? BIG : 2 * BIG);
    for (int i = 0; i < BIG; i++)
        big[i] = (unsigned char)(filled + i);
    for (int i = 0; i < SMALL; i++, n_small++)
        small[n_small] = memset(malloc(BYTES), n_small, BYTES);
    if (mapped)
        munmap(mapped, PAGES * PAGE);
    mapped = mmap(mapped, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (mapped ? MAP_FIXED : 0), -1, 0);
    assert(mapped != MAP_FAILED);
    mapped[round * PAGE] = mapped[2 * round * PAGE] = filled;
    assert(descend(100 * round) == 100 * round);
    assert(read(file, data, READ) == READ);
    signal(SIGUSR1, odd ? on_odd : on_even);
    raise(SIGUSR1);
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_sec = odd ? 1000 : 0}}, NULL);
    if (odd) {
        extra = dup(file);
    } else if (extra >= 0) {
        close(extra);
        extra = -1;
    }
}

static void change_for_good(int round)
{
    if (round == 1)
        assert(chdir("/") == 0 && umask(077) != 077);
    if (round == 2)
        assert(strcmp(getcwd(NULL, 0), "/") == 0 && umask(077) == 077);
}

int main(int argc, char **argv)
{
    int rank, size, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    file = open("/proc/self/exe", O_RDONLY);
    assert(file >= 0);
    for (int round = 0; round < ROUNDS; round++) {
        check(round - 1);
        if (rank > 0)
            MPI_Send(&rank, 1, MPI_INT, 0, round, MPI_COMM_WORLD);
        for (int i = 1; rank == 0 && i < size; i++) {
            MPI_Status status;
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &status);
            history = (unsigned char)(3 * history + status.MPI_SOURCE);
            if (i == 1)
                change(round);
            check(round);
        }
        if (rank > 0)
            change(round);
        if (argc > 1)
            change_for_good(round);
    }
    check(ROUNDS - 1);
    MPI_Finalize();
    return 0;
}
