/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Random collectives, blocking, nonblocking and persistent, on communicators of every kind: `data SEED STEPS
 * FILE [plain]`. Each rank writes a hash of all that it received to FILE.RANK, so runs can be compared
 * (compare_data.py). What a rank gave is overwritten as soon as MPI allows. All ranks draw the same choices,
 * except for types, which may differ between ranks. `plain` calls nonblocking collectives instead of
 * persistent ones: those of MPICH 4.0.2 give types and operations up once too often.
 */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = 8, MAX_EDGES = 12, MAX_BATCH = 4, BIG = 4000, MARGIN = 64 };

enum function {
    BCAST,
    GATHER,
    GATHERV,
    SCATTER,
    SCATTERV,
    ALLGATHER,
    ALLGATHERV,
    ALLTOALL,
    ALLTOALLV,
    ALLTOALLW,
    REDUCE,
    ALLREDUCE,
    REDUCE_SCATTER,
    REDUCE_SCATTER_BLOCK,
    BARRIER,
    SCAN,
    EXSCAN,
    N_FUNCTIONS,
    NEIGHBOR_ALLGATHER = N_FUNCTIONS,
    NEIGHBOR_ALLGATHERV,
    NEIGHBOR_ALLTOALL,
    NEIGHBOR_ALLTOALLV,
    NEIGHBOR_ALLTOALLW,
    N_ALL_FUNCTIONS
};

enum form { BLOCKING, NONBLOCKING, PERSISTENT };

/* ---- choices ---- */

static uint64_t seed;
static bool plain;
static int step, world_rank, world_size;

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u + b + 0x632be59bd9b4e019u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* The same on all ranks. */
static int draw(int n)
{
    static uint64_t drawn;
    return (int)(mix(seed, ++drawn) % (uint64_t)n);
}

/* A rank's own choice in this step. */
static int own(int what, int n)
{
    return (int)(mix(mix(seed + 1, (uint64_t)step), (uint64_t)(100 * world_rank + what)) % (uint64_t)n);
}

/* ---- types that hold pairs of numbers ---- */

static struct layout {
    MPI_Datatype type;
    int of_pair; /* how many of the type are one pair */
} layouts[4];

static MPI_Datatype pair_at(int first, int second, int lb, int extent)
{
    MPI_Datatype indexed, type;
    int lengths[] = {1, 1}, at[] = {first, second};
    MPI_Type_indexed(2, lengths, at, MPI_INT, &indexed);
    MPI_Type_create_resized(indexed, lb * (MPI_Aint)sizeof(int), extent * (MPI_Aint)sizeof(int), &type);
    MPI_Type_free(&indexed);
    MPI_Type_commit(&type);
    return type;
}

static void make_layouts(void)
{
    layouts[0] = (struct layout){MPI_INT, 2};
    layouts[1] = (struct layout){pair_at(0, 2, 0, 4), 1};
    layouts[2] = (struct layout){pair_at(1, 0, 0, 2), 1};
    layouts[3] = (struct layout){pair_at(-1, 1, -1, 3), 1};
}

/* The functions c + m x, one after the other: the order of the operands matters. */
static void compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(*type, &lb, &extent);
    int second = *type == layouts[1].type ? 2 : 1;
    for (int i = 0; i < *n; i++) {
        unsigned *x = (unsigned *)((char *)in + i * extent), *y = (unsigned *)((char *)inout + i * extent);
        y[0] += y[second] * x[0];
        y[second] *= x[second];
    }
}

/* ---- communicators ---- */

static struct place {
    MPI_Comm comm;
    int rank, size; /* of the own group */
    int peers;      /* in the group that data goes to */
    bool inter, topology;
    int side; /* of an intercommunicator */
    int n_in, n_out, in[MAX_EDGES], out[MAX_EDGES];
} places[8];
static int n_places;

static struct place *add_place(MPI_Comm comm)
{
    struct place *p = &places[n_places++];
    int inter;
    p->comm = comm;
    MPI_Comm_rank(comm, &p->rank);
    MPI_Comm_size(comm, &p->size);
    p->peers = p->size;
    MPI_Comm_test_inter(comm, &inter);
    p->inter = inter;
    if (inter)
        MPI_Comm_remote_size(comm, &p->peers);
    return p;
}

static void add_inter(void)
{
    MPI_Comm half, inter;
    int side = world_rank >= (world_size + 1) / 2;
    MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side ? 0 : (world_size + 1) / 2, 5, &inter);
    MPI_Comm_free(&half);
    add_place(inter)->side = side;
}

