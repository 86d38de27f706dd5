/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processor's debug registers: four places of at most 8 aligned bytes each, of which every load and store
 * by the program stops the thread behind the instruction, with a SIGTRAP (perf_event_open, Linux 5.13,
 * `sigtrap`). The kernel's own accesses (in a read(2), say) are not seen, so that no system call behaves
 * otherwise. A register costs a system call when it is set, 20 us when it is hit, and nothing in between; as
 * what is hit is wrong, or a window, correct programs see no signal as a rule.
 *
 * Registers are a thread's. They are set in the main thread, and those that it creates from then on inherit
 * them.
 *
 * They stay off where the kernel forbids them (perf_event_paranoid above 2), under a debugger, which would
 * take the signal for one of its own breakpoints, under valgrind, and where the program has a handler for
 * SIGTRAP already.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/descriptors.h"
#include "base/peek.h"
#include "base/phase.h"
#include "link/uplink.h"
#include "watch_beyond.h"
#include "watch_means.h"
#include "watch_signal.h"

enum {
    REGISTERS = 4,
    MOST_HITS = 5000, /* in one process: 0.1 s. No limit with --memory=watch, or when one buffer is looked
                         for */
    TRAP_BY_PERF = 6, /* TRAP_PERF, which older headers do not know */
};

struct place {
    uintptr_t at;
    unsigned bytes; /* 0: nothing */
    unsigned type;  /* HW_BREAKPOINT_W, _RW */
    struct prof_watch *watch;
};

static struct {
    int fd;
    bool on, kept;
    struct place place;
    uint64_t value; /* when it was set */
} registers[REGISTERS];

static enum { UNTRIED, READY, TIRED, OFF } state; /* TIRED: of too many hits */
static struct sigaction before;
static atomic_uint hits;
static bool was_forked; /* and has the descriptors and the handler of its parent */

/* ---- one register ---- */

static struct perf_event_attr attributes(const struct place *p, unsigned number, bool on)
{
    return (struct perf_event_attr){
        .type = PERF_TYPE_BREAKPOINT,
        .size = sizeof(struct perf_event_attr),
        .bp_type = p->type,
        .bp_addr = p->at,
        .bp_len = p->bytes,
        .sample_period = 1,
        .disabled = !on,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .inherit = 1,
        .inherit_thread = 1,
        .remove_on_exec = 1,
        .sigtrap = 1,
        .sig_data = number,
    };
}

static bool set(unsigned number, const struct place *p, bool on)
{
    struct perf_event_attr a = attributes(p, number, on);
    registers[number].on = on;
    return ioctl(registers[number].fd, PERF_EVENT_IOC_MODIFY_ATTRIBUTES, &a) == 0;
}

static void stop(unsigned number)
{
    if (registers[number].on)
        ioctl(registers[number].fd, PERF_EVENT_IOC_DISABLE, 0);
    registers[number].on = false;
}

static uint64_t value_at(const struct place *p)
{
    uint64_t value = 0;
    prof_peek(&value, (const void *)p->at, p->bytes);
    return value;
}

/* The first byte that is not what it was, and how many such follow; none: p->bytes, and all of them. */
static size_t first_changed(const struct place *p, uint64_t value, size_t *length)
{
    uint64_t now = value_at(p);
    const unsigned char *was = (const unsigned char *)&value, *is = (const unsigned char *)&now;
    size_t from = 0;
    while (from < p->bytes && was[from] == is[from])
        from++;
    for (*length = 0; from + *length < p->bytes && was[from + *length] != is[from + *length];)
        ++*length;
    *length = *length ? *length : p->bytes;
    return from;
}

/* ---- the signal ---- */

static void count_hit(void)
{
    const struct isp_settings *s = prof_settings();
    if (atomic_fetch_add(&hits, 1) >= MOST_HITS && s->memory != ISP_MEMORY_WATCH && !s->watch.buffer)
        state = TIRED;
}

static void hit(unsigned number, const void *context)
{
    struct place p = registers[number].place;
    count_hit();
    if (prof_depth > 0) { /* MPI itself, which would do so again and again: until the wrapper is left */
        stop(number);
        return;
    }
    size_t length, from = first_changed(&p, registers[number].value, &length);
    if (from == p.bytes && prof_beyond_is_at(prof_watch_pc(context)))
        return;
    const void *site = registers[number].on ? prof_watch_place(context) : NULL;
    if (!site)
        return;
    bool stored = p.type == HW_BREAKPOINT_W || from < p.bytes;
    prof_watch_note(p.watch, stored && (p.watch->kinds & PROF_STORE) ? PROF_STORE : PROF_LOAD,
                    p.at + from % p.bytes, length, site);
    if (stored || !(p.watch->kinds & PROF_STORE)) {
        stop(number);
    } else { /* of loads the first is enough; the next store is still of interest */
        p.type = HW_BREAKPOINT_W;
        registers[number].place.type = p.type;
        set(number, &p, true);
    }
}

/* That a register was hit is told by TRAP_PERF. What else the processor itself reports comes late, of a
 * register that was just taken away (TRAP_HWBKPT), or without its reason, as virtual machines do now and then
 * (TRAP_BRKPT): nobody's, and no harm. The program's own traps are its breakpoint instruction (SI_KERNEL) and
 * those that are sent (0 and below). */
