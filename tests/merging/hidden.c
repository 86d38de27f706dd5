/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a program can remember of the past without any variable that says so. Rank 0 receives a message from
 * each of the others in any order, and hides who was first, in the way that its argument names. Then it
 * receives again, in any order: there a state may come up that is known. At last it looks where it has
 * hidden that, and fails an assertion if it was rank 2. `hidden list` has the ways.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <mpi.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static volatile int a_static;
static __thread volatile int a_thread_local;
static char *heap, *given, *mapped, *text;
static int file, pipe_ends[2];
static int keyval, attribute[2];
static MPI_Comm comm;
static MPI_Datatype type;
static MPI_Request request;
static MPI_Info info;
static FILE *stream;

static void on_signal(int s) { (void)s; }
static void on_error(MPI_Comm *c, int *code, ...)
{
    (void)c;
    a_static = *code;
}

/* Each hides whether `late`; and says afterwards whether it was. */
static void hide_nothing(int late) { (void)late; }
static int see_nothing(void) { return 0; }

static void hide_static(int late) { a_static = late; }
static int see_static(void) { return a_static; }

static void hide_heap(int late) { heap[2000] = (char)late; }
static int see_heap(void) { return heap[2000]; }

static void hide_mapping(int late) { mapped[5000] = (char)late; }
static int see_mapping(void) { return mapped[5000]; }

static void hide_read_only(int late)
{
    mapped[5000] = (char)late;
    mprotect(mapped, 8192, PROT_READ);
}
static int see_read_only(void) { return mapped[5000]; }

static void hide_without_access(int late)
{
    mapped[5000] = (char)late;
    mprotect(mapped, 8192, PROT_NONE);
}
static int see_without_access(void)
{
    mprotect(mapped, 8192, PROT_READ);
    return mapped[5000];
}

static void hide_thread_local(int late) { a_thread_local = late; }
static int see_thread_local(void) { return a_thread_local; }

static void hide_errno(int late) { errno = late ? ERANGE : 0; }
static int see_errno(void) { return errno == ERANGE; }

static void hide_locale(int late) { setlocale(LC_CTYPE, late ? "C.UTF-8" : "C"); }
static int see_locale(void) { return strcmp(setlocale(LC_CTYPE, NULL), "C") != 0; }

static int expected_random;
static void hide_random(int late)
{
    srand(7);
    expected_random = 0;
    if (late)
        (void)rand();
}
static int see_random(void)
{
    int next = rand();
    srand(7);
    return next != rand();
}

static void hide_tokens(int late)
{
    strcpy(text, "a b");
    strtok(text, late ? "b" : " ");
    strcpy(text, "a b");
}
static int see_tokens(void) { return strtok(NULL, " ") == NULL; }

static void hide_address(int late)
{
    void *a = malloc(300), *b = malloc(300);
    free(late ? a : b);
    free(late ? b : a);
}
static int see_address(void)
{
    void *a = malloc(300), *b = malloc(300);
    uintptr_t up = (uintptr_t)a < (uintptr_t)b;
    free(b);
    free(a);
    return (int)!up;
}

static void hide_offset(int late) { lseek(file, late ? 10 : 0, SEEK_SET); }
static int see_offset(void) { return lseek(file, 0, SEEK_CUR) == 10; }

static int next_descriptor;
static void hide_descriptor(int late)
{
    if (late)
        (void)!dup(file);
}
static int see_descriptor(void) { return dup(file) != next_descriptor; }

static void hide_content(int late)
{
    FILE *f = fopen("hidden.txt", "w");
    fprintf(f, "%d", late);
    fclose(f);
}
static int see_content(void)
{
    FILE *f = fopen("hidden.txt", "r");
    int late = fgetc(f) == '1';
    fclose(f);
    return late;
}

static void hide_name(int late)
{
    remove("hidden.name");
    if (late)
        fclose(fopen("hidden.name", "w"));
}
static int see_name(void) { return access("hidden.name", F_OK) == 0; }

static void hide_pipe(int late)
{
    if (late)
        (void)!write(pipe_ends[1], "x", 1);
}
static int see_pipe(void)
{
    char c;
    return read(pipe_ends[0], &c, 1) == 1;
}

static void hide_signal(int late) { signal(SIGUSR1, late ? on_signal : SIG_IGN); }
static int see_signal(void) { return signal(SIGUSR1, SIG_IGN) == on_signal; }

static void hide_mask(int late)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(late ? SIG_BLOCK : SIG_UNBLOCK, &set, NULL);
}
static int see_mask(void)
{
    sigset_t set;
    sigprocmask(SIG_BLOCK, NULL, &set);
    return sigismember(&set, SIGUSR1);
}

static void hide_rounding(int late) { fesetround(late ? FE_UPWARD : FE_TONEAREST); }
static int see_rounding(void) { return fegetround() == FE_UPWARD; }

static void hide_environment(int late) { setenv("HIDDEN", late ? "1" : "0", 1); }
static int see_environment(void) { return *getenv("HIDDEN") == '1'; }

static void hide_folder(int late) { (void)!chdir(late ? "/" : "."); }
static int see_folder(void)
{
    char folder[4096];
    return getcwd(folder, sizeof folder) && strcmp(folder, "/") == 0;
}

