/* SPDX-License-Identifier: BSD-3-Clause */
/* Plays a scenario of tests/poe (see its README.md) as an MPI program: `player FILE`.
 *
 * Each token of the own line is one MPI call. So that a receive or a probe knows which message it
 * has, message R.I (rank R, token I) is I + 1 integers, each of them R * 1000 + I; every operation has a
 * buffer of its own. To a collective each rank gives its rank + 1; a neighbourhood has a topology of its own. What happens is told in $PLAYER_DIR/$ISP_TOKEN.RANK, so that the file of
 * a rank that hangs says how far it came; at each new line all lines are told again, and an empty one ends them. They are:
 *     1.0        token 0 of rank 1 was reached
 *     1.0<2.1    an item of an outcome; a later item of the same token replaces it
 *     end        MPI_Finalize was reached
 *     done       it has returned; before that, the items of receives that were never waited for
 *     wrong: ... MPI broke a promise
 */
#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RANKS 8
#define TOKENS 32
#define ROOM (TOKENS + 4) /* integers in a buffer */
#define COMMS 4           /* 0 is MPI_COMM_WORLD */
#define WORD 32
#define LINE 4096

enum kind { SEND, ISEND, RECV, IRECV, PROBE, IPROBE, MPROBE, IMPROBE, MRECV, IMRECV, COMPLETION, FREE, COLLECTIVE };
enum collective { BARRIER, BCAST, REDUCE, SCAN, NEIGHBOR };

static const struct call {
    const char *name;
    enum kind kind;
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    int (*isend)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    enum collective collective;
    bool nonblocking; /* of the collectives */
} calls[] = {
    {"send", SEND, .send = MPI_Send},
    {"ssend", SEND, .send = MPI_Ssend},
    {"bsend", SEND, .send = MPI_Bsend},
    {"rsend", SEND, .send = MPI_Rsend},
    {"isend", ISEND, .isend = MPI_Isend},
    {"issend", ISEND, .isend = MPI_Issend},
    {"ibsend", ISEND, .isend = MPI_Ibsend},
    {"recv", .kind = RECV},
    {"irecv", .kind = IRECV},
    {"probe", .kind = PROBE},
    {"iprobe", .kind = IPROBE},
    {"mprobe", .kind = MPROBE},
    {"improbe", .kind = IMPROBE},
    {"mrecv", .kind = MRECV},
    {"imrecv", .kind = IMRECV},
    {"wait", .kind = COMPLETION},
    {"waitall", .kind = COMPLETION},
    {"waitany", .kind = COMPLETION},
    {"waitsome", .kind = COMPLETION},
    {"test", .kind = COMPLETION},
    {"testall", .kind = COMPLETION},
    {"testany", .kind = COMPLETION},
    {"testsome", .kind = COMPLETION},
    {"free", .kind = FREE},
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
};

struct token {
    const struct call *call;
    int peer, tag, comm; /* peer: a rank in MPI_COMM_WORLD, or MPI_ANY_SOURCE */
    char name[WORD];
    int n_args, args[TOKENS]; /* tokens; of a neighbourhood: ranks in MPI_COMM_WORLD */
    int number;               /* collective: k, of the k-th on its communicator */
    /* of the own line: */
    MPI_Request request;
    MPI_Message message;
    MPI_Comm graph; /* of a neighbourhood */
    bool told; /* a receive whose message is known */
    int buffer[ROOM];
};

struct comm {
    char name[WORD];
    int n_members, members[RANKS];
    MPI_Comm handle;
};

static struct token lines[RANKS][TOKENS];
static int n_tokens[RANKS];
static struct comm comms[COMMS];
static int n_comms = 1, n_ranks, me, out = STDOUT_FILENO;
static char said[1 << 16];
static size_t n_said;

static void fail(const char *why, const char *what)
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
    out = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (out < 0)
        fail("cannot create", path);
}

/* One write each time, of all that was said: the rank may be killed any time, or go on with what it does from a state that it was in before. */
static void say(const char *format, ...)
{
    size_t room = sizeof said - 2;
    va_list list;
    va_start(list, format);
    int n = vsnprintf(said + n_said, room - n_said, format, list);
    va_end(list);
    if (n < 0 || (size_t)n >= room - n_said)
        fail("too much to say", format);
    n_said += (size_t)n;
    said[n_said++] = '\n';
    said[n_said] = '\n';
    if (write(out, said, n_said + 1) != (ssize_t)n_said + 1)
        fail("cannot write", format);
}

/* ---- the scenario ---- */

static int comm_named(const char *name)
{
    for (int k = 1; k < n_comms; k++)
        if (!strcmp(comms[k].name, name))
            return k;
    fail("no such communicator", name);
    return 0;
}

