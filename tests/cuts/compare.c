/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cuts-compare: cuts/ against poe itself. A scenario is run with random decisions, and what was called and
 * matched is told to cuts/. The oracle is poe: it plays the scenario again with each rank held at a limit,
 * led by what each receive, probe and wait of the recorded run got, and so shows how far each rank comes.
 * From that alone:
 *
 *   states    random vectors of limits, all of them where they are few: who has issued and done how much
 *   earliest  by lowering each limit as far as the event can still be reached, until no rank's can be lowered
 *   latest    by holding nobody but the rank itself
 *   before    by holding a rank in front of one event: whether the other one is still done
 *   plans     each move is played: the rank comes to its new limit
 *
 * usage: cuts-compare --mode zero|infinite [--seed S] [--runs R] FILE...
 */
#define SCENARIO_MAIN scenario_main
#include "../poe/scenario.c"

#include "cuts/cuts.h"

enum { MAX_EVENTS = 4 * MAX_TOKENS, FEW = 400, VECTORS = 12, EVENTS = 4 };

/* What an event of the recorded run got. */
struct outcome {
    bool known, no, cancelled; /* no: a poll said not yet */
    int source;
    uint64_t source_index;
    uint32_t positions[MAX_ARGS], n;
    int steps;            /* of its rank before it was called */
    struct isp_call call; /* without its list */
    uint32_t list[MAX_ARGS];
};

static struct {
    const struct scenario *s;
    bool infinite;
    struct outcome of[MAX_RANKS][MAX_EVENTS];
    int32_t n[MAX_RANKS];                     /* events */
    int32_t begin[MAX_RANKS][MAX_EVENTS + 1]; /* of the event's call */
    struct cuts_run *cuts;
    int32_t by_handle[MAX_RANKS][4 * MAX_TOKENS + 4 * MAX_TOKENS];
} past;

static bool recording;
static int steps[MAX_RANKS]; /* of each rank in the run that is played */
static uint64_t random_state;
static unsigned long plays, comparisons, differences, recorded, deadlocked;

static uint32_t dice(uint32_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return n ? (uint32_t)((random_state >> 11) % n) : 0;
}

/* ---- recording ---- */

static bool continues_call(const struct token *t, const struct isp_call *call)
{
    return t->kind == EXCHANGE &&
           (call->op == ISP_OP_RECV || call->op == ISP_OP_JOIN || call->op == ISP_OP_COMPLETE);
}

static void hear(const struct player *p, int rank, const struct isp_call *call, int token)
{
    if (!recording)
        return;
    int32_t named[MAX_ARGS];
    struct cuts_call c = {.op = call->op,
                          .mode = call->mode,
                          .flow = call->flow,
                          .flags = call->flags,
                          .rank = rank,
                          .comm = call->comm,
                          .peer = call->peer,
                          .tag = call->tag,
                          .root = call->root,
                          .color = call->color,
                          .named = named};
    bool lists = call->op == ISP_OP_COMPLETE || call->op == ISP_OP_JOIN ||
                 (call->op == ISP_OP_RECV && call->mode == ISP_RECV_MESSAGE);
    for (uint32_t i = 0; lists && i < call->n; i++)
        named[c.n_named++] = past.by_handle[rank][call->list[i]];
    if (call->op == ISP_OP_CANCEL || call->op == ISP_OP_FREE || call->op == ISP_OP_READY)
        named[c.n_named++] = past.by_handle[rank][call->handle];
    if (call->op == ISP_OP_COLLECTIVE)
        c.sources = call->list,
        c.n_sources = call->mode == ISP_MAKE_NOTHING || call->mode == ISP_MAKE_FREE ? call->n : 0;
    c.same_call = token < p->s->n_tokens[rank] && continues_call(&p->s->tokens[rank][token], call);
    int32_t number = cuts_add(past.cuts, &c);
    if (number < 0)
        return;
    int32_t index = past.n[rank]++;
    struct outcome *o = &past.of[rank][index];
    memset(o, 0, sizeof *o);
    o->steps = steps[rank];
    o->call = *call;
    for (uint32_t i = 0; i < call->n && i < MAX_ARGS; i++)
        o->list[i] = call->list[i];
    past.begin[rank][index] = c.same_call ? past.begin[rank][index - 1] : index;
    if (isp_call_has_slot(call))
        past.by_handle[rank][call->handle] = number;
}

