/* SPDX-License-Identifier: BSD-3-Clause */
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "alloc.h"

enum { SAME_NS = 500000000 };
static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { N_SIGNALS = sizeof signals / sizeof *signals };

static struct {
    struct event *events[N_SIGNALS]; /* NULL: it is ignored, or the loop is left */
    bool *interrupted;
    _Atomic int64_t first_ns; /* 0: none has come */
} interrupt;

/* May be called in a handler. */
static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Without the loop, which may not turn for a while. */
static void on_later_signal(int number)
{
    int64_t none = 0, now = now_ns();
    if (atomic_compare_exchange_strong(&interrupt.first_ns, &none, now) || now - none < SAME_NS)
        return;
    signal(number, SIG_DFL);
    raise(number);
}

static void stop_events(void)
{
    struct sigaction action = {.sa_handler = on_later_signal, .sa_flags = SA_RESTART};
    for (int i = 0; i < N_SIGNALS; i++)
        if (interrupt.events[i]) {
            event_del(interrupt.events[i]);
            sigaction(signals[i], &action, NULL);
        }
}

static void on_signal(int number, short what, void *context)
{
    *interrupt.interrupted = true;
    atomic_store(&interrupt.first_ns, now_ns());
    stop_events();
}

void sched_interrupt_begin(struct event_base *base, bool *interrupted)
{
    interrupt.interrupted = interrupted;
    for (int i = 0; i < N_SIGNALS; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue;
        interrupt.events[i] = sched_must(evsignal_new(base, signals[i], on_signal, NULL));
        event_add(interrupt.events[i], NULL);
    }
}

void sched_interrupt_leave_loop(void)
{
    stop_events();
    for (int i = 0; i < N_SIGNALS; i++) {
        if (interrupt.events[i])
            event_free(interrupt.events[i]);
        interrupt.events[i] = NULL;
    }
}
