/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See watch_beyond.h. The C library chooses among several implementations of each, whose names are not
 * known at run time; but dlsym says where the chosen one begins, and the tables for unwinding where the
 * function of an instruction does.
 *
 * memcpy and its kin are not among them: they touch what they copy, no more. Nor are functions in C.
 */
#include "watch_beyond.h"

#include <dlfcn.h>
#include <stddef.h>

static const char *const names[] = {
    "strlen",        "strnlen", "strcmp",    "strncmp", "strcasecmp", "strncasecmp", "strcasecmp_l",
    "strncasecmp_l", "strchr",  "strchrnul", "strrchr", "strstr",     "strcasestr",  "strspn",
    "strcspn",       "strpbrk", "strcpy",    "strncpy", "stpcpy",     "stpncpy",     "strcat",
    "strncat",       "strcoll", "memchr",    "memrchr", "rawmemchr",  "memcmp",      "bcmp",
    "__memcmpeq",    "memset",  "wcslen",    "wcsnlen", "wcschr",     "wcsrchr",     "wcscmp",
    "wcsncmp",       "wcscpy",  "wmemchr",   "wmemcmp", "wmemset"};

enum { N = sizeof names / sizeof *names, FAR = 8192 };

static uintptr_t functions[N];

struct bases {
    void *text, *data, *function;
};
/* _Unwind_Find_FDE of libgcc, which backtrace(3) loads as well. */
static const void *(*find)(void *pc, struct bases *bases);

void prof_beyond_start(void)
{
    void *libc = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    for (unsigned i = 0; libc && i < N; i++)
        functions[i] = (uintptr_t)dlsym(libc, names[i]);
    if (libc)
        dlclose(libc);
}

static bool begins(uintptr_t function)
{
    for (unsigned i = 0; i < N; i++)
        if (functions[i] == function)
            return true;
    return false;
}

/* Without tables: the last of them that begins before it. */
static bool is_near(uintptr_t pc)
{
    for (unsigned i = 0; i < N; i++)
        if (functions[i] && pc >= functions[i] && pc - functions[i] < FAR)
            return true;
    return false;
}

bool prof_beyond_is_at(uintptr_t pc)
{
    static void *libgcc; /* for good */
    static bool tried;
    if (!is_near(pc)) /* most accesses are the program's own */
        return false;
    if (!tried) {
        libgcc = dlopen("libgcc_s.so.1", RTLD_LAZY);
        find = libgcc ? (__typeof__(find))dlsym(libgcc, "_Unwind_Find_FDE") : NULL;
        tried = true;
    }
    struct bases bases;
    return !find || !find((void *)(pc - 1), &bases) || begins((uintptr_t)bases.function);
}
