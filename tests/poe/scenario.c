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
#include "poe/poe.h"
#include "poe/search.h"

/* --mix K, --sample N, --seed S, --loop RANK (whose choices are in a loop). */
static struct poe_search_bounds bounds;
static unsigned samples;
static int loop_rank = -1;

/* What --barriers and --one-site ask for: which MPI_Barriers matter, told by group. Each barrier of a rank has a call site of its own, or all have one. */
static bool tell_barriers, one_site;
enum { BARRIER_SITE = 1000 };
/* --restore: at each choice point the state is saved, and the next alternative goes on from there. --runs: a line for each run. */
static bool by_restore, tell_runs;

enum { MAX_RANKS = 64, MAX_TOKENS = 64, MAX_ARGS = 16, MAX_COMMS = 8, MAX_RACES = 256 };

enum kind { SEND, RECV, PROBE, MRECV, COMPLETE, FREE, COLLECTIVE, EXCHANGE, READY, DETACH, LOCK, UNLOCK, MAKE };

struct token {
    enum kind kind;
    uint8_t mode; /* COLLECTIVE: enum isp_flow */
    uint16_t flags, fn;
    bool blocking;
    int peer, tag, comm;
    char name[16];
    char args[MAX_ARGS][16];
    int n_args;
};

struct scenario {
    char title[128];
    int ranks;
    struct token tokens[MAX_RANKS][MAX_TOKENS];
    int n_tokens[MAX_RANKS];
    struct { char name[16]; uint32_t members[MAX_RANKS]; int n; bool made; } comms[MAX_COMMS]; /* made: by a token, not at the start */
    int n_comms;
};

/* What the player knows of one named operation. */
struct request {
    bool active, missed; /* missed: an improbe that said not yet */
    bool nobody;         /* a probe of MPI_PROC_NULL */
    uint32_t handle;
    int token;
};

/* What it knows of one rank. */
struct seat {
    int at;     /* next token; n_tokens: in finalize */
    bool waits; /* in the fence of token at - 1 */
    struct request requests[MAX_TOKENS]; /* by token */
    int listed[MAX_ARGS]; /* the fence's list: token of each entry */
    int places[MAX_ARGS]; /* ... and its place among the written arguments */
    uint64_t index;       /* poe's index of the rank's next transition */
    int token_of[4 * MAX_TOKENS]; /* poe index -> token */
    int sub_comms_left;
    char answer[MAX_TOKENS][64]; /* outcome item of a token; empty: none */
    bool reached[MAX_TOKENS];
};

struct player { /* no pointer into itself: it is copied */
    const struct scenario *s;
    struct poe *poe;
    int comm_number[MAX_COMMS];
    unsigned races[MAX_RACES], n_races; /* of the run */
    struct seat seats[MAX_RANKS];
};

/* Only the ranks that there are. */
static size_t player_bytes(const struct scenario *s)
{
    return offsetof(struct player, seats) + (size_t)s->ranks * sizeof(struct seat);
}

static void die(const char *title, const char *what, const char *where)
{
    fprintf(stderr, "poe-scenario: %s: %s: %s\n", title, what, where);
    exit(2);
}

/* ---- parsing ---- */

