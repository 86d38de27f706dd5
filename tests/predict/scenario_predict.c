/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * predict-scenario: predict/ on scenarios (../poe/README.md), whose calls do not depend on what matches. The
 * tokens are told as they are written, without any run. Each deadlock that is predicted is played by poe, led
 * by the predicted decisions, to see whether it is one.
 *
 *   == file.scn#0
 *   -d 0.2 1.- 2.1 confirmed        the token that each rank waits in for ever; poe stands there
 *   -- deadlocks 1 choices 2 nodes 5 pairs 4 rounds 2 circles 0
 *   -- unknown: it polls
 *
 * usage: predict-scenario --mode zero|infinite [--most N] FILE...      at most N deadlocks of each (100)
 */
#define SCENARIO_MAIN scenario_main
#include "../poe/scenario.c"

#include "predict/predict.h"

enum { EVENTS_MOST = MAX_RANKS * MAX_TOKENS * 4, COMM_FIRST = 100 };

static struct {
    const struct scenario *s;
    bool infinite;
    struct predict *predict;
    int32_t event_of[MAX_RANKS][MAX_TOKENS]; /* of the token: its receive, or what it is else; -1 */
    int rank_of[EVENTS_MOST], token_of[EVENTS_MOST];
    bool nobody[MAX_RANKS][MAX_TOKENS]; /* a probe of MPI_PROC_NULL */
} told;

static int32_t add(int rank, int token, const struct predict_call *call)
{
    struct predict_call c = *call;
    c.rank = rank;
    int32_t number = predict_add(told.predict, &c);
    told.rank_of[number] = rank;
    told.token_of[number] = token;
    return told.event_of[rank][token] = number;
}

static int comm_of(const struct token *t) { return t->comm < 0 ? ISP_COMM_WORLD : COMM_FIRST + t->comm; }

static uint32_t fence_if(bool yes) { return yes ? ISP_F_FENCE : 0; }

static int token_named(int rank, int before, const char *name)
{
    for (int k = before - 1; k >= 0; k--)
        if (strcmp(told.s->tokens[rank][k].name, name) == 0)
            return k;
    die(told.s->title, "unknown name", name);
    return -1;
}

/* ---- tokens as calls ---- */

/* What blocks is no event; a request is a send to nobody. */
static void tell_null(int rank, int token, const struct token *t)
{
    told.nobody[rank][token] = t->kind == PROBE;
    if (!t->blocking)
        add(rank, token, &(struct predict_call){.op = ISP_OP_SEND, .peer = ISP_NO_RANK});
}

static void tell_message(int rank, int token, const struct token *t)
{
    bool kept =
        t->kind == SEND && t->mode != ISP_SEND_SYNC && (told.infinite || t->mode == ISP_SEND_BUFFERED);
    uint32_t detached = t->blocking && kept ? ISP_F_DETACHED : 0;
    if (t->peer == ISP_NO_RANK)
        tell_null(rank, token, t);
    else
        add(rank, token,
            &(struct predict_call){.op = t->kind == SEND   ? ISP_OP_SEND
                                         : t->kind == RECV ? ISP_OP_RECV
                                                           : ISP_OP_PROBE,
                                   .mode = t->mode,
                                   .flags = t->flags | detached | fence_if(t->blocking && !kept),
                                   .comm = comm_of(t),
                                   .peer = t->peer,
                                   .tag = t->tag});
}

static void tell_mrecv(int rank, int token, const struct token *t)
{
    int probe = token_named(rank, token, t->args[0]);
    const struct token *p = &told.s->tokens[rank][probe];
    if (told.nobody[rank][probe]) {
        tell_null(rank, token, t);
        return;
    }
    add(rank, token,
        &(struct predict_call){.op = ISP_OP_RECV,
                               .mode = ISP_RECV_MESSAGE,
                               .flags = fence_if(t->blocking),
                               .comm = comm_of(p),
                               .peer = p->peer,
                               .tag = p->tag,
                               .named = &told.event_of[rank][probe],
                               .n_named = 1});
}

static void tell_complete(int rank, int token, const struct token *t)
{
    int32_t named[MAX_ARGS];
    for (int i = 0; i < t->n_args; i++)
        named[i] = told.event_of[rank][token_named(rank, token, t->args[i])];
    add(rank, token,
        &(struct predict_call){.op = t->kind == FREE ? ISP_OP_FREE : ISP_OP_COMPLETE,
                               .mode = t->mode,
                               .flags = t->flags | fence_if(t->kind != FREE),
                               .named = named,
                               .n_named = (uint32_t)t->n_args});
}

