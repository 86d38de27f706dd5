/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The threads of a rank, and who of them may be inside MPI.
 *
 * Numbers. From MPI_THREAD_SERIALIZED on each thread has a program order of its own, whose name must be the
 * same in every run: the main thread is 0, the k-th thread that the process creates is k. So pthread_create
 * is interposed (thrd_create too). If several threads create others at the same time, their numbers depend on
 * time; that is a bound. Threads that are created inside an MPI call belong to MPI and are not counted. Below
 * MPI_THREAD_SERIALIZED all calls are of one program order, thread 0, whichever thread makes them.
 *
 * One at a time. A thread that is in a call which steers the run holds the lock, but for the time in which it
 * waits for its release. Of the threads that wait one, the reader, reads the socket, and does for all of them
 * what the scheduler wants done inside MPI; the others sleep. Released calls go on in the order in which the
 * scheduler released them, each until its thread leaves MPI or waits again, and before anything else enters:
 * so a rank does everything inside MPI in one order, which is the order in which the match sets fired, on all
 * ranks. That is why two collectives of two threads cannot wait for each other crosswise
 * (scheduler/world/delivery.h has the proof).
 */
#ifndef PROF_THREAD_H
#define PROF_THREAD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "isp/call.h"

enum prof_where {
    PROF_OUTSIDE, /* of all calls that steer the run */
    PROF_INSIDE,
    PROF_WAITING, /* at a fence, for its release */
    PROF_LEAVING, /* it has returned from its start routine */
};

struct prof_thread {
    uint16_t number;
    atomic_int tid;           /* 0: it does not run yet */
    atomic_int where;         /* enum prof_where */
    struct prof_thread *next; /* in order of creation */
    /* its release */
    struct isp_result result;
    uint32_t *positions, positions_room;
    struct prof_thread *next_released, *next_waiting;
    pthread_cond_t go;
    /* for quiet.c: what it was seen to do last */
    struct prof_doing {
        bool asleep;
        uint64_t switches;
        int64_t since_ns;
        /* at the first look since the rank's last call or release */
        uint64_t first_look, first_switches;
        int64_t first_ns, first_cpu_ns;
    } seen;
};

extern bool prof_threads_own_order; /* each thread has a program order of its own */
extern bool prof_threads_at_once;   /* several may be inside: MPI_THREAD_MULTIPLE */

/* After PMPI_Init: looks up the level. */
void prof_threads_begin(void);
/* In a child that goes on as the rank: its only thread is the main one. */
void prof_threads_forked(void);
/* The calling thread. */
struct prof_thread *prof_thread_self(void);
/* The calling thread is none of the program's: MPI made it. */
bool prof_thread_is_mpis(void);
/* More than one thread of the program is there. That may depend on time. */
bool prof_threads_several(void);
/* It has had only one thread so far. */
bool prof_threads_never(void);
/* Threads besides the calling one may call MPI, as far as the program knows: alike in every run
 * (unjoined.h). */
bool prof_threads_others(void);

/* Into and out of a call that steers the run. Only with prof_threads_own_order. */
void prof_threads_enter(void);
void prof_threads_leave(void);
/* Inside: gives up the lock until the thread is released. `read` is called, by one waiting thread at a time,
 * until it has called prof_threads_release; it waits with prof_threads_unlock and prof_threads_lock
 * around. */
void prof_threads_wait(void (*read)(void));
/* The thread waits no more; those released first go on first. False: there is no such thread that waits. */
bool prof_threads_release(uint16_t thread, struct prof_thread **released);
void prof_threads_unlock(void);
void prof_threads_lock(void);

/* For each thread of the program; while it is called, none is added or taken away. */
void prof_threads_each(void (*see)(struct prof_thread *, void *), void *context);
/* Forgets the threads that have ended. */
void prof_threads_reap(void);

#endif