static void add_cart(int dimensions, const int *sizes, const int *periodic)
{
    MPI_Comm cart;
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, sizes, periodic, 0, &cart);
    struct place *p = add_place(cart);
    p->topology = true;
    p->n_in = p->n_out = 2 * dimensions;
    for (int i = 0; i < dimensions; i++)
        MPI_Cart_shift(cart, i, 1, &p->in[2 * i], &p->in[2 * i + 1]);
    memcpy(p->out, p->in, sizeof p->in);
}

/* An edge from i to j with the weight that all ranks know: 0, 1 or 2 of them. */
static void add_graph(void)
{
    int edges[MAX * MAX];
    MPI_Comm graph;
    struct place p = {.topology = true};
    for (int i = 0; i < world_size * world_size; i++)
        edges[i] = draw(4) - 1;
    for (int other = 0; other < world_size; other++) {
        for (int k = 0; k < edges[other * world_size + world_rank] && p.n_in < MAX_EDGES; k++)
            p.in[p.n_in++] = other;
        for (int k = 0; k < edges[world_rank * world_size + other] && p.n_out < MAX_EDGES; k++)
            p.out[p.n_out++] = other;
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, p.n_in, p.in, MPI_UNWEIGHTED, p.n_out, p.out,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    struct place *added = add_place(graph);
    p.comm = graph;
    p.rank = added->rank;
    p.size = p.peers = added->size;
    *added = p;
}

static void make_places(void)
{
    MPI_Comm comm;
    int one[] = {world_size}, two[] = {world_size / 2, 2}, open[] = {0, 1}, closed[] = {1, 1};
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    add_place(comm);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -world_rank, &comm);
    add_place(comm);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, world_rank, &comm);
    add_place(comm);
    add_inter();
    add_cart(1, one, draw(2) ? closed : open);
    if (world_size % 2 == 0)
        add_cart(2, two, draw(2) ? closed : open);
    add_graph();
}

/* ---- one collective ---- */

enum by { SAME, BY_SENDER, BY_RECEIVER, BY_BOTH, SYMMETRIC };

/* One side of the arguments. */
struct side {
    void *buf;
    struct layout one;
    int count, counts[MAX_EDGES], displs[MAX_EDGES], bytes[MAX_EDGES];
    MPI_Aint far[MAX_EDGES];
    MPI_Datatype types[MAX_EDGES];
};

struct call {
    struct place *at;
    enum function function;
    enum form form;
    enum by by;
    int root, root_side, most, salt;
    bool in_place, user_op, twice;
    MPI_Op builtin;
    size_t numbers;
    int *memory[2]; /* what is given, what is taken */
    struct side given, taken;
    MPI_Request request;
};

static int pairs(const struct call *c, int side, int from, int to)
{
    if (c->by == SAME)
        return c->most;
    if (c->by == SYMMETRIC && from > to)
        return pairs(c, side, to, from);
    uint64_t key = (uint64_t)(1000 * c->salt + 100 * (c->at->inter ? side : 0));
    key += (uint64_t)(c->by == BY_RECEIVER ? 0 : 10 * from) + (uint64_t)(c->by == BY_SENDER ? 0 : to);
    return (int)(mix(seed + 2, key) % (uint64_t)(c->most + 1));
}

/* Pieces lie in reverse order, with gaps; of the w functions each has its own type. */
static void describe(const struct call *c, struct side *s, bool gives, int n, const int *peers, int layout)
{
    s->one = layouts[layout];
    for (int i = 0; i < n; i++) {
        int peer = peers ? peers[i] : i, k = c->by == SYMMETRIC ? 2 : (layout + i) % (c->most == BIG ? 3 : 4);
        int of = peer == MPI_PROC_NULL ? c->most
                 : gives               ? pairs(c, c->at->side, c->at->rank, peer)
                                       : pairs(c, !c->at->side, peer, c->at->rank);
        bool w = c->function == ALLTOALLW || c->function == NEIGHBOR_ALLTOALLW;
        s->types[i] = layouts[k].type;
        s->counts[i] = of * (w ? layouts[k].of_pair : s->one.of_pair);
        s->displs[i] = (n - 1 - i) * (c->most * s->one.of_pair + 1);
        s->bytes[i] = (n - 1 - i) * (c->most + 1) * 4 * (int)sizeof(int);
        s->far[i] = s->bytes[i];
    }
    s->count = (c->by == SAME ? c->most
                : gives       ? pairs(c, c->at->side, c->at->rank, 0)
                              : pairs(c, !c->at->side, 0, c->at->rank)) *
               s->one.of_pair;
}

