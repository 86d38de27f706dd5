/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One rank that goes one of two ways, as the scheduler completes one of two requests first, and then waits
 * in a barrier, where it is asked for its state. On the second way it does what its argument says: `states
 * list` has all that there is. What it does must be in the state, but for what begins with `same-`.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "states_library.h"

static volatile int a_static;
static volatile int a_bss[5000];
static __thread volatile int a_thread_local;
enum { PAGE = 4096 };

static char *heap, *given, *mapped, *pages, *read_only;
static int file, itself, keyval, value;
static MPI_Comm comm;
static MPI_Datatype type;
static MPI_Request persistent, receive;
static MPI_Info info;
static int into[8];

static void *start(void *p) { return p; }
static void handler(int s) { (void)s; }
static void add_up(void *in, void *out, int *n, MPI_Datatype *t) { (void)in, (void)out, (void)n, (void)t; }
static void fail(MPI_Comm *c, int *code, ...) { (void)c, (void)code; }

static void nothing(void) {}
static void change_static(void) { a_static = 1; }
static void change_bss(void) { a_bss[4000] = 1; }
static void change_library(void) { states_library_change(); }
static void change_library_hidden(void) { states_library_count(); }
static void change_heap(void) { heap[1000] = 1; }
static void change_thread_local(void) { a_thread_local = 1; }
static void change_errno(void) { errno = ERANGE; }
static void change_locale(void) { setlocale(LC_ALL, "C.UTF-8"); }
static void change_rand(void) { (void)rand(); }
static void change_drand48(void) { (void)drand48(); }
static void change_malloc(void) { heap = realloc(heap, 3000); }
static void *volatile block;
static void change_malloc_more(void)
{
    block = malloc(100);
    block = NULL;
}
static void change_malloc_state(void)
{
    block = malloc(300);
    free(block);
    block = NULL;
}
static void change_offset(void) { lseek(file, 10, SEEK_SET); }
static void change_descriptor(void) { (void)!dup(file); }
static void change_descriptor_flag(void) { fcntl(file, F_SETFD, 0); }
static void change_file(void) { close(file), file = open("/etc/group", O_RDONLY | O_CLOEXEC); }
static void change_signal(void) { signal(SIGUSR1, handler); }
static void change_mask(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
}
static void change_given(void) { given[500] = 1; }
static void change_attribute(void) { MPI_Comm_set_attr(comm, keyval, &value); }
static void change_attribute_value(void) { value = 1; }
static void change_rounding(void) { fesetround(FE_UPWARD); }
static void change_exceptions(void) { feraiseexcept(FE_DIVBYZERO); }
static void change_dlerror(void) { block = dlsym(RTLD_DEFAULT, "no_function_of_this_name"); }
static void change_environment(void) { setenv("STATES_TEST", "other", 1); }
static void change_mapped(void) { mapped[5000] = 1; }
static void change_mapping(void)
{
    (void)!mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}
