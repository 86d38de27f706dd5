/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages: sent, probed for, received; and whether what came is what the status says. Message R.I (rank R,
 * token I) is I + 1 integers, times the scale of the scenario, each of them R * 1000 + I; a partitioned one
 * fills the whole buffer, with -1 behind those. */
#include <stdlib.h>

#include "player.h"

bool is_receive(const struct token *t)
{
    enum kind kind = t->call->kind;
    return kind == RECV || kind == IRECV || kind == PRECV || kind == MRECV || kind == IMRECV ||
           kind == SENDRECV || kind == ISENDRECV;
}

static bool is_exchange(const struct token *t)
{
    return t->call->kind == SENDRECV || t->call->kind == ISENDRECV;
}

static int room(void) { return ROOM * scale; }

/* A request that is started again sends as much as at first. */
static int length(const struct token *line, int k)
{
    return (line[k].call->kind == PSEND || is_way(&line[k], "replace") ? ROOM : line[k].base + 1) * scale;
}

static bool is_sent(const struct token *t) { return t->call->kind <= PSEND || is_exchange(t); }

/* Source, tag and count must be those of message rank.index; and the token must accept it. */
static void check_status(int k, const struct token *t, const MPI_Status *status, int rank, int index)
{
    int count = -1;
    MPI_Get_count(status, MPI_INT, &count);
    if (rank < 0 || rank >= n_ranks || index < 0 || index >= n_tokens[rank] ||
        !is_sent(&lines[rank][index])) {
        say("wrong: %d.%d: there is no message %d.%d", me, k, rank, index);
        return;
    }
    const struct token *send = &lines[rank][index];
    int source = is_exchange(t) ? t->source : t->peer;
    if (peer_of(&comms[send->comm], status->MPI_SOURCE) != rank || status->MPI_TAG != send->tag ||
        count != length(lines[rank], index))
        say("wrong: %d.%d: source %d, tag %d, count %d in the status of message %d.%d", me, k,
            status->MPI_SOURCE, status->MPI_TAG, count, rank, index);
    if (send->peer != me || send->comm != t->comm || (source != MPI_ANY_SOURCE && source != rank) ||
        (t->tag != MPI_ANY_TAG && t->tag != send->tag))
        say("wrong: %d.%d does not accept %d.%d", me, k, rank, index);
}

static void check_null(int k, const MPI_Status *status)
{
    int count = -1;
    MPI_Get_count(status, MPI_INT, &count);
    if (status->MPI_SOURCE != MPI_PROC_NULL || status->MPI_TAG != MPI_ANY_TAG || count != 0)
        say("wrong: %d.%d: source %d, tag %d, count %d of MPI_PROC_NULL", me, k, status->MPI_SOURCE,
            status->MPI_TAG, count);
}

/* ---- receives ---- */

/* The probe that found the message of an mrecv, which says what is accepted; otherwise the token itself. */
static const struct token *acceptor(const struct token *t)
{
    return t->call->kind == MRECV || t->call->kind == IMRECV ? &lines[me][t->args[0]] : t;
}

/* Without a status: what never got a message. */
static bool is_cancelled(const struct token *t, const MPI_Status *status)
{
    int flag = t->cancelled;
    if (flag && status)
        MPI_Test_cancelled(status, &flag);
    return flag && t->buffer[0] < 0;
}

void received(int k, const MPI_Status *status)
{
    struct token *t = &lines[me][k];
    const int *buffer = t->buffer;
    int rank = buffer[0] / 1000, index = buffer[0] % 1000;
    bool replaced = is_way(t, "replace");
    t->told = true;
    if (is_cancelled(t, status)) {
        say("%d.%d<x", me, k);
        return;
    }
    if (replaced && rank == me && index == k)
        return; /* what it sends is still there, and it does not send to itself */
    if (buffer[0] < 0) {
        if (acceptor(t)->peer == MPI_PROC_NULL && !is_exchange(t)) {
            if (status)
                check_null(k, status);
            say("%d.%d<null", me, k);
        } else if (status) {
            say("wrong: %d.%d: nothing was received", me, k);
        }
        return;
    }
    const struct token *send = rank < n_ranks && index < n_tokens[rank] ? &lines[rank][index] : NULL;
    int n = !send                                                  ? 0
            : send->call->kind == PSEND || is_way(send, "replace") ? (index + 1) * scale
                                                                   : length(lines[rank], index);
    for (int i = 0; i < (replaced ? n : room()); i++) /* behind that is what was sent */
        if (buffer[i] != (i < n ? buffer[0] : -1)) {
            say("wrong: %d.%d: buffer[%d] is %d in message %d.%d", me, k, i, buffer[i], rank, index);
            break;
        }
    if (status)
        check_status(k, acceptor(t), status, rank, index);
    say("%d.%d<%d.%d", me, k, rank, index);
}