static void fill(int *memory, size_t n, uint64_t with)
{
    for (size_t i = 0; i < n; i++)
        memory[i] = (int)mix(with, i);
}

#define CALL(Name, name, ...)                                           \
    do {                                                                \
        if (c->form == BLOCKING)                                        \
            MPI_##Name(__VA_ARGS__);                                    \
        else if (c->form == NONBLOCKING || plain)                       \
            MPI_I##name(__VA_ARGS__, &c->request);                      \
        else                                                            \
            MPI_##Name##_init(__VA_ARGS__, MPI_INFO_NULL, &c->request); \
    } while (0)

static int root_of(const struct call *c)
{
    if (!c->at->inter || c->at->side != c->root_side)
        return c->root;
    return c->root == c->at->rank ? MPI_ROOT : MPI_PROC_NULL;
}

static bool is_root(const struct call *c)
{
    int root = root_of(c);
    return c->at->inter ? root == MPI_ROOT : root == c->at->rank;
}

static void rooted(struct call *c, struct side *s, struct side *r)
{
    MPI_Comm comm = c->at->comm;
    int root = root_of(c);
    void *in_place = c->in_place && is_root(c) ? MPI_IN_PLACE : NULL, *from = in_place ? in_place : s->buf,
         *to = in_place ? in_place : r->buf;
    switch (c->function) {
    case BCAST: CALL(Bcast, bcast, r->buf, r->count, r->one.type, root, comm); break;
    case GATHER:
        CALL(Gather, gather, from, s->count, s->one.type, r->buf, r->count, r->one.type, root, comm);
        break;
    case GATHERV:
        CALL(Gatherv, gatherv, from, s->count, s->one.type, r->buf, r->counts, r->displs, r->one.type, root,
             comm);
        break;
    case SCATTER:
        CALL(Scatter, scatter, s->buf, s->count, s->one.type, to, r->count, r->one.type, root, comm);
        break;
    default:
        CALL(Scatterv, scatterv, s->buf, s->counts, s->displs, s->one.type, to, r->count, r->one.type, root,
             comm);
        break;
    }
}

static void all_to_all(struct call *c, struct side *s, struct side *r)
{
    MPI_Comm comm = c->at->comm;
    void *from = c->in_place ? MPI_IN_PLACE : s->buf;
    switch (c->function) {
    case ALLGATHER:
        CALL(Allgather, allgather, from, s->count, s->one.type, r->buf, r->count, r->one.type, comm);
        break;
    case ALLGATHERV:
        CALL(Allgatherv, allgatherv, from, s->count, s->one.type, r->buf, r->counts, r->displs, r->one.type,
             comm);
        break;
    case ALLTOALL:
        CALL(Alltoall, alltoall, from, s->count, s->one.type, r->buf, r->count, r->one.type, comm);
        break;
    case ALLTOALLV:
        CALL(Alltoallv, alltoallv, from, s->counts, s->displs, s->one.type, r->buf, r->counts, r->displs,
             r->one.type, comm);
        break;
    default:
        CALL(Alltoallw, alltoallw, from, s->counts, s->bytes, s->types, r->buf, r->counts, r->bytes, r->types,
             comm);
        break;
    }
}

static void neighbours(struct call *c, struct side *s, struct side *r)
{
    MPI_Comm comm = c->at->comm;
    switch (c->function) {
    case NEIGHBOR_ALLGATHER:
        CALL(Neighbor_allgather, neighbor_allgather, s->buf, s->count, s->one.type, r->buf, r->count,
             r->one.type, comm);
        break;
    case NEIGHBOR_ALLGATHERV:
        CALL(Neighbor_allgatherv, neighbor_allgatherv, s->buf, s->count, s->one.type, r->buf, r->counts,
             r->displs, r->one.type, comm);
        break;
    case NEIGHBOR_ALLTOALL:
        CALL(Neighbor_alltoall, neighbor_alltoall, s->buf, s->count, s->one.type, r->buf, r->count,
             r->one.type, comm);
        break;
    case NEIGHBOR_ALLTOALLV:
        CALL(Neighbor_alltoallv, neighbor_alltoallv, s->buf, s->counts, s->displs, s->one.type, r->buf,
             r->counts, r->displs, r->one.type, comm);
        break;
    default:
        CALL(Neighbor_alltoallw, neighbor_alltoallw, s->buf, s->counts, s->far, s->types, r->buf, r->counts,
             r->far, r->types, comm);
        break;
    }
}

