/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * poe-scenario: drives poe and its search over scenario files, without MPI or processes, and
 * prints the outcome of each interleaving. The format, and what an outcome is, are in README.md
 * beside this file; reference.py gives the right answers.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isp/functions.h"
#include "poe/mixed.h"
#include "poe/poe.h"
#include "poe/search.h"
#include "poe/states.h"

/* --mix K, --sample N, --seed S, --loop RANK (whose choices are in a loop). */
static struct poe_search_bounds bounds;
static unsigned samples;
static int loop_rank = -1;

/* What --barriers and --one-site ask for: which MPI_Barriers matter, told by group. Each barrier of a
 * rank has a call site of its own, or all have one. */
static bool tell_barriers, one_site;
/* --one-poll: all polls of a rank have one call site. --polls: K. */
static bool one_poll;
static unsigned polls = 1;
enum { POLL_SITE = 999, BARRIER_SITE = 1000 };
/* --restore: at each choice point the state is saved, and the next alternative goes on from there. --runs: a
 * line for each run. */
static bool by_restore, tell_runs;

/* --merge: states that are known are not explored again; --most-bytes: the bound of their table. */
static bool merges;
static unsigned most_interleavings; /* --most: gives up with more; 0: never */
static size_t most_bytes = (size_t)64 << 20;

/* --mixed: with infinite buffering, the deadlocks of mixed buffering that each run shows. */
static bool tell_mixed;

enum { MAX_RANKS = 320, MAX_TOKENS = 64, MAX_ARGS = 16, MAX_COMMS = 8, MAX_RACES = 256, MAX_PLACES = 8 };

/* As a token's function: it takes the place that it accesses, if nobody has. */
enum { IS_CAS = ISP_FN_MPI_Compare_and_swap };

enum kind {
    SEND,
    RECV,
    PROBE,
    MRECV,
    COMPLETE,
    FREE,
    COLLECTIVE,
    EXCHANGE,
    READY,
    DETACH,
    LOCK,
    UNLOCK,
    MAKE,
    ACCESS,
    ATOMIC,
    CANCEL
};

struct token {
    enum kind kind;
    uint8_t mode; /* COLLECTIVE: enum isp_flow; ACCESS, ATOMIC: enum poe_use */
    uint16_t flags, fn;
    bool blocking;
    int peer, tag, comm;
    char name[16];
    char args[MAX_ARGS][16];
    int n_args;
};

/* A line is a program order: lines 0 to ranks - 1 are the main threads of these ranks, those behind it
 * further threads. */
struct scenario {
    char title[128];
    int ranks, lines;
    int rank_of[MAX_RANKS], thread_of[MAX_RANKS], n_threads[MAX_RANKS];
    int n_tokens[MAX_RANKS];
    struct {
        char name[16];
        uint32_t members[MAX_RANKS];
        int n;
        bool made;
    } comms[MAX_COMMS]; /* made: by a token, not at the start */
    int n_comms;
    bool cancels;
    struct token tokens[MAX_RANKS][MAX_TOKENS]; /* last: what is not counted is not cleared */
};

/* What the player knows of one named operation. */
struct request {
    bool active, missed; /* missed: an improbe that said not yet */
    bool nobody;         /* a probe of MPI_PROC_NULL */
    bool cancelled;      /* MPI_Cancel was called */
    uint32_t handle;
    int token;
};

/* What it knows of one rank. */
struct seat {
    int at;                              /* next token; n_tokens: in finalize */
    bool waits;                          /* in the fence of token at - 1 */
    struct request requests[MAX_TOKENS]; /* by token */
    int listed[MAX_ARGS];                /* the fence's list: token of each entry */
    int places[MAX_ARGS];                /* ... and its place among the written arguments */
    uint64_t index;                      /* poe's index of the rank's next transition */
    int token_of[4 * MAX_TOKENS];        /* poe index -> token */
    int sub_comms_left;
    char answer[MAX_TOKENS][64]; /* outcome item of a token; empty: none */
    bool reached[MAX_TOKENS];
    int admitted[MAX_TOKENS]; /* when the call was admitted, from 1 */
    bool finalizes;
};

/* A lock, turn or atomic access that was granted. */
struct visit {
    int rank, token;
    bool open, waited, unchanged;
};

struct player { /* no pointer into itself: it is copied */
    const struct scenario *s;
    struct poe *poe;
    bool mixed; /* standard sends may wait, though others do not */
    int comm_number[MAX_COMMS];
    unsigned races[MAX_RACES], n_races; /* of the run */
    int admissions;
    struct visit visits[MAX_RANKS * 8]; /* in their order */
    unsigned n_visits;
    bool taken[MAX_PLACES][MAX_PLACES]; /* by a cas: target, place */
    struct seat seats[MAX_RANKS];
};

/* Only the ranks that there are. */
static size_t player_bytes(const struct scenario *s)
{
    return offsetof(struct player, seats) + (size_t)s->lines * sizeof(struct seat);
}

static void die(const char *title, const char *what, const char *where)
{
    fprintf(stderr, "poe-scenario: %s: %s: %s\n", title, what, where);
    exit(2);
}

/* ---- parsing ---- */

