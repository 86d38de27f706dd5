/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that goes back to a state that it has noted (profiler/rewind/rewind.h). Each test runs in a
 * child, as in a rank; what it must remember over a return is in shared memory. Where the kernel cannot do
 * it, or may not, the tests are skipped.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "isp/wire.h"
#include "rewind/rewind.h"

enum { PAGE = 4096, GUARD_INSTALL = 102, SKIPPED = 77, WRONG = 2, LOST = 1 };

#define CHECK(condition)                                                        \
    do                                                                          \
        if (!(condition)) {                                                     \
            dprintf(2, "%s:%d: %s is false\n", __FILE__, __LINE__, #condition); \
            _exit(WRONG);                                                       \
        }                                                                       \
    while (0)

const struct isp_settings *prof_settings(void)
{
    static const struct isp_settings settings;
    return &settings;
}

/* ---- in the child ---- */

static struct {
    int steps, seed, depth;
    int left; /* returns, of a test */
    int noted, full;
} * shared;

static void begin(void)
{
    prof_rewind_begin();
    enum prof_rewind noted = prof_rewind_note();
    if (noted == PROF_REWIND_NONE)
        _exit(SKIPPED);
    CHECK(noted == PROF_REWIND_NOTED); /* nobody goes back to this one */
}

/* Also when it has come back: the same state again. */
static void note(void)
{
    enum prof_rewind noted;
    while ((noted = prof_rewind_note()) == PROF_REWIND_BACK)
        ;
    CHECK(noted == PROF_REWIND_NOTED);
}

static _Noreturn void go_back(int times)
{
    if (shared->left == 0)
        shared->left = times + 1;
    if (--shared->left == 0)
        _exit(0);
    prof_rewind_return();
}

static int global = 1;
static char zeros[20 * PAGE];

/* Several returns to one state. */
static void variables(void)
{
    char *heap = malloc(100000);
    volatile int local = 3;
    memset(heap, 4, 100000);
    errno = 5;
    begin();
    note();
    CHECK(global == 1 && zeros[7 * PAGE] == 0 && local == 3 && heap[0] == 4 && heap[99999] == 4);
    global = local = 2;
    memset(zeros, 2, sizeof zeros);
    memset(heap, 2, 100000);
    free(heap);
    free(malloc(1 << 20));
    go_back(3);
}

static void memory_that_is_gone(void)
{
    char *dropped = mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *unmapped = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    char *brk = sbrk(0);
    memset(dropped, 1, 8 * PAGE);
    char *guarded = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(guarded + PAGE, PAGE, GUARD_INSTALL); /* where the kernel knows that */
    begin();
    memset(unmapped, 2, 3 * PAGE);
    note();
    CHECK(dropped[0] == 1 && dropped[8 * PAGE - 1] == 1);
    CHECK(unmapped[0] == 2 && unmapped[3 * PAGE - 1] == 2 && unmapped[3 * PAGE] == 0);
    CHECK(sbrk(0) == brk);
    CHECK(guarded[0] == 0 && guarded[2 * PAGE] == 0);
    guarded[0] = guarded[2 * PAGE] = 1;
    madvise(dropped, 4 * PAGE, MADV_DONTNEED);
    CHECK(dropped[0] == 0);
    munmap(unmapped, 4 * PAGE);
    if (shared->left % 2) /* and now something else is there */
        memset(
            mmap(unmapped, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0),
            3, 4 * PAGE);
    sbrk(100 * PAGE);
    memset(brk, 1, 100 * PAGE);
    go_back(4);
}

static void memory_that_is_new(void)
{
    static char *made;
    begin();
    note();
    CHECK(!made);
    if (shared->depth) { /* where it was before: it is gone */
        unsigned char there;
        CHECK(mincore((void *)(intptr_t)shared->depth, PAGE, &there) < 0 && errno == ENOMEM);
    }
    made = mmap((void *)0x10000000, 10 * PAGE, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    CHECK(made == (void *)0x10000000);
    memset(made, 1, 10 * PAGE);
    shared->depth = 0x10000000;
    go_back(3);
}

static void on_signal(int number) {}

static void what_the_kernel_holds(void)
{
    int file = open("/dev/zero", O_RDONLY), fd;
    struct sigaction act;
    begin();
    note();
    CHECK(sigaction(SIGUSR1, NULL, &act) == 0 && act.sa_handler == SIG_DFL);
    fd = open("/dev/null", O_WRONLY);
    CHECK(fd == file + 1); /* those of the runs before are closed */
    dup(fd);
    signal(SIGUSR1, on_signal);
    go_back(3);
}

static void a_closed_descriptor(void)
{
    int file = open("/dev/zero", O_RDONLY);
    begin();
    note();
    close(file);
    go_back(1); /* it must end: the file cannot be had again */
}

static int new_file(const char *content)
{
    char name[] = "/tmp/isp-test-XXXXXX";
    int fd = mkstemp(name);
    CHECK(fd >= 0 && unlink(name) == 0);
    CHECK(write(fd, content, strlen(content)) == (ssize_t)strlen(content));
    return fd;
}

static void must_have(int fd, char content)
{
    char c = 0;
    CHECK(pread(fd, &c, 1, 0) == 1 && c == content);
}

/* Closed, closed with another one in its place, and one of which there is another open file with the same
 * number: each is what it was, with its flags. */
static void a_closed_file(void)
{
    int a = new_file("a"), b = new_file("b"), other;
    begin();
    fcntl(b, F_SETFD, FD_CLOEXEC);
    int c = new_file("c");
    note();
    must_have(a, 'a');
    must_have(b, 'b');
    must_have(c, 'c');
    CHECK(fcntl(a, F_GETFD) == 0 && fcntl(b, F_GETFD) == FD_CLOEXEC && fcntl(a, F_GETFL) & O_RDWR);
    CHECK(!(fcntl(c, F_GETFL) & O_APPEND));
    CHECK(dup(a) == c + 1); /* those of the runs before are closed */
    close(c + 1);
    close(a);
    close(b);
    other = new_file("d");
    CHECK(other == a);
    bool is_second = prof_rewind_note() == PROF_REWIND_BACK;
    must_have(other, 'd');
    if (is_second)
        go_back(4); /* to the first */
    close(other);
    close(c);
    prof_rewind_return(); /* to the second */
}

/* The same number and the same file, opened anew: what was noted first has its own mode and offset. */
static void a_file_opened_again(void)
{
    int a = new_file("abc");
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", a);
    begin();
    note();
    CHECK(lseek(a, 0, SEEK_CUR) == 3 && !(fcntl(a, F_GETFL) & O_APPEND));
    int b = open(path, O_RDONLY | O_APPEND);
    CHECK(dup2(b, a) == a);
    bool is_second = prof_rewind_note() == PROF_REWIND_BACK;
    CHECK(fcntl(a, F_GETFL) & O_APPEND);
    if (is_second)
        go_back(4);
    close(a);
    prof_rewind_return();
}

static void what_spoils(void)
{
    begin();
    note();
    prof_rewind_spoil();
    go_back(1);
}

/* More than the room for copies. */
static void too_much(void)
{
    size_t size = 100 << 20;
    char *large = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    begin();
    note();
    CHECK(large[0] == 0);
    memset(large, 1, size);
    CHECK(prof_rewind_note() == PROF_REWIND_NONE);
    CHECK(large[0] == 1 && large[size - 1] == 1);
    go_back(2);
}

/* ---- at random, against copies ---- */

/* With more regions of pages than the kernel tells in one go (512). */
enum { STEPS = 3000, MOST = 8, MAPPED = 2000, HEAP = 60, FIXED = 40, ALL = MAPPED + HEAP + FIXED };

static char fixed[FIXED * PAGE] __attribute__((aligned(PAGE)));
static char *mapped, *heap;
static char (*copies)[ALL * PAGE]; /* shared */

static void copy_all(char *to)
{
    memcpy(to, mapped, MAPPED * PAGE);
    memcpy(to + MAPPED * PAGE, heap, HEAP * PAGE);
    memcpy(to + (MAPPED + HEAP) * PAGE, fixed, FIXED * PAGE);
}

static bool is_as(const char *copy)
{
    return memcmp(copy, mapped, MAPPED * PAGE) == 0 && memcmp(copy + MAPPED * PAGE, heap, HEAP * PAGE) == 0 &&
           memcmp(copy + (MAPPED + HEAP) * PAGE, fixed, FIXED * PAGE) == 0;
}

static unsigned draw(unsigned n) { return (unsigned)rand_r((unsigned *)&shared->seed) % n; }

static void write_some(void)
{
    for (unsigned i = draw(8) ? draw(20) : 1000; i > 0; i--) {
        unsigned at = draw(ALL * PAGE);
        char *p = at < MAPPED * PAGE            ? mapped + at
                  : at < (MAPPED + HEAP) * PAGE ? heap + (at - MAPPED * PAGE)
                                                : fixed + (at - (MAPPED + HEAP) * PAGE);
        *p = (char)draw(256);
    }
}

static void change_mapping(void)
{
    unsigned from = draw(MAPPED), n = 1 + draw(MAPPED - from);
    char *at = mapped + from * PAGE;
    if (draw(2)) {
        madvise(at, n * PAGE, MADV_DONTNEED);
    } else {
        munmap(at, n * PAGE);
        CHECK(mmap(at, n * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
              at);
    }
}

static void note_or_go_on(void)
{
    if (shared->depth == MOST)
        return;
    copy_all(copies[shared->depth]);
    switch (prof_rewind_note()) {
    case PROF_REWIND_NONE: shared->full++; return;
    case PROF_REWIND_NOTED:
        shared->noted++;
        shared->depth++;
        return;
    case PROF_REWIND_BACK: shared->depth--; break;
    }
    CHECK(is_as(copies[shared->depth]));
    if (draw(2))
        note_or_go_on(); /* the same state once more */
    else
        prof_rewind_moved();
}

static void random_steps(void)
{
    heap = malloc(HEAP * PAGE);
    memset(heap, 0, HEAP * PAGE);
    mapped = mmap(NULL, MAPPED * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(mapped, 1, MAPPED / 2 * PAGE);
    begin();
    while (shared->steps++ < STEPS)
        switch (draw(12)) {
        case 0:
        case 1:
        case 2: note_or_go_on(); break;
        case 3: change_mapping(); break;
        case 4:
        case 5:
        case 6:
            if (shared->depth > 0)
                prof_rewind_return();
            break;
        default: write_some();
        }
    CHECK(shared->noted > 20 * shared->full);
    _exit(0);
}

/* ---- the tests ---- */

/* The child's exit status. */
static int status_of(void (*child)(void), int seed)
{
    int status;
    memset(shared, 0, sizeof *shared);
    shared->seed = seed;
    pid_t pid = fork();
    if (pid == 0) {
        alarm(60);
        child();
        _exit(WRONG);
    }
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == SKIPPED)
        skip();
    return WEXITSTATUS(status);
}

static void variables_are_as_they_were(void **state) { assert_int_equal(status_of(variables, 0), 0); }
static void memory_comes_back(void **state) { assert_int_equal(status_of(memory_that_is_gone, 0), 0); }
static void new_memory_goes(void **state) { assert_int_equal(status_of(memory_that_is_new, 0), 0); }
static void descriptors_and_handlers_are_as_they_were(void **state)
{
    assert_int_equal(status_of(what_the_kernel_holds, 0), 0);
}
static void it_ends_if_a_device_was_closed(void **state)
{
    assert_int_equal(status_of(a_closed_descriptor, 0), LOST);
}
static void closed_files_are_open_again(void **state)
{
    assert_int_equal(status_of(a_closed_file, 0), 0);
    assert_int_equal(status_of(a_file_opened_again, 0), 0);
}
static void it_ends_if_it_is_spoilt(void **state) { assert_int_equal(status_of(what_spoils, 0), LOST); }
static void it_says_if_there_is_no_room(void **state) { assert_int_equal(status_of(too_much, 0), 0); }

static void random_steps_agree_with_copies(void **state)
{
    for (int seed = 1; seed <= 4; seed++) {
        print_message("seed %d\n", seed);
        assert_int_equal(status_of(random_steps, seed), 0);
    }
}

int main(void)
{
    shared = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    copies = mmap(NULL, MOST * sizeof *copies, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_are_as_they_were),
        cmocka_unit_test(memory_comes_back),
        cmocka_unit_test(new_memory_goes),
        cmocka_unit_test(descriptors_and_handlers_are_as_they_were),
        cmocka_unit_test(it_ends_if_a_device_was_closed),
        cmocka_unit_test(closed_files_are_open_again),
        cmocka_unit_test(it_ends_if_it_is_spoilt),
        cmocka_unit_test(it_says_if_there_is_no_room),
        cmocka_unit_test(random_steps_agree_with_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