/* Both groups of an intercommunicator reduce as many elements. */
static void scatter_counts(const struct call *c, int *counts, int *block)
{
    int a = c->at->size, b = c->at->inter ? c->at->peers : 1;
    *block = c->most * b;
    for (int i = 0; i < a; i++)
        counts[i] = c->at->inter ? *block : pairs(c, 0, i, 0);
}

static void reduction(struct call *c, struct side *s, struct side *r, MPI_Op user)
{
    MPI_Comm comm = c->at->comm;
    MPI_Op op = c->user_op ? user : c->builtin;
    /* MPICH's MPI_Reduce_scatter writes too far if there are gaps in the type. */
    bool scatters = c->function == REDUCE_SCATTER || c->function == REDUCE_SCATTER_BLOCK;
    MPI_Datatype type = c->user_op ? layouts[scatters ? 2 : 1].type : MPI_INT;
    bool in_place = c->in_place && (c->function != REDUCE || is_root(c));
    void *from = in_place ? MPI_IN_PLACE : s->buf, *to = r->buf;
    int root = root_of(c), counts[MAX], block;
    scatter_counts(c, counts, &block);
    switch (c->function) {
    case REDUCE: CALL(Reduce, reduce, from, to, c->most, type, op, root, comm); break;
    case ALLREDUCE: CALL(Allreduce, allreduce, from, to, c->most, type, op, comm); break;
    case REDUCE_SCATTER: CALL(Reduce_scatter, reduce_scatter, from, to, counts, type, op, comm); break;
    case REDUCE_SCATTER_BLOCK:
        CALL(Reduce_scatter_block, reduce_scatter_block, from, to, block, type, op, comm);
        break;
    case SCAN: CALL(Scan, scan, from, to, c->most, type, op, comm); break;
    case EXSCAN: CALL(Exscan, exscan, from, to, c->most, type, op, comm); break;
    default: CALL(Barrier, barrier, comm); break;
    }
}

static enum by choose_by(const struct call *c)
{
    switch (c->function) {
    case GATHERV:
    case ALLGATHERV:
    case REDUCE_SCATTER:
    case NEIGHBOR_ALLGATHERV: return BY_SENDER;
    case SCATTERV: return BY_RECEIVER;
    case ALLTOALLV:
    case ALLTOALLW: return c->in_place ? SYMMETRIC : BY_BOTH;
    case NEIGHBOR_ALLTOALLV:
    case NEIGHBOR_ALLTOALLW: return BY_BOTH;
    default: return SAME;
    }
}

static void choose(struct call *c)
{
    static int salt;
    *c = (struct call){.at = &places[draw(n_places)],
                       .salt = ++salt,
                       .form = (enum form)draw(3),
                       .request = MPI_REQUEST_NULL};
    c->function = (enum function)draw(c->at->topology ? N_ALL_FUNCTIONS : N_FUNCTIONS);
    while (c->at->inter && c->function >= SCAN)
        c->function = (enum function)draw(N_FUNCTIONS);
    if (c->at->inter && c->function == BCAST)
        c->form = BLOCKING; /* MPICH 4.0.2 passes on what it has not received yet */
    /* Nor do long messages between neighbours that are there twice always end in MPICH 4.0.2, with or without
     * isp. */
    c->most = draw(12) || c->function >= N_FUNCTIONS ? draw(4) : BIG;
    int side = c->root_side = draw(2), number = draw(MAX);
    c->root = number % (!c->at->inter || c->at->side == side ? c->at->size : c->at->peers);
    c->in_place = draw(3) == 0 && !c->at->inter && c->function < N_FUNCTIONS;
    c->twice = c->form == PERSISTENT && draw(2);
    c->user_op = draw(2);
    c->builtin = draw(2) ? MPI_SUM : MPI_BXOR;
    c->by = choose_by(c);
    c->numbers = 2 * MARGIN + (size_t)MAX_EDGES * (size_t)(c->most + 1) * (c->at->inter ? 8 : 4);
    for (int i = 0; i < 2; i++) {
        c->memory[i] = malloc(c->numbers * sizeof(int));
        fill(c->memory[i], c->numbers, mix((uint64_t)c->salt, (uint64_t)(10 * world_rank + i)));
    }
}