static int token_named(int rank, const char *name)
{
    for (int k = 0; k < n_tokens[rank]; k++)
        if (!strcmp(lines[rank][k].name, name))
            return k;
    fail("no such name", name);
    return 0;
}

static void parse_arguments(int rank, struct token *t, char *text)
{
    bool collective = t->call->kind == COLLECTIVE, names = t->call->kind >= MRECV && !collective;
    char *rest = text;
    for (char *word; (word = strtok_r(rest, ",", &rest));) {
        if (names)
            t->args[t->n_args++] = token_named(rank, word);
        else if (collective && t->call->collective == NEIGHBOR)
            t->args[t->n_args++] = atoi(word);
        else if (t->peer == INT_MIN)
            t->peer = *word == '*' ? MPI_ANY_SOURCE : atoi(word);
        else
            t->tag = *word == '*' ? MPI_ANY_TAG : atoi(word);
    }
}

/* KIND [ ( ARGS ) ] [ @COMM ] [ :NAME ] */
static void parse_token(int rank, char *text)
{
    char kind[WORD] = "", name[WORD] = "", comm[WORD] = "", args[LINE] = "";
    for (char *at = text; *at;) {
        int n = 0;
        if (sscanf(at, "(%4000[^()])%n", args, &n) < 1 && sscanf(at, "@%31[A-Za-z0-9_]%n", comm, &n) < 1
            && sscanf(at, ":%31[A-Za-z0-9_]%n", name, &n) < 1)
            sscanf(at, "%31[a-z]%n", kind, &n);
        if (n == 0)
            fail("not a token", text);
        at += n;
    }
    if (n_tokens[rank] == TOKENS)
        fail("too many tokens", text);
    struct token *t = &lines[rank][n_tokens[rank]];
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
        if (!strcmp(calls[k].name, kind))
            t->call = &calls[k];
    if (!t->call)
        fail("unknown call", text);
    t->peer = INT_MIN;
    t->comm = *comm ? comm_named(comm) : 0;
    parse_arguments(rank, t, args);
    strcpy(t->name, name);
    t->request = MPI_REQUEST_NULL;
    t->message = MPI_MESSAGE_NULL;
    t->graph = MPI_COMM_NULL;
    for (int k = 0; k < n_tokens[rank]; k++)
        t->number += lines[rank][k].call->kind == COLLECTIVE && lines[rank][k].comm == t->comm;
    for (int k = 0; k < ROOM; k++)
        t->buffer[k] = -1;
    n_tokens[rank]++;
}

static void parse_comm(char *rest)
{
    if (n_comms == COMMS)
        fail("too many communicators", rest);
    struct comm *c = &comms[n_comms++];
    c->handle = MPI_COMM_NULL;
    strncpy(c->name, strtok_r(rest, " \n", &rest), WORD - 1);
    for (char *word; (word = strtok_r(rest, " \n", &rest)) && c->n_members < RANKS;)
        c->members[c->n_members++] = atoi(word);
}

static void parse(const char *path)
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
        else if (!strcmp(word, "comm"))
            parse_comm(rest);
        else if (isdigit(*word) && atoi(word) < RANKS)
            for (int rank = atoi(word); (word = strtok_r(rest, " \n", &rest));)
                parse_token(rank, word);
        else
            fail("not understood", word);
    }
    fclose(file);
}

/* ---- communicators: those with an odd number of members by split, the others by create ---- */

static void make_comms(void)
{
    comms[0].handle = MPI_COMM_WORLD;
    comms[0].n_members = n_ranks;
    for (int k = 0; k < n_ranks; k++)
        comms[0].members[k] = k;
    for (int k = 1; k < n_comms; k++) {
        struct comm *c = &comms[k];
        bool member = false;
        for (int m = 0; m < c->n_members; m++)
            member |= c->members[m] == me;
        if (c->n_members % 2) {
            MPI_Comm_split(MPI_COMM_WORLD, member ? 0 : MPI_UNDEFINED, me, &c->handle);
        } else {
            MPI_Group world, group;
            MPI_Comm_group(MPI_COMM_WORLD, &world);
            MPI_Group_incl(world, c->n_members, c->members, &group);
            MPI_Comm_create(MPI_COMM_WORLD, group, &c->handle);
            MPI_Group_free(&group);
            MPI_Group_free(&world);
        }
    }
}

static int rank_in(const struct comm *c, int rank)
{
    for (int k = 0; k < c->n_members; k++)
        if (c->members[k] == rank)
            return k;
    return MPI_ANY_SOURCE;
}

