/* SPDX-License-Identifier: BSD-3-Clause */
#include "segments.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/alloc.h"

enum { PAGE = 4096 };

struct page {
    unsigned users;
    unsigned char bytes[PAGE];
};

struct segment {
    int rank;
    bool is_new; /* never saved */
    unsigned char *map;
    size_t n;             /* pages */
    struct page **saved;  /* what was there when it was saved or put back last; NULL: zeros */
    unsigned char *there; /* for each page, whether there is one */
    int fd;               /* -1: the machine swaps nothing out */
};

struct sched_segments {
    struct segment *all;
    size_t n;
};

struct sched_memory {
    size_t n;
    size_t *n_pages;
    struct page ***pages; /* of each segment */
};

static void let_go(struct page *p)
{
    if (p && --p->users == 0)
        free(p);
}

static struct page *share(struct page *p)
{
    if (p)
        p->users++;
    return p;
}

/* ---- segments ---- */

struct sched_segments *sched_segments_create(void) { return sched_alloc(1, sizeof(struct sched_segments)); }

static void segment_finish(struct segment *s)
{
    munmap(s->map, s->n * PAGE);
    for (size_t i = 0; i < s->n; i++)
        let_go(s->saved[i]);
    free(s->saved);
    free(s->there);
    if (s->fd >= 0)
        close(s->fd);
}

void sched_segments_destroy(struct sched_segments *segments)
{
    if (!segments)
        return;
    for (size_t i = 0; i < segments->n; i++)
        segment_finish(&segments->all[i]);
    free(segments->all);
    free(segments);
}

/* mincore() does not know of pages that were swapped out: where there may be some, the file is asked. */
static bool may_swap(void)
{
    struct sysinfo info;
    return sysinfo(&info) < 0 || info.totalswap > 0;
}

bool sched_segments_add(struct sched_segments *segments, int rank, pid_t pid, int number)
{
    char path[64];
    struct stat st;
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pid, number);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return false;
    void *map = fstat(fd, &st) == 0 && st.st_size > 0
                    ? mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                    : MAP_FAILED;
    bool keeps_fd = map != MAP_FAILED && may_swap();
    if (!keeps_fd)
        close(fd);
    if (map == MAP_FAILED)
        return false;
    segments->all = sched_grow(segments->all, segments->n + 1, sizeof *segments->all);
    struct segment *s = &segments->all[segments->n++];
    *s = (struct segment){.rank = rank,
                          .is_new = true,
                          .map = map,
                          .fd = keeps_fd ? fd : -1,
                          .n = ((size_t)st.st_size + PAGE - 1) / PAGE};
    s->saved = sched_alloc(s->n, sizeof(struct page *));
    s->there = sched_alloc(s->n, 1);
    return true;
}

size_t sched_segments_count(const struct sched_segments *segments) { return segments->n; }

/* ---- pages ---- */

static const unsigned char zeros[PAGE];

static const unsigned char *bytes_of(const struct page *p) { return p ? p->bytes : zeros; }

static void look_at_file(struct segment *s)
{
    memset(s->there, 0, s->n);
    off_t end = 0, data;
    while ((data = lseek(s->fd, end, SEEK_DATA)) >= 0 && (end = lseek(s->fd, data, SEEK_HOLE)) > data)
        for (size_t i = (size_t)data / PAGE; i < s->n && i * PAGE < (size_t)end; i++)
            s->there[i] = 1;
}

/* Which pages there are; if that cannot be told, all of them. */
static void look(struct segment *s)
{
    if (s->fd >= 0)
        look_at_file(s);
    else if (mincore(s->map, s->n * PAGE, s->there) < 0)
        memset(s->there, 1, s->n);
}

static bool is_there(const struct segment *s, size_t i) { return s->there[i] & 1; }

static void save_page(struct segment *s, size_t i)
{
    const unsigned char *now = s->map + i * PAGE;
    if (!is_there(s, i) || memcmp(now, bytes_of(s->saved[i]), PAGE) == 0)
        return;
    let_go(s->saved[i]);
    s->saved[i] = sched_must(malloc(sizeof(struct page)));
    s->saved[i]->users = 1;
    memcpy(s->saved[i]->bytes, now, PAGE);
}

static void restore_page(struct segment *s, size_t i, struct page *p)
{
    unsigned char *now = s->map + i * PAGE;
    if ((is_there(s, i) || p) && memcmp(now, bytes_of(p), PAGE) != 0)
        memcpy(now, bytes_of(p), PAGE);
    if (s->saved[i] == p)
        return;
    let_go(s->saved[i]);
    s->saved[i] = share(p);
}

static void save_all(struct sched_segments *segments, const bool *changed)
{
    for (size_t k = 0; k < segments->n; k++) {
        struct segment *s = &segments->all[k];
        if (!changed[s->rank] && !s->is_new)
            continue;
        look(s);
        for (size_t i = 0; i < s->n; i++)
            save_page(s, i);
        s->is_new = false;
    }
}

static void restore_all(struct sched_segments *segments, const struct sched_memory *memory,
                        const bool *changed)
{
    for (size_t k = 0; k < memory->n; k++) {
        struct segment *s = &segments->all[k];
        if (!changed[s->rank])
            continue;
        look(s);
        for (size_t i = 0; i < s->n; i++)
            restore_page(s, i, memory->pages[k][i]);
    }
}

/* A rank may have truncated its memory: who touches what is gone gets a signal. */
static sigjmp_buf gone;

static void on_bus_error(int signal) { siglongjmp(gone, 1); }

/* Saves all, or puts `memory` back. */
static bool touch(struct sched_segments *segments, const struct sched_memory *memory, const bool *changed)
{
    struct sigaction before;
    sigaction(SIGBUS, &(struct sigaction){.sa_handler = on_bus_error, .sa_flags = SA_NODEFER}, &before);
    volatile bool ok = false;
    if (sigsetjmp(gone, 0) == 0) {
        if (memory)
            restore_all(segments, memory, changed);
        else
            save_all(segments, changed);
        ok = true;
    }
    sigaction(SIGBUS, &before, NULL);
    return ok;
}

struct sched_memory *sched_segments_save(struct sched_segments *segments, const bool *changed)
{
    if (!touch(segments, NULL, changed))
        return NULL;
    struct sched_memory *m = sched_alloc(1, sizeof *m);
    m->n = segments->n;
    m->n_pages = sched_alloc(m->n, sizeof *m->n_pages);
    m->pages = sched_alloc(m->n, sizeof *m->pages);
    for (size_t k = 0; k < m->n; k++) {
        const struct segment *s = &segments->all[k];
        m->n_pages[k] = s->n;
        m->pages[k] = sched_alloc(s->n, sizeof(struct page *));
        for (size_t i = 0; i < s->n; i++)
            m->pages[k][i] = share(s->saved[i]);
    }
    return m;
}

bool sched_segments_restore(struct sched_segments *segments, const struct sched_memory *memory,
                            const bool *changed)
{
    while (segments->n > memory->n)
        segment_finish(&segments->all[--segments->n]);
    return touch(segments, memory, changed);
}

void sched_memory_destroy(struct sched_memory *memory)
{
    if (!memory)
        return;
    for (size_t k = 0; k < memory->n; k++) {
        for (size_t i = 0; i < memory->n_pages[k]; i++)
            let_go(memory->pages[k][i]);
        free(memory->pages[k]);
    }
    free(memory->pages);
    free(memory->n_pages);
    free(memory);
}
