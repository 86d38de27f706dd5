/* SPDX-License-Identifier: BSD-3-Clause */
/* See watch_pages.h. */
#include "watch_pages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "base/phase.h"
#include "link/uplink.h"
#include "threads/thread.h"
#include "watch_means.h"
#include "watch_signal.h"

enum { PAGE = 4096, MOST = 64, WRITE_FAULT = 2 };

bool prof_pages_are_shut;

static struct {
    uintptr_t low, high;
    bool loads; /* not even readable */
    struct prof_watch *watch;
} shut[MOST]; /* also what was opened by an access; their memory is left open then */
static unsigned n_shut;

static enum { UNTRIED, READY, OFF } state;
static struct sigaction before;

static bool protect(unsigned i, int protection)
{
    return mprotect((void *)shut[i].low, shut[i].high - shut[i].low, protection) == 0;
}

/* ---- the signal ---- */

static bool is_ours(uintptr_t address, unsigned *which)
{
    for (*which = 0; prof_pages_are_shut && *which < n_shut; ++*which)
        if (address >= shut[*which].low && address < shut[*which].high)
            return true;
    return false;
}

/* Several watches may have this page: all of them see it. */
static void note_all(uintptr_t address, bool store, const void *site)
{
    for (unsigned i = 0; i < n_shut; i++) {
        if (address < shut[i].low || address >= shut[i].high)
            continue;
        protect(i, store ? PROT_READ | PROT_WRITE : PROT_READ);
        prof_watch_note(shut[i].watch, store ? PROF_STORE : PROF_LOAD, address, 1, site);
    }
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    unsigned which;
    int error = errno;
    uintptr_t address = (uintptr_t)info->si_addr;
    if (info->si_code != SEGV_ACCERR || !is_ours(address, &which)) {
        prof_watch_hand_over(&before, signal, info, context);
        errno = error;
        return;
    }
#if defined __x86_64__
    bool store = ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & WRITE_FAULT;
    const char *pc = (const char *)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
    const char *site = prof_watch_place(context);
    note_all(address, store, site == pc ? pc + 1 : site); /* the instruction has not been done yet */
#endif
    errno = error;
}

/* ---- which ---- */

struct mapping {
    uintptr_t low, high;
    bool plain;
};

/* The mapping that an address lies in, as the kernel sees it. */
static bool find_mapping(uintptr_t address, struct mapping *m)
{
    char line[512], access[5];
    FILE *maps = fopen("/proc/self/maps", "re");
    bool found = false;
    while (maps && !found && fgets(line, sizeof line, maps)) {
        found = sscanf(line, "%lx-%lx %4s", &m->low, &m->high, access) == 3 && address >= m->low &&
                address < m->high;
        m->plain = strncmp(access, "rw-", 3) == 0 && !strstr(line, "[stack");
    }
    if (maps)
        fclose(maps);
    return found;
}

/* Decided once for each watch. */
static bool has_pages(struct prof_watch *w)
{
    if (w->pages == PROF_PAGES_UNKNOWN) {
        struct mapping m;
        uintptr_t low = (w->low + PAGE - 1) & ~(uintptr_t)(PAGE - 1), high = w->high & ~(uintptr_t)(PAGE - 1);
        bool whole = low < high && find_mapping(low, &m) && m.plain && high <= m.high;
        w->pages = whole ? PROF_PAGES_YES : PROF_PAGES_NO;
    }
    return w->pages == PROF_PAGES_YES;
}

static bool start(void)
{
    if (state == UNTRIED) {
#if defined __x86_64__
        bool can = prof_settings()->memory == ISP_MEMORY_WATCH && !prof_watch_is_traced();
        state = can && prof_watch_take_signal(SIGSEGV, on_fault, &before) ? READY : OFF;
#else
        state = OFF;
#endif
    }
    return state == READY;
}

static void shut_all(struct prof_watch *w)
{
    for (; w && n_shut < MOST; w = w->next) {
        if (!w->forbidden || !has_pages(w))
            continue;
        shut[n_shut].low = (w->low + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
        shut[n_shut].high = w->high & ~(uintptr_t)(PAGE - 1);
        shut[n_shut].watch = w;
        shut[n_shut++].loads = w->kinds & PROF_LOAD;
    }
}

void prof_pages_shut(void)
{
    n_shut = 0;
    if (prof_settings()->memory != ISP_MEMORY_WATCH || prof_threads_several() || !start())
        return;
    shut_all(prof_watch_newest(true));
    shut_all(prof_watch_newest(false));
    if (n_shut == 0 || !prof_watch_has_signal(SIGSEGV, on_fault))
        return;
    prof_pages_are_shut = true;
    for (int loads = 0; loads < 2; loads++) /* what several have is as shut as any of them wants it */
        for (unsigned i = 0; i < n_shut; i++)
            if (shut[i].loads == (bool)loads)
                protect(i, loads ? PROT_NONE : PROT_READ);
}

void prof_pages_open(void)
{
    int error = errno;
    for (unsigned i = 0; i < n_shut; i++)
        protect(i, PROT_READ | PROT_WRITE);
    prof_pages_are_shut = false;
    errno = error;
}