static const struct { const char *word; enum kind kind; uint8_t mode; uint16_t flags; bool blocking; uint16_t fn; } WORDS[] = {
    {"send", SEND, ISP_SEND_STANDARD, 0, true, 0},       {"isend", SEND, ISP_SEND_STANDARD, 0, false, 0},
    {"ssend", SEND, ISP_SEND_SYNC, 0, true, 0},          {"issend", SEND, ISP_SEND_SYNC, 0, false, 0},
    {"bsend", SEND, ISP_SEND_BUFFERED, 0, true, 0},      {"ibsend", SEND, ISP_SEND_BUFFERED, 0, false, 0},
    {"rsend", SEND, ISP_SEND_READY, 0, true, 0},         {"irsend", SEND, ISP_SEND_READY, 0, false, 0},
    {"recv", RECV, 0, 0, true, 0},                       {"irecv", RECV, 0, 0, false, 0},
    {"probe", PROBE, 0, 0, true, 0},                     {"iprobe", PROBE, 0, ISP_F_POLL, true, 0},
    {"mprobe", PROBE, 0, ISP_F_MATCHED, true, 0},        {"improbe", PROBE, 0, ISP_F_MATCHED | ISP_F_POLL, true, 0},
    {"mrecv", MRECV, 0, 0, true, 0},                     {"imrecv", MRECV, 0, 0, false, 0},
    {"wait", COMPLETE, ISP_COMPLETE_ALL, 0, true, 0},    {"waitall", COMPLETE, ISP_COMPLETE_ALL, 0, true, 0},
    {"waitany", COMPLETE, ISP_COMPLETE_ANY, 0, true, 0}, {"waitsome", COMPLETE, ISP_COMPLETE_SOME, 0, true, 0},
    {"test", COMPLETE, ISP_COMPLETE_ALL, ISP_F_POLL, true, 0},
    {"testall", COMPLETE, ISP_COMPLETE_ALL, ISP_F_POLL, true, 0},
    {"testany", COMPLETE, ISP_COMPLETE_ANY, ISP_F_POLL, true, 0},
    {"testsome", COMPLETE, ISP_COMPLETE_SOME, ISP_F_POLL, true, 0},
    {"free", FREE, 0, 0, false, 0},
    {"isendrecv", EXCHANGE, ISP_SEND_STANDARD, 0, false, 0},
    {"sendrecv", EXCHANGE, ISP_SEND_STANDARD, 0, true, 0},
    {"make", MAKE, 0, 0, true, ISP_FN_MPI_Comm_create},
    {"ready", READY, 0, 0, false, 0},
    {"psend", SEND, ISP_SEND_STANDARD, ISP_F_PARTITIONED | ISP_F_HELD, false, 0},
    {"precv", RECV, 0, ISP_F_PARTITIONED, false, 0},     {"detach", DETACH, 0, 0, true, 0},
    {"lock", LOCK, ISP_LOCK_EXCLUSIVE, 0, true, 0},      {"lockshared", LOCK, ISP_LOCK_SHARED, 0, true, 0},
    {"turn", LOCK, ISP_LOCK_TURN, 0, true, 0},           {"unlock", UNLOCK, 0, 0, false, 0},
    /* a collective's function stands for all with its flow */
    {"barrier", COLLECTIVE, ISP_FLOW_ALL, 0, true, ISP_FN_MPI_Barrier},
    {"ibarrier", COLLECTIVE, ISP_FLOW_ALL, 0, false, ISP_FN_MPI_Ibarrier},
    {"bcast", COLLECTIVE, ISP_FLOW_FROM_ROOT, 0, true, ISP_FN_MPI_Bcast},
    {"ibcast", COLLECTIVE, ISP_FLOW_FROM_ROOT, 0, false, ISP_FN_MPI_Ibcast},
    {"reduce", COLLECTIVE, ISP_FLOW_TO_ROOT, 0, true, ISP_FN_MPI_Reduce},
    {"ireduce", COLLECTIVE, ISP_FLOW_TO_ROOT, 0, false, ISP_FN_MPI_Ireduce},
    {"scan", COLLECTIVE, ISP_FLOW_PREFIX, 0, true, ISP_FN_MPI_Scan},
    {"iscan", COLLECTIVE, ISP_FLOW_PREFIX, 0, false, ISP_FN_MPI_Iscan},
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

static int peer_of(const char *text) { return strcmp(text, "-") == 0 ? ISP_NO_RANK : number_or_any(text, ISP_ANY_SOURCE); }

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
    t->kind = WORDS[k].kind, t->mode = WORDS[k].mode, t->flags = WORDS[k].flags, t->blocking = WORDS[k].blocking;
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
    at += strcspn(at, ":");
    if (*at == ':')
        snprintf(t->name, sizeof t->name, "%s", at + 1);
    bool rooted = t->kind == COLLECTIVE && (t->mode == ISP_FLOW_FROM_ROOT || t->mode == ISP_FLOW_TO_ROOT);
    if (t->kind == SEND || t->kind == RECV || t->kind == PROBE || rooted || t->kind == LOCK || t->kind == UNLOCK ||
        t->kind == EXCHANGE) {
        t->peer = t->n_args > 0 ? peer_of(t->args[0]) : 0;
        t->tag = t->n_args > 1 && t->kind != EXCHANGE ? number_or_any(t->args[1], ISP_ANY_TAG) : 0;
    }
    if (t->kind == MAKE)
        s->comms[comm_named(s, t->args[0])].made = true;
}