static void tell_collective(int rank, int token, const struct token *t)
{
    uint32_t list[MAX_ARGS], n = 0;
    bool scatters = t->fn == ISP_FN_MPI_Reduce_scatter,
         listed = t->mode == ISP_FLOW_LIST || t->mode == ISP_FLOW_SOURCES,
         rooted = t->mode == ISP_FLOW_FROM_ROOT || t->mode == ISP_FLOW_TO_ROOT,
         early = told.infinite && (t->mode != ISP_FLOW_ALL || scatters);
    for (int i = 0; listed && i < t->n_args; i++)
        list[n++] = (uint32_t)atoi(t->args[i]);
    add(rank, token,
        &(struct predict_call){.op = ISP_OP_COLLECTIVE,
                               .flow = t->mode,
                               .flags = t->flags | fence_if(t->blocking) |
                                        (early || !t->blocking ? ISP_F_SLOT : 0),
                               .comm = comm_of(t),
                               .root = rooted ? t->peer : ISP_NO_RANK,
                               .sources = list,
                               .n_sources = n});
}

static void tell_exchange(int rank, int token, const struct token *t)
{
    struct predict_call send = {.op = ISP_OP_SEND, .peer = t->peer, .comm = comm_of(t)};
    struct predict_call receive = {
        .op = ISP_OP_RECV, .peer = number_or_any(t->args[1], ISP_ANY_SOURCE), .comm = comm_of(t)};
    int32_t parts[2] = {add(rank, token, &send), add(rank, token, &receive)};
    int32_t receives = parts[1];
    struct predict_call join = {.op = t->blocking ? ISP_OP_COMPLETE : ISP_OP_JOIN,
                                .flags = fence_if(t->blocking),
                                .named = parts,
                                .n_named = 2};
    int32_t own = add(rank, token, &join);
    told.event_of[rank][token] = t->blocking ? receives : own;
}

static void tell_token(int rank, int token)
{
    const struct token *t = &told.s->tokens[rank][token];
    switch (t->kind) {
    case SEND:
    case RECV:
    case PROBE: tell_message(rank, token, t); break;
    case MRECV: tell_mrecv(rank, token, t); break;
    case COMPLETE:
    case FREE: tell_complete(rank, token, t); break;
    case COLLECTIVE: tell_collective(rank, token, t); break;
    case EXCHANGE: tell_exchange(rank, token, t); break;
    case DETACH: add(rank, token, &(struct predict_call){.op = ISP_OP_DETACH, .flags = ISP_F_FENCE}); break;
    case MAKE:
        add(rank, token,
            &(struct predict_call){
                .op = ISP_OP_COLLECTIVE, .flags = ISP_F_FENCE, .comm = comm_of(t), .root = ISP_NO_RANK});
        break;
    default: predict_refuse(told.predict, "tokens that are not told");
    }
}

static void tell(const struct scenario *s, bool infinite)
{
    int32_t members[MAX_RANKS];
    told.s = s;
    told.infinite = infinite;
    told.predict = predict_create(s->ranks, infinite);
    memset(told.event_of, -1, sizeof told.event_of);
    memset(told.nobody, 0, sizeof told.nobody);
    for (int rank = 0; rank < s->ranks; rank++)
        members[rank] = rank;
    predict_comm(told.predict, ISP_COMM_WORLD, members, (uint32_t)s->ranks);
    for (int i = 0; i < s->n_comms; i++)
        predict_comm(told.predict, COMM_FIRST + i, (const int32_t *)s->comms[i].members,
                     (uint32_t)s->comms[i].n);
    if (s->lines > s->ranks)
        predict_refuse(told.predict, "several threads of a rank call MPI");
    for (int rank = 0; rank < s->ranks; rank++) {
        for (int k = 0; k < s->n_tokens[rank]; k++)
            tell_token(rank, k);
        add(rank, MAX_TOKENS - 1, &(struct predict_call){.op = ISP_OP_FINALIZE, .flags = ISP_F_FENCE});
    }
}

/* ---- the run that confirms it ---- */