static int local_rank(const struct token *t)
{
    return t->peer == MPI_ANY_SOURCE ? MPI_ANY_SOURCE : rank_in(&comms[t->comm], t->peer);
}

/* The rank's neighbourhood number `number` on the communicator, or NULL. */
static struct token *neighbourhood(int rank, int comm, int number)
{
    for (int k = 0; k < n_tokens[rank]; k++) {
        struct token *t = &lines[rank][k];
        if (t->call->kind == COLLECTIVE && t->call->collective == NEIGHBOR && t->comm == comm && t->number == number)
            return t;
    }
    return NULL;
}

/* A member that never calls this one has no neighbours. */
static void make_graph(int comm, int number)
{
    const struct comm *c = &comms[comm];
    struct token *mine = neighbourhood(me, comm, number);
    int sources[RANKS], destinations[RANKS], n_sources = 0, n_destinations = 0;
    for (int k = 0; mine && k < mine->n_args; k++)
        sources[n_sources++] = rank_in(c, mine->args[k]);
    for (int m = 0; m < c->n_members; m++) {
        const struct token *t = neighbourhood(c->members[m], comm, number);
        for (int k = 0; t && k < t->n_args; k++)
            if (t->args[k] == me)
                destinations[n_destinations++] = m;
    }
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(c->handle, n_sources, sources, MPI_UNWEIGHTED, n_destinations, destinations,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    if (mine)
        mine->graph = graph;
}

static void make_graphs(void)
{
    for (int k = 0; k < n_comms; k++)
        for (int number = 0; number < TOKENS; number++) {
            bool any = false;
            for (int m = 0; m < comms[k].n_members; m++)
                any |= neighbourhood(comms[k].members[m], k, number) != NULL;
            if (any && comms[k].handle != MPI_COMM_NULL)
                make_graph(k, number);
        }
}

/* ---- what was received ---- */

/* Source, tag and count must be those of message rank.index; and the token must accept it. */
static void check_status(int k, const struct token *t, const MPI_Status *status, int rank, int index)
{
    int count = -1;
    MPI_Get_count(status, MPI_INT, &count);
    if (rank < 0 || rank >= n_ranks || index < 0 || index >= n_tokens[rank] || lines[rank][index].call->kind > ISEND) {
        say("wrong: %d.%d: there is no message %d.%d", me, k, rank, index);
        return;
    }
    const struct token *send = &lines[rank][index];
    const struct comm *c = &comms[send->comm];
    if (status->MPI_SOURCE < 0 || status->MPI_SOURCE >= c->n_members || c->members[status->MPI_SOURCE] != rank
        || status->MPI_TAG != send->tag || count != index + 1)
        say("wrong: %d.%d: source %d, tag %d, count %d in the status of message %d.%d", me, k, status->MPI_SOURCE,
            status->MPI_TAG, count, rank, index);
    if (send->peer != me || send->comm != t->comm || (t->peer != MPI_ANY_SOURCE && t->peer != rank)
        || (t->tag != MPI_ANY_TAG && t->tag != send->tag))
        say("wrong: %d.%d does not accept %d.%d", me, k, rank, index);
}

/* The probe that found the message of an mrecv, which says what is accepted; otherwise the token itself. */
static const struct token *acceptor(const struct token *t)
{
    bool matched = t->call->kind == MRECV || t->call->kind == IMRECV;
    return matched ? &lines[me][t->args[0]] : t;
}

static void probed(int k, const MPI_Status *status)
{
    struct token *t = &lines[me][k];
    int count = -1, rank = -1;
    MPI_Get_count(status, MPI_INT, &count);
    if (status->MPI_SOURCE >= 0 && status->MPI_SOURCE < comms[t->comm].n_members)
        rank = comms[t->comm].members[status->MPI_SOURCE];
    check_status(k, t, status, rank, count - 1);
    say("%d.%d?%d.%d", me, k, rank, count - 1);
}

/* A receive has its message; status is NULL if none was given. */
static void received(int k, const MPI_Status *status)
{
    struct token *t = &lines[me][k];
    int rank = t->buffer[0] / 1000, index = t->buffer[0] % 1000;
    t->told = true;
    if (t->buffer[0] < 0) {
        if (status)
            say("wrong: %d.%d: nothing was received", me, k);
        return;
    }
    for (int i = 0; i < ROOM; i++)
        if (t->buffer[i] != (i <= index ? t->buffer[0] : -1)) {
            say("wrong: %d.%d: buffer[%d] is %d in message %d.%d", me, k, i, t->buffer[i], rank, index);
            break;
        }
    if (status)
        check_status(k, acceptor(t), status, rank, index);
    say("%d.%d<%d.%d", me, k, rank, index);
}

/* ---- collectives: what is given is in buffer[0] (bcast: both), what is got behind it ---- */

static void collective(int k)
{
    struct token *t = &lines[me][k];
    MPI_Comm comm = comms[t->comm].handle;
    MPI_Request *r = t->call->nonblocking ? &t->request : NULL;
    int root = local_rank(t), *in = t->buffer, *got = t->buffer + 1;
    *in = me + 1;
    if (t->call->collective == BCAST)
        *got = t->peer == me ? me + 1 : -1;
    switch (t->call->collective) {
    case BARRIER: r ? MPI_Ibarrier(comm, r) : MPI_Barrier(comm); break;
    case BCAST: r ? MPI_Ibcast(got, 1, MPI_INT, root, comm, r) : MPI_Bcast(got, 1, MPI_INT, root, comm); break;
    case REDUCE:
        r ? MPI_Ireduce(in, got, 1, MPI_INT, MPI_SUM, root, comm, r) : MPI_Reduce(in, got, 1, MPI_INT, MPI_SUM, root, comm);
        break;
    case SCAN: r ? MPI_Iscan(in, got, 1, MPI_INT, MPI_SUM, comm, r) : MPI_Scan(in, got, 1, MPI_INT, MPI_SUM, comm); break;
    case NEIGHBOR:
        r ? MPI_Ineighbor_allgather(in, 1, MPI_INT, got, 1, MPI_INT, t->graph, r)
          : MPI_Neighbor_allgather(in, 1, MPI_INT, got, 1, MPI_INT, t->graph);
        break;
    }
}

static int sum_up_to(const struct comm *c, int last)
{
    int sum = 0;
    for (int m = 0; m <= last; m++)
        sum += c->members[m] + 1;
    return sum;
}

static void check_collective(int k)
{
    const struct token *t = &lines[me][k];
    const struct comm *c = &comms[t->comm];
    int want[RANKS], n = 1;
    switch (t->call->collective) {
    case BARRIER: return;
    case BCAST: want[0] = t->peer + 1; break;
    case REDUCE: want[0] = t->peer == me ? sum_up_to(c, c->n_members - 1) : -1; break;
    case SCAN: want[0] = sum_up_to(c, rank_in(c, me)); break;
    case NEIGHBOR:
        for (n = 0; n < t->n_args; n++)
            want[n] = t->args[n] + 1;
        break;
    }
    for (int i = 0; i < n; i++)
        if (t->buffer[1 + i] != want[i])
            say("wrong: %d.%d: %s gave %d, expected %d", me, k, t->call->name, t->buffer[1 + i], want[i]);
}

/* ---- playing ---- */

/* Request number `position` of the list of token k is complete. */
static void completed(int k, int position, const MPI_Status *status)
{
    int which = lines[me][k].args[position];
    enum kind kind = lines[me][which].call->kind;
    if (kind == IRECV || kind == IMRECV)
        received(which, status);
    if (kind == COLLECTIVE)
        check_collective(which);
}

/* Positions in ascending order, as outcomes have them. */
static void tell_positions(int k, int n, const int *indices)
{
    char text[LINE];
    int length = snprintf(text, sizeof text, "%d.%d=", me, k);
    const char *comma = "";
    for (int position = 0; position < lines[me][k].n_args; position++)
        for (int i = 0; i < n; i++)
            if (indices[i] == position) {
                length += snprintf(text + length, sizeof text - (size_t)length, "%s%d", comma, position);
                comma = ",";
            }
    say("%s", text);
}

static void completion(int k)
{
    struct token *t = &lines[me][k];
    const char *name = t->call->name;
    bool test = !strncmp(name, "test", 4), all = strstr(name, "all"), any = strstr(name, "any"), some = strstr(name, "some");
    MPI_Request requests[TOKENS];
    MPI_Status statuses[TOKENS];
    int indices[TOKENS], n = 0, flag = 1;
    bool active[TOKENS], none = true;
    for (int i = 0; i < t->n_args; i++) {
        requests[i] = lines[me][t->args[i]].request;
        active[i] = requests[i] != MPI_REQUEST_NULL;
        none &= !active[i];
    }
    if (!none && (test || any || some))
        say("%d.%d=-", me, k);
    if (any) {
        if (test)
            MPI_Testany(t->n_args, requests, indices, &flag, statuses);
        else
            MPI_Waitany(t->n_args, requests, indices, statuses);
        n = flag && indices[0] != MPI_UNDEFINED;
    } else if (some) {
        if (test)
            MPI_Testsome(t->n_args, requests, &n, indices, statuses);
        else
            MPI_Waitsome(t->n_args, requests, &n, indices, statuses);
        if (none != (n == MPI_UNDEFINED))
            say("wrong: %d.%d: outcount is %d", me, k, n);
        n = none ? 0 : n;
    } else {
        if (all && test)
            MPI_Testall(t->n_args, requests, &flag, statuses);
        else if (all)
            MPI_Waitall(t->n_args, requests, statuses);
        else if (test)
            MPI_Test(requests, &flag, statuses);
        else
            MPI_Wait(requests, statuses);
        for (int i = 0; flag && i < t->n_args; i++)
            indices[n++] = i;
    }
    if (none && (!flag || (any && n)))
        say("wrong: %d.%d: flag %d, %d completed, without active requests", me, k, flag, n);
    for (int i = 0; i < n; i++)
        if (active[indices[i]])
            completed(k, indices[i], &statuses[i]);
    for (int i = 0; i < t->n_args; i++) {
        bool told = false;
        for (int j = 0; j < n; j++)
            told |= indices[j] == i;
        if ((requests[i] == MPI_REQUEST_NULL) != (told || !active[i]))
            say("wrong: %d.%d: request %d", me, k, i);
        lines[me][t->args[i]].request = requests[i];
    }
    if (none)
        return;
    if (any || some) {
        if (n)
            tell_positions(k, n, indices);
    } else if (test && flag) {
        say("%d.%d=t", me, k);
    }
}

static void receive(int k)
{
    struct token *t = &lines[me][k];
    MPI_Comm comm = comms[t->comm].handle;
    int peer = local_rank(t);
    MPI_Status status;
    MPI_Message *message = t->n_args ? &lines[me][t->args[0]].message : NULL;
    if (message && *message == MPI_MESSAGE_NULL)
        return; /* the probe said not yet */
    say("%d.%d<-", me, k);
    switch (t->call->kind) {
    case RECV:
        MPI_Recv(t->buffer, ROOM, MPI_INT, peer, t->tag, comm, &status);
        break;
    case IRECV:
        MPI_Irecv(t->buffer, ROOM, MPI_INT, peer, t->tag, comm, &t->request);
        return;
    case MRECV:
        MPI_Mrecv(t->buffer, ROOM, MPI_INT, message, &status);
        break;
    default:
        MPI_Imrecv(t->buffer, ROOM, MPI_INT, message, &t->request);
        return;
    }
    received(k, &status);
}

static void probe(int k)
{
    struct token *t = &lines[me][k];
    MPI_Comm comm = comms[t->comm].handle;
    int peer = local_rank(t), flag = 1;
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

static void send(int k)
{
    struct token *t = &lines[me][k];
    MPI_Comm comm = comms[t->comm].handle;
    for (int i = 0; i <= k; i++)
        t->buffer[i] = me * 1000 + k;
    if (t->call->send)
        t->call->send(t->buffer, k + 1, MPI_INT, local_rank(t), t->tag, comm);
    else
        t->call->isend(t->buffer, k + 1, MPI_INT, local_rank(t), t->tag, comm, &t->request);
}

static void play(int k)
{
    struct token *t = &lines[me][k];
    say("%d.%d", me, k);
    switch (t->call->kind) {
    case SEND:
    case ISEND:
        send(k);
        break;
    case RECV:
    case IRECV:
    case MRECV:
    case IMRECV:
        receive(k);
        break;
    case PROBE:
    case IPROBE:
    case MPROBE:
    case IMPROBE:
        probe(k);
        break;
    case COMPLETION:
        completion(k);
        break;
    case FREE:
        if (lines[me][t->args[0]].request != MPI_REQUEST_NULL)
            MPI_Request_free(&lines[me][t->args[0]].request);
        break;
    case COLLECTIVE:
        collective(k);
        if (!t->call->nonblocking)
            check_collective(k);
        break;
    }
}


int main(int argc, char **argv)
{
    static char bsend_buffer[1 << 16];
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 2)
        fail("usage", "player FILE");
    parse(argv[1]);
    if (size != n_ranks || size > RANKS)
        fail("not the scenario's number of ranks", argv[1]);
    open_output();
    MPI_Buffer_attach(bsend_buffer, sizeof bsend_buffer);
    make_comms();
    make_graphs();
    for (int k = 0; k < n_tokens[me]; k++)
        play(k);
    say("end");
    MPI_Finalize();
    for (int k = 0; k < n_tokens[me]; k++)
        if ((lines[me][k].call->kind == IRECV || lines[me][k].call->kind == IMRECV) && !lines[me][k].told)
            received(k, NULL);
    say("done");
    return 0;
}