static const struct {
    const char *word;
    enum kind kind;
    uint8_t mode;
    uint16_t flags;
    bool blocking;
    uint16_t fn;
} WORDS[] = {
    {"send", SEND, ISP_SEND_STANDARD, 0, true, 0},
    {"isend", SEND, ISP_SEND_STANDARD, 0, false, 0},
    {"ssend", SEND, ISP_SEND_SYNC, 0, true, 0},
    {"issend", SEND, ISP_SEND_SYNC, 0, false, 0},
    {"bsend", SEND, ISP_SEND_BUFFERED, 0, true, 0},
    {"ibsend", SEND, ISP_SEND_BUFFERED, 0, false, 0},
    {"rsend", SEND, ISP_SEND_READY, 0, true, 0},
    {"irsend", SEND, ISP_SEND_READY, 0, false, 0},
    {"recv", RECV, 0, 0, true, 0},
    {"irecv", RECV, 0, 0, false, 0},
    {"probe", PROBE, 0, 0, true, 0},
    {"iprobe", PROBE, 0, ISP_F_POLL, true, 0},
    {"mprobe", PROBE, 0, ISP_F_MATCHED, true, 0},
    {"improbe", PROBE, 0, ISP_F_MATCHED | ISP_F_POLL, true, 0},
    {"mrecv", MRECV, 0, 0, true, 0},
    {"imrecv", MRECV, 0, 0, false, 0},
    {"wait", COMPLETE, ISP_COMPLETE_ALL, 0, true, 0},
    {"waitall", COMPLETE, ISP_COMPLETE_ALL, 0, true, 0},
    {"waitany", COMPLETE, ISP_COMPLETE_ANY, 0, true, 0},
    {"waitsome", COMPLETE, ISP_COMPLETE_SOME, 0, true, 0},
    {"test", COMPLETE, ISP_COMPLETE_ALL, ISP_F_POLL, true, 0},
    {"testall", COMPLETE, ISP_COMPLETE_ALL, ISP_F_POLL, true, 0},
    {"testany", COMPLETE, ISP_COMPLETE_ANY, ISP_F_POLL, true, 0},
    {"testsome", COMPLETE, ISP_COMPLETE_SOME, ISP_F_POLL, true, 0},
    {"free", FREE, 0, 0, false, 0},
    {"cancel", CANCEL, 0, 0, true, 0},
    {"isendrecv", EXCHANGE, ISP_SEND_STANDARD, 0, false, 0},
    {"sendrecv", EXCHANGE, ISP_SEND_STANDARD, 0, true, 0},
    {"make", MAKE, 0, 0, true, ISP_FN_MPI_Comm_create},
    {"ready", READY, 0, 0, false, 0},
    {"psend", SEND, ISP_SEND_STANDARD, ISP_F_PARTITIONED | ISP_F_HELD, false, 0},
    {"precv", RECV, 0, ISP_F_PARTITIONED, false, 0},
    {"detach", DETACH, 0, 0, true, 0},
    {"lock", LOCK, ISP_LOCK_EXCLUSIVE, 0, true, 0},
    {"lockshared", LOCK, ISP_LOCK_SHARED, 0, true, 0},
    {"turn", LOCK, ISP_LOCK_TURN, 0, true, 0},
    {"unlock", UNLOCK, 0, 0, false, 0},
    {"get", ACCESS, POE_READS, 0, false, 0},
    {"put", ACCESS, POE_WRITES, 0, false, 0},
    {"acc", ACCESS, POE_UPDATES, 0, false, 0},
    {"look", ATOMIC, POE_READS, 0, true, 0},
    {"add", ATOMIC, POE_UPDATES, 0, true, 0},
    {"set", ATOMIC, POE_WRITES, 0, true, 0},
    {"fetch", ATOMIC, POE_FETCHES, 0, true, 0},
    {"cas", ATOMIC, POE_FETCHES, 0, true, IS_CAS},
    /* a collective's function stands for all with its flow */
    {"barrier", COLLECTIVE, ISP_FLOW_ALL, 0, true, ISP_FN_MPI_Barrier},
    {"ibarrier", COLLECTIVE, ISP_FLOW_ALL, 0, false, ISP_FN_MPI_Ibarrier},
    {"bcast", COLLECTIVE, ISP_FLOW_FROM_ROOT, 0, true, ISP_FN_MPI_Bcast},
    {"ibcast", COLLECTIVE, ISP_FLOW_FROM_ROOT, 0, false, ISP_FN_MPI_Ibcast},
    {"reduce", COLLECTIVE, ISP_FLOW_TO_ROOT, 0, true, ISP_FN_MPI_Reduce},
    {"ireduce", COLLECTIVE, ISP_FLOW_TO_ROOT, 0, false, ISP_FN_MPI_Ireduce},
    {"scan", COLLECTIVE, ISP_FLOW_PREFIX, 0, true, ISP_FN_MPI_Scan},
    {"iscan", COLLECTIVE, ISP_FLOW_PREFIX, 0, false, ISP_FN_MPI_Iscan},
    {"bcast0", COLLECTIVE, ISP_FLOW_FROM_ROOT, ISP_F_TAKES_NOTHING, true, ISP_FN_MPI_Bcast},
    {"ibcast0", COLLECTIVE, ISP_FLOW_FROM_ROOT, ISP_F_TAKES_NOTHING, false, ISP_FN_MPI_Ibcast},
    {"reduce0", COLLECTIVE, ISP_FLOW_TO_ROOT, ISP_F_TAKES_NOTHING, true, ISP_FN_MPI_Reduce},
    {"ireduce0", COLLECTIVE, ISP_FLOW_TO_ROOT, ISP_F_TAKES_NOTHING, false, ISP_FN_MPI_Ireduce},
    {"scan0", COLLECTIVE, ISP_FLOW_PREFIX, ISP_F_TAKES_NOTHING, true, ISP_FN_MPI_Scan},
    {"iscan0", COLLECTIVE, ISP_FLOW_PREFIX, ISP_F_TAKES_NOTHING, false, ISP_FN_MPI_Iscan},
    {"take", COLLECTIVE, ISP_FLOW_ALL, 0, true, ISP_FN_MPI_Reduce_scatter},
    {"itake", COLLECTIVE, ISP_FLOW_ALL, 0, false, ISP_FN_MPI_Ireduce_scatter},
    {"take0", COLLECTIVE, ISP_FLOW_ALL, ISP_F_TAKES_NOTHING, true, ISP_FN_MPI_Reduce_scatter},
    {"itake0", COLLECTIVE, ISP_FLOW_ALL, ISP_F_TAKES_NOTHING, false, ISP_FN_MPI_Ireduce_scatter},
    {"drop", COLLECTIVE, ISP_FLOW_LIST, 0, true, ISP_FN_MPI_Comm_free},
    {"neighbor", COLLECTIVE, ISP_FLOW_LIST, 0, true, ISP_FN_MPI_Neighbor_allgather},
    {"ineighbor", COLLECTIVE, ISP_FLOW_LIST, 0, false, ISP_FN_MPI_Ineighbor_allgather},
};

static int number_or_any(const char *text, int any) { return strcmp(text, "*") == 0 ? any : atoi(text); }

static int comm_named(const struct scenario *s, const char *name)
{
    for (int i = 0; i < s->n_comms; i++)
        if (strcmp(s->comms[i].name, name) == 0)
            return i;
    die(s->title, "no such communicator", name);
    return -1;
}

static int peer_of(const char *text)
{
    return strcmp(text, "-") == 0 ? ISP_NO_RANK : number_or_any(text, ISP_ANY_SOURCE);
}

/* word(arg,arg)@comm~way:name; the way is for those who call MPI */
static void parse_token(struct scenario *s, struct token *t, const char *text)
{
    char word[16];
    size_t n = strcspn(text, "(@~:");
    memset(t, 0, sizeof *t);
    snprintf(word, sizeof word, "%.*s", (int)n, text);
    size_t k = 0;
    while (k < sizeof WORDS / sizeof *WORDS && strcmp(WORDS[k].word, word) != 0)
        k++;
    if (k == sizeof WORDS / sizeof *WORDS)
        die(s->title, "unknown operation", text);
    t->kind = WORDS[k].kind, t->mode = WORDS[k].mode, t->flags = WORDS[k].flags,
    t->blocking = WORDS[k].blocking;
    t->fn = WORDS[k].fn;
    const char *at = text + n;
    if (*at == '(') {
        for (at++; *at && *at != ')';) {
            size_t length = strcspn(at, ",)");
            if (t->n_args == MAX_ARGS)
                die(s->title, "too many arguments", text);
            snprintf(t->args[t->n_args++], sizeof t->args[0], "%.*s", (int)length, at);
            at += length + (at[length] == ',');
        }
        at += *at == ')';
    }
    t->comm = -1;
    if (*at == '@') {
        char name[16];
        size_t length = strcspn(at + 1, "~:");
        snprintf(name, sizeof name, "%.*s", (int)length, at + 1);
        t->comm = comm_named(s, name);
        at += 1 + length;
    }
    if (t->kind == COLLECTIVE && strncmp(at, "~alltoallv", 10) == 0) /* no topology has its sources */
        t->mode = ISP_FLOW_SOURCES, t->fn = t->blocking ? ISP_FN_MPI_Alltoallv : ISP_FN_MPI_Ialltoallv;
    at += strcspn(at, ":");
    if (*at == ':')
        snprintf(t->name, sizeof t->name, "%s", at + 1);
    bool rooted = t->kind == COLLECTIVE && (t->mode == ISP_FLOW_FROM_ROOT || t->mode == ISP_FLOW_TO_ROOT);
    if (t->kind == SEND || t->kind == RECV || t->kind == PROBE || rooted || t->kind == LOCK ||
        t->kind == UNLOCK || t->kind == ACCESS || t->kind == ATOMIC || t->kind == EXCHANGE) {
        t->peer = t->n_args > 0 ? peer_of(t->args[0]) : 0;
        t->tag = t->n_args > 1 && t->kind != EXCHANGE ? number_or_any(t->args[1], ISP_ANY_TAG) : 0;
    }
    s->cancels |= t->kind == CANCEL;
    if (t->kind == MAKE)
        s->comms[comm_named(s, t->args[0])].made = true;
}