static void prepare(struct token *t)
{
    for (int i = 0; i < room(); i++)
        t->buffer[i] = -1;
}

static void start_receive(int k, int peer, MPI_Comm comm)
{
    struct token *t = &lines[me][k], *base = &lines[me][t->base];
    t->buffer = base->buffer;
    prepare(t);
    t->persistent = is_way(t, "init") || base != t;
    if (is_way(t, "half"))
        MPI_Isendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, t->buffer, room(), MPI_INT, peer, t->tag, comm,
                      &t->request);
    else if (is_way(t, "init"))
        MPI_Recv_init(t->buffer, room(), MPI_INT, peer, t->tag, comm, &t->request);
    else if (base != t)
        t->request = base->request;
    else
        MPI_Irecv(t->buffer, room(), MPI_INT, peer, t->tag, comm, &t->request);
    if (t->persistent)
        MPI_Start(&t->request);
    t->active = true;
}

static void wait_for_own(struct token *t, MPI_Status *status)
{
    MPI_Wait(&t->request, status);
    if (t->persistent)
        MPI_Request_free(&t->request);
    t->active = t->persistent = false;
}

/* A receive that blocks, by whichever calls. */
static void receive_blocking(int k, int peer, MPI_Comm comm)
{
    struct token *t = &lines[me][k];
    MPI_Status status;
    MPI_Message message;
    if (is_way(t, "half")) {
        MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, t->buffer, room(), MPI_INT, peer, t->tag, comm,
                     &status);
    } else if (is_way(t, "mprobe")) {
        MPI_Mprobe(peer, t->tag, comm, &message, &status);
        MPI_Mrecv(t->buffer, room(), MPI_INT, &message, &status);
    } else if (*t->way) {
        start_receive(k, peer, comm);
        wait_for_own(t, &status);
    } else {
        MPI_Recv(t->buffer, room(), MPI_INT, peer, t->tag, comm, &status);
    }
    received(k, &status);
}

static void receive_found(int k, MPI_Message *message)
{
    struct token *t = &lines[me][k];
    MPI_Status status;
    if (t->call->kind == IMRECV) {
        MPI_Imrecv(t->buffer, room(), MPI_INT, message, &t->request);
        t->active = true;
        return;
    }
    MPI_Mrecv(t->buffer, room(), MPI_INT, message, &status);
    received(k, &status);
}

void receive_message(int k)
{
    struct token *t = &lines[me][k];
    MPI_Comm comm = comms[t->comm].handle;
    int peer = peer_in(&comms[t->comm], t->peer);
    MPI_Message *message = t->n_args ? &lines[me][t->args[0]].message : NULL;
    if (message && *message == MPI_MESSAGE_NULL)
        return; /* the probe said not yet */
    prepare(t);
    say("%d.%d<-", me, k);
    if (message) {
        receive_found(k, message);
    } else if (t->call->kind == RECV) {
        receive_blocking(k, peer, comm);
    } else if (t->call->kind == IRECV) {
        start_receive(k, peer, comm);
    } else {
        MPI_Precv_init(t->buffer, PARTITIONS, room() / PARTITIONS, MPI_INT, peer, t->tag, comm, MPI_INFO_NULL,
                       &t->request);
        MPI_Start(&t->request);
        t->active = t->persistent = true;
    }
}

/* ---- probes ---- */

static void probed(int k, const MPI_Status *status)
{
    struct token *t = &lines[me][k];
    int count = -1, rank = peer_of(&comms[t->comm], status->MPI_SOURCE);
    if (t->peer == MPI_PROC_NULL) {
        check_null(k, status);
        say("%d.%d?null", me, k);
        return;
    }
    /* Which message it is only its size says, and messages of a request that is started again have the size
     * of the first: the one that is meant is known when it is received. */
    MPI_Get_count(status, MPI_INT, &count);
    check_status(k, t, status, rank, count / scale - 1);
    say("%d.%d?%d.%d", me, k, rank, count / scale - 1);
}

