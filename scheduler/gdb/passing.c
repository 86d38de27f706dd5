/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See passing.h. What is isp's own:
 *
 *   SIGTRAP   of a debug register (profiler/watch/watch_registers.c), told from the program's by si_code as
 *             on_trap does there
 *   SIGSEGV   of a page that isp has protected: isp_shut_pages, which libisp.so exports, says which are
 *
 * Such a signal is delivered with a breakpoint at the instruction where it came: the handler returns there,
 * and the move goes on.
 */
#include "passing.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

#include "isp/shut_pages.h"
#include "session.h"

enum { FROM_KERNEL = 0x80, NOT_ACCESSIBLE = 2 };

static bool has_isp(struct sched_gdb *g)
{
    const struct sched_modules *m = sched_gdb_modules(g);
    for (size_t i = 0; i < m->n; i++)
        if (m->all[i].kind == SCHED_MODULE_ISP)
            return true;
    return false;
}

/* ---- delivering ---- */

static void on_signalled(struct sched_gdb *g, const struct sched_mi_record *r, void *context)
{
    if (r && strcmp(r->word, "error") == 0 && g->state == RUNNING)
        sched_gdb_own_signal(g);
}

static void deliver(struct sched_gdb *g)
{
    sched_gdb_send(g, on_signalled, NULL, "-interpreter-exec --thread %d console \"signal %s &\"",
                   g->stop.thread, g->stop.signal);
}

static void on_breakpoint(struct sched_gdb *g, const struct sched_mi_record *r, void *context)
{
    if (!r || g->state != RUNNING)
        return;
    g->moving.phase = PASSING;
    g->moving.passing = sched_mi_int(json_object_get(r->values, "bkpt"), "number", 0);
    deliver(g);
}

void sched_gdb_pass(struct sched_gdb *g)
{
    const char *pc = sched_mi_text(json_object_get(g->stop_values, "frame"), "addr");
    if (g->moving.move == SCHED_GDB_CONTINUE || !pc)
        deliver(g);
    else
        sched_gdb_send(g, on_breakpoint, NULL, "-break-insert -t -p %d *%s", g->stop.thread, pc);
}

bool sched_gdb_has_passed(struct sched_gdb *g)
{
    if (g->moving.phase != PASSING)
        return false;
    int number = g->moving.passing;
    bool passed = g->stop.breakpoint == number;
    g->moving.phase = MOVING;
    g->moving.passing = 0;
    if (!passed && number)
        sched_gdb_send(g, NULL, NULL, "-break-delete %d", number);
    return passed;
}

/* ---- whose it is ---- */

static bool read_memory(const struct sched_gdb *g, uint64_t address, void *data, size_t size)
{
    struct iovec here = {data, size}, there = {(void *)(uintptr_t)address, size};
    return process_vm_readv(g->process, &here, 1, &there, 1, 0) == (ssize_t)size;
}

static bool is_shut(const struct sched_gdb *g, uint64_t table, uint64_t address)
{
    struct isp_shut_pages t;
    bool are_shut;
    unsigned n;
    if (!read_memory(g, table, &t, sizeof t) ||
        !read_memory(g, (uintptr_t)t.are_shut, &are_shut, sizeof are_shut) ||
        !read_memory(g, (uintptr_t)t.n, &n, sizeof n) || !are_shut || n > ISP_SHUT_MOST)
        return false;
    for (unsigned i = 0; i < n; i++) {
        uintptr_t bounds[2]; /* each begins with them */
        if (!read_memory(g, (uintptr_t)t.first + i * t.stride, bounds, sizeof bounds))
            return false;
        if (address >= bounds[0] && address < bounds[1])
            return true;
    }
    return false;
}

/* "{ADDRESS OF THE FAULT, ADDRESS OF THE TABLE}" */
static void on_fault(struct sched_gdb *g, const struct sched_mi_record *r, void *context)
{
    uint64_t address, table;
    const char *value = r ? sched_mi_text(r->values, "value") : NULL;
    if (g->state != RUNNING)
        return;
    if (value && sscanf(value, "{%" SCNu64 ", %" SCNu64 "}", &address, &table) == 2 &&
        is_shut(g, table, address))
        sched_gdb_pass(g);
    else
        sched_gdb_own_signal(g);
}

static void on_code(struct sched_gdb *g, const struct sched_mi_record *r, void *context)
{
    int code = FROM_KERNEL;
    const char *value = r ? sched_mi_text(r->values, "value") : NULL;
    if (value)
        sscanf(value, "%d", &code);
    if (g->state != RUNNING)
        return;
    if (strcmp(g->stop.signal, "SIGTRAP") == 0)
        code == FROM_KERNEL || code <= 0 ? sched_gdb_own_signal(g) : sched_gdb_pass(g);
    else if (code == NOT_ACCESSIBLE)
        sched_gdb_send(
            g, on_fault, NULL,
            "-data-evaluate-expression --thread %d --language c "
            "\"{(unsigned long)$_siginfo._sifields._sigfault.si_addr, (unsigned long)&isp_shut_pages}\"",
            g->stop.thread);
    else
        sched_gdb_own_signal(g);
}

bool sched_gdb_may_be_isps(struct sched_gdb *g)
{
    const char *name = g->stop.signal ? g->stop.signal : "";
    if ((strcmp(name, "SIGTRAP") != 0 && strcmp(name, "SIGSEGV") != 0) || !has_isp(g))
        return false;
    sched_gdb_send(g, on_code, NULL, "-data-evaluate-expression --thread %d --language c $_siginfo.si_code",
                   g->stop.thread);
    return true;
}
