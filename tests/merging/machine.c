/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A machine whose program is its argument: random_programs.py makes them up.
 *
 *   machine FILE HOME PROGRAM
 *
 * PROGRAM has a line for each rank, separated by /, of instructions separated by ; (README.md has the list).
 * HOME says where the rank keeps its numbers: static, thread, heap, stack or mapped; with a + behind, what a
 * call has left in buffers and statuses stays there. At its end each rank appends a line to FILE with a
 * digest of its memory, past isp (which would not merge a program that has changed a file), and makes a type
 * that it never frees, at one of eight places by the digest: so isp counts how often each came about.
 */
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NUMBERS = 20, REQUESTS = 12, COMMS = 3, INSTRUCTIONS = 100, WORDS = 10, BY_SOURCE = 8, POLLS = 6 };

enum { SUM, OVER, LAST, HASH, MAX, XOR };

struct request {
    MPI_Request handle;
    int message[2];
    const char *how; /* what becomes of the message; NULL: it sends */
    bool persistent;
};

struct item {
    struct item *next;
    int value, source;
};

struct memory {
    int number[NUMBERS];
    struct request requests[REQUESTS];
    struct item *list;
    char *block;
};

static struct memory in_static;
static _Thread_local struct memory in_thread;
static _Thread_local int apart;
static struct memory *m;
static bool keeps;
static int rank, size;
static MPI_Comm comms[COMMS];
static char *line[INSTRUCTIONS][WORDS]; /* their words */
static int n_instructions;

