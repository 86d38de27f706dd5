/* SPDX-License-Identifier: BSD-3-Clause */
/* The text of a scenario: see tests/poe/README.md. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "player.h"

struct token lines[RANKS][TOKENS];
struct comm comms[COMMS];
int n_tokens[RANKS], n_comms = 1, n_ranks, scale = 1;
int n_threads[RANKS], first_token[RANKS][THREADS];

static const struct call calls[] = {
    {"send", SEND, .send = MPI_Send, .isend = MPI_Isend, .send_init = MPI_Send_init},
    {"ssend", SEND, .send = MPI_Ssend, .isend = MPI_Issend, .send_init = MPI_Ssend_init},
    {"bsend", SEND, .send = MPI_Bsend, .isend = MPI_Ibsend, .send_init = MPI_Bsend_init},
    {"rsend", SEND, .send = MPI_Rsend, .isend = MPI_Irsend, .send_init = MPI_Rsend_init},
    {"isend", ISEND, .isend = MPI_Isend, .send_init = MPI_Send_init},
    {"issend", ISEND, .isend = MPI_Issend, .send_init = MPI_Ssend_init},
    {"ibsend", ISEND, .isend = MPI_Ibsend, .send_init = MPI_Bsend_init},
    {"irsend", ISEND, .isend = MPI_Irsend, .send_init = MPI_Rsend_init},
    {"psend", .kind = PSEND},
    {"ready", .kind = READY},
    {"precv", .kind = PRECV},
    {"recv", .kind = RECV},
    {"irecv", .kind = IRECV},
    {"probe", .kind = PROBE},
    {"iprobe", .kind = IPROBE},
    {"mprobe", .kind = MPROBE},
    {"improbe", .kind = IMPROBE},
    {"mrecv", .kind = MRECV},
    {"imrecv", .kind = IMRECV},
    {"sendrecv", .kind = SENDRECV},
    {"isendrecv", .kind = ISENDRECV},
    {"detach", .kind = DETACH},
    {"wait", .kind = COMPLETION},
    {"waitall", .kind = COMPLETION},
    {"waitany", .kind = COMPLETION},
    {"waitsome", .kind = COMPLETION},
    {"test", .kind = COMPLETION},
    {"testall", .kind = COMPLETION},
    {"testany", .kind = COMPLETION},
    {"testsome", .kind = COMPLETION},
    {"free", .kind = FREE},
    {"cancel", .kind = CANCEL},
    {"barrier", COLLECTIVE, .collective = BARRIER},
    {"bcast", COLLECTIVE, .collective = BCAST},
    {"reduce", COLLECTIVE, .collective = REDUCE},
    {"scan", COLLECTIVE, .collective = SCAN},
    {"neighbor", COLLECTIVE, .collective = NEIGHBOR},
    {"ibarrier", COLLECTIVE, .collective = BARRIER, .nonblocking = true},
    {"ibcast", COLLECTIVE, .collective = BCAST, .nonblocking = true},
    {"ireduce", COLLECTIVE, .collective = REDUCE, .nonblocking = true},
    {"iscan", COLLECTIVE, .collective = SCAN, .nonblocking = true},
    {"ineighbor", COLLECTIVE, .collective = NEIGHBOR, .nonblocking = true},
    {"bcast0", COLLECTIVE, .collective = BCAST, .empty = true},
    {"reduce0", COLLECTIVE, .collective = REDUCE, .empty = true},
    {"scan0", COLLECTIVE, .collective = SCAN, .empty = true},
    {"take", COLLECTIVE, .collective = TAKE},
    {"take0", COLLECTIVE, .collective = TAKE, .empty = true},
    {"ibcast0", COLLECTIVE, .collective = BCAST, .nonblocking = true, .empty = true},
    {"ireduce0", COLLECTIVE, .collective = REDUCE, .nonblocking = true, .empty = true},
    {"iscan0", COLLECTIVE, .collective = SCAN, .nonblocking = true, .empty = true},
    {"itake", COLLECTIVE, .collective = TAKE, .nonblocking = true},
    {"itake0", COLLECTIVE, .collective = TAKE, .nonblocking = true, .empty = true},
    {"make", .kind = MAKE},
    {"drop", .kind = DROP},
    {"lock", .kind = LOCK},
    {"lockshared", .kind = LOCK},
    {"unlock", .kind = UNLOCK},
    {"get", .kind = ACCESS},
    {"put", .kind = ACCESS},
    {"acc", .kind = ACCESS},
    {"look", .kind = ATOMIC},
    {"add", .kind = ATOMIC},
    {"set", .kind = ATOMIC},
    {"fetch", .kind = ATOMIC},
    {"cas", .kind = ATOMIC},
};

bool is_way(const struct token *t, const char *way) { return !strcmp(t->way, way); }

bool is_call(const struct token *t, const char *name) { return !strcmp(t->call->name, name); }

bool has_threads(void)
{
    int n = 0;
    for (int rank = 0; rank < n_ranks; rank++)
        n += n_threads[rank];
    return n > 0;
}

static int comm_named(const char *name)
{
    for (int k = 1; k < n_comms; k++)
        if (!strcmp(comms[k].name, name))
            return k;
    fail("no such communicator", name);
}

/* Of the line that is being read. */
static int token_named(int rank, const char *name)
{
    for (int k = first_token[rank][n_threads[rank]]; k < n_tokens[rank]; k++)
        if (!strcmp(lines[rank][k].name, name))
            return k;
    fail("no such name", name);
}

