/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shm_open is where UCX gets its segments, and it keeps their descriptors. The C library's is not called but
 * done again here: in a program that is linked statically there is no other one to be found.
 */
#include "segments.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/own_ids.h"
#include "base/phase.h"
#include "isp/file.h"
#include "link/uplink.h"
#include "written.h"

#pragma weak prof_written_named

enum { EARLY = 64 }; /* before MPI_Init has ended UCX makes three */

static int early[EARLY];
static unsigned n_early;
static bool others;

static void tell(int fd)
{
    struct isp_buf *b = prof_link_begin(ISP_MSG_SEGMENT);
    isp_put_u64(b, (uint64_t)prof_own_pid());
    isp_put_i32(b, fd);
    prof_link_end();
}

void prof_segments_tell(void)
{
    for (unsigned i = 0; i < n_early; i++)
        tell(early[i]);
    n_early = 0;
}

bool prof_segments_others(void) { return others; }

bool prof_segments_is_one(const struct stat *file)
{
    struct stat shm;
    return stat("/dev/shm", &shm) == 0 && shm.st_dev == file->st_dev;
}

static bool is_ucx(const char *name) { return strncmp(name, "ucx_shm_posix_", 14) == 0; }

static void made(const char *name, int fd)
{
    if (!is_ucx(name))
        others = true;
    else if (prof_link_is_open() && prof_is_rank())
        tell(fd);
    else if (n_early < EARLY)
        early[n_early++] = fd;
    else
        others = true; /* too many to know them all */
}

/* Where the guard finds the name, if this process is killed before UCX has taken it away. UCX makes
 * one for every 16 messages that nobody has received yet. */
static void note(char sign, const char *name)
{
    const char *folder = getenv(ISP_ENV_FOLDER);
    char path[PATH_MAX], line[NAME_MAX + 4];
    if (!folder || !is_ucx(name) ||
        snprintf(path, sizeof path, "%s/" ISP_SEGMENTS_FILE, folder) >= (int)sizeof path)
        return;
    int n = snprintf(line, sizeof line, "%c%s\n", sign, name);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC,
                          0600);
    if (fd < 0)
        return;
    syscall(SYS_write, fd, line, (size_t)n);
    syscall(SYS_close, fd);
}

void prof_segments_unlinked(const char *name) { note('-', *name == '/' ? name + 1 : name); }

__attribute__((visibility("default"))) int shm_open(const char *name, int flags, mode_t mode)
{
    char path[NAME_MAX + 16];
    while (*name == '/')
        name++;
    if (!*name || strchr(name, '/') || strlen(name) > NAME_MAX) {
        errno = EINVAL;
        return -1;
    }
    snprintf(path, sizeof path, "/dev/shm/%s", name);
    if (flags & O_CREAT)
        note('+', name);
    int fd = open(path, flags | O_NOFOLLOW | O_CLOEXEC, mode), error = errno;
    if (fd >= 0 && (flags & O_CREAT))
        made(name, fd);
    else if (flags & O_CREAT) /* it may be somebody else's */
        note('-', name);
    if (prof_written_named && !is_ucx(name))
        prof_written_named(fd < 0 || (flags & O_ACCMODE) == O_RDONLY ? ISP_FILE_LOOKS
                           : flags & O_TRUNC                         ? ISP_FILE_CHANGES
                                                                     : ISP_FILE_LOOKS | ISP_FILE_CHANGES,
                           "shared memory", name);
    errno = error;
    return fd;
}