/* A further thread of the rank; they come in order. Gives its line. */
static int add_thread(struct scenario *s, int rank, const char *word)
{
    int thread = s->n_threads[rank]++;
    if (s->lines == MAX_RANKS || atoi(strchr(word, '/') + 1) != thread)
        die(s->title, "no such thread", word);
    s->rank_of[s->lines] = rank;
    s->thread_of[s->lines] = thread;
    return s->lines++;
}

static void parse_line(struct scenario *s, char *line)
{
    char *word = strtok(line, " \t\r\n");
    if (!word || *word == '#' || strcmp(word, "expect") == 0 || strcmp(word, "scale") == 0)
        return;
    if (strcmp(word, "ranks") == 0) {
        s->ranks = s->lines = atoi(strtok(NULL, " \t\r\n"));
        for (int i = 0; i < s->ranks && i < MAX_RANKS; i++)
            s->rank_of[i] = i, s->n_threads[i] = 1;
        return;
    }
    if (strcmp(word, "comm") == 0) {
        int c = s->n_comms++;
        snprintf(s->comms[c].name, sizeof s->comms[c].name, "%s", strtok(NULL, " \t\r\n"));
        while ((word = strtok(NULL, " \t\r\n")) && *word != '#')
            if (*word != '|') /* poe knows all ranks by their numbers in the world */
                s->comms[c].members[s->comms[c].n++] = (uint32_t)atoi(word);
        return;
    }
    if (!isdigit((unsigned char)*word) || word[strlen(word) - 1] != ':')
        die(s->title, "no such line", word);
    int rank = atoi(word);
    if (rank >= s->ranks || rank >= MAX_RANKS)
        die(s->title, "no such rank", word);
    if (strchr(word, '/'))
        rank = add_thread(s, rank, word);
    while ((word = strtok(NULL, " \t\r\n")) && *word != '#') {
        if (s->n_tokens[rank] == MAX_TOKENS)
            die(s->title, "too many operations", word);
        parse_token(s, &s->tokens[rank][s->n_tokens[rank]++], word);
    }
}

/* ---- playing ---- */

/* Who else wants to know of each call, before poe does (../cuts/compare.c); or NULL. */
static void (*heard)(const struct player *p, int line, const struct isp_call *call, int token);

/* Of what line `rank` is in, also elsewhere: the line. */
static uint32_t handle_of(const struct player *p, int rank, int token)
{
    return (uint32_t)(4 * MAX_TOKENS * p->s->thread_of[rank] + token);
}

static void feed(struct player *p, int rank, struct isp_call *call, int token)
{
    call->site = (uint32_t)(token + 1);
    if (call->fn == ISP_FN_MPI_Barrier)
        call->site = (uint32_t)(BARRIER_SITE + (one_site ? 0 : rank * MAX_TOKENS + token));
    call->thread = (uint16_t)p->s->thread_of[rank];
    call->others = p->s->n_threads[p->s->rank_of[rank]] > 1;
    if (one_poll && (call->flags & ISP_F_POLL)) { /* a loop over polls, and the program is somewhere else each
                                                     time */
        call->site = POLL_SITE;
        call->flags |= ISP_F_CHANGED;
    }
    if (heard)
        heard(p, rank, call, token);
    if (poe_add(p->poe, p->s->rank_of[rank], call) < 0)
        die(p->s->title, "poe refused a transition of rank", p->s->tokens[rank][token].name);
    if (call->op != ISP_OP_READY && call->op != ISP_OP_ADMIT) /* which have no index */
        p->seats[rank].token_of[p->seats[rank].index++] = token;
    if (call->flags & ISP_F_FENCE)
        p->seats[rank].waits = true;
    for (unsigned i = 0; call->flags & ISP_F_FENCE && i < p->n_visits; i++)
        p->visits[i].waited |= p->visits[i].open && p->visits[i].rank == rank;
}

static struct request *named(struct player *p, int rank, const char *name)
{
    for (int k = p->seats[rank].at - 1; k >= 0; k--)
        if (strcmp(p->s->tokens[rank][k].name, name) == 0)
            return &p->seats[rank].requests[k];
    die(p->s->title, "unknown name", name);
    return NULL;
}

/* MPI_PROC_NULL: a request is a send to nobody that is complete, whatever it is to the program; what blocks
 * is no event. */
static void feed_null(struct player *p, int rank, int token, const struct token *t)
{
    p->seats[rank].reached[token] = true;
    strcpy(p->seats[rank].answer[token], "null");
    if (t->blocking && t->kind != PROBE)
        return;
    p->seats[rank].requests[token] =
        (struct request){.active = true, .nobody = true, .handle = handle_of(p, rank, token), .token = token};
    if (t->kind == PROBE)
        return;
    struct isp_call c = {.op = ISP_OP_SEND,
                         .handle = handle_of(p, rank, token),
                         .peer = ISP_NO_RANK,
                         .comm = t->comm < 0 ? ISP_COMM_WORLD : p->comm_number[t->comm]};
    feed(p, rank, &c, token);
}

static void feed_message(struct player *p, int rank, int token, const struct token *t)
{
    if (t->peer == ISP_NO_RANK) {
        feed_null(p, rank, token, t);
        return;
    }
    bool buffered = t->kind == SEND && (t->mode == ISP_SEND_BUFFERED);
    struct isp_call c = {.op = t->kind == SEND   ? ISP_OP_SEND
                               : t->kind == RECV ? ISP_OP_RECV
                                                 : ISP_OP_PROBE,
                         .mode = t->mode,
                         .flags = t->flags,
                         .handle = handle_of(p, rank, token),
                         .peer = t->peer,
                         .tag = t->tag,
                         .comm = t->comm < 0 ? ISP_COMM_WORLD : p->comm_number[t->comm],
                         .bytes = 4};
    if (t->blocking)
        c.flags |= buffered ? ISP_F_DETACHED : ISP_F_FENCE;
    else if (t->kind == RECV && p->s->cancels && !(t->flags & ISP_F_PARTITIONED))
        c.flags |= ISP_F_CANCELLABLE;
    p->seats[rank].requests[token] = (struct request){.active = !t->blocking || (t->flags & ISP_F_MATCHED),
                                                      .handle = handle_of(p, rank, token),
                                                      .token = token};
    p->seats[rank].reached[token] = true;
    feed(p, rank, &c, token);
}

/* A standard blocking send with buffering is no fence. One to MPI_PROC_NULL is nothing, with every
 * buffering. */
static bool is_detached(const struct player *p, const struct token *t, bool infinite)
{
    return t->kind == SEND && t->blocking && infinite && t->mode != ISP_SEND_SYNC && t->peer != ISP_NO_RANK &&
           (!p->mixed || t->mode == ISP_SEND_BUFFERED);
}

static void feed_mrecv(struct player *p, int rank, int token, const struct token *t)
{
    struct request *m = named(p, rank, t->args[0]);
    if (m->missed || !m->active)
        return;
    if (m->nobody) {
        m->active = false;
        feed_null(p, rank, token, t);
        return;
    }
    const struct token *probe = &p->s->tokens[rank][m->token];
    uint32_t list[1] = {m->handle};
    struct isp_call c = {.op = ISP_OP_RECV,
                         .mode = ISP_RECV_MESSAGE,
                         .handle = handle_of(p, rank, token),
                         .flags = t->blocking ? ISP_F_FENCE : 0,
                         .peer = probe->peer,
                         .tag = probe->tag,
                         .comm = probe->comm < 0 ? ISP_COMM_WORLD : p->comm_number[probe->comm],
                         .n = 1,
                         .list = list,
                         .bytes = 4};
    m->active = false;
    p->seats[rank].requests[token] =
        (struct request){.active = !t->blocking, .handle = handle_of(p, rank, token), .token = token};
    p->seats[rank].reached[token] = true;
    feed(p, rank, &c, token);
}