static bool is(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* ---- operands: 5, *, $3, $3%2, $3%2+1 ---- */

static int number(const char *word)
{
    int which = 0, modulo = 0, more = 0;
    if (*word == '*')
        return MPI_ANY_SOURCE;
    if (*word != '$')
        return atoi(word);
    sscanf(word + 1, "%d%%%d+%d", &which, &modulo, &more);
    return (modulo ? (int)((unsigned)m->number[which] % (unsigned)modulo) : m->number[which]) + more;
}

static int tag_of(const char *word) { return *word == '*' ? MPI_ANY_TAG : number(word); }
static struct request *request(const char *word) { return &m->requests[atoi(word) % REQUESTS]; }
static MPI_Comm comm(const char *word) { return comms[atoi(word) % COMMS]; }

/* ---- what becomes of a message ---- */

static void put_in_list(bool sorted, int value, int source)
{
    struct item **at = &m->list, *new = malloc(sizeof *new);
    while (sorted && *at && (*at)->value < value)
        at = &(*at)->next;
    *new = (struct item){*at, value, source};
    *at = new;
}

static void take(const char *how, int value, const MPI_Status *status)
{
    static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    int *n = m->number, source = status->MPI_SOURCE;
    if (is(how, "sum"))
        n[SUM] += value;
    else if (is(how, "over"))
        n[OVER] = value;
    else if (is(how, "last"))
        n[LAST] = source;
    else if (is(how, "hash"))
        n[HASH] = (int)((unsigned)n[HASH] * 31u + (unsigned)value);
    else if (is(how, "max"))
        n[MAX] = value > n[MAX] ? value : n[MAX];
    else if (is(how, "xor"))
        n[XOR] ^= value;
    else if (is(how, "source"))
        n[BY_SOURCE + source] += value;
    else if (is(how, "tag"))
        n[OVER] = status->MPI_TAG;
    else if (is(how, "list") || is(how, "sorted"))
        put_in_list(is(how, "sorted"), value, source);
    else if (is(how, "print"))
        printf("%d from %d\n", value, source);
    else if (is(how, "thread"))
        apart = source;
    else if (is(how, "errno"))
        errno = source;
    else if (is(how, "round"))
        fesetround(modes[source % 4]);
    else if (is(how, "block")) {
        free(m->block);
        m->block = calloc(1, 64u * (unsigned)(source + 1));
    }
}

static void received(const char *how, int *message, MPI_Status *status)
{
    take(how, message[0] + (keeps ? message[1] : 0), status);
    if (!keeps) {
        memset(message, 0, 2 * sizeof *message);
        memset(status, 0, sizeof *status);
    }
}

/* ---- messages ---- */

static __attribute__((noinline)) void receive(const char *how, const char *source, const char *tag,
                                              const char *on)
{
    static int message[2];
    static MPI_Status status;
    MPI_Recv(message, 2, MPI_INT, number(source), tag_of(tag), comm(on), &status);
    received(how, message, &status);
}

static void probe(char **w)
{
    int message[2] = {0}, is_there = 1;
    MPI_Message matched;
    MPI_Status status;
    int source = number(w[1]), tag = tag_of(w[2]);
    MPI_Comm on = comm(w[4]);
    if (is(w[0], "probe"))
        MPI_Probe(source, tag, on, &status);
    else if (is(w[0], "iprobe"))
        MPI_Iprobe(source, tag, on, &is_there, &status);
    else if (is(w[0], "mprobe"))
        MPI_Mprobe(source, tag, on, &matched, &status);
    else
        for (is_there = 0; !is_there;)
            MPI_Improbe(source, tag, on, &is_there, &matched, &status);
    if (is_there && strstr(w[0], "mprobe"))
        MPI_Mrecv(message, 2, MPI_INT, &matched, &status);
    else if (is_there)
        MPI_Recv(message, 2, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, on, &status);
    if (is_there)
        received(w[3], message, &status);
    else
        m->number[POLLS]++;
}

/* The first one is kept where the compiler likes, in a register mostly. */
static __attribute__((noinline)) void pair(char **w)
{
    int first, second;
    MPI_Status status;
    MPI_Recv(&first, 1, MPI_INT, number(w[1]), tag_of(w[2]), comm(w[4]), MPI_STATUS_IGNORE);
    MPI_Recv(&second, 1, MPI_INT, number(w[1]), tag_of(w[2]), comm(w[4]), &status);
    take(w[3], first + 3 * second, &status);
}

static void send(char **w)
{
    int message[2] = {number(w[3]), 7 + rank}, dest = number(w[1]), tag = number(w[2]), n = 1 + rank % 2;
    (*w[0] == 's' && w[0][1] == 's' ? MPI_Ssend : MPI_Send)(message, n, MPI_INT, dest, tag, comm(w[4]));
}

static void isend(char **w)
{
    struct request *r = request(w[5]);
    int dest = number(w[1]), tag = number(w[2]), n = 1 + rank % 2;
    r->message[0] = number(w[3]);
    r->how = NULL;
    if ((r->persistent = is(w[0], "sinit")))
        MPI_Send_init(r->message, n, MPI_INT, dest, tag, comm(w[4]), &r->handle);
    else
        (is(w[0], "issend") ? MPI_Issend : MPI_Isend)(r->message, n, MPI_INT, dest, tag, comm(w[4]),
                                                      &r->handle);
}

static void irecv(char **w)
{
    struct request *r = request(w[5]);
    r->how = w[3];
    r->persistent = is(w[0], "rinit");
    (r->persistent ? MPI_Recv_init : MPI_Irecv)(r->message, 2, MPI_INT, number(w[1]), tag_of(w[2]),
                                                comm(w[4]), &r->handle);
}

static void sendrecv(char **w)
{
    int out = number(w[5]), in[2] = {0};
    MPI_Status status;
    MPI_Sendrecv(&out, 1, MPI_INT, number(w[6]), number(w[2]), in, 2, MPI_INT, number(w[1]), tag_of(w[2]),
                 comm(w[4]), &status);
    received(w[3], in, &status);
}

/* ---- completion: KIND REQUEST... ---- */

static void complete(struct request *r, MPI_Status *status)
{
    if (r->how)
        received(r->how, r->message, status);
}

static void wait_all(char **w, bool test, int n, MPI_Request *handles)
{
    MPI_Status statuses[REQUESTS];
    bool active[REQUESTS];
    int flag = 1;
    memset(statuses, 0, sizeof statuses);
    for (int i = 0; i < n; i++)
        active[i] = handles[i] != MPI_REQUEST_NULL;
    if (test)
        MPI_Testall(n, handles, &flag, statuses);
    else if (n == 1)
        MPI_Wait(handles, statuses);
    else
        MPI_Waitall(n, handles, statuses);
    for (int i = 0; i < n && flag; i++)
        if (active[i] && statuses[i].MPI_SOURCE >= 0)
            complete(request(w[i + 1]), &statuses[i]);
    m->number[POLLS] += !flag;
}

static void wait_some(char **w, bool test, bool any, int n, MPI_Request *handles)
{
    MPI_Status statuses[REQUESTS];
    int indices[REQUESTS], n_done = 1, flag = 1;
    memset(statuses, 0, sizeof statuses);
    if (any && test)
        MPI_Testany(n, handles, indices, &flag, statuses);
    else if (any)
        MPI_Waitany(n, handles, indices, statuses);
    else
        (test ? MPI_Testsome : MPI_Waitsome)(n, handles, &n_done, indices, statuses);
    if (!flag || n_done == 0)
        m->number[POLLS]++;
    if (!flag || n_done == MPI_UNDEFINED || (any && indices[0] == MPI_UNDEFINED))
        return;
    for (int i = 0; i < n_done; i++)
        complete(request(w[indices[i] + 1]), &statuses[i]);
}

static void finish(char **w)
{
    MPI_Request handles[REQUESTS];
    bool test = *w[0] == 't';
    int n = 0;
    for (; w[n + 1]; n++)
        handles[n] = request(w[n + 1])->handle;
    if (is(w[0] + 4, "any") || is(w[0] + 4, "some"))
        wait_some(w, test, w[0][4] == 'a', n, handles);
    else
        wait_all(w, test, n, handles);
    for (int i = 0; i < n; i++)
        request(w[i + 1])->handle = handles[i];
}

/* until: as long as it takes; count: so often at most, and it is kept how often; ever: both */
static void poll(char **w)
{
    struct request *r = request(w[1]);
    MPI_Status status;
    int done = 0, most = is(w[0], "count") ? number(w[2]) : 0;
    memset(&status, 0, sizeof status);
    status.MPI_SOURCE = -1;
    bool active = r->handle != MPI_REQUEST_NULL;
    for (int i = 0; !done && (!most || i < most); i += most > 0) {
        MPI_Test(&r->handle, &done, &status);
        m->number[POLLS] += !done && !is(w[0], "until");
    }
    if (done && active && status.MPI_SOURCE >= 0)
        complete(r, &status);
}

/* ---- collectives ---- */

static unsigned digest(void);

/* So rank 0's memory at the end is that of all. */
static void gather(MPI_Comm on)
{
    unsigned mine = digest(), all[16] = {0};
    MPI_Gather(&mine, 1, MPI_UNSIGNED, all, 1, MPI_UNSIGNED, 0, on);
    for (int i = 0; i < 16; i++)
        m->number[NUMBERS - 1] = (int)((unsigned)m->number[NUMBERS - 1] * 31u + all[i]);
}

static void collective(char **w)
{
    int mine = w[2] ? number(w[2]) : 0, all = 0;
    MPI_Comm on = comm(w[1]);
    if (is(w[0], "barrier"))
        MPI_Barrier(on);
    else if (is(w[0], "ibarrier")) {
        request(w[2])->how = NULL;
        MPI_Ibarrier(on, &request(w[2])->handle);
    } else if (is(w[0], "allreduce"))
        MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, on);
    else if (is(w[0], "reduce"))
        MPI_Reduce(&mine, &all, 1, MPI_INT, MPI_SUM, 0, on);
    else if (is(w[0], "bcast"))
        MPI_Bcast(&mine, 1, MPI_INT, 0, on);
    else if (is(w[0], "gather"))
        gather(on);
    else if (is(w[0], "dup"))
        MPI_Comm_dup(on, &comms[1]);
    else
        MPI_Comm_split(on, mine, -rank, &comms[2]);
    if (is(w[0], "allreduce") || is(w[0], "reduce") || is(w[0], "bcast"))
        m->number[12 + rank] += all + mine;
}

