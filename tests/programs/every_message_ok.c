/* SPDX-License-Identifier: BSD-3-Clause */
/* Every way to send, against every way to receive; each with int and with large counts. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 1 << 16 };

static int rank, other, sent = 41, got;

static void done(const char *name)
{
    if (rank == 1 && got != sent) {
        printf("%s: got %d, not %d\n", name, got, sent);
        exit(1);
    }
    sent++;
    got = -1;
}

static void run(MPI_Request *q)
{
    MPI_Start(q);
    MPI_Wait(q, MPI_STATUS_IGNORE);
    MPI_Request_free(q);
}

#define WORLD MPI_COMM_WORLD
#define OUT &sent, 1, MPI_INT, other, 0, WORLD
#define IN &got, 1, MPI_INT, other, 0, WORLD

static void receive(void)
{
    MPI_Recv(IN, MPI_STATUS_IGNORE);
}

/* ---- each kind of send, in its four forms ---- */

#define SENDS(X, I)                             \
    do {                                        \
        MPI_Request q;                          \
        rank ? receive() : (void)MPI_##X(OUT);     \
        done(#X);                               \
        rank ? receive() : (void)MPI_##X##_c(OUT); \
        done(#X "_c");                          \
        if (rank) {                             \
            receive();                          \
        } else {                                \
            MPI_##I(OUT, &q);                   \
            MPI_Wait(&q, MPI_STATUS_IGNORE);    \
        }                                       \
        done(#I);                               \
        if (rank) {                             \
            receive();                          \
        } else {                                \
            MPI_##I##_c(OUT, &q);               \
            MPI_Wait(&q, MPI_STATUS_IGNORE);    \
        }                                       \
        done(#I "_c");                          \
        if (rank) {                             \
            receive();                          \
        } else {                                \
            MPI_##X##_init(OUT, &q);            \
            run(&q);                            \
        }                                       \
        done(#X "_init");                       \
        if (rank) {                             \
            receive();                          \
        } else {                                \
            MPI_##X##_init_c(OUT, &q);          \
            run(&q);                            \
        }                                       \
        done(#X "_init_c");                     \
    } while (0)

/* A ready send needs its receive before it: the barrier says that it is there. */
#define READY(NAME, ...)                     \
    do {                                     \
        MPI_Request q;                       \
        if (rank)                            \
            MPI_Irecv(IN, &q);               \
        MPI_Barrier(WORLD);                  \
        if (rank) {                          \
            MPI_Wait(&q, MPI_STATUS_IGNORE); \
        } else {                             \
            __VA_ARGS__;                     \
        }                                    \
        done(NAME);                          \
    } while (0)

static void ready(void)
{
    READY("Rsend", MPI_Rsend(OUT));
    READY("Rsend_c", MPI_Rsend_c(OUT));
    READY("Irsend", MPI_Irsend(OUT, &q); MPI_Wait(&q, MPI_STATUS_IGNORE));
    READY("Irsend_c", MPI_Irsend_c(OUT, &q); MPI_Wait(&q, MPI_STATUS_IGNORE));
    READY("Rsend_init", MPI_Rsend_init(OUT, &q); run(&q));
    READY("Rsend_init_c", MPI_Rsend_init_c(OUT, &q); run(&q));
}

static void buffered(void)
{
    static char room[ROOM];
    void *back;
    int size = 0;
    MPI_Count size_c = 0;
    MPI_Buffer_attach(room, ROOM);
    SENDS(Bsend, Ibsend);
    MPI_Buffer_detach(&back, &size);
    MPI_Buffer_attach_c(room, ROOM);
    SENDS(Bsend, Ibsend);
    MPI_Buffer_detach_c(&back, &size_c);
    if (back != room || size != ROOM || size_c != ROOM)
        exit(1);
}

/* ---- each way to receive ---- */

#define RECEIVES(NAME, ...)                  \
    do {                                     \
        MPI_Request q = MPI_REQUEST_NULL;    \
        MPI_Message m = MPI_MESSAGE_NO_PROC; \
        MPI_Status status;                   \
        int flag = 0;                        \
        if (rank) {                          \
            (void)flag, (void)m, (void)&status; \
            __VA_ARGS__;                     \
            MPI_Wait(&q, MPI_STATUS_IGNORE); \
        } else {                             \
            MPI_Ssend(OUT);                  \
        }                                    \
        done(NAME);                          \
    } while (0)
#define FROM other, 0, WORLD
#define MESSAGE &got, 1, MPI_INT, &m

static void receives(void)
{
    RECEIVES("Recv", MPI_Recv(IN, &status));
    RECEIVES("Recv_c", MPI_Recv_c(IN, &status));
    RECEIVES("Irecv", MPI_Irecv(IN, &q));
    RECEIVES("Irecv_c", MPI_Irecv_c(IN, &q));
    RECEIVES("Recv_init", MPI_Recv_init(IN, &q); run(&q));
    RECEIVES("Recv_init_c", MPI_Recv_init_c(IN, &q); run(&q));
    RECEIVES("Mrecv", MPI_Mprobe(FROM, &m, &status); MPI_Mrecv(MESSAGE, &status));
    RECEIVES("Mrecv_c", MPI_Mprobe(FROM, &m, &status); MPI_Mrecv_c(MESSAGE, &status));
    RECEIVES("Imrecv", MPI_Mprobe(FROM, &m, &status); MPI_Imrecv(MESSAGE, &q));
    RECEIVES("Imrecv_c", while (!flag) MPI_Improbe(FROM, &flag, &m, &status); MPI_Imrecv_c(MESSAGE, &q));
    RECEIVES("Probe", MPI_Probe(FROM, &status); receive());
    RECEIVES("Iprobe", while (!flag) MPI_Iprobe(FROM, &flag, &status); receive());
}

/* ---- both at once ---- */

#define BOTH &mine, 1, MPI_INT, other, 0, &theirs, 1, MPI_INT, other, 0, WORLD
#define REPLACE &theirs, 1, MPI_INT, other, 0, other, 0, WORLD
#define EXCHANGE(NAME, ...)                                        \
    do {                                                           \
        int mine = rank, theirs = rank;                            \
        MPI_Request q = MPI_REQUEST_NULL;                          \
        __VA_ARGS__;                                               \
        MPI_Wait(&q, MPI_STATUS_IGNORE);                           \
        if (theirs != other || mine != rank) {                     \
            printf("%s: rank %d has got %d\n", NAME, rank, theirs); \
            exit(1);                                               \
        }                                                          \
    } while (0)

static void exchanges(void)
{
    EXCHANGE("Sendrecv", MPI_Sendrecv(BOTH, MPI_STATUS_IGNORE));
    EXCHANGE("Sendrecv_c", MPI_Sendrecv_c(BOTH, MPI_STATUS_IGNORE));
    EXCHANGE("Sendrecv_replace", MPI_Sendrecv_replace(REPLACE, MPI_STATUS_IGNORE));
    EXCHANGE("Sendrecv_replace_c", MPI_Sendrecv_replace_c(REPLACE, MPI_STATUS_IGNORE));
    EXCHANGE("Isendrecv", MPI_Isendrecv(BOTH, &q));
    EXCHANGE("Isendrecv_c", MPI_Isendrecv_c(BOTH, &q));
    EXCHANGE("Isendrecv_replace", MPI_Isendrecv_replace(REPLACE, &q));
    EXCHANGE("Isendrecv_replace_c", MPI_Isendrecv_replace_c(REPLACE, &q));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    other = 1 - rank;
    SENDS(Send, Isend);
    SENDS(Ssend, Issend);
    buffered();
    ready();
    receives();
    exchanges();
    MPI_Finalize();
    return 0;
}