static int rank_named(const char *word)
{
    return *word == '*' ? MPI_ANY_SOURCE : *word == '-' ? MPI_PROC_NULL : atoi(word);
}

static void parse_argument(int rank, struct token *t, const char *word)
{
    enum kind kind = t->call->kind;
    if (kind == MAKE)
        t->args[t->n_args++] = comm_named(word);
    else if (kind >= MRECV && kind < COLLECTIVE)
        t->args[t->n_args++] = token_named(rank, word);
    else if (kind == COLLECTIVE && t->call->collective == NEIGHBOR)
        t->args[t->n_args++] = atoi(word);
    else if (t->peer == INT_MIN)
        t->peer = rank_named(word);
    else if (kind == SENDRECV || kind == ISENDRECV)
        t->source = rank_named(word);
    else
        t->tag = *word == '*' ? MPI_ANY_TAG : atoi(word);
}

/* KIND [ ( ARGS ) ] [ @COMM ] [ ~WAY ] [ :NAME ] */
static void parse_token(int rank, char *text)
{
    char kind[WORD] = "", comm[WORD] = "", args[LINE] = "";
    if (n_tokens[rank] == TOKENS)
        fail("too many tokens", text);
    struct token *t = &lines[rank][n_tokens[rank]];
    for (char *at = text; *at;) {
        int n = 0;
        if (sscanf(at, "(%4000[^()])%n", args, &n) < 1 && sscanf(at, "@%31[A-Za-z0-9_]%n", comm, &n) < 1 &&
            sscanf(at, ":%31[A-Za-z0-9_]%n", t->name, &n) < 1 &&
            sscanf(at, "~%31[A-Za-z0-9_]%n", t->way, &n) < 1)
            sscanf(at, "%31[a-z0]%n", kind, &n);
        if (n == 0)
            fail("not a token", text);
        at += n;
    }
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        if (!strcmp(calls[k].name, kind))
            t->call = &calls[k];
    if (!t->call)
        fail("unknown call", text);
    t->peer = INT_MIN;
    t->comm = *comm ? comm_named(comm) : 0;
    char *rest = args;
    for (char *word; (word = strtok_r(rest, ",", &rest));)
        parse_argument(rank, t, word);
    t->base = strncmp(t->way, "again_", 6) ? n_tokens[rank] : token_named(rank, t->way + 6);
    if (t->call->kind == MAKE)
        comms[t->args[0]].made = true;
    for (int k = 0; k < n_tokens[rank]; k++)
        t->number += lines[rank][k].call->kind == COLLECTIVE && lines[rank][k].comm == t->comm;
    n_tokens[rank]++;
}

/* "0:", or "0/1:" for the next further thread of rank 0. */
static void parse_line(const char *name, char *rest)
{
    int rank = atoi(name);
    if (strchr(name, '/')) {
        if (++n_threads[rank] == THREADS || atoi(strchr(name, '/') + 1) != n_threads[rank])
            fail("no such thread", name);
        first_token[rank][n_threads[rank]] = n_tokens[rank];
    } else if (n_threads[rank] || n_tokens[rank]) {
        fail("a rank's first line comes first, and once", name);
    }
    for (char *word; (word = strtok_r(rest, " \n", &rest));)
        parse_token(rank, word);
}

static void parse_comm(char *rest)
{
    if (n_comms == COMMS)
        fail("too many communicators", rest);
    struct comm *c = &comms[n_comms++];
    c->handle = MPI_COMM_NULL;
    strncpy(c->name, strtok_r(rest, " \n", &rest), WORD - 1);
    for (char *word; (word = strtok_r(rest, " \n", &rest)) && c->n_members < RANKS;) {
        if (*word == '|')
            c->n_first = c->n_members;
        else
            c->members[c->n_members++] = atoi(word);
    }
}

void parse(const char *path)
{
    FILE *file = fopen(path, "r");
    if (!file)
        fail("cannot open", path);
    char line[LINE];
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "#")] = 0;
        char *rest = line, *word = strtok_r(rest, " \n", &rest);
        if (!word || !strcmp(word, "expect"))
            continue;
        if (!strcmp(word, "ranks"))
            n_ranks = atoi(strtok_r(rest, " \n", &rest));
        else if (!strcmp(word, "scale"))
            scale = atoi(strtok_r(rest, " \n", &rest));
        else if (!strcmp(word, "comm"))
            parse_comm(rest);
        else if (isdigit(*word) && atoi(word) < RANKS)
            parse_line(word, rest);
        else
            fail("not understood", word);
    }
    fclose(file);
}