static void feed_complete(struct player *p, int rank, int token, const struct token *t)
{
    uint32_t list[MAX_ARGS];
    struct isp_call c = {
        .op = ISP_OP_COMPLETE, .mode = t->mode, .flags = t->flags | ISP_F_FENCE, .list = list};
    for (int i = 0; i < t->n_args; i++) {
        struct request *x = named(p, rank, t->args[i]);
        if (!x->active)
            continue;
        p->seats[rank].listed[c.n] = x->token;
        p->seats[rank].places[c.n] = i;
        list[c.n++] = x->handle;
    }
    if (!c.n)
        return; /* nothing active: it returns at once, and is no event */
    p->seats[rank].reached[token] = true;
    feed(p, rank, &c, token);
}

static void feed_collective(struct player *p, int rank, int token, const struct token *t, bool infinite)
{
    bool scatters = t->fn == ISP_FN_MPI_Reduce_scatter;
    bool early = infinite && (t->mode != ISP_FLOW_ALL || scatters),
         rooted = t->mode == ISP_FLOW_FROM_ROOT || t->mode == ISP_FLOW_TO_ROOT;
    uint32_t list[MAX_ARGS];
    struct isp_call c = {.op = ISP_OP_COLLECTIVE,
                         .fn = t->fn,
                         .flow = t->mode,
                         .handle = handle_of(p, rank, token),
                         .list = list,
                         .flags = (uint16_t)((t->blocking ? ISP_F_FENCE : 0) |
                                             (early || !t->blocking ? ISP_F_SLOT : 0) | t->flags),
                         .comm = t->comm < 0 ? ISP_COMM_WORLD : p->comm_number[t->comm],
                         .root = rooted ? t->peer : ISP_NO_RANK};
    for (int i = 0; (t->mode == ISP_FLOW_LIST || t->mode == ISP_FLOW_SOURCES) && i < t->n_args; i++)
        list[c.n++] = (uint32_t)atoi(t->args[i]);
    p->seats[rank].requests[token] =
        (struct request){.active = !t->blocking, .handle = handle_of(p, rank, token), .token = token};
    feed(p, rank, &c, token);
}

/* Two messages and one request over both: they are told apart by their handles. */
static void feed_exchange(struct player *p, int rank, int token, const struct token *t)
{
    int comm = t->comm < 0 ? ISP_COMM_WORLD : p->comm_number[t->comm];
    uint32_t own = handle_of(p, rank, token), list[2] = {own + MAX_TOKENS, own + 2 * MAX_TOKENS};
    struct isp_call send = {.op = ISP_OP_SEND, .handle = list[0], .peer = t->peer, .comm = comm, .bytes = 4};
    struct isp_call receive = {.op = ISP_OP_RECV,
                               .handle = list[1],
                               .peer = number_or_any(t->args[1], ISP_ANY_SOURCE),
                               .comm = comm,
                               .bytes = 4};
    struct isp_call join = {.op = ISP_OP_JOIN, .handle = own, .n = 2, .list = list};
    p->seats[rank].requests[token] = (struct request){.active = !t->blocking, .handle = own, .token = token};
    p->seats[rank].reached[token] = true;
    feed(p, rank, &send, token);
    feed(p, rank, &receive, token);
    if (t->blocking)
        join = (struct isp_call){
            .op = ISP_OP_COMPLETE, .mode = ISP_COMPLETE_ALL, .flags = ISP_F_FENCE, .n = 2, .list = list};
    feed(p, rank, &join, token);
}

static void feed_ready(struct player *p, int rank, int token, const struct token *t)
{
    struct isp_call c = {.op = ISP_OP_READY, .handle = named(p, rank, t->args[0])->handle};
    feed(p, rank, &c, token);
}

static void feed_cancel(struct player *p, int rank, int token, const struct token *t)
{
    struct request *x = named(p, rank, t->args[0]);
    struct isp_call c = {.op = ISP_OP_CANCEL, .flags = ISP_F_FENCE, .handle = x->handle};
    if (x->active)
        feed(p, rank, &c, token);
    x->cancelled = true;
}

/* What is marked for cancellation is complete when it is freed (MPI-4.0, 3.8.4). */
static void feed_free(struct player *p, int rank, int token, const struct token *t)
{
    struct request *x = named(p, rank, t->args[0]);
    uint32_t list[1] = {x->handle};
    struct isp_call free = {.op = ISP_OP_FREE, .handle = x->handle};
    struct isp_call wait = {
        .op = ISP_OP_COMPLETE, .mode = ISP_COMPLETE_ALL, .flags = ISP_F_FENCE, .n = 1, .list = list};
    if (x->active)
        feed(p, rank, x->cancelled ? &wait : &free, token);
    x->active = false;
}

static void feed_lock(struct player *p, int rank, int token, const struct token *t)
{
    struct isp_call c = {.op = t->kind == LOCK     ? ISP_OP_LOCK
                               : t->kind == UNLOCK ? ISP_OP_UNLOCK
                                                   : ISP_OP_DETACH,
                         .mode = t->mode,
                         .flags = t->blocking ? ISP_F_FENCE : 0,
                         .peer = t->peer};
    feed(p, rank, &c, token);
}

static void tell_access(struct player *p, int rank, const struct token *t)
{
    if (t->peer < 0 || t->peer >= MAX_PLACES || t->tag < 0 || t->tag >= MAX_PLACES)
        die(p->s->title, "no such place", t->args[0]);
    poe_access(p->poe, p->s->rank_of[rank], (unsigned)p->s->thread_of[rank], ISP_COMM_WORLD, t->peer,
               (enum poe_use)t->mode, 1, 1, 8 * (uint64_t)t->tag, 8);
}

static void feed_atomic(struct player *p, int rank, int token, const struct token *t)
{
    tell_access(p, rank, t);
    struct isp_call c = {.op = ISP_OP_LOCK, .mode = ISP_LOCK_ATOMIC, .flags = ISP_F_FENCE, .peer = t->peer};
    feed(p, rank, &c, token);
}

/* The token that the rank is in is granted. */
static void note_visit(struct player *p, int rank, int token)
{
    const struct token *t = &p->s->tokens[rank][token];
    if (p->n_visits == sizeof p->visits / sizeof *p->visits)
        die(p->s->title, "too many visits", "");
    struct visit *v = &p->visits[p->n_visits++];
    *v = (struct visit){.rank = rank, .token = token, .open = t->kind == LOCK && t->mode != ISP_LOCK_TURN};
    if (t->kind != ATOMIC || t->fn != IS_CAS)
        return;
    v->unchanged = p->taken[t->peer][t->tag];
    p->taken[t->peer][t->tag] = true;
    if (v->unchanged)
        poe_unchanged(p->poe, p->s->rank_of[rank], (unsigned)p->s->thread_of[rank]);
}

static void note_unlock(struct player *p, int rank, int target)
{
    for (unsigned i = 0; i < p->n_visits; i++)
        if (p->visits[i].rank == rank && p->s->tokens[rank][p->visits[i].token].peer == target)
            p->visits[i].open = false;
}

static void print_visits(const struct player *p)
{
    for (unsigned i = 0; i < p->n_visits; i++)
        printf("%s%d.%d%s%s", i ? "," : "visits:", p->visits[i].rank, p->visits[i].token,
               p->visits[i].waited ? "w" : "", p->visits[i].unchanged ? "!" : "");
    bool any = p->n_visits;
    for (int rank = 0; rank < p->s->lines; rank++) {
        int token = p->seats[rank].at - 1;
        if (!p->seats[rank].waits || token < 0 || token >= p->s->n_tokens[rank] ||
            p->s->tokens[rank][token].kind != LOCK)
            continue;
        printf("%s%d.%d-", any ? "," : "visits:", rank, token);
        any = true;
    }
    printf("%s", any ? " " : "");
}

