/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions by which a program learns that a thread is over: see unjoined.h. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <threads.h>
#include <time.h>

#include "unjoined.h"

#define JOINS(name, parameters, arguments)                                   \
    __attribute__((visibility("default"))) int name parameters;              \
    __attribute__((visibility("default"))) int name parameters               \
    {                                                                        \
        __typeof__(&name) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        int rc = next arguments;                                             \
        if (rc == 0)                                                         \
            prof_unjoined_remove(thread);                                    \
        return rc;                                                           \
    }

JOINS(pthread_join, (pthread_t thread, void **result), (thread, result))
JOINS(pthread_tryjoin_np, (pthread_t thread, void **result), (thread, result))
JOINS(pthread_timedjoin_np, (pthread_t thread, void **result, const struct timespec *until),
      (thread, result, until))
JOINS(pthread_clockjoin_np, (pthread_t thread, void **result, clockid_t clock, const struct timespec *until),
      (thread, result, clock, until))

/* thrd_create makes a thread with pthread_create (thread.c): ThreadSanitizer, which stands in front of that,
 * must see here what has become of it. */
__attribute__((visibility("default"))) int thrd_join(thrd_t thread, int *result)
{
    void *value;
    if (pthread_join(thread, &value) != 0)
        return thrd_error;
    if (result)
        *result = (int)(intptr_t)value;
    return thrd_success;
}

__attribute__((visibility("default"))) int thrd_detach(thrd_t thread)
{
    return pthread_detach(thread) == 0 ? thrd_success : thrd_error;
}