/* Of an isendrecv, which is a request: its receive is the event before. */
static int32_t receive_of(int rank, int token)
{
    const struct token *t = &told.s->tokens[rank][token];
    return told.event_of[rank][token] - (t->kind == EXCHANGE && !t->blocking);
}

static bool is_predicted(const struct player *p, const struct poe_choice *c, const struct poe_alternative *a)
{
    int rank = c->transition->rank, token = token_at(p, rank, c->transition->index);
    if (a->kind == POE_TAKE_MESSAGE) {
        int32_t send = predict_taken(told.predict, receive_of(rank, token));
        return send >= 0 && told.rank_of[send] == a->source &&
               told.token_of[send] == token_at(p, a->source, a->source_index);
    }
    if (a->kind != POE_TAKE_SUBSET)
        return false;
    const struct token *t = &told.s->tokens[rank][token];
    unsigned n = 0;
    for (int i = 0; i < t->n_args; i++)
        n += predict_completes(told.predict, told.event_of[rank][token], (uint32_t)i);
    for (uint32_t i = 0; i < a->n; i++)
        if (!predict_completes(told.predict, told.event_of[rank][token],
                               (uint32_t)p->seats[rank].places[a->positions[i]]))
            return false;
    return a->n == n;
}

static enum poe_state play(struct player *p)
{
    start(p, told.s, told.infinite, 1);
    for (;;) {
        enum poe_state state = poe_step(p->poe);
        if (state == POE_FIRED) {
            take_fired(p);
        } else if (state == POE_CHOICE) {
            const struct poe_choice *c = poe_choice(p->poe);
            unsigned k = 0;
            while (k < c->n && !is_predicted(p, c, &c->alternatives[k]))
                k++;
            poe_decide(p->poe, k);
        } else if (state == POE_RUNNING) {
            advance_all(p, told.infinite);
        } else {
            return state;
        }
    }
}

/* The token that the rank waits in; -1: it has finished. */
static int predicted_at(int rank)
{
    int32_t event = predict_waits(told.predict, rank);
    return event < 0 ? -1 : told.token_of[event];
}

static bool stands_there(const struct player *p)
{
    for (int rank = 0; rank < told.s->ranks; rank++) {
        int at = p->seats[rank].at > told.s->n_tokens[rank] ? -1 : p->seats[rank].at - 1;
        if (at != predicted_at(rank))
            return false;
    }
    return true;
}

static void predict_all(const struct scenario *s, bool infinite, unsigned most)
{
    static struct player p;
    tell(s, infinite);
    printf("== %s\n", s->title);
    unsigned n = 0;
    enum predict_answer answer = PREDICT_DEADLOCK;
    while (n < most && (answer = predict_next(told.predict)) == PREDICT_DEADLOCK) {
        n++;
        printf("-d");
        for (int rank = 0; rank < s->ranks; rank++) {
            int at = predicted_at(rank);
            if (at < 0)
                printf(" %d.-", rank);
            else
                printf(" %d.%d", rank, at);
        }
        enum poe_state state = play(&p);
        if (state == POE_DEADLOCK && stands_there(&p))
            printf(" confirmed\n");
        else
            printf(" but poe says %d\n", (int)state);
    }
    struct predict_cost cost = predict_cost(told.predict);
    if (answer == PREDICT_UNKNOWN)
        printf("-- unknown: %s\n", predict_why(told.predict));
    else
        printf("-- deadlocks %u choices %d nodes %d pairs %d rounds %d circles %d\n", n,
               predict_choices(told.predict), cost.nodes, cost.pairs, cost.rounds, cost.circles);
    poe_destroy(p.poe);
    p.poe = NULL;
    predict_destroy(told.predict);
}

static void predict_file(const char *path, bool infinite, unsigned most)
{
    FILE *f = fopen(path, "r");
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
            predict_all(&s, infinite, most);
    }
    fclose(f);
}

int main(int argc, char **argv)
{
    bool infinite = false;
    unsigned most = 100;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--mode") == 0 && i + 1 < argc)
            infinite = strcmp(argv[++i], "infinite") == 0;
        else if (strcmp(argv[i], "--most") == 0 && i + 1 < argc)
            most = (unsigned)atoi(argv[++i]);
        else
            predict_file(argv[i], infinite, most);
    }
    return 0;
}