static void feed_create(struct player *p, int rank, int token, int parent, int comm)
{
    struct isp_call c = {.op = ISP_OP_COLLECTIVE,
                         .mode = ISP_MAKE_GROUP,
                         .fn = ISP_FN_MPI_Comm_create,
                         .flags = ISP_F_FENCE,
                         .root = ISP_NO_RANK,
                         .comm = parent < 0 ? ISP_COMM_WORLD : p->comm_number[parent],
                         .n = (uint32_t)p->s->comms[comm].n,
                         .list = p->s->comms[comm].members};
    feed(p, rank, &c, token);
}

/* The main thread waits for the others of its rank. */
static void finalize(struct player *p, int rank, int token)
{
    for (int line = p->s->ranks; line < p->s->lines; line++)
        if (p->s->rank_of[line] == rank && p->seats[line].at <= p->s->n_tokens[line])
            return;
    struct isp_call c = {.op = ISP_OP_FINALIZE, .flags = ISP_F_FENCE};
    if (rank < p->s->ranks && !p->seats[rank].finalizes)
        feed(p, rank, &c, token);
    p->seats[rank].finalizes = true;
}

/* A nonblocking call of one of several threads waits for its place. */
static void await_admission(struct player *p, int rank, int token, const struct token *t)
{
    bool competes = t->kind == SEND || t->kind == RECV || t->kind == EXCHANGE || t->kind == COLLECTIVE;
    struct isp_call c = {.op = ISP_OP_ADMIT, .flags = ISP_F_FENCE};
    if (competes && !p->seats[rank].waits && p->s->n_threads[p->s->rank_of[rank]] > 1)
        feed(p, rank, &c, token);
}

/* The rank makes its next call, if the token is one; the last one is MPI_Finalize. */
static void advance_token(struct player *p, int rank, bool infinite)
{
    if (p->seats[rank].sub_comms_left > 0) {
        int comm = p->s->n_comms - p->seats[rank].sub_comms_left--;
        if (!p->s->comms[comm].made)
            feed_create(p, rank, 0, -1, comm);
        return;
    }
    int token = p->seats[rank].at++;
    if (token >= p->s->n_tokens[rank]) {
        p->seats[rank].at = p->s->n_tokens[rank] + 1;
        finalize(p, rank, token);
        return;
    }
    struct token t = p->s->tokens[rank][token];
    if (is_detached(p, &t, infinite)) {
        t.flags |= ISP_F_DETACHED;
        t.blocking = false;
    }
    switch (t.kind) {
    case SEND:
    case RECV:
    case PROBE: feed_message(p, rank, token, &t); break;
    case MRECV: feed_mrecv(p, rank, token, &t); break;
    case COMPLETE: feed_complete(p, rank, token, &t); break;
    case EXCHANGE: feed_exchange(p, rank, token, &t); break;
    case READY: feed_ready(p, rank, token, &t); break;
    case LOCK:
    case UNLOCK:
    case DETACH:
        feed_lock(p, rank, token, &t);
        if (t.kind == UNLOCK)
            note_unlock(p, rank, t.peer);
        break;
    case ACCESS: tell_access(p, rank, &t); break;
    case ATOMIC: feed_atomic(p, rank, token, &t); break;
    case COLLECTIVE: feed_collective(p, rank, token, &t, infinite); break;
    case MAKE: feed_create(p, rank, token, t.comm, comm_named(p->s, t.args[0])); break;
    case FREE: feed_free(p, rank, token, &t); break;
    case CANCEL: feed_cancel(p, rank, token, &t); break;
    }
    await_admission(p, rank, token, &t);
    if (is_detached(p, &p->s->tokens[rank][token], infinite))
        p->seats[rank].requests[token].active = false;
}

/* Runs a rank on to its next fence. */
static void advance(struct player *p, int rank, bool infinite)
{
    while (!p->seats[rank].waits && p->seats[rank].at <= p->s->n_tokens[rank])
        advance_token(p, rank, infinite);
}

static void released(struct player *p, int rank, const struct isp_result *r)
{
    p->seats[rank].waits = false;
    int token = p->seats[rank].at - 1;
    if (token < 0 || token >= p->s->n_tokens[rank] || p->seats[rank].sub_comms_left > 0)
        return;
    const struct token *t = &p->s->tokens[rank][token];
    char *answer = p->seats[rank].answer[token];
    if (t->kind == LOCK || t->kind == ATOMIC)
        note_visit(p, rank, token);
    if (t->kind == PROBE && !r->flag && (t->flags & ISP_F_MATCHED))
        p->seats[rank].requests[token].missed = true;
    if (t->kind != COMPLETE)
        return;
    if (t->mode == ISP_COMPLETE_ALL) {
        if (t->flags & ISP_F_POLL)
            strcpy(answer, r->flag ? "t" : "-");
        for (int i = 0; r->flag && i < t->n_args; i++)
            named(p, rank, t->args[i])->active = false;
        return;
    }
    for (uint32_t i = 0; i < r->n; i++) {
        size_t n = strlen(answer);
        snprintf(answer + n, sizeof p->seats[0].answer[0] - n, "%s%d", n ? "," : "",
                 p->seats[rank].places[r->list[i]]);
        p->seats[rank].requests[p->seats[rank].listed[r->list[i]]].active = false;
    }
    if (!r->flag)
        strcpy(answer, "-");
}

/* Which one the rank has just been given. */
static int comm_made(const struct player *p, int rank)
{
    const struct seat *seat = &p->seats[rank];
    if (seat->at > 0 && seat->at <= p->s->n_tokens[rank] && p->s->tokens[rank][seat->at - 1].kind == MAKE)
        return comm_named(p->s, p->s->tokens[rank][seat->at - 1].args[0]);
    return p->s->n_comms - seat->sub_comms_left - 1;
}

static int line_of(const struct scenario *s, int rank, unsigned thread)
{
    int line = rank;
    while (s->rank_of[line] != rank || s->thread_of[line] != (int)thread)
        line++;
    return line;
}

/* "0.1", or "0/2.1" for thread 2 of rank 0. */
static const char *place(const struct scenario *s, int line, int token)
{
    static char text[2][32];
    static int which;
    which = !which;
    if (s->thread_of[line])
        snprintf(text[which], sizeof text[which], "%d/%d.%d", s->rank_of[line], s->thread_of[line], token);
    else
        snprintf(text[which], sizeof text[which], "%d.%d", line, token);
    return text[which];
}

static int token_at(const struct player *p, int line, uint64_t index)
{
    return p->seats[line].token_of[index & ((UINT64_C(1) << POE_THREAD_SHIFT) - 1)];
}

static void note_cancelled(struct player *p, const struct poe_transition *t)
{
    int line = line_of(p->s, t->rank, t->call.thread);
    strcpy(p->seats[line].answer[token_at(p, line, t->index)], "x");
}

static void take_fired(struct player *p)
{
    const struct poe_fired *f = poe_fired(p->poe);
    if (f->n_members == 2 && f->members[0]->call.op == ISP_OP_SEND) {
        const struct poe_transition *send = f->members[0], *receive = f->members[1];
        int from = line_of(p->s, send->rank, send->call.thread),
            to = line_of(p->s, receive->rank, receive->call.thread);
        snprintf(p->seats[to].answer[token_at(p, to, receive->index)], sizeof p->seats[0].answer[0], "%s",
                 place(p->s, from, token_at(p, from, send->index)));
    }
    for (unsigned i = 0; i < f->n_effects; i++) {
        const struct poe_effect *e = &f->effects[i];
        if (!e->release && e->action.kind == ISP_ACTION_CANCEL)
            note_cancelled(p, f->members[0]);
        if (!e->release)
            continue;
        released(p, line_of(p->s, e->rank, e->thread), &e->result);
        if (e->result.new_comm != ISP_NO_COMM)
            p->comm_number[comm_made(p, e->rank)] = e->result.new_comm;
    }
}