/* The answer of a fence that fired. */
static void note_answer(const struct poe_transition *t, const struct isp_result *r)
{
    struct outcome *o = &past.of[t->rank][t->index];
    int32_t event = cuts_event(past.cuts, t->rank, (int32_t)t->index), all[MAX_ARGS];
    if (t->call.op != ISP_OP_COMPLETE && t->call.op != ISP_OP_PROBE)
        return;
    o->known = true;
    o->no = !r->flag;
    if (!r->flag)
        cuts_completed(past.cuts, event, NULL, 0);
    if (!r->flag || t->call.op == ISP_OP_PROBE)
        return;
    bool whole = o->call.mode == ISP_COMPLETE_ALL;
    o->n = whole ? o->call.n : r->n;
    for (uint32_t i = 0; i < o->n; i++) {
        o->positions[i] = whole ? i : r->list[i];
        all[i] = past.by_handle[t->rank][o->list[o->positions[i]]];
    }
    cuts_completed(past.cuts, event, all, o->n);
}

static void note_fired(const struct poe_fired *f)
{
    if (f->n_members == 2 && f->members[0]->call.op == ISP_OP_SEND) {
        const struct poe_transition *send = f->members[0], *receive = f->members[1];
        struct outcome *o = &past.of[receive->rank][receive->index];
        o->known = true;
        o->source = send->rank;
        o->source_index = send->index;
        cuts_match(past.cuts, cuts_event(past.cuts, send->rank, (int32_t)send->index),
                   cuts_event(past.cuts, receive->rank, (int32_t)receive->index));
    }
    for (unsigned i = 0; i < f->n_effects; i++) {
        const struct poe_effect *e = &f->effects[i];
        const struct poe_transition *t = f->members[0];
        if (!e->release && e->action.kind == ISP_ACTION_CANCEL) {
            past.of[t->rank][t->index].known = past.of[t->rank][t->index].cancelled = true;
            cuts_cancelled(past.cuts, cuts_event(past.cuts, t->rank, (int32_t)t->index));
        }
        if (e->release && f->n_members == 1 && t->rank == e->rank)
            note_answer(t, &e->result);
    }
}

/* The k-th collectives of a communicator belong together. */
static void tell_collectives(struct poe *poe)
{
    for (int comm = 0; comm < 1 + past.s->ranks + MAX_COMMS; comm++) {
        const int *members;
        unsigned n = poe_comm_members(poe, comm, &members);
        for (int k = 0, any = 1; any && n; k++) {
            int32_t all[MAX_RANKS];
            any = 0;
            for (unsigned place = 0; place < n; place++) {
                int left = k;
                all[place] = -1;
                for (int32_t i = 0; i < past.n[members[place]]; i++) {
                    const struct isp_call *c = &past.of[members[place]][i].call;
                    if (c->op == ISP_OP_COLLECTIVE && c->comm == comm && left-- == 0)
                        all[place] = cuts_event(past.cuts, members[place], i), any = 1;
                }
            }
            if (any)
                cuts_collect(past.cuts, all, n);
        }
    }
}

static void begin_play(struct player *p)
{
    memset(steps, 0, sizeof steps);
    start(p, past.s, past.infinite, 1);
}

/* False: this run is nothing to compare. */
static bool record(struct player *p, const struct scenario *s, bool infinite)
{
    memset(past.n, 0, sizeof past.n);
    past.s = s;
    past.infinite = infinite;
    cuts_destroy(past.cuts);
    past.cuts = cuts_create(s->ranks, infinite);
    recording = true;
    begin_play(p);
    enum poe_state state = POE_RUNNING;
    while (state == POE_RUNNING || state == POE_FIRED || state == POE_CHOICE) {
        state = poe_step(p->poe);
        if (state == POE_FIRED) {
            note_fired(poe_fired(p->poe));
            take_fired(p);
        }
        if (state == POE_CHOICE)
            poe_decide(p->poe, dice(poe_choice(p->poe)->n));
        for (int rank = 0; state == POE_RUNNING && rank < s->ranks; rank++)
            while (!p->seats[rank].waits && p->seats[rank].at <= s->n_tokens[rank]) {
                advance_token(p, rank, infinite);
                steps[rank]++;
            }
    }
    recording = false;
    if (state != POE_FINISHED && state != POE_DEADLOCK)
        return false;
    tell_collectives(p->poe);
    deadlocked += state == POE_DEADLOCK;
    recorded++;
    return true;
}

