/* SPDX-License-Identifier: BSD-3-Clause */
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <time.h>

#include "alloc.h"
#include "signals.h"

enum { SAME_NS = 500000000 };

static struct {
    struct event *events[NSIG]; /* NULL: it is ignored, or the loop is left */
    bool *interrupted;
    int by;                   /* the first that came */
    _Atomic int64_t first_ns; /* of those that mean it; 0: none has come */
} interrupt;

static bool is_urgent(int number)
{
    for (size_t i = 0; i < SCHED_SIGNALS_URGENT; i++)
        if (sched_signals_ending(i) == number)
            return true;
    return false;
}

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
    if (!is_urgent(number))
        return;
    if (atomic_compare_exchange_strong(&interrupt.first_ns, &none, now) || now - none < SAME_NS)
        return;
    signal(number, SIG_DFL);
    raise(number);
}

static void stop_events(void)
{
    struct sigaction action = {.sa_handler = on_later_signal, .sa_flags = SA_RESTART};
    int number;
    for (size_t i = 0; (number = sched_signals_ending(i)); i++)
        if (interrupt.events[number]) {
            event_del(interrupt.events[number]);
            sigaction(number, &action, NULL);
        }
}

static void on_signal(int number, short what, void *context)
{
    *interrupt.interrupted = true;
    interrupt.by = interrupt.by ? interrupt.by : number;
    if (is_urgent(number))
        atomic_store(&interrupt.first_ns, now_ns());
    stop_events();
}

void sched_interrupt_begin(struct event_base *base, bool *interrupted)
{
    interrupt.interrupted = interrupted;
    int number;
    for (size_t i = 0; (number = sched_signals_ending(i)); i++) {
        struct sigaction old;
        if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN)
            continue;
        interrupt.events[number] = sched_must(evsignal_new(base, number, on_signal, NULL));
        event_add(interrupt.events[number], NULL);
    }
}

char *sched_interrupt_words(void)
{
    return interrupt.by ? sched_format("interrupted by %s", sched_signals_name(interrupt.by))
                        : sched_strdup("interrupted");
}

bool sched_interrupt_came(void) { return interrupt.by; }

void sched_interrupt_leave_loop(void)
{
    stop_events();
    for (int i = 0; i < NSIG; i++) {
        if (interrupt.events[i])
            event_free(interrupt.events[i]);
        interrupt.events[i] = NULL;
    }
}

void sched_interrupt_end(void)
{
    struct sigaction old;
    int number;
    for (size_t i = 0; (number = sched_signals_ending(i)); i++)
        if (sigaction(number, NULL, &old) == 0 && old.sa_handler == on_later_signal)
            signal(number, SIG_DFL);
    interrupt.by = 0;
    atomic_store(&interrupt.first_ns, 0);
}