/* Whether it can be told which of the two calls of a rank came first, besides by what is received. */
static bool tokens_compete(const struct token *a, const struct token *b)
{
    if (a->comm != b->comm || (a->flags ^ b->flags) & ISP_F_PARTITIONED)
        return false;
    if (a->kind == SEND && b->kind == SEND)
        return a->peer == b->peer && a->peer != ISP_NO_RANK && a->tag == b->tag;
    bool peers = a->peer == b->peer || a->peer == ISP_ANY_SOURCE || b->peer == ISP_ANY_SOURCE;
    bool tags = a->tag == b->tag || a->tag == ISP_ANY_TAG || b->tag == ISP_ANY_TAG;
    return a->kind == RECV && b->kind == RECV && peers && tags && a->peer != ISP_NO_RANK &&
           b->peer != ISP_NO_RANK;
}

/* "0.1^0/1.0": the first was called before the second; of calls that compete. */
static const char *print_orders(const struct player *p, const char *gap)
{
    for (int a = 0; a < p->s->lines; a++)
        for (int b = a + 1; b < p->s->lines; b++)
            for (int k = 0; p->s->rank_of[a] == p->s->rank_of[b] && k < p->s->n_tokens[a]; k++)
                for (int m = 0; m < p->s->n_tokens[b]; m++) {
                    int first = p->seats[a].admitted[k], second = p->seats[b].admitted[m];
                    if (!first || !second || !tokens_compete(&p->s->tokens[a][k], &p->s->tokens[b][m]))
                        continue;
                    printf("%s%s^%s", gap, first < second ? place(p->s, a, k) : place(p->s, b, m),
                           first < second ? place(p->s, b, m) : place(p->s, a, k));
                    gap = " ";
                }
    return gap;
}

static void print_outcome(const struct player *p, bool deadlock)
{
    const char *gap = "";
    for (int rank = 0; rank < p->s->lines; rank++)
        for (int k = 0; k < p->s->n_tokens[rank]; k++) {
            const struct token *t = &p->s->tokens[rank][k];
            bool plain_wait = t->kind == COMPLETE && t->mode == ISP_COMPLETE_ALL && !(t->flags & ISP_F_POLL);
            if (!p->seats[rank].reached[k] || t->kind == SEND || t->kind == MAKE || t->kind == COLLECTIVE ||
                plain_wait)
                continue;
            const char *sign = t->kind == PROBE ? "?" : t->kind == COMPLETE ? "=" : "<";
            printf("%s%s%s%s", gap, place(p->s, rank, k), sign,
                   *p->seats[rank].answer[k] ? p->seats[rank].answer[k] : "-");
            gap = " ";
        }
    gap = print_orders(p, gap);
    printf("%s", gap);
    print_visits(p);
    if (!deadlock) {
        printf("ok\n");
        return;
    }
    printf("deadlock:");
    const char *comma = "";
    for (int rank = 0; rank < p->s->lines; rank++)
        if (p->seats[rank].at <= p->s->n_tokens[rank]) {
            printf("%s%d", comma, p->s->rank_of[rank]);
            if (p->s->thread_of[rank])
                printf("/%d", p->s->thread_of[rank]);
            comma = ",";
        }
    printf("\n");
}

/* ---- barriers ---- */

static struct {
    uint32_t site, group;
    bool matters;
} barriers[MAX_RANKS * MAX_TOKENS];
static unsigned n_barriers;
static bool unclear;

/* What this run says about them, added to what the runs before said. */
static void take_barriers(struct poe *poe)
{
    const struct poe_barrier *all;
    unsigned n, k;
    unclear |= !poe_barriers(poe, &all, &n);
    for (unsigned i = 0; i < n; i++) {
        for (k = 0; k < n_barriers && barriers[k].site != all[i].site; k++)
            ;
        if (k == n_barriers) {
            n_barriers++;
            barriers[k].site = all[i].site;
            barriers[k].group = all[all[i].group].site;
            barriers[k].matters = false;
        }
        barriers[k].matters |= all[i].matters || barriers[k].group != all[all[i].group].site;
    }
}

/* "-b matters 0.1 2.3", for each group: its tokens (with --one-site that means nothing). */
static void print_barriers(void)
{
    if (unclear)
        printf("-b unclear\n");
    for (unsigned i = 0; i < n_barriers && !unclear; i++) {
        if (barriers[i].group != barriers[i].site)
            continue;
        bool matters = false;
        for (unsigned k = 0; k < n_barriers; k++)
            matters |= barriers[k].group == barriers[i].site && barriers[k].matters;
        printf("-b %s", matters ? "matters" : "irrelevant");
        for (unsigned k = 0; k < n_barriers; k++)
            if (barriers[k].group == barriers[i].site)
                printf(" %u.%u", (barriers[k].site - BARRIER_SITE) / MAX_TOKENS,
                       (barriers[k].site - BARRIER_SITE) % MAX_TOKENS);
        printf("\n");
    }
    n_barriers = 0;
    unclear = false;
}

/* ---- choice points to come back to ---- */

static struct point {
    struct poe_saved *poe;
    struct player *player;
} * points; /* by number of the decision */
static unsigned n_points, points_room;

static void point_save(const struct player *p)
{
    if (n_points == points_room)
        points = realloc(points, (points_room = 2 * points_room + 16) * sizeof *points);
    struct point *point = &points[n_points++];
    point->poe = poe_save(p->poe);
    point->player = memcpy(malloc(player_bytes(p->s)), p, player_bytes(p->s));
}

static void point_restore(struct player *p)
{
    const struct point *point = &points[n_points - 1];
    poe_restore(p->poe, point->poe);
    memcpy(p, point->player, player_bytes(p->s));
}

static void points_keep(unsigned n)
{
    while (n_points > n) {
        struct point *point = &points[--n_points];
        poe_saved_destroy(point->poe);
        free(point->player);
    }
}

/* ---- runs ---- */

static void start(struct player *p, const struct scenario *s, bool infinite, unsigned threads)
{
    poe_destroy(p->poe);
    memset(p, 0, player_bytes(s));
    p->s = s;
    p->poe = poe_create(&(struct poe_config){.ranks = s->ranks,
                                             .buffered = infinite,
                                             .polls = polls,
                                             .livelock_rounds = 10,
                                             .threads = threads,
                                             .merge = merges,
                                             .record = tell_mixed && infinite});
    for (int rank = 0; rank < s->ranks; rank++)
        p->seats[rank].sub_comms_left = s->n_comms;
}

/* ---- mixed buffering ---- */

/* Plays the scenario with these operations kept and these choices. */
static enum poe_state play_cut(struct player *q, const struct scenario *s, const struct poe_mixed_cut *cut)
{
    memset(q, 0, player_bytes(s));
    q->s = s;
    q->mixed = true;
    q->poe = poe_create(&(struct poe_config){.ranks = s->ranks,
                                             .buffered = true,
                                             .polls = 1,
                                             .livelock_rounds = 10,
                                             .threads = 1,
                                             .mixed = true,
                                             .kept = cut->kept,
                                             .n_kept = cut->n_kept});
    for (int rank = 0; rank < s->ranks; rank++)
        q->seats[rank].sub_comms_left = s->n_comms;
    for (;;) {
        enum poe_state state = poe_step(q->poe);
        unsigned k;
        switch (state) {
        case POE_FIRED: take_fired(q); break;
        case POE_CHOICE:
            k = poe_choice(q->poe)->number;
            poe_decide(q->poe, k < cut->n_choices ? cut->choices[k] : 0);
            break;
        case POE_RUNNING:
            for (int rank = 0; rank < s->ranks; rank++)
                advance(q, rank, true);
            break;
        default: return state;
        }
    }
}