/* ---- the oracle ---- */

static int32_t call_end(int rank, int32_t index)
{
    int32_t end = index + 1;
    while (end < past.n[rank] && past.begin[rank][end] == past.begin[rank][index])
        end++;
    return end;
}

static bool is_held(const struct player *p, int rank, const int32_t *limits)
{
    return limits[rank] < past.n[rank] &&
           steps[rank] >= past.of[rank][limits[rank] < 0 ? 0 : limits[rank]].steps;
}

/* The alternative that is what the recorded run got; n: it is not there. */
static unsigned same_again(const struct poe_choice *c)
{
    const struct outcome *o = &past.of[c->transition->rank][c->transition->index];
    for (unsigned k = 0; o->known && k < c->n; k++) {
        const struct poe_alternative *a = &c->alternatives[k];
        bool same =
            a->kind == POE_TAKE_MESSAGE
                ? !o->no && !o->cancelled && a->source == o->source && a->source_index == o->source_index
            : a->kind == POE_NOT_YET ? o->no
            : a->kind == POE_CANCEL  ? o->cancelled
            : a->kind == POE_TAKE_SUBSET
                ? !o->no && a->n == o->n && !memcmp(a->positions, o->positions, a->n * sizeof *a->positions)
                : false;
        if (same)
            return k;
    }
    return c->n;
}

/* A poll that was told `not yet` only because nothing else could move, and got more in the recorded run. */
static bool is_forced(const struct poe_fired *f)
{
    for (unsigned i = 0; i < f->n_effects; i++) {
        const struct poe_transition *t = f->members[0];
        bool poll = f->effects[i].release && f->n_members == 1 && t->call.flags & ISP_F_POLL;
        const struct outcome *o = &past.of[t->rank][t->index];
        if (poll && !f->effects[i].result.flag && !(o->known && o->no))
            return true;
    }
    return false;
}

/* Plays the run again with these limits, which are ends of calls. */
static void play(struct player *p, const int32_t *limits, struct cuts_at *at)
{
    begin_play(p);
    plays++;
    bool on = true, finished = false;
    while (on) {
        enum poe_state state = poe_step(p->poe);
        finished = state == POE_FINISHED;
        if (state == POE_FIRED && is_forced(poe_fired(p->poe)))
            break;
        if (state == POE_FIRED)
            take_fired(p);
        else if (state == POE_CHOICE)
            poe_decide(p->poe, same_again(poe_choice(p->poe)));
        else if (state == POE_RUNNING)
            for (int rank = 0; rank < past.s->ranks; rank++) {
                while (!p->seats[rank].waits && !is_held(p, rank, limits) &&
                       p->seats[rank].at <= past.s->n_tokens[rank]) {
                    advance_token(p, rank, past.infinite);
                    steps[rank]++;
                }
                if (!p->seats[rank].waits)
                    poe_quiet(p->poe, rank);
            }
        else
            on = false;
    }
    for (int rank = 0; rank < past.s->ranks; rank++) {
        int32_t issued = (int32_t)p->seats[rank].index;
        bool done = !p->seats[rank].waits || finished;
        at[rank] = (struct cuts_at){issued, done ? issued : past.begin[rank][issued - 1]};
    }
}

/* ---- comparing ---- */

static struct player player;

static void print_vector(const char *name, const int32_t *v)
{
    printf(" %s", name);
    for (int rank = 0; rank < past.s->ranks; rank++)
        printf("%c%d", rank ? ',' : ' ', v[rank]);
}

static void print_at(const char *name, const struct cuts_at *at)
{
    printf(" %s", name);
    for (int rank = 0; rank < past.s->ranks; rank++)
        printf(" %d/%d", at[rank].issued, at[rank].done);
}

static void check(bool same, const char *what)
{
    comparisons++;
    if (same)
        return;
    differences++;
    printf("differs: %s: %s:", past.s->title, what);
}

static int32_t rounded(int rank, int32_t limit)
{
    if (limit >= past.n[rank])
        return past.n[rank];
    return past.begin[rank][limit] == limit ? limit : call_end(rank, limit);
}

