/* SPDX-License-Identifier: BSD-3-Clause */
#include "segments.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"

enum { PAGE = 4096 };

struct page {
    unsigned users;
    unsigned char bytes[PAGE];
};

struct segment {
    int rank;
    bool is_new;         /* never saved */
    unsigned char *map;
    size_t n;            /* pages */
    struct page **saved; /* what was there when it was saved or put back last; NULL: zeros */
    unsigned char *there; /* for mincore */
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
    close(fd);
    if (map == MAP_FAILED)
        return false;
    segments->all = sched_grow(segments->all, segments->n + 1, sizeof *segments->all);
    struct segment *s = &segments->all[segments->n++];
    *s = (struct segment){.rank = rank, .is_new = true, .map = map, .n = ((size_t)st.st_size + PAGE - 1) / PAGE};
    s->saved = sched_alloc(s->n, sizeof(struct page *));
    s->there = sched_alloc(s->n, 1);
    return true;
}

size_t sched_segments_count(const struct sched_segments *segments) { return segments->n; }

/* ---- pages ---- */

static const unsigned char zeros[PAGE];

static const unsigned char *bytes_of(const struct page *p)
{
    return p ? p->bytes : zeros;
}

/* Which pages there are; if that cannot be told, all of them. */
static void look(struct segment *s)
{
    if (mincore(s->map, s->n * PAGE, s->there) < 0)
        memset(s->there, 1, s->n);
}

static bool is_there(const struct segment *s, size_t i)
{
    return s->there[i] & 1;
}

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

struct sched_memory *sched_segments_save(struct sched_segments *segments, const bool *changed)
{
    struct sched_memory *m = sched_alloc(1, sizeof *m);
    m->n = segments->n;
    m->n_pages = sched_alloc(m->n, sizeof *m->n_pages);
    m->pages = sched_alloc(m->n, sizeof *m->pages);
    for (size_t k = 0; k < m->n; k++) {
        struct segment *s = &segments->all[k];
        m->n_pages[k] = s->n;
        m->pages[k] = sched_alloc(s->n, sizeof(struct page *));
        bool look_at = changed[s->rank] || s->is_new;
        s->is_new = false;
        if (look_at)
            look(s);
        for (size_t i = 0; i < s->n; i++) {
            if (look_at)
                save_page(s, i);
            m->pages[k][i] = share(s->saved[i]);
        }
    }
    return m;
}

void sched_segments_restore(struct sched_segments *segments, const struct sched_memory *memory, const bool *changed)
{
    while (segments->n > memory->n)
        segment_finish(&segments->all[--segments->n]);
    for (size_t k = 0; k < memory->n; k++) {
        struct segment *s = &segments->all[k];
        if (!changed[s->rank])
            continue;
        look(s);
        for (size_t i = 0; i < s->n; i++)
            restore_page(s, i, memory->pages[k][i]);
    }
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