static void issue(struct call *c, MPI_Op user)
{
    if (c->function <= SCATTERV)
        rooted(c, &c->given, &c->taken);
    else if (c->function <= ALLTOALLW)
        all_to_all(c, &c->given, &c->taken);
    else if (c->function < N_FUNCTIONS)
        reduction(c, &c->given, &c->taken, user);
    else
        neighbours(c, &c->given, &c->taken);
}

static void start(struct call *c, MPI_Op user)
{
    if (c->form == PERSISTENT && !plain)
        MPI_Start(&c->request);
    else
        issue(c, user);
}

static void begin(struct call *c, MPI_Op user)
{
    /* A long message into a type with a negative lower bound is received wrongly by MPICH 4.0.2. */
    int kinds = c->most == BIG ? 3 : 4;
    bool near = c->function >= N_FUNCTIONS, alike = c->by == SYMMETRIC;
    int given = alike ? 2 : own(2 * c->salt, kinds), taken = alike ? 2 : own(2 * c->salt + 1, kinds);
    c->given.buf = c->memory[0] + MARGIN;
    c->taken.buf = c->memory[1] + MARGIN;
    describe(c, &c->given, true, near ? c->at->n_out : c->at->peers, near ? c->at->out : NULL, given);
    describe(c, &c->taken, false, near ? c->at->n_in : c->at->peers, near ? c->at->in : NULL, taken);
    if (c->form == PERSISTENT && !plain)
        issue(c, user);
    start(c, user);
    if (c->form == BLOCKING)
        fill(c->memory[0], c->numbers, 7);
}

static void finish(struct call *c, MPI_Op user)
{
    MPI_Wait(&c->request, MPI_STATUS_IGNORE);
    if (c->twice) {
        fill(c->memory[0], c->numbers, mix((uint64_t)world_rank, (uint64_t)c->salt));
        start(c, user);
        MPI_Wait(&c->request, MPI_STATUS_IGNORE);
    }
    if (c->form == PERSISTENT && !plain)
        MPI_Request_free(&c->request);
    fill(c->memory[0], c->numbers, 8);
}

static uint64_t hash(const struct call *c)
{
    uint64_t h = 0;
    for (size_t i = 0; i < c->numbers; i++)
        h = mix(h, (uint64_t)(unsigned)c->memory[1][i]);
    return h;
}

/* Messages beside them must not be taken for theirs. */
static int ring(const struct place *p, MPI_Request *requests, int *got)
{
    static int given;
    if (p->inter)
        return 0;
    given = step;
    MPI_Irecv(got, 1, MPI_INT, (p->rank + p->size - 1) % p->size, 0, p->comm, &requests[0]);
    MPI_Isend(&given, 1, MPI_INT, (p->rank + 1) % p->size, 0, p->comm, &requests[1]);
    return 2;
}

static void batch(FILE *out, MPI_Op user)
{
    struct call calls[MAX_BATCH];
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int n = 1 + draw(MAX_BATCH), got = -1, beside = draw(n), waits = 0;
    for (int i = 0; i < n; i++) {
        choose(&calls[i]);
        if (i == beside)
            waits = ring(calls[i].at, requests, &got);
        begin(&calls[i], user);
    }
    for (int i = 0; i < n; i++)
        finish(&calls[i], user);
    MPI_Waitall(waits, requests, statuses);
    fprintf(out, "%d: %d", step, got);
    for (int i = 0; i < n; i++) {
        fprintf(out, " %d.%d.%d=%016llx", calls[i].function, calls[i].form, (int)(calls[i].at - places),
                (unsigned long long)hash(&calls[i]));
        free(calls[i].memory[0]);
        free(calls[i].memory[1]);
    }
    fprintf(out, "\n");
}

int main(int argc, char **argv)
{
    char name[4096];
    MPI_Op user;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    if (argc < 4 || world_size < 2 || world_size > 6)
        MPI_Abort(MPI_COMM_WORLD, 2);
    seed = strtoull(argv[1], NULL, 10);
    plain = argc > 4;
    snprintf(name, sizeof name, "%s.%d", argv[3], world_rank);
    FILE *out = fopen(name, "w");
    if (!out)
        MPI_Abort(MPI_COMM_WORLD, 2);
    make_layouts();
    make_places();
    MPI_Op_create(compose, 0, &user);
    for (step = 0; step < atoi(argv[2]); step++)
        batch(out, user);
    fclose(out);
    MPI_Op_free(&user);
    for (int i = 0; i < n_places; i++)
        MPI_Comm_free(&places[i].comm);
    for (int i = 1; i < 4; i++)
        MPI_Type_free(&layouts[i].type);
    MPI_Finalize();
    return 0;
}
