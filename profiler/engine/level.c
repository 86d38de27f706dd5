/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See level.h. That two threads are in MPI at once is seen if one of them is in a call that steers the run:
 * that is where threads wait, and under isp a call ends only when all ranks have got as far as they can
 * without it. Two local calls that overlap by chance are not looked for.
 */
#include "level.h"

#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "link/finding.h"
#include "link/uplink.h"
#include "prof.h"
#include "threads/thread.h"

bool prof_level_main_only;
const void *prof_level_main;

static struct prof_place granted; /* the call that has initialized MPI */
static int level = MPI_THREAD_MULTIPLE;

/* Below MPI_THREAD_MULTIPLE: the thread that is in a call which steers the run, and its call. */
static _Atomic(pthread_t) inside;
static struct prof_place inside_at;

static const char *name(void)
{
    return level == MPI_THREAD_SINGLE     ? "MPI_THREAD_SINGLE"
           : level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED"
           : level == MPI_THREAD_MULTIPLE ? "MPI_THREAD_MULTIPLE"
                                          : "MPI_THREAD_SERIALIZED";
}

void prof_level_begin(enum isp_fn fn, const void *site)
{
    PMPI_Query_thread(&level);
    granted = (struct prof_place){fn, site};
    prof_level_main = &prof_current;
    prof_level_main_only = level < MPI_THREAD_SERIALIZED;
}

bool prof_level_enter(enum isp_fn fn, const void *site)
{
    pthread_t nobody = 0;
    if (!atomic_compare_exchange_strong(&inside, &nobody, pthread_self()))
        return false;
    inside_at = (struct prof_place){fn, site};
    return true;
}

void prof_level_leave(void) { atomic_store(&inside, 0); }

/* Any thread may ask what it is. */
static bool is_exempt(enum isp_fn fn)
{
    return fn == ISP_FN_MPI_Query_thread || fn == ISP_FN_MPI_Is_thread_main || fn == ISP_FN_MPI_Initialized ||
           fn == ISP_FN_MPI_Finalized;
}

static void tell(enum isp_fn fn, const void *site, const char *text, const char *story,
                 const struct prof_place *other, bool dies)
{
    struct prof_place more[2] = {granted, other ? *other : granted};
    prof_finding_tell(&(struct prof_finding){.rule = ISP_RULE_THREAD_LEVEL,
                                             .at = {fn, site},
                                             .text = text,
                                             .story = story,
                                             .more = more,
                                             .n_more = other ? 2 : 1,
                                             .flush = true,
                                             .death = dies ? ISP_DIES : ISP_LIVES});
}

/* A thread that may not call MPI at all. */
static void tell_wrong_thread(enum isp_fn fn, const void *site, bool dies)
{
    char text[200], story[200];
    snprintf(text, sizeof text, "called by a thread that did not initialize MPI, at %s", name());
    snprintf(story, sizeof story, "%%0 was given %s: only the thread that called it may call MPI.\n", name());
    tell(fn, site, text, story, NULL, dies);
}

static void tell_two_inside(enum isp_fn fn, const void *site, bool dies)
{
    char text[200], story[300];
    struct prof_place other = inside_at;
    snprintf(text, sizeof text, "called while another thread is inside MPI, at %s", name());
    snprintf(story, sizeof story,
             "The other thread is in %%1.\n%%0 was given %s: threads may call MPI only one at a time.\n",
             name());
    tell(fn, site, text, story, &other, dies);
}

bool prof_level_breaks(enum isp_fn fn, const void *site, bool steers)
{
    bool stop = steers && prof_settings()->on_error == ISP_ON_ERROR_STOP;
    if (is_exempt(fn))
        return false;
    if (prof_level_main_only && !prof_level_is_main()) {
        tell_wrong_thread(fn, site, stop);
    } else {
        pthread_t other = atomic_load(&inside);
        if (!other || pthread_equal(other, pthread_self()))
            return false;
        stop = steers; /* it cannot be modelled */
        tell_two_inside(fn, site, stop);
    }
    if (stop)
        prof_link_await_end();
    return true;
}

void prof_level_refuse_waiter(enum isp_fn fn, const void *site, const struct prof_place *other)
{
    tell(fn, site, "another thread waits for this request: only one of them may complete it",
         "The other thread is in %1.\n", other, true);
    prof_threads_leave();
    prof_link_await_end();
}

void prof_level_check_finalize(enum isp_fn fn, const void *site)
{
    if (granted.fn && !prof_level_is_main())
        tell(fn, site, "called by another thread than the one that initialized MPI",
             "MPI was initialized by %0, in the main thread.\n", NULL, false);
}