void probe(int k)
{
    struct token *t = &lines[me][k];
    MPI_Comm comm = comms[t->comm].handle;
    int peer = peer_in(&comms[t->comm], t->peer), flag = 1;
    MPI_Status status;
    say("%d.%d?-", me, k);
    if (t->call->kind == PROBE)
        MPI_Probe(peer, t->tag, comm, &status);
    else if (t->call->kind == IPROBE)
        MPI_Iprobe(peer, t->tag, comm, &flag, &status);
    else if (t->call->kind == MPROBE)
        MPI_Mprobe(peer, t->tag, comm, &t->message, &status);
    else
        MPI_Improbe(peer, t->tag, comm, &flag, &t->message, &status);
    if (flag)
        probed(k, &status);
    else
        t->message = MPI_MESSAGE_NULL;
}

/* ---- sends ---- */

static void fill(int k, int *buffer, int n)
{
    for (int i = 0; i < n; i++)
        buffer[i] = i < (k + 1) * scale || n < room() ? me * 1000 + k : -1;
}

static void start_send(int k, int peer, MPI_Comm comm)
{
    struct token *t = &lines[me][k], *base = &lines[me][t->base];
    int n = length(lines[me], k);
    t->persistent = is_way(t, "init") || base != t;
    if (is_way(t, "half"))
        MPI_Isendrecv(t->out, n, MPI_INT, peer, t->tag, t->buffer, room(), MPI_INT, MPI_PROC_NULL, 0, comm,
                      &t->request);
    else if (is_way(t, "init"))
        t->call->send_init(t->out, n, MPI_INT, peer, t->tag, comm, &t->request);
    else if (base != t)
        t->request = base->request;
    else
        t->call->isend(t->out, n, MPI_INT, peer, t->tag, comm, &t->request);
    if (t->persistent)
        MPI_Start(&t->request);
    t->active = true;
}

static void start_partitioned(int k, int peer, MPI_Comm comm)
{
    struct token *t = &lines[me][k];
    fill(k, t->out, room());
    MPI_Psend_init(t->out, PARTITIONS, room() / PARTITIONS, MPI_INT, peer, t->tag, comm, MPI_INFO_NULL,
                   &t->request);
    MPI_Start(&t->request);
    t->active = t->persistent = true;
}

void make_ready(int k)
{
    struct token *t = &lines[me][lines[me][k].args[0]];
    if (k % 2)
        MPI_Pready_range(0, PARTITIONS - 1, t->request);
    else
        for (int i = PARTITIONS - 1; i >= 0; i--)
            MPI_Pready(i, t->request);
}

void send_message(int k)
{
    struct token *t = &lines[me][k];
    MPI_Comm comm = comms[t->comm].handle;
    int peer = peer_in(&comms[t->comm], t->peer), n = length(lines[me], k);
    if (t->call->kind == PSEND) {
        start_partitioned(k, peer, comm);
        return;
    }
    t->out = lines[me][t->base].out;
    fill(k, t->out, n);
    if (t->call->kind == ISEND) {
        start_send(k, peer, comm);
    } else if (is_way(t, "half")) {
        MPI_Sendrecv(t->out, n, MPI_INT, peer, t->tag, t->buffer, room(), MPI_INT, MPI_PROC_NULL, 0, comm,
                     MPI_STATUS_IGNORE);
    } else if (*t->way) {
        start_send(k, peer, comm);
        wait_for_own(t, MPI_STATUS_IGNORE);
    } else {
        t->call->send(t->out, n, MPI_INT, peer, t->tag, comm);
    }
}

/* ---- both at once ---- */

void exchange(int k)
{
    struct token *t = &lines[me][k];
    MPI_Comm comm = comms[t->comm].handle;
    int to = peer_in(&comms[t->comm], t->peer), from = peer_in(&comms[t->comm], t->source),
        n = length(lines[me], k);
    bool replace = is_way(t, "replace"), blocking = t->call->kind == SENDRECV;
    MPI_Status status;
    fill(k, replace ? t->buffer : t->out, n);
    if (!replace)
        prepare(t);
    say("%d.%d<-", me, k);
    if (blocking && replace)
        MPI_Sendrecv_replace(t->buffer, n, MPI_INT, to, t->tag, from, t->tag, comm, &status);
    else if (blocking)
        MPI_Sendrecv(t->out, n, MPI_INT, to, t->tag, t->buffer, room(), MPI_INT, from, t->tag, comm, &status);
    else if (replace)
        MPI_Isendrecv_replace(t->buffer, n, MPI_INT, to, t->tag, from, t->tag, comm, &t->request);
    else
        MPI_Isendrecv(t->out, n, MPI_INT, to, t->tag, t->buffer, room(), MPI_INT, from, t->tag, comm,
                      &t->request);
    t->active = !blocking;
    if (blocking)
        received(k, &status);
}
