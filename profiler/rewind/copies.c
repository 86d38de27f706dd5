/* SPDX-License-Identifier: BSD-3-Clause */
#include "copies.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/own_ids.h"
#include "base/own_memory.h"
#include "pages.h"

enum {
    MOST = PROF_COPIES_MOST,
    SLOTS = 2 * MOST,
    MOST_FIRST = 1024, /* pages of the parent that are kept here as well; the others are read each time */
    FIRST_SLOTS = 2 * MOST_FIRST,
    MOST_READS = 512, /* in one system call */
};

struct copy {
    uint64_t page;
    uint32_t before; /* the one before it of the same page, + 1; 0: none */
};

static struct copies {
    pid_t parent;
    uint32_t n, n_first;
    size_t n_reads;
    struct iovec reads[MOST_READS]; /* of the parent's memory, to be made */
    struct copy all[MOST];
    uint32_t newest[SLOTS];         /* by page (hashed): its newest copy + 1 */
    uint64_t first_of[FIRST_SLOTS]; /* by page (hashed): that page */
    _Alignas(PROF_PAGE) char pages[MOST][PROF_PAGE];
    char first[FIRST_SLOTS][PROF_PAGE];
} * copies;

static uint32_t hash(uint64_t page) { return (uint32_t)(page / PROF_PAGE * 0x9e3779b97f4a7c15u >> 32); }

/* ---- the log ---- */

static uint32_t slot_of(uint64_t page)
{
    uint32_t i = hash(page) % SLOTS;
    while (copies->newest[i] && copies->all[copies->newest[i] - 1].page != page)
        i = (i + 1) % SLOTS;
    return i;
}

uint32_t prof_copies_count(void) { return copies->n; }

const void *prof_copies_of(uint64_t page)
{
    uint32_t newest = copies->newest[slot_of(page)];
    return newest ? copies->pages[newest - 1] : NULL;
}

bool prof_copies_push(uint64_t page)
{
    uint32_t slot = slot_of(page);
    if (copies->n == MOST)
        return false;
    memcpy(copies->pages[copies->n], (const void *)page, PROF_PAGE);
    copies->all[copies->n] = (struct copy){page, copies->newest[slot]};
    copies->newest[slot] = ++copies->n;
    return true;
}

/* Those behind a slot that becomes free may be there because it was taken. */
uint64_t prof_copies_pop(void)
{
    const struct copy *c = &copies->all[--copies->n];
    uint32_t slot = slot_of(c->page);
    copies->newest[slot] = c->before;
    for (uint32_t i = (slot + 1) % SLOTS; !c->before && copies->newest[i]; i = (i + 1) % SLOTS) {
        uint32_t newest = copies->newest[i];
        copies->newest[i] = 0;
        copies->newest[slot_of(copies->all[newest - 1].page)] = newest;
    }
    return c->page;
}

/* ---- the parent ---- */

static uint32_t first_slot_of(uint64_t page)
{
    uint32_t i = hash(page) % FIRST_SLOTS;
    while (copies->first_of[i] && copies->first_of[i] != page)
        i = (i + 1) % FIRST_SLOTS;
    return i;
}

static void keep_first(const struct iovec *read)
{
    for (size_t i = 0; i < read->iov_len && copies->n_first < MOST_FIRST; i += PROF_PAGE, copies->n_first++) {
        uint64_t page = (uint64_t)read->iov_base + i;
        uint32_t slot = first_slot_of(page);
        copies->first_of[slot] = page;
        memcpy(copies->first[slot], (const void *)page, PROF_PAGE);
    }
}

void prof_copies_flush(void)
{
    struct iovec *at = copies->reads, *end = at + copies->n_reads;
    while (at < end) {
        ssize_t n = process_vm_readv(copies->parent, at, (size_t)(end - at), at, (size_t)(end - at), 0);
        if (n <= 0)
            _exit(1);
        for (; at < end && (size_t)n >= at->iov_len; at++) {
            n -= (ssize_t)at->iov_len;
            keep_first(at);
        }
        if (n > 0)
            *at = (struct iovec){(char *)at->iov_base + n, at->iov_len - (size_t)n};
    }
    copies->n_reads = 0;
}

void prof_copies_return_first(uint64_t page)
{
    uint32_t slot = first_slot_of(page);
    if (copies->first_of[slot]) {
        memcpy((void *)page, copies->first[slot], PROF_PAGE);
        return;
    }
    struct iovec *last = copies->n_reads ? &copies->reads[copies->n_reads - 1] : NULL;
    if (last && (char *)last->iov_base + last->iov_len == (char *)page) {
        last->iov_len += PROF_PAGE;
        return;
    }
    if (copies->n_reads == MOST_READS)
        prof_copies_flush();
    copies->reads[copies->n_reads++] = (struct iovec){(void *)page, PROF_PAGE};
}

static bool reads_parent(void)
{
    static int probe = 1;
    int there = 0;
    struct iovec to = {&there, sizeof there}, from = {&probe, sizeof probe};
    return process_vm_readv(copies->parent, &to, 1, &from, 1, 0) == sizeof there && there == 1;
}

/* ---- the beginning ---- */

void prof_copies_finish(void) { copies = prof_own_memory_unmap(copies); }

bool prof_copies_begin(void)
{
    prof_copies_finish(); /* the parent's */
    copies = prof_own_memory_map(sizeof *copies);
    if (!copies)
        return false;
    copies->parent = prof_own_ppid();
    if (reads_parent())
        return true;
    prof_copies_finish();
    return false;
}