static void on_trap(int signal, siginfo_t *info, void *context)
{
    uint64_t number;
    int error = errno;
    memcpy(&number, (const char *)info + offsetof(siginfo_t, si_addr) + sizeof(void *),
           sizeof number); /* si_perf_data */
    if (info->si_code == TRAP_BY_PERF && number < REGISTERS)
        hit((unsigned)number, context);
    else if (info->si_code == SI_KERNEL || info->si_code <= 0)
        prof_watch_hand_over(&before, signal, info, context);
    errno = error;
}

/* ---- start ---- */

static bool open_all(void)
{
    static uint64_t nothing;
    struct place p = {.at = (uintptr_t)&nothing, .bytes = sizeof nothing, .type = HW_BREAKPOINT_W};
    for (unsigned i = 0; i < REGISTERS; i++) {
        struct perf_event_attr a = attributes(&p, i, false);
        int low = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
        int high = low >= 0 ? fcntl(low, F_DUPFD_CLOEXEC, PROF_DESCRIPTORS_REGISTERS) : -1;
        if (low >= 0 && high >= 0)
            close(low);
        registers[i].fd = high >= 0 ? high : low;
        registers[i].on = false;
        if (registers[i].fd < 0)
            return i > 0 && (errno == ENOSPC); /* somebody else has some of them */
    }
    return true;
}

static void start(void)
{
    for (unsigned i = 0; i < REGISTERS; i++) {
        if (was_forked && registers[i].fd >= 0)
            close(registers[i].fd);
        registers[i].fd = -1;
    }
#if defined __x86_64__
    bool handled =
        was_forked || (!prof_watch_is_traced() && prof_watch_take_signal(SIGTRAP, on_trap, &before));
    state = handled && open_all() ? READY : OFF;
    prof_beyond_start();
#else
    state = OFF; /* other processors stop before the instruction */
#endif
}

bool prof_registers_are_there(void)
{
    int error = errno;
    if (state == UNTRIED)
        start();
    errno = error;
    return state == READY || state == TIRED;
}

/* ---- what is watched ---- */

/* The k-th choice of bytes of an interval: its beginning, its end, its middle. */
static struct place choose(struct prof_watch *w, unsigned k)
{
    uintptr_t at = k == 0   ? w->low
                   : k == 1 ? (w->high - 1) & ~(uintptr_t)7
                            : (w->low + (w->high - w->low) / 2) & ~(uintptr_t)7;
    at = at < w->low ? w->low : at;
    unsigned bytes = 8;
    while (at % bytes != 0 || at + bytes > w->high)
        bytes /= 2;
    unsigned type = w->kinds & PROF_LOAD ? HW_BREAKPOINT_RW : HW_BREAKPOINT_W;
    return (struct place){at, bytes, type, w};
}

static bool is_in(const struct place *p, const struct place *all, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (all[i].at == p->at && all[i].watch == p->watch)
            return true;
    return false;
}

/* All that are urgent, then the beginnings of the others, and with what is left their ends and middles. */
static unsigned choose_all(struct place *wanted)
{
    unsigned n = 0;
    for (unsigned k = 0; k < 3; k++)
        for (int urgent = 1; urgent >= 0; urgent--)
            for (struct prof_watch *w = prof_watch_newest(urgent); w && n < REGISTERS; w = w->next) {
                struct place p = choose(w, k);
                if (p.bytes && !is_in(&p, wanted, n))
                    wanted[n++] = p;
            }
    return n;
}

static bool is_same(const struct place *a, const struct place *b)
{
    return a->at == b->at && a->bytes == b->bytes && a->type == b->type && a->watch == b->watch;
}

/* Keeps what is set and still wanted, and takes it out of the list; what is not is set no more. */
static void keep(struct place *wanted, unsigned n)
{
    for (unsigned i = 0; i < REGISTERS; i++) {
        bool found = false;
        for (unsigned k = 0; k < n && registers[i].on && !found; k++)
            if (wanted[k].bytes && is_same(&registers[i].place, &wanted[k])) {
                registers[i].value = value_at(&wanted[k]);
                wanted[k].bytes = 0;
                found = true;
            }
        registers[i].kept = found;
    }
}

static void put(unsigned number, const struct place *p)
{
    registers[number].value = value_at(p);
    registers[number].place = *p;
    if (!set(number, p, true))
        stop(number);
}

void prof_registers_arm(void)
{
    struct place wanted[REGISTERS];
    int error = errno;
    unsigned n = state == UNTRIED || state == READY ? choose_all(wanted) : 0, k = 0;
    if (state == UNTRIED && n > 0)
        start();
    if (state != UNTRIED)
        keep(wanted, n);
    for (unsigned i = 0; i < REGISTERS; i++) {
        if (registers[i].kept)
            continue;
        while (k < n && wanted[k].bytes == 0)
            k++;
        if (k < n && registers[i].fd >= 0)
            put(i, &wanted[k++]);
        else
            stop(i);
    }
    errno = error;
}

void prof_registers_forked(void)
{
    if (state != READY)
        return;
    for (unsigned i = 0; i < REGISTERS; i++)
        registers[i].on = false;
    was_forked = true;
    state = UNTRIED;
}

void prof_registers_back(void)
{
    for (unsigned i = 0; state == READY && i < REGISTERS; i++) {
        registers[i].on = true;
        stop(i);
    }
}

bool prof_registers_rest(void)
{
    bool any = false;
    for (unsigned i = 0; i < REGISTERS; i++) {
        any = any || registers[i].on;
        stop(i);
    }
    return any;
}
