/* SPDX-License-Identifier: BSD-3-Clause */
#include "states_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

volatile int states_library_exported;
static volatile int hidden;

void states_library_change(void) { states_library_exported = 1; }

int states_library_count(void) { return ++hidden; }

/* In front of the C library's: what a thread of MPI calls first (profiler/arena/front.c). */
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes)
{
    int (*next)(pthread_t, pthread_attr_t *) =
        (int (*)(pthread_t, pthread_attr_t *))dlsym(RTLD_NEXT, "pthread_getattr_np");
    if (getenv("SLOW_THREADS"))
        usleep(200000);
    return next(thread, attributes);
}