static void compare_state(const int32_t *limits)
{
    struct cuts_at mine[MAX_RANKS], poe[MAX_RANKS];
    int32_t ends[MAX_RANKS];
    bool consistent = cuts_state(past.cuts, limits, mine), all = true, same = true;
    for (int rank = 0; rank < past.s->ranks; rank++)
        ends[rank] = rounded(rank, limits[rank]);
    play(&player, ends, poe);
    for (int rank = 0; rank < past.s->ranks; rank++) {
        same = same && mine[rank].issued == poe[rank].issued && mine[rank].done == poe[rank].done;
        all = all && poe[rank].issued == ends[rank];
    }
    check(same && all == consistent, "state");
    if (same && all == consistent)
        return;
    print_vector("limits", limits);
    print_at("cuts", mine);
    print_at("poe", poe);
    printf("\n");
}

static void compare_states(void)
{
    long n = 1;
    int32_t limits[MAX_RANKS] = {0};
    for (int rank = 0; rank < past.s->ranks && n <= FEW; rank++)
        n *= past.n[rank] + 1;
    for (long k = 0; n <= FEW && k < n; k++) {
        long left = k;
        for (int rank = 0; rank < past.s->ranks; rank++) {
            limits[rank] = (int32_t)(left % (past.n[rank] + 1));
            left /= past.n[rank] + 1;
        }
        compare_state(limits);
    }
    for (int k = 0; n > FEW && k < VECTORS; k++) {
        for (int rank = 0; rank < past.s->ranks; rank++) {
            uint32_t room = (uint32_t)past.n[rank] + 1;
            limits[rank] = k % 3 == 0 || dice(3) ? (int32_t)dice(room) : past.n[rank];
        }
        compare_state(limits);
    }
}

/* The rank comes to its event, and no further. */
static bool reaches(const int32_t *limits, int rank, int32_t index)
{
    struct cuts_at at[MAX_RANKS];
    play(&player, limits, at);
    return at[rank].issued == index && at[rank].done == index;
}

static void compare_earliest(int rank, int32_t index)
{
    int32_t mine[MAX_RANKS], poe[MAX_RANKS];
    memcpy(poe, past.n, sizeof poe);
    poe[rank] = index;
    bool there = reaches(poe, rank, index), told = cuts_earliest(past.cuts, rank, index, mine);
    for (bool lower = there; lower;) {
        lower = false;
        for (int k = 0, first = (int)dice((uint32_t)past.s->ranks); k < past.s->ranks; k++) {
            int other = (first + k) % past.s->ranks;
            int32_t was = poe[other];
            if (other == rank)
                continue;
            for (poe[other] = 0; poe[other] < was; poe[other]++)
                if (rounded(other, poe[other]) == poe[other] && reaches(poe, rank, index))
                    break;
            lower |= poe[other] < was;
        }
    }
    bool same = there == told;
    for (int i = 0; there && told && i < past.s->ranks; i++)
        same &= mine[i] == poe[i];
    check(same, "earliest");
    if (same)
        return;
    printf(" %d.%d there %d told %d", rank, index, there, told);
    if (told)
        print_vector("cuts", mine);
    print_vector("poe", poe);
    printf("\n");
}

static void compare_latest(int rank, int32_t index)
{
    int32_t mine[MAX_RANKS], limits[MAX_RANKS];
    struct cuts_at poe[MAX_RANKS];
    memcpy(limits, past.n, sizeof limits);
    limits[rank] = index;
    play(&player, limits, poe);
    bool there = poe[rank].issued == index && poe[rank].done == index;
    bool same = cuts_latest(past.cuts, rank, index, mine) == there;
    for (int i = 0; there && same && i < past.s->ranks; i++)
        same &= mine[i] == poe[i].issued;
    check(same, "latest");
    if (same)
        return;
    printf(" %d.%d", rank, index);
    print_vector("cuts", mine);
    print_at("poe", poe);
    printf("\n");
}

static void compare_before(int rank, int32_t index, int other, int32_t other_index)
{
    int32_t limits[MAX_RANKS];
    struct cuts_at with[MAX_RANKS], without[MAX_RANKS];
    memcpy(limits, past.n, sizeof limits);
    play(&player, limits, with);
    limits[rank] = past.begin[rank][index];
    play(&player, limits, without);
    int32_t end = call_end(other, other_index);
    bool before = with[other].done >= end && without[other].done < end;
    bool same = before == cuts_before(past.cuts, cuts_event(past.cuts, rank, index),
                                      cuts_event(past.cuts, other, other_index));
    check(same, "before");
    if (!same)
        printf(" %d.%d before %d.%d: poe says %d\n", rank, index, other, other_index, before);
}