/* How a run ended; or one that shows a deadlock of mixed buffering, or what was known of one. */
enum ending { ENDED_WELL, DEADLOCKED, DEADLOCKED_MIXED };

static void take_below(const struct player *p, enum ending ending);

/* "-m 0.1 2.0: 1.0<0.0 deadlock:0,1": what must be kept, by poe's indices, and the outcome. */
static void print_mixed(const struct player *p)
{
    static struct player q;
    struct poe_mixed *mixed = poe_mixed_create(p->poe);
    struct poe_mixed_cut cut;
    while (poe_mixed_next(mixed, &cut)) {
        poe_mixed_reduce(mixed, &cut);
        enum poe_state state = play_cut(&q, p->s, &cut);
        printf("-m");
        for (size_t i = 0; i < cut.n_kept; i++)
            printf(" %d.%llu", cut.kept[i].rank, (unsigned long long)cut.kept[i].index);
        printf(": ");
        if (state == POE_DEADLOCK) {
            print_outcome(&q, true);
            take_below(&q, DEADLOCKED_MIXED);
        } else
            printf("unconfirmed %d\n", (int)state);
        poe_destroy(q.poe);
    }
    if (poe_mixed_limit(mixed) != POE_MIXED_ALL)
        printf("-m: limit %d\n", (int)poe_mixed_limit(mixed));
    poe_mixed_destroy(mixed);
}

static void take_races(struct player *p, struct poe_search *search)
{
    unsigned race;
    while (poe_next_race(p->poe, &race)) {
        poe_search_race(search, race);
        if (p->n_races == MAX_RACES)
            die(p->s->title, "too many races", "");
        p->races[p->n_races++] = race;
    }
}

/* ---- states that come up again ---- */

/* A program of a scenario forgets what it has received: its state is where it stands, and which requests it
 * has. So states come up again wherever that is possible at all. What was below one is kept as its outcomes,
 * with the answers that were given below only: so all outcomes are printed, and can be compared. */
struct below {
    struct player *at; /* open: the player there */
    char **outcomes;   /* "line token reached answer" for each that has changed, then "@ line at"; and how it
                          ended */
    unsigned n, room;
};

static struct poe_states *states;
static struct below **open_states;
static unsigned n_open, open_room, n_merged;

static void *close_below(void *context, void *open, bool keep)
{
    struct below *b = open;
    (void)context;
    n_open--;
    free(b->at);
    b->at = NULL;
    if (keep)
        return b;
    for (unsigned i = 0; i < b->n; i++)
        free(b->outcomes[i]);
    free(b->outcomes);
    free(b);
    return NULL;
}

static void drop_below(void *kept)
{
    n_open++;
    close_below(NULL, kept, false);
}

static char *outcome_below(const struct player *p, const struct player *from, enum ending ending)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (int line = 0; line < p->s->lines; line++) {
        const struct seat *now = &p->seats[line], *then = &from->seats[line];
        for (int k = 0; k < p->s->n_tokens[line]; k++)
            if (strcmp(now->answer[k], then->answer[k]) != 0 || now->reached[k] != then->reached[k])
                fprintf(f, "%d %d %d %s;", line, k, now->reached[k], *now->answer[k] ? now->answer[k] : "_");
        fprintf(f, "@ %d %d;", line, now->at);
    }
    fprintf(f, "%d", (int)ending);
    fclose(f);
    return text;
}

/* Gives the player what was answered below, and says how it ended. */
static enum ending apply_below(struct player *p, const char *text)
{
    int line, k, reached, n;
    char answer[64];
    for (; strchr(text, ';'); text = strchr(text, ';') + 1) {
        if (sscanf(text, "@ %d %d", &line, &n) == 2) {
            p->seats[line].at = n;
        } else if (sscanf(text, "%d %d %d %63[^;]", &line, &k, &reached, answer) == 4) {
            p->seats[line].reached[k] = reached;
            strcpy(p->seats[line].answer[k], strcmp(answer, "_") == 0 ? "" : answer);
        }
    }
    return (enum ending)atoi(text);
}

struct totals {
    unsigned interleavings, deadlocks, redundant;
    bool matters, cut;
};

static void take_below(const struct player *p, enum ending ending)
{
    for (unsigned i = 0; i < n_open; i++) {
        struct below *b = open_states[i];
        if (b->n == b->room)
            b->outcomes = realloc(b->outcomes, (b->room = 2 * b->room + 16) * sizeof *b->outcomes);
        b->outcomes[b->n++] = outcome_below(p, b->at, ending);
    }
}

/* An interleaving: of a run, or of what a state stands for. */
static void take_outcome(const struct player *p, bool deadlock, struct totals *totals)
{
    print_outcome(p, deadlock);
    totals->interleavings++;
    totals->deadlocks += deadlock;
    take_below(p, deadlock ? DEADLOCKED : ENDED_WELL);
}

static void take_known(const struct player *p, const struct below *known, struct totals *totals)
{
    struct player *q = malloc(player_bytes(p->s));
    n_merged++;
    for (unsigned i = 0; i < known->n; i++) {
        memcpy(q, p, player_bytes(p->s));
        enum ending ending = apply_below(q, known->outcomes[i]);
        if (ending != DEADLOCKED_MIXED) {
            take_outcome(q, ending == DEADLOCKED, totals);
            continue;
        }
        printf("-m known: ");
        print_outcome(q, true);
        take_below(q, ending);
    }
    free(q);
}

static uint64_t mix(uint64_t h, uint64_t value) { return (h ^ value) * 0x9e3779b97f4a7c15u ^ h >> 29; }

/* What its programs know. */
static struct poe_key key_of(const struct player *p, struct poe_key key)
{
    for (int line = 0; line < p->s->lines; line++) {
        const struct seat *seat = &p->seats[line];
        uint64_t h = mix(mix((uint64_t)seat->at, seat->waits), (uint64_t)seat->sub_comms_left);
        for (int k = 0; k < p->s->n_tokens[line]; k++) {
            const struct request *r = &seat->requests[k];
            h = mix(h, (uint64_t)(r->active << 3 | r->missed << 2 | r->nobody << 1 | r->cancelled));
        }
        for (int i = 0; i < MAX_ARGS && seat->waits; i++)
            h = mix(mix(h, (uint64_t)seat->listed[i]), (uint64_t)seat->places[i]);
        key.low = mix(key.low, h);
        key.high = mix(h, key.high);
    }
    return key;
}

/* True: the state is known. */
static bool reach(struct player *p, struct totals *totals)
{
    struct poe_key key;
    void *kept;
    poe_states_note(states, p->poe);
    if (poe_choice(p->poe)->number < poe_states_depth(states))
        return false;
    bool known = poe_state_key(p->poe, &key);
    key = key_of(p, key);
    struct below *b = calloc(1, sizeof *b);
    b->at = memcpy(malloc(player_bytes(p->s)), p, player_bytes(p->s));
    if (poe_states_reach(states, p->poe, known ? &key : NULL, true, b, &kept)) {
        free(b->at);
        free(b);
        take_known(p, kept, totals);
        return true;
    }
    if (n_open == open_room)
        open_states = realloc(open_states, (open_room = 2 * open_room + 16) * sizeof(struct below *));
    open_states[n_open++] = b;
    return false;
}

static void decide(struct player *p, struct poe_search *search)
{
    const struct poe_choice *c = poe_choice(p->poe);
    if (by_restore && c->number == n_points)
        point_save(p);
    int k = poe_search_next(search, c->number, c->n, c->signature, c->transition->rank == loop_rank);
    if (k < 0)
        die(p->s->title, "a replay showed another choice point", "");
    if (c->alternatives[0].kind == POE_ADMIT && k == 0) {
        int line = line_of(p->s, c->transition->rank, c->transition->call.thread);
        p->seats[line].admitted[p->seats[line].at - 1] = ++p->admissions;
    }
    poe_decide(p->poe, (unsigned)k);
}

