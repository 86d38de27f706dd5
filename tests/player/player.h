/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the player share: the scenario, and what the own rank has of it. See player.c. */
#ifndef PLAYER_H
#define PLAYER_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

#include "mpi4.h"

enum {
    RANKS = 8,
    THREADS = 4 /* of a rank */,
    TOKENS = 32,
    COMMS = 4 /* 0 is MPI_COMM_WORLD */,
    WORD = 32,
    LINE = 4096
};
enum { ROOM = TOKENS + 4, PARTITIONS = 4 /* of ROOM integers */ };

/* What takes names of earlier tokens comes last but for collectives. */
enum kind {
    SEND,
    ISEND,
    PSEND,
    RECV,
    IRECV,
    PRECV,
    PROBE,
    IPROBE,
    MPROBE,
    IMPROBE,
    SENDRECV,
    ISENDRECV,
    DETACH,
    MRECV,
    IMRECV,
    READY,
    COMPLETION,
    FREE,
    CANCEL,
    COLLECTIVE,
    MAKE,
    DROP,
    LOCK,
    UNLOCK,
    ACCESS,
    ATOMIC
};
enum collective { BARRIER, BCAST, REDUCE, SCAN, NEIGHBOR, TAKE };

struct call {
    const char *name;
    enum kind kind;
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    int (*isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    int (*send_init)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    enum collective collective;
    bool nonblocking, empty; /* of the collectives; empty: the rank gets no data */
};

struct token {
    const struct call *call;
    int peer, source, tag, comm; /* peer, source: ranks in MPI_COMM_WORLD, MPI_ANY_SOURCE or MPI_PROC_NULL */
    char name[WORD], way[WORD];
    int n_args, args[TOKENS]; /* tokens; of a neighbourhood: ranks in MPI_COMM_WORLD; of make: the
                                 communicator */
    int number;               /* collective: k, of the k-th on its communicator */
    int base;                 /* the token whose persistent request this one starts again; or itself */
    /* of the own line: */
    MPI_Request request;
    bool active, persistent, cancelled; /* cancelled: MPI_Cancel was called */
    MPI_Message message;
    MPI_Comm graph;    /* of a neighbourhood */
    bool told;         /* a receive whose message is known */
    int *out, *buffer; /* what is sent, and what is received */
};

struct comm {
    char name[WORD];
    int n_members, members[RANKS]; /* of an intercommunicator: those of its first group first */
    int n_first;                   /* of an intercommunicator; or 0 */
    bool made;                     /* by a token */
    MPI_Comm handle;
};

extern struct token lines[RANKS][TOKENS]; /* those of the main thread first, then those of the others */
extern struct comm comms[COMMS];
extern int n_tokens[RANKS], n_comms, n_ranks, me, scale;
extern int n_threads[RANKS], first_token[RANKS][THREADS]; /* without, and with the main thread */

/* scenario.c */
void parse(const char *path);
bool has_threads(void); /* any rank */
bool is_way(const struct token *t, const char *way);
bool is_call(const struct token *t, const char *name);

/* player.c */
_Noreturn void fail(const char *why, const char *what);
__attribute__((format(printf, 1, 2))) void say(const char *format, ...);
void play(int k);

/* threads.c: plays all tokens of the rank, each thread its own */
void play_all(void);

/* comms.c: the communicators. Ranks are turned around between MPI_COMM_WORLD and what the calls of the
 * communicator take. */
void make_comms(void);
void make_comm(struct token *t);
int peer_in(const struct comm *c, int rank);
int peer_of(const struct comm *c, int local);

/* messages.c */
void send_message(int k);
void make_ready(int k);
void receive_message(int k);
void probe(int k);
void exchange(int k);
void received(int k, const MPI_Status *status); /* status: NULL if none was given */
bool is_receive(const struct token *t);

/* collectives.c */
void collective(int k);
void check_collective(int k);

/* windows.c */
void make_windows(void);
void leave_windows(void);
void lock_window(const struct token *t);
void unlock_window(const struct token *t);
void access_window(int k);
void access_atomically(int k);

/* completion.c */
void completion(int k);
void request_free(int k);
void cancel(int k);

#endif
