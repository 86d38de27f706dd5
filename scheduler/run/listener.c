/* SPDX-License-Identifier: BSD-3-Clause */
/* See listener.h. */
#include "listener.h"

#include <assert.h>

#include "run.h"

void sched_listeners_add(struct sched_listeners *listeners, const struct sched_listener *kind, void *self)
{
    assert(listeners->n < SCHED_LISTENERS_MAX);
    listeners->all[listeners->n].kind = kind;
    listeners->all[listeners->n++].self = self;
}

void sched_tell_begin(const struct sched_run *run, unsigned decisions)
{
    const struct sched_listeners *l = &run->listeners;
    for (unsigned i = 0; i < l->n; i++)
        if (l->all[i].kind->begin)
            l->all[i].kind->begin(l->all[i].self, run, decisions);
}

void sched_tell_call(struct sched_run *run, int rank, const struct isp_call *call)
{
    const struct sched_listeners *l = &run->listeners;
    for (unsigned i = 0; i < l->n; i++)
        if (l->all[i].kind->call)
            l->all[i].kind->call(l->all[i].self, run, rank, call);
}

void sched_tell_access(const struct sched_run *run, int rank, const struct isp_access *access)
{
    const struct sched_listeners *l = &run->listeners;
    for (unsigned i = 0; i < l->n; i++)
        if (l->all[i].kind->access)
            l->all[i].kind->access(l->all[i].self, run, rank, access);
}

bool sched_tell_fired(struct sched_run *run, const struct poe_fired *fired)
{
    const struct sched_listeners *l = &run->listeners;
    bool ok = true;
    for (unsigned i = 0; i < l->n; i++)
        if (l->all[i].kind->fired)
            ok &= l->all[i].kind->fired(l->all[i].self, run, fired);
    return ok;
}

void sched_tell_choice(struct sched_run *run, const struct poe_choice *choice)
{
    const struct sched_listeners *l = &run->listeners;
    for (unsigned i = 0; i < l->n; i++)
        if (l->all[i].kind->choice)
            l->all[i].kind->choice(l->all[i].self, run, choice);
}

void sched_tell_decide(struct sched_run *run, const struct poe_choice *choice, unsigned taken)
{
    const struct sched_listeners *l = &run->listeners;
    for (unsigned i = 0; i < l->n; i++)
        if (l->all[i].kind->decide)
            l->all[i].kind->decide(l->all[i].self, run, choice, taken);
}

void sched_tell_end(const struct sched_run *run, const char *ending, bool stuck)
{
    const struct sched_listeners *l = &run->listeners;
    for (unsigned i = 0; i < l->n; i++)
        if (l->all[i].kind->end)
            l->all[i].kind->end(l->all[i].self, run, ending, stuck);
}
