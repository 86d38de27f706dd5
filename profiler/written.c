/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions by which a program opens, creates or removes files, in front of the C library's. A program that is linked statically has
 * these only (RTLD_NEXT finds nothing): so this file is not in the archive, and such a program has no checkpoints.
 */
#undef _FILE_OFFSET_BITS /* both names of each function are needed here */
#include "written.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "segments.h"
#include "uplink.h"

enum { MOST = 256 };

static struct {
    dev_t device;
    ino_t inode;
} files[MOST];
static unsigned n_files, n_before; /* n_before: that a checkpoint counts on */
static bool many;
static unsigned opened; /* descriptors so far, of whatever kind */

/* A regular file is about to be changed, or was just opened for that. */
static void note(const struct stat *s)
{
    unsigned i = 0;
    if (!S_ISREG(s->st_mode) || prof_segments_is_one(s))
        return;
    while (i < n_files && (files[i].device != s->st_dev || files[i].inode != s->st_ino))
        i++;
    if (i < n_before)
        prof_link_spoilt("it changes a file that it has written before");
    if (i < n_files)
        return;
    if (n_files == MOST) {
        many = true;
        return;
    }
    files[n_files].device = s->st_dev;
    files[n_files++].inode = s->st_ino;
}

static void note_descriptor(int fd, int flags)
{
    struct stat s;
    int error = errno;
    opened += fd >= 0;
    if (fd >= 0 && ((flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC) && fstat(fd, &s) == 0)
        note(&s);
    errno = error;
}

static void note_path(const char *path)
{
    struct stat s;
    int error = errno;
    if (lstat(path, &s) == 0)
        note(&s);
    errno = error;
}

static void note_stream(FILE *stream, const char *mode)
{
    if (stream)
        note_descriptor(fileno(stream), strpbrk(mode, "wa+") ? O_WRONLY : O_RDONLY);
}

const char *prof_written_refuses(void)
{
    return many ? "it writes many files" : NULL;
}

unsigned prof_written_opened(void)
{
    return opened;
}

void prof_written_forked(void)
{
    n_before = n_files;
}

/* ---- in front of the C library ---- */

#define EXPORT __attribute__((visibility("default")))
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name, parameters, arguments)                           \
    EXPORT int name parameters                                      \
    {                                                               \
        static __typeof__(&name) next;                              \
        va_list args;                                               \
        va_start(args, flags);                                      \
        mode_t mode = va_arg(args, mode_t);                         \
        va_end(args);                                               \
        next = next ? next : NEXT(name);                            \
        int fd = next arguments;                                    \
        note_descriptor(fd, flags);                                 \
        return fd;                                                  \
    }

#define CREATE(name)                                                \
    EXPORT int name(const char *path, mode_t mode)                  \
    {                                                               \
        int fd = NEXT(name)(path, mode);                            \
        note_descriptor(fd, O_WRONLY);                              \
        return fd;                                                  \
    }

#define TEMPORARY(name)                                             \
    EXPORT int name(char *path)                                     \
    {                                                               \
        int fd = NEXT(name)(path);                                  \
        note_descriptor(fd, O_RDWR);                                \
        return fd;                                                  \
    }

#define FOPEN(name)                                                 \
    EXPORT FILE *name(const char *path, const char *mode)           \
    {                                                               \
        static __typeof__(&name) next;                              \
        next = next ? next : NEXT(name);                            \
        FILE *stream = next(path, mode);                            \
        note_stream(stream, mode);                                  \
        return stream;                                              \
    }

#define FREOPEN(name)                                               \
    EXPORT FILE *name(const char *path, const char *mode, FILE *old) \
    {                                                               \
        FILE *stream = NEXT(name)(path, mode, old);                 \
        note_stream(stream, mode);                                  \
        return stream;                                              \
    }

#define REMOVE(name)                                                \
    EXPORT int name(const char *path)                               \
    {                                                               \
        note_path(path);                                            \
        return NEXT(name)(path);                                    \
    }

OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
OPEN(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode))
OPEN(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode))
CREATE(creat)
CREATE(creat64)
TEMPORARY(mkstemp)
TEMPORARY(mkstemp64)
FOPEN(fopen)
FOPEN(fopen64)
FREOPEN(freopen)
FREOPEN(freopen64)
REMOVE(unlink)
REMOVE(remove)

EXPORT int rename(const char *from, const char *to)
{
    note_path(from);
    note_path(to);
    return NEXT(rename)(from, to);
}

EXPORT int truncate(const char *path, off_t length)
{
    note_path(path);
    return NEXT(truncate)(path, length);
}