static void compare_plan(const int32_t *from, const int32_t *to, int focus)
{
    const struct cuts_move *moves;
    uint32_t n;
    int32_t limits[MAX_RANKS], last = -1;
    struct cuts_at at[MAX_RANKS];
    bool back = false;
    for (int rank = 0; rank < past.s->ranks; rank++)
        back |= from[rank] > to[rank];
    memcpy(limits, from, sizeof limits);
    enum cuts_way way = cuts_plan(past.cuts, from, to, focus, &moves, &n);
    bool same = way == (back ? CUTS_BACK : CUTS_FORWARD);
    for (uint32_t i = 0; same && way == CUTS_FORWARD && i < n; i++) {
        same &= moves[i].limit > limits[moves[i].rank] && moves[i].rank != last;
        last = moves[i].rank;
        limits[moves[i].rank] = moves[i].limit;
        play(&player, limits, at);
        same &= at[moves[i].rank].issued == moves[i].limit;
    }
    for (int rank = 0; same && way == CUTS_FORWARD && rank < past.s->ranks; rank++)
        same &= limits[rank] == to[rank];
    check(same, "plan");
    if (same)
        return;
    print_vector("from", from);
    print_vector("to", to);
    print_vector("reached", limits);
    printf(" way %d moves %u\n", (int)way, n);
}

/* The state of some limits, as a cut. */
static void any_cut(int32_t *limits)
{
    struct cuts_at at[MAX_RANKS];
    for (int rank = 0; rank < past.s->ranks; rank++)
        limits[rank] = rounded(rank, (int32_t)dice((uint32_t)past.n[rank] + 1));
    cuts_state(past.cuts, limits, at);
    for (int rank = 0; rank < past.s->ranks; rank++)
        limits[rank] = rounded(rank, at[rank].issued);
}

static void compare_plans(int rank, int32_t index)
{
    int32_t from[MAX_RANKS], to[MAX_RANKS];
    any_cut(from);
    any_cut(to);
    compare_plan(from, to, (int)dice((uint32_t)past.s->ranks));
    cuts_max(past.cuts, to, from);
    compare_plan(from, to, (int)dice((uint32_t)past.s->ranks));
    memset(from, 0, sizeof from);
    if (cuts_earliest(past.cuts, rank, index, to))
        compare_plan(from, to, rank);
}

static void compare_run(void)
{
    int32_t stuck;
    bool whole = cuts_finish(past.cuts, &stuck);
    check(whole, "run");
    if (!whole)
        printf(" stuck at %d.%d\n", cuts_rank_of(past.cuts, stuck), cuts_index_of(past.cuts, stuck));
    compare_state(past.n);
    compare_states();
    for (int k = 0; k < EVENTS; k++) {
        int rank = (int)dice((uint32_t)past.s->ranks), other = (int)dice((uint32_t)past.s->ranks);
        int32_t index = (int32_t)dice((uint32_t)past.n[rank]),
                other_index = (int32_t)dice((uint32_t)past.n[other]);
        compare_earliest(rank, past.begin[rank][index]);
        compare_latest(rank, past.begin[rank][index]);
        compare_before(rank, index, other, other_index);
        compare_plans(rank, past.begin[rank][index]);
    }
}

static void compare_file(const char *path, bool infinite, int runs, uint64_t seed)
{
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    static struct scenario s;
    bool more = f != NULL;
    for (int number = 0; more; number++) {
        more = read_scenario(&s, f, infinite ? "infinite" : "zero", number);
        random_state = seed * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)number * 2 + 1;
        for (int run = 0; s.ranks && run < runs; run++)
            if (record(&player, &s, infinite))
                compare_run();
    }
    if (f && f != stdin)
        fclose(f);
}

int main(int argc, char **argv)
{
    bool infinite = false;
    int runs = 1;
    uint64_t seed = 1;
    heard = hear;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--mode") == 0 && i + 1 < argc)
            infinite = strcmp(argv[++i], "infinite") == 0;
        else if (strcmp(argv[i], "--runs") == 0 && i + 1 < argc)
            runs = atoi(argv[++i]);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            seed = strtoull(argv[++i], NULL, 10);
        else
            compare_file(argv[i], infinite, runs, seed);
    }
    printf("-- runs %lu deadlocks %lu comparisons %lu plays %lu differences %lu\n", recorded, deadlocked,
           comparisons, plays, differences);
    cuts_destroy(past.cuts);
    poe_destroy(player.poe);
    return differences ? 1 : 0;
}