static void hide_umask(int late) { umask(late ? 077 : 022); }
static int see_umask(void) { return umask(022) == 077; }

static void hide_limit(int late)
{
    struct rlimit l;
    getrlimit(RLIMIT_CORE, &l);
    l.rlim_cur = late ? 0 : l.rlim_max < 4096 ? l.rlim_max : 4096;
    setrlimit(RLIMIT_CORE, &l);
}
static int see_limit(void)
{
    struct rlimit l;
    getrlimit(RLIMIT_CORE, &l);
    return l.rlim_cur == 0 && l.rlim_max > 0;
}

static void hide_given(int late) { given[10] = (char)late; }
static int see_given(void) { return given[10]; }

static void hide_attribute(int late) { MPI_Comm_set_attr(comm, keyval, &attribute[late]); }
static int see_attribute(void)
{
    int *value, is;
    MPI_Comm_get_attr(comm, keyval, &value, &is);
    return value == &attribute[1];
}

static void hide_info(int late) { MPI_Info_set(info, "hidden", late ? "1" : "0"); }
static int see_info(void)
{
    char value[8];
    int is;
    MPI_Info_get(info, "hidden", 7, value, &is);
    return *value == '1';
}

static void hide_handler(int late)
{
    MPI_Errhandler h;
    MPI_Comm_create_errhandler(on_error, &h);
    MPI_Comm_set_errhandler(comm, late ? h : MPI_ERRORS_RETURN);
    MPI_Errhandler_free(&h);
    h = MPI_ERRHANDLER_NULL;
}
static int see_handler(void)
{
    a_static = 0;
    MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
    return a_static == MPI_ERR_OTHER;
}

/* The handle is the same number, and means another type. */
static void hide_type(int late)
{
    MPI_Type_free(&type);
    MPI_Type_contiguous(late ? 3 : 2, MPI_INT, &type);
    MPI_Type_commit(&type);
}
static int see_type(void)
{
    int size;
    MPI_Type_size(type, &size);
    return size == 12;
}

static void hide_persistent(int late)
{
    if (late)
        MPI_Start(&request);
}
static int see_persistent(void)
{
    int is;
    MPI_Status status;
    status.MPI_TAG = 5;
    MPI_Request_get_status(request, &is, &status);
    if (is)
        return 0;
    MPI_Cancel(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return 1;
}

static void hide_stream(int late)
{
    rewind(stream);
    (void)fgetc(stream);
    if (late)
        (void)fgetc(stream);
}
static int see_stream(void) { return ftell(stream) == 2; }

static const struct way {
    const char *name;
    void (*hide)(int late);
    int (*see)(void);
} ways[] = {
#define WAY(name)                      \
    {                                  \
#name, hide_##name, see_##name \
    }
    WAY(nothing),        WAY(static), WAY(heap),       WAY(mapping), WAY(thread_local), WAY(errno),
    WAY(locale),         WAY(random), WAY(address),    WAY(offset),  WAY(descriptor),   WAY(content),
    WAY(name),           WAY(pipe),   WAY(signal),     WAY(mask),    WAY(rounding),     WAY(environment),
    WAY(folder),         WAY(umask),  WAY(limit),      WAY(given),   WAY(attribute),    WAY(info),
    WAY(handler),        WAY(type),   WAY(persistent), WAY(stream),  WAY(tokens),       WAY(read_only),
    WAY(without_access),
};

static int receive(void)
{
    MPI_Status status;
    int message, source;
    MPI_Recv(&message, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    source = status.MPI_SOURCE;
    memset(&status, 0, sizeof status);
    return source;
}

/* Nothing of it is left on the stack. */
static __attribute__((noinline)) void hide_first(const struct way *way)
{
    int late = receive() == 2;
    (void)receive();
    way->hide(late);
}

static void prepare(const char *name)
{
    heap = calloc(1, 4000);
    text = calloc(1, 100);
    mapped = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    file = open("/etc/passwd", O_RDONLY);
    stream = fopen("/etc/passwd", "r");
    if (strcmp(name, "pipe") == 0 && pipe(pipe_ends) == 0)
        fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
    next_descriptor = dup(file);
    close(next_descriptor);
    MPI_Alloc_mem(100, MPI_INFO_NULL, &given);
    memset(given, 0, 100);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Info_create(&info);
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Recv_init(heap, 1, MPI_INT, 0, 9, comm, &request);
}

static void clean_up(void)
{
    MPI_Request_free(&request);
    MPI_Type_free(&type);
    MPI_Info_free(&info);
    MPI_Comm_free_keyval(&keyval);
    MPI_Comm_free(&comm);
    MPI_Free_mem(given);
}

int main(int argc, char **argv)
{
    int rank, message = 0;
    const struct way *way = ways;
    for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++) {
        if (strcmp(argv[1], "list") == 0)
            puts(ways[i].name);
        if (strcmp(argv[1], ways[i].name) == 0)
            way = &ways[i];
    }
    if (argc > 1 && strcmp(argv[1], "list") == 0)
        return 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        prepare(way->name);
        hide_first(way);
        (void)receive();
        (void)receive();
        assert(!way->see());
        clean_up();
    } else if (rank <= 2) {
        for (int i = 0; i < 2; i++)
            MPI_Send(&message, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
