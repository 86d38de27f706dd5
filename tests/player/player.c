/* SPDX-License-Identifier: BSD-3-Clause */
/* Plays a scenario of tests/poe (see its README.md) as an MPI program: `player FILE`.
 *
 * Each token of the own line is one MPI call, or some that do the same (its way). So that a receive or a
 * probe knows which message it has, each is made of the number of its sender and token (messages.c); every
 * operation has a buffer of its own, but for a persistent request that is started again. A neighbourhood has
 * a topology of its own. The tokens of a rank's further threads are numbered on behind those of its first
 * line. What happens is told in $PLAYER_DIR/$ISP_TOKEN.RANK, so that the file of a rank that hangs says how
 * far it came; at each new line all lines are told again, and an empty one ends them. They are:
 *     1.0        token 0 of rank 1 was reached
 *     1.0<2.1    an item of an outcome; a later item of the same token replaces it
 *     1.3%0.1+2.0 it has read what 0.1 wrote last, and 2.0 added to
 *     end 0      thread 0 has played all its tokens
 *     done       MPI_Finalize has returned; before that, the items of receives that were never waited for
 *     wrong: ... MPI broke a promise
 */
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "player.h"

int me;
static int out = STDOUT_FILENO;
static char said[1 << 16];
static size_t n_said;

void fail(const char *why, const char *what)
{
    fprintf(stderr, "player: %s: %s\n", why, what);
    exit(2);
}

static void open_output(void)
{
    const char *folder = getenv("PLAYER_DIR"), *world = getenv("ISP_TOKEN");
    char path[LINE];
    if (!folder)
        return;
    snprintf(path, sizeof path, "%s/%s.%d", folder, world ? world : "mpi", me);
    out = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (out < 0)
        fail("cannot create", path);
}

/* One write each time, of all that was said: the rank may be killed any time, or go on with what it does from
 * a state that it was in before. */
static void write_all(const char *format, va_list list)
{
    size_t room = sizeof said - 2;
    int n = vsnprintf(said + n_said, room - n_said, format, list);
    if (n < 0 || (size_t)n >= room - n_said)
        fail("too much to say", format);
    n_said += (size_t)n;
    said[n_said++] = '\n';
    said[n_said] = '\n';
    if (write(out, said, n_said + 1) != (ssize_t)n_said + 1)
        fail("cannot write", format);
}

void say(const char *format, ...)
{
    static atomic_flag busy = ATOMIC_FLAG_INIT; /* of a mutex isp would say that it decides what comes next */
    va_list list;
    va_start(list, format);
    while (atomic_flag_test_and_set(&busy))
        sched_yield();
    write_all(format, list);
    atomic_flag_clear(&busy);
    va_end(list);
}

static size_t buffer_bytes(void) { return sizeof(int) * ROOM * (size_t)scale; }

static void prepare_tokens(void)
{
    for (int k = 0; k < n_tokens[me]; k++) {
        struct token *t = &lines[me][k];
        t->request = MPI_REQUEST_NULL;
        t->message = MPI_MESSAGE_NULL;
        t->graph = MPI_COMM_NULL;
        t->out = malloc(buffer_bytes());
        t->buffer = malloc(buffer_bytes());
        if (!t->out || !t->buffer)
            fail("no memory for", t->call->name);
        t->buffer[0] = -1;
    }
}

/* Room for all messages that there may be. */
static void attach(void)
{
    static void *bsend_buffer;
    size_t bytes =
        (size_t)(n_tokens[me] + 1) * ((size_t)TOKENS * (size_t)scale * sizeof(int) + MPI_BSEND_OVERHEAD);
    if (!bsend_buffer)
        bsend_buffer = malloc(bytes);
    MPI_Buffer_attach(bsend_buffer, (int)bytes);
}

static void detach(void)
{
    void *buffer;
    int bytes;
    MPI_Buffer_detach(&buffer, &bytes);
    attach();
}

void play(int k)
{
    struct token *t = &lines[me][k];
    say("%d.%d", me, k);
    switch (t->call->kind) {
    case SEND:
    case ISEND:
    case PSEND: send_message(k); break;
    case READY: make_ready(k); break;
    case RECV:
    case IRECV:
    case PRECV:
    case MRECV:
    case IMRECV: receive_message(k); break;
    case PROBE:
    case IPROBE:
    case MPROBE:
    case IMPROBE: probe(k); break;
    case SENDRECV:
    case ISENDRECV: exchange(k); break;
    case COMPLETION: completion(k); break;
    case FREE: request_free(k); break;
    case CANCEL: cancel(k); break;
    case COLLECTIVE: collective(k); break;
    case DETACH: detach(); break;
    case MAKE: make_comm(t); break;
    case DROP: MPI_Comm_free(&comms[t->comm].handle); break;
    case LOCK: lock_window(t); break;
    case UNLOCK: unlock_window(t); break;
    case ACCESS: access_window(k); break;
    case ATOMIC: access_atomically(k); break;
    }
}

/* Receives that nobody has waited for have their messages all the same, if there were any. */
static void tell_the_rest(void)
{
    for (int k = 0; k < n_tokens[me]; k++) {
        const struct token *t = &lines[me][k];
        bool nonblocking =
            is_receive(t) && t->call->kind != RECV && t->call->kind != MRECV && t->call->kind != SENDRECV;
        if (nonblocking && !t->told)
            received(k, NULL);
    }
}

static void start_mpi(int *argc, char ***argv)
{
    int level = MPI_THREAD_MULTIPLE;
    if (has_threads())
        MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &level);
    else
        MPI_Init(argc, argv);
    if (level != MPI_THREAD_MULTIPLE)
        fail("no threads in", "MPI");
}

int main(int argc, char **argv)
{
    int size;
    if (argc != 2)
        fail("usage", "player FILE");
    parse(argv[1]);
    start_mpi(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size != n_ranks || size > RANKS)
        fail("not the scenario's number of ranks", argv[1]);
    open_output();
    prepare_tokens();
    attach();
    make_comms();
    make_windows();
    play_all();
    leave_windows();
    MPI_Finalize();
    tell_the_rest();
    say("done");
    return 0;
}
