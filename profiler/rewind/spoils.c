/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls of the program that change what a return (rewind.h) does not put back, in front of the C library's:
 * who has made one since ends instead. The C library's own calls are not seen; they are made for threads
 * only, with which there are no checkpoints.
 */
#undef _FILE_OFFSET_BITS /* both names of each function are needed here */
#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "mappings.h"
#include "outside/ignored.h"
#include "rewind.h"

#define SPOILS(type, name, parameters, arguments)                        \
    __attribute__((visibility("default"))) type name parameters          \
    {                                                                    \
        static __typeof__(&name) next;                                   \
        next = next ? next : (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
        prof_rewind_spoil();                                             \
        return next arguments;                                           \
    }

__attribute__((visibility("default"))) int munmap(void *at, size_t size)
{
    static __typeof__(&munmap) next;
    next = next ? next : (__typeof__(&munmap))dlsym(RTLD_NEXT, "munmap");
    prof_mappings_unmapped();
    prof_ignored_unmapped(at, size);
    return next(at, size);
}

SPOILS(int, mprotect, (void *at, size_t size, int protection), (at, size, protection))
SPOILS(int, timer_create, (clockid_t clock, struct sigevent *event, timer_t *timer), (clock, event, timer))
SPOILS(int, chdir, (const char *path), (path))
SPOILS(int, fchdir, (int fd), (fd))
SPOILS(mode_t, umask, (mode_t mask), (mask))
SPOILS(int, setrlimit, (__rlimit_resource_t resource, const struct rlimit *limit), (resource, limit))
SPOILS(int, setrlimit64, (__rlimit_resource_t resource, const struct rlimit64 *limit), (resource, limit))