/* ---- control ---- */

static void fail_if(int value, int wrong)
{
    if (value != wrong)
        return;
    switch (wrong % 4) {
    case 0: MPI_Abort(MPI_COMM_WORLD, 3); break;
    case 1: MPI_Abort(MPI_COMM_WORLD, 4); break;
    case 2: MPI_Send(NULL, 0, MPI_INT, size, 0, MPI_COMM_WORLD); break;
    default: MPI_Abort(MPI_COMM_WORLD, 5);
    }
}

static void run(int from, int to);

static __attribute__((noinline)) void nest(int deep, int from, int to)
{
    if (deep > 0)
        nest(deep - 1, from, to);
    else
        run(from, to);
    __asm__ volatile("" ::: "memory"); /* no tail call: the stack is what differs */
}

/* How many further instructions are done with. */
static int step(int at)
{
    char **w = line[at];
    static const struct {
        const char *names;
        void (*call)(char **w);
    } calls[] = {{" send ssend ", send},
                 {" isend issend sinit ", isend},
                 {" irecv rinit ", irecv},
                 {" probe iprobe mprobe improbe ", probe},
                 {" pair ", pair},
                 {" sendrecv ", sendrecv},
                 {" wait waitall waitany waitsome testall testany testsome ", finish},
                 {" until count ever ", poll},
                 {" barrier ibarrier allreduce reduce bcast gather dup split ", collective}};
    char name[20];
    snprintf(name, sizeof name, " %s ", w[0]);
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strstr(calls[i].names, name))
            calls[i].call(w);
    if (is(w[0], "recv"))
        receive(w[3], w[1], w[2], w[4]);
    else if (is(w[0], "start"))
        MPI_Start(&request(w[1])->handle);
    else if (is(w[0], "free"))
        MPI_Request_free(&request(w[1])->handle);
    else if (is(w[0], "errno"))
        m->number[7] = errno;
    else if (is(w[0], "forget"))
        m->number[number(w[1])] = 0;
    else if (is(w[0], "fail"))
        fail_if(number(w[1]), number(w[2]));
    else if (is(w[0], "skip"))
        return number(w[1]) == number(w[2]) ? number(w[3]) : 0;
    else if (is(w[0], "nest")) {
        nest(number(w[1]), at + 1, at + 1 + number(w[2]));
        return number(w[2]);
    }
    return 0;
}

