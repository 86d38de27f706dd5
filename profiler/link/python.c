/* SPDX-License-Identifier: BSD-3-Clause */
/* See python.h. Only functions of Python's stable interface are called (3.9 and later), which are found by
 * name. mpi4py calls MPI without the interpreter's lock, so it is taken. */
#include "python.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"

struct place {
    const char *file, *function;
    uint32_t line;
    const void *address;
};

enum { FRAMES = 128 };
#define ARENA ((size_t)1 << 18) /* places */

static struct {
    void *(*thread)(void);
    int (*initialized)(void), (*ensure)(void), (*line)(void *);
    void (*release)(int), (*drop)(void *);
    void *(*frame)(void), *(*back)(void *), *(*code)(void *), *(*attribute)(void *, const char *);
    const char *(*text)(void *);
} python;

static struct place *arena;
static size_t used;
static uint32_t *table; /* a hash of them, number + 1: open addressing */
static size_t room;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool prof_python_find(void)
{
    static const struct {
        void *function;
        const char *name;
    } names[] = {{&python.thread, "PyGILState_GetThisThreadState"},
                 {&python.initialized, "Py_IsInitialized"},
                 {&python.ensure, "PyGILState_Ensure"},
                 {&python.release, "PyGILState_Release"},
                 {&python.frame, "PyEval_GetFrame"},
                 {&python.back, "PyFrame_GetBack"},
                 {&python.code, "PyFrame_GetCode"},
                 {&python.line, "PyFrame_GetLineNumber"},
                 {&python.attribute, "PyObject_GetAttrString"},
                 {&python.text, "PyUnicode_AsUTF8"},
                 {&python.drop, "Py_DecRef"}};
    if (arena)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        void *found = dlsym(RTLD_DEFAULT, names[i].name);
        if (!found)
            return false;
        memcpy(names[i].function, &found, sizeof found);
    }
    void *memory = mmap(NULL, ARENA * sizeof *arena, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    arena = memory == MAP_FAILED ? NULL : memory;
    return arena;
}

static const struct place *place_at(const void *address)
{
    uintptr_t from = (uintptr_t)arena, at = (uintptr_t)address;
    return from && at >= from && at < from + ARENA * sizeof *arena ? address : NULL;
}

const void *prof_python_address(const void *place)
{
    const struct place *p = place_at(place);
    return p ? p->address : place;
}

bool prof_python_put(struct isp_buf *b, const void *place)
{
    const struct place *p = place_at(place);
    if (!p)
        return false;
    char *name = prof_alloc(1, strlen(p->file) + strlen(p->function) + sizeof ISP_PYTHON + 1);
    strcat(strcat(strcat(strcpy(name, ISP_PYTHON), p->function), ":"), p->file);
    isp_put_u64(b, (uint64_t)p->line + 1);
    isp_put_str(b, name);
    free(name);
    return true;
}

/* ---- finding places again ---- */

static uint64_t hash_of(const struct place *p)
{
    uint64_t hash = p->line * 0x9e3779b97f4a7c15u ^ (uintptr_t)p->address;
    for (const char *c = p->file; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    for (const char *c = p->function; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
    return hash ^ hash >> 32;
}

static bool is_same(const struct place *a, const struct place *b)
{
    return a->line == b->line && a->address == b->address && strcmp(a->file, b->file) == 0 &&
           strcmp(a->function, b->function) == 0;
}

static uint32_t *find(const struct place *p)
{
    for (size_t i = hash_of(p);; i++) {
        uint32_t *at = &table[i & (room - 1)];
        if (!*at || is_same(&arena[*at - 1], p))
            return at;
    }
}

static void grow(void)
{
    free(table);
    room = room ? 2 * room : 1024;
    table = prof_alloc(room, sizeof *table);
    for (size_t i = 0; i < used; i++)
        *find(&arena[i]) = (uint32_t)i + 1;
}

/* NULL: there is no room for more. */
static const struct place *keep(const struct place *p)
{
    pthread_mutex_lock(&lock);
    if (2 * (used + 1) > room)
        grow();
    uint32_t *at = find(p);
    if (!*at && used < ARENA) {
        arena[used] = (struct place){strdup(p->file), strdup(p->function), p->line, p->address};
        *at = (uint32_t)++used;
    }
    const struct place *kept = *at ? &arena[*at - 1] : NULL;
    pthread_mutex_unlock(&lock);
    return kept;
}

/* ---- asking the interpreter ---- */

static bool is_mpi4pys(const char *file)
{
    return strstr(file, "/mpi4py/") || strncmp(file, "<frozen", 7) == 0;
}

static const struct place *place_of(void *frame, const void *address)
{
    void *code = python.code(frame), *file = python.attribute(code, "co_filename"),
         *function = python.attribute(code, "co_name");
    struct place p = {.file = file ? python.text(file) : NULL,
                      .function = function ? python.text(function) : NULL,
                      .line = (uint32_t)python.line(frame),
                      .address = address};
    const struct place *kept = p.file && p.function && !is_mpi4pys(p.file) ? keep(&p) : NULL;
    python.drop(function);
    python.drop(file);
    python.drop(code);
    return kept;
}

uint32_t prof_python_places(const void *address, const void **places, uint32_t most)
{
    uint32_t n = 0;
    if (!arena || !python.initialized() || !python.thread())
        return 0;
    int state = python.ensure();
    void *frame = python.frame(), *first = frame;
    for (int i = 0; frame && n < most && i < FRAMES; i++) {
        const struct place *p = place_of(frame, address);
        if (p)
            places[n++] = p;
        void *back = python.back(frame);
        if (frame != first) /* that one is borrowed */
            python.drop(frame);
        frame = back;
    }
    if (frame && frame != first)
        python.drop(frame);
    python.release(state);
    return n;
}