/* Runs all on that may go on; those with threads, as far as each of them gets. */
static void advance_all(struct player *p, bool infinite)
{
    for (int line = 0; line < p->s->lines; line++)
        if (p->seats[line].at <= p->s->n_tokens[line])
            advance(p, line, infinite);
    for (int rank = 0; rank < p->s->ranks; rank++) {
        if (p->s->n_threads[rank] < 2)
            continue;
        if (p->seats[rank].at > p->s->n_tokens[rank])
            finalize(p, rank, p->s->n_tokens[rank]);
        poe_quiet(p->poe, rank);
    }
}

/* From where it is to its end. */
static enum poe_state go_on(struct player *p, struct poe_search *search, bool infinite, struct totals *totals)
{
    enum poe_state state;
    do {
        state = poe_step(p->poe);
        take_races(p, search);
        if (state == POE_FIRED)
            take_fired(p);
        if (state == POE_CHOICE && merges && reach(p, totals)) {
            take_races(p, search);
            return state;
        }
        if (state == POE_CHOICE)
            decide(p, search);
        if (state == POE_RUNNING)
            advance_all(p, infinite);
    } while (state == POE_FIRED || state == POE_CHOICE || state == POE_RUNNING);
    return state;
}

/* "-r 0.1 redundant races 3 5" */
static void print_run(const struct player *p, const struct poe_search *search, enum poe_state state)
{
    char *name = poe_search_name(search);
    printf("-r %s %s races", name,
           state == POE_DEADLOCK    ? "deadlock"
           : state == POE_REDUNDANT ? "redundant"
                                    : "ok");
    for (unsigned i = 0; i < p->n_races; i++)
        printf(" %u", p->races[i]);
    printf("\n");
    free(name);
}

static void take_run(struct player *p, struct poe_search *search, enum poe_state state, struct totals *totals)
{
    totals->matters |= poe_buffering_matters(p->poe);
    if (state == POE_CHOICE) { /* it came to a state that is known */
        totals->cut |= poe_first_cut(p->poe) != NULL;
        return;
    }
    if (merges)
        poe_states_note(states, p->poe);
    totals->cut |= state != POE_REDUNDANT && poe_first_cut(p->poe);
    if (state == POE_DEADLOCK) /* a standard send that blocks would not block with buffering */
        for (int rank = 0; rank < p->s->ranks; rank++)
            totals->matters |= poe_wait(p->poe, rank)->send_blocked;
    if (state == POE_LIVELOCK || state == POE_MISMATCH)
        die(p->s->title, "ended in a livelock or a mismatch", "");
    if (state == POE_REDUNDANT)
        poe_search_redundant(search);
    else
        take_outcome(p, state == POE_DEADLOCK, totals);
    totals->redundant += state == POE_REDUNDANT;
    take_barriers(p->poe);
}

/* "-l mixing 3 loops 0 estimate 8" */
static void print_left_out(const struct poe_search *search)
{
    struct poe_left_out left = poe_search_left_out(search);
    if (bounds.mixed || bounds.random || loop_rank >= 0)
        printf("-l mixing %llu loops %llu estimate %.10g\n", (unsigned long long)left.mixing,
               (unsigned long long)left.loops, poe_search_estimate(search));
}

static void explore(struct scenario *s, bool infinite, unsigned threads)
{
    struct poe_search *search = poe_search_create(&bounds);
    static struct player p;
    struct totals totals = {0};
    bool more;
    unsigned runs = 0;
    printf("== %s\n", s->title);
    n_merged = 0;
    if (merges)
        states = poe_states_create(s->ranks, most_bytes,
                                   &(struct poe_states_owner){.close = close_below, .drop = drop_below});
    do {
        points_keep(poe_search_prefix(search));
        if (n_points)
            point_restore(&p);
        else
            start(&p, s, infinite, threads);
        enum poe_state state = go_on(&p, search, infinite, &totals);
        runs++;
        take_run(&p, search, state, &totals);
        if (tell_mixed && infinite && state != POE_REDUNDANT && state != POE_CHOICE)
            print_mixed(&p);
        if (tell_runs)
            print_run(&p, search, state);
        more = poe_search_backtrack(search);
        if (merges)
            poe_states_close(states, more ? poe_search_prefix(search) : 0);
        if (most_interleavings && totals.interleavings > most_interleavings)
            break;
    } while (more && (!bounds.random || totals.interleavings < samples));
    points_keep(0);
    if (merges) {
        printf("-g runs %u merged %u states %zu\n", runs, n_merged, poe_states_count(states));
        poe_states_destroy(states);
    }
    if (tell_barriers)
        print_barriers();
    n_barriers = 0;
    unclear = false;
    if (totals.cut)
        printf("-c\n");
    if (most_interleavings && totals.interleavings > most_interleavings) /* no last line: it did not end */
        goto done;
    printf("-- interleavings %u deadlocks %u redundant %u matters %d\n", totals.interleavings,
           totals.deadlocks, totals.redundant, totals.matters);
    print_left_out(search);
done:
    poe_search_destroy(search);
    poe_destroy(p.poe);
    p.poe = NULL;
}

/* The next one of the file. False: it was the last one. */
static bool read_scenario(struct scenario *s, FILE *f, const char *of, int number)
{
    char line[4096];
    bool more;
    memset(s, 0, offsetof(struct scenario, tokens));
    snprintf(s->title, sizeof s->title, "%s#%d", of, number);
    while ((more = fgets(line, sizeof line, f)) && strncmp(line, "---", 3) != 0)
        parse_line(s, line);
    return more;
}

static void run_file(const char *path, bool infinite, unsigned threads)
{
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (!f)
        die(path, "cannot be read", "");
    static struct scenario s;
    int number = 0;
    bool more = true;
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    while (more) {
        more = read_scenario(&s, f, base, number++);
        if (s.ranks)
            explore(&s, infinite, threads);
    }
    if (f != stdin)
        fclose(f);
}

#ifndef SCENARIO_MAIN
#define SCENARIO_MAIN main
#endif

int SCENARIO_MAIN(int argc, char **argv)
{
    bool infinite = false;
    unsigned threads = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--mode") == 0 && i + 1 < argc)
            infinite = strcmp(argv[++i], "infinite") == 0;
        else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
            threads = (unsigned)atoi(argv[++i]);
        else if (strcmp(argv[i], "--mix") == 0 && i + 1 < argc)
            bounds.mixed = true, bounds.mix = (unsigned)atoi(argv[++i]);
        else if (strcmp(argv[i], "--sample") == 0 && i + 1 < argc)
            bounds.random = true, samples = (unsigned)atoi(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            bounds.seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--loop") == 0 && i + 1 < argc)
            loop_rank = atoi(argv[++i]);
        else if (strcmp(argv[i], "--mixed") == 0)
            tell_mixed = true;
        else if (strcmp(argv[i], "--barriers") == 0)
            tell_barriers = true;
        else if (strcmp(argv[i], "--one-site") == 0)
            one_site = true;
        else if (strcmp(argv[i], "--one-poll") == 0)
            one_poll = true;
        else if (strcmp(argv[i], "--polls") == 0 && i + 1 < argc)
            polls = (unsigned)atoi(argv[++i]);
        else if (strcmp(argv[i], "--merge") == 0)
            merges = true;
        else if (strcmp(argv[i], "--most") == 0 && i + 1 < argc)
            most_interleavings = (unsigned)atoi(argv[++i]);
        else if (strcmp(argv[i], "--most-bytes") == 0 && i + 1 < argc)
            most_bytes = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--restore") == 0)
            by_restore = true;
        else if (strcmp(argv[i], "--runs") == 0)
            tell_runs = true;
        else
            run_file(argv[i], infinite, threads);
    }
    return 0;
}