static void run(int from, int to)
{
    for (int at = from; at < to && at < n_instructions; at++)
        at += step(at);
}

/* ---- beginning and end ---- */

static void read_program(char *text)
{
    char *lines, *instructions, *words;
    char *mine = strtok_r(text, "/", &lines);
    for (int i = 0; i < rank; i++)
        mine = strtok_r(NULL, "/", &lines);
    for (char *t = strtok_r(mine, ";", &instructions); t && n_instructions < INSTRUCTIONS;
         t = strtok_r(NULL, ";", &instructions)) {
        int n = 0;
        for (char *word = strtok_r(t, " ", &words); word && n < WORDS - 1; word = strtok_r(NULL, " ", &words))
            line[n_instructions][n++] = word;
        n_instructions += n > 0;
    }
}

static void choose_memory(const char *home, struct memory *on_stack)
{
    m = on_stack;
    if (strstr(home, "static"))
        m = &in_static;
    else if (strstr(home, "thread"))
        m = &in_thread;
    else if (strstr(home, "heap"))
        m = malloc(sizeof *m);
    else if (strstr(home, "mapped"))
        m = mmap(NULL, sizeof *m, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(m, 0, sizeof *m);
    for (int i = 0; i < REQUESTS; i++)
        m->requests[i].handle = MPI_REQUEST_NULL;
    keeps = strchr(home, '+') != NULL;
}

static unsigned digest(void)
{
    unsigned all = 17;
    for (int i = 0; i < NUMBERS; i++)
        all = all * 1000003u + (unsigned)m->number[i];
    for (const struct item *i = m->list; i; i = i->next)
        all = all * 31u + (unsigned)(i->value * 10 + i->source);
    all = all * 31u + (unsigned)apart;
    return all * 31u + (unsigned)fegetround();
}

static void tell(const char *file, unsigned what)
{
    char text[40];
    int n = snprintf(text, sizeof text, "%d %08x\n", rank, what);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND, 0600);
    syscall(SYS_write, fd, text, n);
    syscall(SYS_close, fd);
}

static void leave_a_type(unsigned what)
{
    MPI_Datatype type;
    switch (what * 0x9e3779b1u >> 29) {
    case 0: MPI_Type_contiguous(2, MPI_INT, &type); break;
    case 1: MPI_Type_contiguous(2, MPI_INT, &type); break;
    case 2: MPI_Type_contiguous(2, MPI_INT, &type); break;
    case 3: MPI_Type_contiguous(2, MPI_INT, &type); break;
    case 4: MPI_Type_contiguous(2, MPI_INT, &type); break;
    case 5: MPI_Type_contiguous(2, MPI_INT, &type); break;
    case 6: MPI_Type_contiguous(2, MPI_INT, &type); break;
    default: MPI_Type_contiguous(2, MPI_INT, &type);
    }
}

int main(int argc, char **argv)
{
    struct memory on_stack;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 4)
        MPI_Abort(MPI_COMM_WORLD, 2);
    read_program(argv[3]);
    choose_memory(argv[2], &on_stack);
    comms[0] = comms[1] = comms[2] = MPI_COMM_WORLD;
    run(0, n_instructions);
    tell(argv[1], digest());
    leave_a_type(digest());
    for (int i = 1; i < COMMS; i++)
        if (comms[i] != MPI_COMM_WORLD)
            MPI_Comm_free(&comms[i]);
    MPI_Finalize();
    return 0;
}