static void change_started(void) { MPI_Start(&persistent); }
static void change_request(void) { MPI_Irecv(into, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &receive); }
static void change_type(void)
{
    MPI_Type_free(&type);
    MPI_Type_contiguous(2, MPI_FLOAT, &type);
    MPI_Type_commit(&type);
}
static void change_type_and_receive(void)
{
    change_type();
    MPI_Irecv(into, 1, type, 0, 3, MPI_COMM_SELF, &receive);
}
static void change_info(void) { MPI_Info_set(info, "states", "other"); }
static void change_name(void) { MPI_Comm_set_name(comm, "other"); }
static void change_errhandler(void) { MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN); }
static void change_errhandler_function(void)
{
    MPI_Errhandler h;
    MPI_Comm_create_errhandler(fail, &h);
    MPI_Comm_set_errhandler(comm, h);
}
static void change_group(void)
{
    MPI_Group g;
    MPI_Comm_group(comm, &g);
    MPI_Group_free(&g);
}
static void change_operator(void)
{
    MPI_Op op;
    MPI_Op_create(add_up, 1, &op);
}
static void change_communicator(void)
{
    MPI_Comm made;
    MPI_Comm_dup(MPI_COMM_SELF, &made);
}
static void change_buffer(void) { MPI_Buffer_attach(heap, 1500); }
static void change_send(void)
{
    MPI_Request r;
    MPI_Isend(into + 4, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &r);
    MPI_Request_free(&r);
}
static void change_stdio(void) { printf("x"); }
static void change_ungetc(void) { ungetc('x', stdin); }
static void change_strtok(void)
{
    static char words[] = "one two";
    strtok(words, " ");
    strcpy(words, "one two");
}
static void change_atexit(void) { atexit(nothing); }
static void change_key(void)
{
    pthread_key_t key;
    pthread_key_create(&key, NULL);
}
static void change_key_value(void)
{
    static pthread_key_t key;
    pthread_key_create(&key, NULL);
    pthread_setspecific(key, (void *)1);
    key = 0;
}
static void change_timezone(void)
{
    setenv("TZ", "UTC-3", 1);
    tzset();
    unsetenv("TZ");
}
/* Behind the C library's back. */
static void change_by_kernel(void) { (void)!syscall(SYS_pread64, file, pages + PAGE, 8, 0); }
static void change_by_file(void)
{
    int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/self/mem", O_RDWR);
    (void)!syscall(SYS_pwrite64, fd, "new", 3, (intptr_t)(pages + 2 * PAGE));
    syscall(SYS_close, fd);
}
static void move(char *from, char *to)
{
    syscall(SYS_mremap, from, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to);
}
static void change_exchanged(void)
{
    move(pages + 3 * PAGE, pages + 8 * PAGE);
    move(pages + 4 * PAGE, pages + 3 * PAGE);
    move(pages + 8 * PAGE, pages + 4 * PAGE);
    syscall(SYS_mmap, pages + 8 * PAGE, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED,
            -1, 0);
}
static void change_dropped(void) { syscall(SYS_madvise, pages + 5 * PAGE, PAGE, MADV_DONTNEED); }
static void change_read_only(void)
{
    syscall(SYS_mmap, read_only, PAGE, PROT_READ, MAP_PRIVATE | MAP_FIXED, itself, PAGE);
}
static void unknown_far_descriptor(void) { fcntl(file, F_DUPFD, 1500); }
static void unknown_thread(void)
{
    pthread_t t;
    pthread_create(&t, NULL, start, NULL);
    pthread_join(t, NULL);
}
static void unknown_shared(void)
{
    (void)!mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}
static void unknown_timer(void)
{
    struct itimerval t = {{0, 0}, {1000, 0}};
    setitimer(ITIMER_VIRTUAL, &t, NULL);
}
static void unknown_folder(void) { (void)!chdir("/"); }
static void unknown_window(void)
{
    MPI_Win w;
    MPI_Win_create(heap, 100, 1, MPI_INFO_NULL, MPI_COMM_SELF, &w);
}
static void unknown_memory(void)
{
    static char *volatile large;
    large = malloc((size_t)80 << 20);
    memset(large, 1, (size_t)80 << 20);
}

static int depth(int n)
{
    volatile char garbage[3000];
    memset((void *)garbage, 'x', sizeof garbage);
    return n == 0 ? garbage[0] : depth(n - 1) + garbage[1];
}
static void same_exchanged(void)
{
    change_exchanged();
    change_exchanged();
}
static void same_written(void)
{
    for (int i = 0; i < 7; i++)
        pages[i * PAGE] += 1;
    for (int i = 0; i < 7; i++)
        pages[i * PAGE] -= 1;
}
static void same_stack(void) { depth(20); }
static void same_freed(void)
{
    block = malloc(700);
    memset(block, 7, 700);
    free(block);
    block = NULL;
}
static void same_read(void)
{
    int size, flag;
    void *v;
    MPI_Type_size(type, &size);
    MPI_Comm_size(comm, &size);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &v, &flag);
}
static void same_pack(void)
{
    int position = 0;
    char room[100];
    MPI_Pack(into, 2, MPI_INT, room, 100, &position, MPI_COMM_SELF);
}
static void same_again(void)
{
    a_static = 1;
    heap[1] = 1;
    a_static = 0;
    heap[1] = 0;
}

