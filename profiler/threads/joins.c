/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions by which a program learns that a thread is over: see unjoined.h. */
#include <dlfcn.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

#include "unjoined.h"

#define JOINS(name, parameters, arguments)                                   \
    __attribute__((visibility("default"))) int name parameters;              \
    __attribute__((visibility("default"))) int name parameters               \
    {                                                                        \
        __typeof__(&name) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        int rc = next arguments;                                             \
        if (rc == 0) /* thrd_success is 0, too */                            \
            prof_unjoined_remove(thread);                                    \
        return rc;                                                           \
    }

_Static_assert(thrd_success == 0, "as for pthreads");

JOINS(pthread_join, (pthread_t thread, void **result), (thread, result))
JOINS(pthread_tryjoin_np, (pthread_t thread, void **result), (thread, result))
JOINS(pthread_timedjoin_np, (pthread_t thread, void **result, const struct timespec *until),
      (thread, result, until))
JOINS(pthread_clockjoin_np, (pthread_t thread, void **result, clockid_t clock, const struct timespec *until),
      (thread, result, clock, until))
JOINS(thrd_join, (thrd_t thread, int *result), (thread, result))