static void parse_line(struct scenario *s, char *line)
{
    char *word = strtok(line, " \t\r\n");
    if (!word || *word == '#' || strcmp(word, "expect") == 0 || strcmp(word, "scale") == 0)
        return;
    if (strcmp(word, "ranks") == 0) {
        s->ranks = atoi(strtok(NULL, " \t\r\n"));
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
    while ((word = strtok(NULL, " \t\r\n")) && *word != '#') {
        if (s->n_tokens[rank] == MAX_TOKENS)
            die(s->title, "too many operations", word);
        parse_token(s, &s->tokens[rank][s->n_tokens[rank]++], word);
    }
}

/* ---- playing ---- */

static void feed(struct player *p, int rank, struct isp_call *call, int token)
{
    call->site = (uint32_t)(token + 1);
    if (call->fn == ISP_FN_MPI_Barrier)
        call->site = (uint32_t)(BARRIER_SITE + (one_site ? 0 : rank * MAX_TOKENS + token));
    if (poe_add(p->poe, rank, call) < 0)
        die(p->s->title, "poe refused a transition of rank", p->s->tokens[rank][token].name);
    if (call->op != ISP_OP_READY) /* which has no index */
        p->seats[rank].token_of[p->seats[rank].index++] = token;
    if (call->flags & ISP_F_FENCE)
        p->seats[rank].waits = true;
}

static struct request *named(struct player *p, int rank, const char *name)
{
    for (int k = p->seats[rank].at - 1; k >= 0; k--)
        if (strcmp(p->s->tokens[rank][k].name, name) == 0)
            return &p->seats[rank].requests[k];
    die(p->s->title, "unknown name", name);
    return NULL;
}

/* MPI_PROC_NULL: a request is a send to nobody that is complete, whatever it is to the program; what blocks is no event. */
static void feed_null(struct player *p, int rank, int token, const struct token *t)
{
    p->seats[rank].reached[token] = true;
    strcpy(p->seats[rank].answer[token], "null");
    if (t->blocking && t->kind != PROBE)
        return;
    p->seats[rank].requests[token] = (struct request){.active = true, .nobody = true, .handle = (uint32_t)token, .token = token};
    if (t->kind == PROBE)
        return;
    struct isp_call c = {.op = ISP_OP_SEND, .handle = (uint32_t)token, .peer = ISP_NO_RANK,
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
    struct isp_call c = {.op = t->kind == SEND ? ISP_OP_SEND : t->kind == RECV ? ISP_OP_RECV : ISP_OP_PROBE,
                         .mode = t->mode, .flags = t->flags, .handle = (uint32_t)token, .peer = t->peer, .tag = t->tag,
                         .comm = t->comm < 0 ? ISP_COMM_WORLD : p->comm_number[t->comm], .bytes = 4};
    if (t->blocking)
        c.flags |= buffered ? ISP_F_DETACHED : ISP_F_FENCE;
    p->seats[rank].requests[token] = (struct request){.active = !t->blocking || (t->flags & ISP_F_MATCHED),
                                                .handle = (uint32_t)token, .token = token};
    p->seats[rank].reached[token] = true;
    feed(p, rank, &c, token);
}

/* A standard blocking send with buffering is no fence. */
static bool is_detached(const struct player *p, const struct token *t, bool infinite)
{
    return t->kind == SEND && t->blocking && infinite && t->mode != ISP_SEND_SYNC;
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
    struct isp_call c = {.op = ISP_OP_RECV, .mode = ISP_RECV_MESSAGE, .handle = (uint32_t)token,
                         .flags = t->blocking ? ISP_F_FENCE : 0, .peer = probe->peer, .tag = probe->tag,
                         .comm = probe->comm < 0 ? ISP_COMM_WORLD : p->comm_number[probe->comm],
                         .n = 1, .list = list, .bytes = 4};
    m->active = false;
    p->seats[rank].requests[token] = (struct request){.active = !t->blocking, .handle = (uint32_t)token, .token = token};
    p->seats[rank].reached[token] = true;
    feed(p, rank, &c, token);
}

static void feed_complete(struct player *p, int rank, int token, const struct token *t)
{
    uint32_t list[MAX_ARGS];
    struct isp_call c = {.op = ISP_OP_COMPLETE, .mode = t->mode, .flags = t->flags | ISP_F_FENCE, .list = list};
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
    bool early = infinite && t->mode != ISP_FLOW_ALL, rooted = t->mode == ISP_FLOW_FROM_ROOT || t->mode == ISP_FLOW_TO_ROOT;
    uint32_t list[MAX_ARGS];
    struct isp_call c = {.op = ISP_OP_COLLECTIVE, .fn = t->fn, .flow = t->mode, .handle = (uint32_t)token, .list = list,
                         .flags = (uint16_t)((t->blocking ? ISP_F_FENCE : 0) | (early || !t->blocking ? ISP_F_SLOT : 0)),
                         .comm = t->comm < 0 ? ISP_COMM_WORLD : p->comm_number[t->comm],
                         .root = rooted ? t->peer : ISP_NO_RANK};
    for (int i = 0; t->mode == ISP_FLOW_LIST && i < t->n_args; i++)
        list[c.n++] = (uint32_t)atoi(t->args[i]);
    p->seats[rank].requests[token] = (struct request){.active = !t->blocking, .handle = (uint32_t)token, .token = token};
    feed(p, rank, &c, token);
}

/* Two messages and one request over both: they are told apart by their handles. */
static void feed_exchange(struct player *p, int rank, int token, const struct token *t)
{
    int comm = t->comm < 0 ? ISP_COMM_WORLD : p->comm_number[t->comm];
    uint32_t own = (uint32_t)token, list[2] = {own + MAX_TOKENS, own + 2 * MAX_TOKENS};
    struct isp_call send = {.op = ISP_OP_SEND, .handle = list[0], .peer = t->peer, .comm = comm, .bytes = 4};
    struct isp_call receive = {.op = ISP_OP_RECV, .handle = list[1], .peer = number_or_any(t->args[1], ISP_ANY_SOURCE),
                               .comm = comm, .bytes = 4};
    struct isp_call join = {.op = ISP_OP_JOIN, .handle = own, .n = 2, .list = list};
    p->seats[rank].requests[token] = (struct request){.active = !t->blocking, .handle = own, .token = token};
    p->seats[rank].reached[token] = true;
    feed(p, rank, &send, token);
    feed(p, rank, &receive, token);
    if (t->blocking)
        join = (struct isp_call){.op = ISP_OP_COMPLETE, .mode = ISP_COMPLETE_ALL, .flags = ISP_F_FENCE, .n = 2, .list = list};
    feed(p, rank, &join, token);
}

static void feed_ready(struct player *p, int rank, int token, const struct token *t)
{
    struct isp_call c = {.op = ISP_OP_READY, .handle = named(p, rank, t->args[0])->handle};
    feed(p, rank, &c, token);
}

static void feed_lock(struct player *p, int rank, int token, const struct token *t)
{
    struct isp_call c = {.op = t->kind == LOCK ? ISP_OP_LOCK : t->kind == UNLOCK ? ISP_OP_UNLOCK : ISP_OP_DETACH,
                         .mode = t->mode, .flags = t->blocking ? ISP_F_FENCE : 0, .peer = t->peer};
    feed(p, rank, &c, token);
}

static void feed_create(struct player *p, int rank, int token, int parent, int comm)
{
    struct isp_call c = {.op = ISP_OP_COLLECTIVE, .mode = ISP_MAKE_GROUP, .fn = ISP_FN_MPI_Comm_create,
                         .flags = ISP_F_FENCE, .root = ISP_NO_RANK,
                         .comm = parent < 0 ? ISP_COMM_WORLD : p->comm_number[parent], .n = (uint32_t)p->s->comms[comm].n, .list = p->s->comms[comm].members};
    feed(p, rank, &c, token);
}

/* Runs a rank on to its next fence. */
static void advance(struct player *p, int rank, bool infinite)
{
    while (!p->seats[rank].waits) {
        if (p->seats[rank].sub_comms_left > 0) {
            int comm = p->s->n_comms - p->seats[rank].sub_comms_left--;
            if (!p->s->comms[comm].made)
                feed_create(p, rank, 0, -1, comm);
            continue;
        }
        int token = p->seats[rank].at++;
        if (token >= p->s->n_tokens[rank]) {
            p->seats[rank].at = p->s->n_tokens[rank] + 1;
            struct isp_call c = {.op = ISP_OP_FINALIZE, .flags = ISP_F_FENCE};
            feed(p, rank, &c, token);
            return;
        }
        struct token t = p->s->tokens[rank][token];
        if (is_detached(p, &t, infinite)) {
            t.flags |= ISP_F_DETACHED;
            t.blocking = false;
        }
        switch (t.kind) {
        case SEND: case RECV: case PROBE: feed_message(p, rank, token, &t); break;
        case MRECV: feed_mrecv(p, rank, token, &t); break;
        case COMPLETE: feed_complete(p, rank, token, &t); break;
        case EXCHANGE: feed_exchange(p, rank, token, &t); break;
        case READY: feed_ready(p, rank, token, &t); break;
        case LOCK: case UNLOCK: case DETACH: feed_lock(p, rank, token, &t); break;
        case COLLECTIVE: feed_collective(p, rank, token, &t, infinite); break;
        case MAKE: feed_create(p, rank, token, t.comm, comm_named(p->s, t.args[0])); break;
        case FREE: {
            struct request *x = named(p, rank, t.args[0]);
            struct isp_call c = {.op = ISP_OP_FREE, .handle = x->handle};
            if (x->active)
                feed(p, rank, &c, token);
            x->active = false;
            break;
        }
        }
        if (is_detached(p, &p->s->tokens[rank][token], infinite))
            p->seats[rank].requests[token].active = false;
    }
}

static void released(struct player *p, int rank, const struct isp_result *r)
{
    p->seats[rank].waits = false;
    int token = p->seats[rank].at - 1;
    if (token < 0 || token >= p->s->n_tokens[rank] || p->seats[rank].sub_comms_left > 0)
        return;
    const struct token *t = &p->s->tokens[rank][token];
    char *answer = p->seats[rank].answer[token];
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
        snprintf(answer + n, sizeof p->seats[0].answer[0] - n, "%s%d", n ? "," : "", p->seats[rank].places[r->list[i]]);
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

static void take_fired(struct player *p)
{
    const struct poe_fired *f = poe_fired(p->poe);
    if (f->n_members == 2 && f->members[0]->call.op == ISP_OP_SEND) {
        const struct poe_transition *send = f->members[0], *receive = f->members[1];
        snprintf(p->seats[receive->rank].answer[p->seats[receive->rank].token_of[receive->index]], sizeof p->seats[0].answer[0], "%d.%d",
                 send->rank, p->seats[send->rank].token_of[send->index]);
    }
    for (unsigned i = 0; i < f->n_effects; i++) {
        const struct poe_effect *e = &f->effects[i];
        if (!e->release)
            continue;
        released(p, e->rank, &e->result);
        if (e->result.new_comm != ISP_NO_COMM)
            p->comm_number[comm_made(p, e->rank)] = e->result.new_comm;
    }
}

static void print_outcome(const struct player *p, bool deadlock)
{
    const char *gap = "";
    for (int rank = 0; rank < p->s->ranks; rank++)
        for (int k = 0; k < p->s->n_tokens[rank]; k++) {
            const struct token *t = &p->s->tokens[rank][k];
            bool plain_wait = t->kind == COMPLETE && t->mode == ISP_COMPLETE_ALL && !(t->flags & ISP_F_POLL);
            if (!p->seats[rank].reached[k] || t->kind == SEND || t->kind == MAKE || t->kind == COLLECTIVE || plain_wait)
                continue;
            const char *sign = t->kind == PROBE ? "?" : t->kind == COMPLETE ? "=" : "<";
            printf("%s%d.%d%s%s", gap, rank, k, sign, *p->seats[rank].answer[k] ? p->seats[rank].answer[k] : "-");
            gap = " ";
        }
    if (!deadlock) {
        printf("%sok\n", gap);
        return;
    }
    printf("%sdeadlock:", gap);
    const char *comma = "";
    for (int rank = 0; rank < p->s->ranks; rank++)
        if (p->seats[rank].at <= p->s->n_tokens[rank]) {
            printf("%s%d", comma, rank);
            comma = ",";
        }
    printf("\n");
}

/* ---- barriers ---- */

static struct { uint32_t site, group; bool matters; } barriers[MAX_RANKS * MAX_TOKENS];
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
                printf(" %u.%u", (barriers[k].site - BARRIER_SITE) / MAX_TOKENS, (barriers[k].site - BARRIER_SITE) % MAX_TOKENS);
        printf("\n");
    }
    n_barriers = 0;
    unclear = false;
}

/* ---- choice points to come back to ---- */

static struct point {
    struct poe_saved *poe;
    struct player *player;
} *points; /* by number of the decision */
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
    p->poe = poe_create(&(struct poe_config){.ranks = s->ranks, .buffered = infinite, .polls = 1,
                                             .livelock_rounds = 10, .threads = threads});
    for (int rank = 0; rank < s->ranks; rank++)
        p->seats[rank].sub_comms_left = s->n_comms;
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

static void decide(struct player *p, struct poe_search *search)
{
    const struct poe_choice *c = poe_choice(p->poe);
    if (by_restore && c->number == n_points)
        point_save(p);
    int k = poe_search_next(search, c->number, c->n, c->signature, c->transition->rank == loop_rank);
    if (k < 0)
        die(p->s->title, "a replay showed another choice point", "");
    poe_decide(p->poe, (unsigned)k);
}

/* From where it is to its end. */
static enum poe_state go_on(struct player *p, struct poe_search *search, bool infinite)
{
    enum poe_state state;
    do {
        state = poe_step(p->poe);
        take_races(p, search);
        if (state == POE_FIRED)
            take_fired(p);
        if (state == POE_CHOICE)
            decide(p, search);
        if (state == POE_RUNNING)
            for (int rank = 0; rank < p->s->ranks; rank++)
                advance(p, rank, infinite);
    } while (state == POE_FIRED || state == POE_CHOICE || state == POE_RUNNING);
    return state;
}

/* "-r 0.1 redundant races 3 5" */
static void print_run(const struct player *p, const struct poe_search *search, enum poe_state state)
{
    char *name = poe_search_name(search);
    printf("-r %s %s races", name, state == POE_DEADLOCK ? "deadlock" : state == POE_REDUNDANT ? "redundant" : "ok");
    for (unsigned i = 0; i < p->n_races; i++)
        printf(" %u", p->races[i]);
    printf("\n");
    free(name);
}

struct totals { unsigned interleavings, deadlocks, redundant; bool matters; };

static void take_run(struct player *p, struct poe_search *search, enum poe_state state, struct totals *totals)
{
    totals->matters |= poe_buffering_matters(p->poe);
    if (state == POE_DEADLOCK) /* a standard send that blocks would not block with buffering */
        for (int rank = 0; rank < p->s->ranks; rank++)
            totals->matters |= poe_wait(p->poe, rank)->send_blocked;
    if (state == POE_LIVELOCK || state == POE_MISMATCH)
        die(p->s->title, "ended in a livelock or a mismatch", "");
    if (state == POE_REDUNDANT)
        poe_search_redundant(search);
    else
        print_outcome(p, state == POE_DEADLOCK);
    totals->interleavings += state != POE_REDUNDANT;
    totals->redundant += state == POE_REDUNDANT;
    totals->deadlocks += state == POE_DEADLOCK;
    take_barriers(p->poe);
}

/* "-l mixing 3 loops 0 estimate 8" */
static void print_left_out(const struct poe_search *search)
{
    struct poe_left_out left = poe_search_left_out(search);
    if (bounds.mixed || bounds.random || loop_rank >= 0)
        printf("-l mixing %llu loops %llu estimate %.10g\n", (unsigned long long)left.mixing, (unsigned long long)left.loops,
               poe_search_estimate(search));
}

static void explore(struct scenario *s, bool infinite, unsigned threads)
{
    struct poe_search *search = poe_search_create(&bounds);
    static struct player p;
    struct totals totals = {0};
    printf("== %s\n", s->title);
    do {
        points_keep(poe_search_prefix(search));
        if (n_points)
            point_restore(&p);
        else
            start(&p, s, infinite, threads);
        enum poe_state state = go_on(&p, search, infinite);
        take_run(&p, search, state, &totals);
        if (tell_runs)
            print_run(&p, search, state);
    } while (poe_search_backtrack(search) && (!bounds.random || totals.interleavings < samples));
    points_keep(0);
    if (tell_barriers)
        print_barriers();
    n_barriers = 0;
    unclear = false;
    printf("-- interleavings %u deadlocks %u redundant %u matters %d\n", totals.interleavings, totals.deadlocks,
           totals.redundant, totals.matters);
    print_left_out(search);
    poe_search_destroy(search);
    poe_destroy(p.poe);
    p.poe = NULL;
}

static void run_file(const char *path, bool infinite, unsigned threads)
{
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (!f)
        die(path, "cannot be read", "");
    static struct scenario s;
    char line[4096];
    int number = 0;
    bool more = true;
    const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    while (more) {
        memset(&s, 0, sizeof s);
        snprintf(s.title, sizeof s.title, "%s#%d", base, number++);
        while ((more = fgets(line, sizeof line, f)) && strncmp(line, "---", 3) != 0)
            parse_line(&s, line);
        if (s.ranks)
            explore(&s, infinite, threads);
    }
    if (f != stdin)
        fclose(f);
}

int main(int argc, char **argv)
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
        else if (strcmp(argv[i], "--barriers") == 0)
            tell_barriers = true;
        else if (strcmp(argv[i], "--one-site") == 0)
            one_site = true;
        else if (strcmp(argv[i], "--restore") == 0)
            by_restore = true;
        else if (strcmp(argv[i], "--runs") == 0)
            tell_runs = true;
        else
            run_file(argv[i], infinite, threads);
    }
    return 0;
}