static const struct {
    const char *name;
    void (*change)(void);
} all[] = {
#define X(name) {#name, name},
    /* clang-format off */
    X(nothing)
    X(change_static) X(change_bss) X(change_library) X(change_library_hidden) X(change_heap)
    X(change_thread_local) X(change_errno) X(change_locale) X(change_rand) X(change_drand48) X(change_malloc)
    X(change_malloc_more) X(change_malloc_state) X(change_offset) X(change_descriptor)
    X(change_descriptor_flag) X(change_file) X(change_signal) X(change_mask) X(change_given)
    X(change_attribute) X(change_attribute_value) X(change_rounding) X(change_exceptions)
    X(change_dlerror) X(change_environment) X(change_mapped) X(change_mapping) X(change_started)
    X(change_request)
    X(change_type) X(change_type_and_receive) X(change_info) X(change_name) X(change_errhandler)
    X(change_errhandler_function) X(change_group) X(change_operator) X(change_communicator) X(change_buffer)
    X(change_send) X(change_stdio) X(change_ungetc) X(change_strtok) X(change_atexit) X(change_key)
    X(change_key_value) X(change_timezone)
    X(change_by_kernel) X(change_by_file) X(change_exchanged) X(change_dropped) X(change_read_only)
    X(unknown_far_descriptor)
    X(unknown_thread) X(unknown_shared) X(unknown_timer) X(unknown_folder)
    X(unknown_window) X(unknown_memory)
    X(same_stack) X(same_freed) X(same_read) X(same_pack) X(same_again)
    X(same_exchanged) X(same_written)
    /* clang-format on */
};

/* One place in the program for both. */
__attribute__((noipa)) static void complete_one(MPI_Request r[2], int *index)
{
    MPI_Waitany(2, r, index, MPI_STATUS_IGNORE);
    __asm__ volatile("");
}

/* Which of the two was completed first. */
__attribute__((noinline)) static int pick(void)
{
    MPI_Request r[2];
    int first = -1, index;
    for (int i = 0; i < 2; i++)
        MPI_Irecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &r[i]);
    for (int i = 0; i < 2; i++) {
        complete_one(r, &index);
        first = i == 0 ? index : first;
    }
    return first;
}

/* The variable is in a register that calls leave as it is, or on the stack. */
__attribute__((noinline)) static int hold(int second, int in_memory)
{
    volatile int on_stack = in_memory ? second : 0;
    int in_register = in_memory ? 0 : second;
    __asm__ volatile("" : "+r"(in_register));
    MPI_Barrier(MPI_COMM_SELF);
    __asm__ volatile("" : "+r"(in_register));
    return in_register + on_stack;
}

/* In a frame of its own, which is gone when the state is asked for. */
__attribute__((noipa)) static void change(size_t what)
{
    errno = 0;
    all[what].change();
    __asm__ volatile("" : : : "rbx", "r12", "r13", "r14", "r15");
}

/* Which way it goes, if who calls wants to know. */
__attribute__((noipa)) static int go(size_t what, int tells)
{
    int second = pick();
    change(second ? what : 0);
    return tells ? second : 0;
}

static void prepare(void)
{
    heap = calloc(2000, 1);
    mapped = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pages = mmap(NULL, 9 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < 8; i++)
        memset(pages + i * PAGE, 'a' + i, PAGE);
    file = open("/etc/passwd", O_RDONLY | O_CLOEXEC);
    itself = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    read_only = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, itself, 0);
    MPI_Alloc_mem(1000, MPI_INFO_NULL, &given);
    memset(given, 0, 1000);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(comm, keyval, NULL);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Info_create(&info);
    block = malloc(700);
    free(block);
    block = NULL;
    MPI_Recv_init(into, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &persistent);
}

int main(int argc, char **argv)
{
    size_t n = sizeof all / sizeof *all, what = 0;
    if (argc > 1 && strcmp(argv[1], "list") == 0) {
        for (size_t i = 0; i < n; i++)
            puts(all[i].name);
        return 0;
    }
    struct rlimit descriptors;
    getrlimit(RLIMIT_NOFILE, &descriptors);
    descriptors.rlim_cur = descriptors.rlim_max < 2000 ? descriptors.rlim_max : 2000;
    setrlimit(RLIMIT_NOFILE, &descriptors);
    MPI_Init(&argc, &argv);
    int in_memory = strcmp(argv[1], "change_stack") == 0, held = strcmp(argv[1], "change_register") == 0;
    while (what < n - 1 && strcmp(all[what].name, argv[1]) != 0)
        what++;
    if (in_memory || held)
        what = 0;
    prepare();
    int second = go(what, in_memory || held);
    int result = hold(second, in_memory);
    MPI_Finalize();
    return result > 1;
}
