/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions by which a program opens, creates, removes or looks at files, in front of the C library's. A
 * program that is linked statically has these only (RTLD_NEXT finds nothing): so this file is not in the
 * archive, and such a program has no checkpoints. What the C library itself calls is not seen: what system()
 * and the like do is taken for a change of everything.
 */
#undef _FILE_OFFSET_BITS /* both names of each function are needed here */
#include "written.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/phase.h"
#include "isp/file.h"
#include "link/uplink.h"
#include "segments.h"
#include "threads/thread.h"

enum { KNOWN = 256, EARLY = 64, FEW = 1024 };

/* What was told already since this process was forked, and since its last record: looks only. */
static struct isp_file known[KNOWN];
static uint64_t known_since;
static struct isp_file early[EARLY]; /* before MPI_Init; their paths are theirs */
static unsigned n_early;
static unsigned looks;         /* of the program's, so far */
static unsigned opened;        /* descriptors and shared mappings so far, of whatever kind */
static uint8_t untouched[FEW]; /* by descriptor, of those that Fortran's library opened for both: what was not
                                  done yet */

/* ---- telling ---- */

static void tell(const struct isp_file *f)
{
    isp_put_file(prof_link_begin(ISP_MSG_FILE), f);
    prof_link_end();
}

void prof_written_begin(void)
{
    for (unsigned i = 0; i < n_early; i++) {
        tell(&early[i]);
        free((char *)early[i].path);
    }
    n_early = 0;
}

static void keep(const struct isp_file *f)
{
    if (n_early == EARLY) { /* all that came so far, in one */
        early[0].what |= ISP_FILE_LOOKS | ISP_FILE_CHANGES;
        early[0].device = early[0].inode = early[0].name = 0;
        return;
    }
    char *path = strdup(f->path);
    early[n_early] = *f;
    early[n_early].path = path;
    early[n_early++].length = path ? f->length : 0;
}

static bool is_known(const struct isp_file *f)
{
    if (known_since != prof_link_calls())
        memset(known, 0, sizeof known);
    known_since = prof_link_calls();
    struct isp_file *last = &known[(f->device * 31 + f->inode * 0x9e3779b97f4a7c15u + f->name) % KNOWN];
    bool is = last->device == f->device && last->inode == f->inode && last->name == f->name;
    *last = *f;
    return is;
}

static void note(uint16_t what, uint64_t device, uint64_t inode, uint64_t name, const char *path)
{
    struct isp_file f = {
        .what = what, .device = device, .inode = inode, .name = name, .path = path ? path : ""};
    f.length = (uint32_t)strlen(f.path);
    bool mpi = prof_depth > 0 || prof_thread_is_mpis();
    looks += !mpi && (what & ISP_FILE_LOOKS);
    if (what == ISP_FILE_LOOKS && is_known(&f))
        return;
    if (mpi)
        f.what |= ISP_FILE_PERHAPS | ISP_FILE_LATER;
    if (prof_phase == PROF_BEFORE_INIT && !mpi)
        keep(&f);
    else if ((prof_phase == PROF_RUNNING || prof_phase == PROF_FINALIZED) && prof_is_rank())
        tell(&f);
}

/* ---- names ---- */

static bool look(int at, const char *path, struct stat *s, int flags)
{
    return syscall(SYS_newfstatat, at, path, s, flags) == 0;
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/* Of its folder, whatever path leads there, and its name in it; 0: there is no such folder, or it is one of
 * the kernel's. */
static uint64_t hash_name(int at, const char *path)
{
    static const char *const kernels[] = {"/proc/", "/sys/", "/dev/"};
    char folder[4096];
    struct stat s;
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (strncmp(path, kernels[i], strlen(kernels[i])) == 0)
            return 0;
    while (length > 1 && path[length - 1] == '/')
        length--;
    size_t base = length;
    while (base > 0 && path[base - 1] != '/')
        base--;
    if (base >= sizeof folder)
        return 0;
    memcpy(folder, path, base);
    folder[base] = '\0';
    if (!look(at, base ? folder : ".", &s, 0))
        return 0;
    uint64_t hash = mix(mix(1, s.st_dev), s.st_ino);
    for (size_t i = base; i < length; i++)
        hash = mix(hash, (unsigned char)path[i]);
    return hash | 1;
}

/* The file that a path leads to, whatever its last name there is. */
bool prof_written_identify(const char *path, struct isp_file *f)
{
    static __thread char resolved[PATH_MAX];
    struct stat s;
    int error = errno;
    const char *there = realpath(path, resolved);
    f->path = path;
    f->length = (uint32_t)strlen(path);
    f->name = hash_name(AT_FDCWD, there ? there : path);
    bool is = there && look(AT_FDCWD, there, &s, 0);
    if (is) {
        f->device = s.st_dev;
        f->inode = s.st_ino;
        f->linked = s.st_nlink > 1;
    }
    errno = error;
    return is;
}

void prof_written_tell(const struct isp_file *f)
{
    if (prof_is_rank())
        tell(f);
}

static void note_name(uint8_t what, int at, const char *path)
{
    int error = errno;
    struct stat s;
    uint64_t name = path ? hash_name(at, path) : 0;
    bool is =
        name && look(at, path, &s, AT_SYMLINK_NOFOLLOW) && S_ISREG(s.st_mode) && !prof_segments_is_one(&s);
    if (name)
        note(what, is ? s.st_dev : 0, is ? s.st_ino : 0, name, path);
    errno = error;
}

void prof_written_named(uint16_t what, const char *kind, const char *name)
{
    char path[PATH_MAX];
    int error = errno;
    uint64_t hash = 1;
    if (prof_depth > 0 || prof_thread_is_mpis())
        return;
    bool bare = *name == '/' && !strchr(name + 1, '/'); /* POSIX: "/x" is "x" */
    snprintf(path, sizeof path, "%s %s", kind, name + bare);
    for (const char *at = path; *at; at++)
        hash = mix(hash, (unsigned char)*at);
    note(what, 0, 0, hash | 1, path);
    errno = error;
}

static void note_all(uint8_t what)
{
    int error = errno;
    note(what, 0, 0, 0, NULL);
    errno = error;
}

/* ---- files ---- */

/* The call comes from the library of gfortran: an OPEN statement that does not say ACTION opens for reading
 * and writing, and asks for the length, whatever the program is going to do. */
static bool is_fortrans(const void *caller)
{
    Dl_info info;
    return caller && dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, "libgfortran");
}

/* Where this library lies: the linker says so. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

/* The call is isp's own, which opens and looks at files each time that a run goes on from a checkpoint:
 * so nobody is asked for the name of the caller, which dladdr would look for among all symbols. */
static bool is_isps(const void *caller)
{
    return (uintptr_t)caller >= (uintptr_t)__ehdr_start && (uintptr_t)caller < (uintptr_t)_end;
}

/* Opened, or not: that it was not is known then, too. */
static void note_opened(int at, const char *path, int flags, int fd, const void *caller)
{
    int mode = flags & O_ACCMODE, error = errno;
    uint8_t what = 0;
    struct stat s;
    bool perhaps = mode == O_RDWR && fd < FEW && is_fortrans(caller);
    if (fd >= 0 && fd < FEW)
        untouched[fd] = perhaps ? ISP_FILE_LOOKS | ISP_FILE_CHANGES : 0;
    if (is_isps(caller))
        return;
    opened += fd >= 0;
    if (!(flags & O_TRUNC) && mode != O_WRONLY)
        what |= perhaps ? ISP_FILE_LOOKS | ISP_FILE_PERHAPS | ISP_FILE_LATER : ISP_FILE_LOOKS;
    if ((flags & O_CREAT) && (flags & O_EXCL))
        what = ISP_FILE_LOOKS;
    if (fd >= 0 && (mode != O_RDONLY || (flags & O_TRUNC)))
        what |= ISP_FILE_CHANGES | (flags & (O_TRUNC | O_EXCL) ? 0 : ISP_FILE_KEEPS);
    if (fd < 0) {
        if (error == ENOENT || error == EEXIST)
            note_name(ISP_FILE_LOOKS, at, path);
    } else if (look(fd, "", &s, AT_EMPTY_PATH)) {
        if (S_ISFIFO(s.st_mode))
            prof_link_unkept(PROF_WRITTEN_CHANNELS);
        uint64_t name = path ? hash_name(at, path) : 0;
        if (S_ISREG(s.st_mode) && !prof_segments_is_one(&s) && what && (name || !path))
            note(what, s.st_dev, s.st_ino, name, path);
    }
    errno = error;
}

static void note_stream(FILE *stream, const char *path, const char *mode, const void *caller)
{
    bool both = strchr(mode, '+');
    int flags = both ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    flags |= mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT : 0;
    note_opened(AT_FDCWD, path, flags | (strchr(mode, 'x') ? O_EXCL : 0), stream ? fileno(stream) : -1,
                caller);
}

/* The name by which it was opened, if it still has that. */
static uint64_t name_of(int fd, const struct stat *s, char *path, size_t room)
{
    char link[32];
    struct stat there;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, room - 1);
    path[length > 0 ? length : 0] = '\0';
    bool same = length > 0 && look(AT_FDCWD, path, &there, 0) && there.st_dev == s->st_dev &&
                there.st_ino == s->st_ino;
    return same ? hash_name(AT_FDCWD, path) : 0;
}

static void note_descriptor(uint8_t what, int fd)
{
    char path[PATH_MAX];
    struct stat s;
    int error = errno;
    if (look(fd, "", &s, AT_EMPTY_PATH) && S_ISREG(s.st_mode) && !prof_segments_is_one(&s)) {
        uint64_t name = name_of(fd, &s, path, sizeof path);
        note(what, s.st_dev, s.st_ino, name, name ? path : NULL);
    }
    errno = error;
}

static void note_length(int fd, const void *caller)
{
    if (is_isps(caller))
        return;

    note_descriptor(is_fortrans(caller) ? ISP_FILE_LOOKS | ISP_FILE_PERHAPS : ISP_FILE_LOOKS, fd);
}

/* Of those that are untouched: what is read behind what was written is its own. */
static void note_touched(uint8_t what, int fd)
{
    if (fd < 0 || fd >= FEW || !(untouched[fd] & what))
        return;
    untouched[fd] = what == ISP_FILE_LOOKS ? ISP_FILE_CHANGES : 0;
    note_descriptor(what | ISP_FILE_LATER, fd);
}

/* By the program, for other processes to see: what is in there is told no more. */
static void note_mapped(int flags, int fd, bool mapped)
{
    int error = errno;
    char path[PATH_MAX];
    struct stat s;
    opened += mapped && (flags & MAP_SHARED);
    if (mapped && fd >= 0 && (flags & MAP_SHARED) && prof_depth == 0 && !prof_thread_is_mpis() &&
        look(fd, "", &s, AT_EMPTY_PATH) && S_ISREG(s.st_mode)) {
        uint64_t name = name_of(fd, &s, path, sizeof path);
        note(ISP_FILE_MAPS, s.st_dev, s.st_ino, name, name ? path : NULL);
    }
    errno = error;
}

unsigned prof_written_opened(void) { return opened; }

unsigned prof_written_looks(void) { return looks; }

void prof_written_forked(void) { memset(known, 0, sizeof known); }

/* ---- in front of the C library ---- */

#define EXPORT __attribute__((visibility("default")))
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define CALL(name)                 \
    static __typeof__(&name) next; \
    next = next ? next : NEXT(name)

#define OPEN(name, parameters, arguments, at)                          \
    EXPORT int name parameters                                         \
    {                                                                  \
        va_list args;                                                  \
        va_start(args, flags);                                         \
        mode_t mode = va_arg(args, mode_t);                            \
        va_end(args);                                                  \
        CALL(name);                                                    \
        int fd = next arguments;                                       \
        note_opened(at, path, flags, fd, __builtin_return_address(0)); \
        return fd;                                                     \
    }

#define CREATE(name)                                                         \
    EXPORT int name(const char *path, mode_t mode)                           \
    {                                                                        \
        int fd = NEXT(name)(path, mode);                                     \
        note_opened(AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC, fd, NULL); \
        return fd;                                                           \
    }

#define TEMPORARY(name)                                                    \
    EXPORT int name(char *path)                                            \
    {                                                                      \
        int fd = NEXT(name)(path);                                         \
        note_opened(AT_FDCWD, path, O_RDWR | O_CREAT | O_TRUNC, fd, NULL); \
        return fd;                                                         \
    }

#define FOPEN(name)                                                   \
    EXPORT FILE *name(const char *path, const char *mode)             \
    {                                                                 \
        CALL(name);                                                   \
        FILE *stream = next(path, mode);                              \
        note_stream(stream, path, mode, __builtin_return_address(0)); \
        return stream;                                                \
    }

#define FREOPEN(name)                                                 \
    EXPORT FILE *name(const char *path, const char *mode, FILE *old)  \
    {                                                                 \
        FILE *stream = NEXT(name)(path, mode, old);                   \
        note_stream(stream, path, mode, __builtin_return_address(0)); \
        return stream;                                                \
    }

/* `before` and `after` the call. */
#define AROUND(type, name, parameters, arguments, before, after) \
    EXPORT type name parameters                                  \
    {                                                            \
        CALL(name);                                              \
        before;                                                  \
        type result = next arguments;                            \
        after;                                                   \
        return result;                                           \
    }

enum { CHANGES = ISP_FILE_CHANGES, LOOKS = ISP_FILE_LOOKS, REMOVES = ISP_FILE_CHANGES | ISP_FILE_REMOVES };

/* It must not be there before. */
#define MAKES(at, path) note_name(result == 0 ? LOOKS | CHANGES : LOOKS, at, path)
#define NOTHING (void)0

OPEN(open, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), (path, flags, mode), AT_FDCWD)
OPEN(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode), at)
OPEN(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode), at)
CREATE(creat)
CREATE(creat64)
TEMPORARY(mkstemp)
TEMPORARY(mkstemp64)
FOPEN(fopen)
FOPEN(fopen64)
FREOPEN(freopen)
FREOPEN(freopen64)
AROUND(int, unlink, (const char *path), (path), note_name(REMOVES, AT_FDCWD, path), NOTHING)
AROUND(int, unlinkat, (int at, const char *path, int flags), (at, path, flags), note_name(REMOVES, at, path),
       NOTHING)
AROUND(int, remove, (const char *path), (path), note_name(REMOVES, AT_FDCWD, path), NOTHING)
AROUND(int, rmdir, (const char *path), (path), note_name(REMOVES, AT_FDCWD, path), NOTHING)
AROUND(int, mkdir, (const char *path, mode_t mode), (path, mode), NOTHING, MAKES(AT_FDCWD, path))
AROUND(int, mkdirat, (int at, const char *path, mode_t mode), (at, path, mode), NOTHING, MAKES(at, path))
AROUND(int, mkfifo, (const char *path, mode_t mode), (path, mode), NOTHING, MAKES(AT_FDCWD, path))
AROUND(int, symlink, (const char *to, const char *path), (to, path), NOTHING, MAKES(AT_FDCWD, path))
AROUND(int, symlinkat, (const char *to, int at, const char *path), (to, at, path), NOTHING, MAKES(at, path))
AROUND(int, link, (const char *from, const char *path), (from, path), note_name(LOOKS, AT_FDCWD, from),
       MAKES(AT_FDCWD, path))
AROUND(int, linkat, (int at, const char *from, int there, const char *path, int flags),
       (at, from, there, path, flags), note_name(LOOKS, at, from), MAKES(there, path))
AROUND(int, truncate, (const char *path, off_t length), (path, length), note_name(CHANGES, AT_FDCWD, path),
       NOTHING)
AROUND(int, truncate64, (const char *path, off64_t length), (path, length),
       note_name(CHANGES, AT_FDCWD, path), NOTHING)
AROUND(int, ftruncate, (int fd, off_t length), (fd, length), note_descriptor(CHANGES, fd), NOTHING)
AROUND(int, ftruncate64, (int fd, off64_t length), (fd, length), note_descriptor(CHANGES, fd), NOTHING)
AROUND(int, chmod, (const char *path, mode_t mode), (path, mode),
       note_name(CHANGES | ISP_FILE_KEEPS, AT_FDCWD, path), NOTHING)
AROUND(int, access, (const char *path, int mode), (path, mode), note_name(LOOKS, AT_FDCWD, path), NOTHING)
AROUND(int, faccessat, (int at, const char *path, int mode, int flags), (at, path, mode, flags),
       note_name(LOOKS, at, path), NOTHING)
AROUND(int, stat, (const char *path, struct stat *s), (path, s), note_name(LOOKS, AT_FDCWD, path), NOTHING)
AROUND(int, stat64, (const char *path, struct stat64 *s), (path, s), note_name(LOOKS, AT_FDCWD, path),
       NOTHING)
AROUND(int, lstat, (const char *path, struct stat *s), (path, s), note_name(LOOKS, AT_FDCWD, path), NOTHING)
AROUND(int, lstat64, (const char *path, struct stat64 *s), (path, s), note_name(LOOKS, AT_FDCWD, path),
       NOTHING)
AROUND(int, fstatat, (int at, const char *path, struct stat *s, int flags), (at, path, s, flags),
       note_name(LOOKS, at, path), NOTHING)
AROUND(void *, mmap, (void *at, size_t size, int protection, int flags, int fd, off_t offset),
       (at, size, protection, flags, fd, offset), NOTHING, note_mapped(flags, fd, result != MAP_FAILED))
AROUND(void *, mmap64, (void *at, size_t size, int protection, int flags, int fd, off64_t offset),
       (at, size, protection, flags, fd, offset), NOTHING, note_mapped(flags, fd, result != MAP_FAILED))
AROUND(ssize_t, read, (int fd, void *to, size_t size), (fd, to, size), note_touched(LOOKS, fd), NOTHING)
AROUND(ssize_t, write, (int fd, const void *from, size_t size), (fd, from, size), note_touched(CHANGES, fd),
       NOTHING)
AROUND(int, fstat, (int fd, struct stat *s), (fd, s), note_length(fd, __builtin_return_address(0)), NOTHING)
AROUND(int, fstat64, (int fd, struct stat64 *s), (fd, s), note_length(fd, __builtin_return_address(0)),
       NOTHING)
AROUND(ssize_t, readlink, (const char *path, char *to, size_t size), (path, to, size),
       note_name(LOOKS, AT_FDCWD, path), NOTHING)
AROUND(DIR *, opendir, (const char *path), (path), if (hash_name(AT_FDCWD, path)) note_all(LOOKS), NOTHING)

EXPORT int rename(const char *from, const char *to)
{
    CALL(rename);
    note_name(LOOKS | REMOVES, AT_FDCWD, from);
    int result = next(from, to);
    note_name(CHANGES, AT_FDCWD, to);
    return result;
}

/* How long a file is. */
#define SEEK(type, name, handle, offset, of)                                \
    AROUND(type, name, (handle, offset at, int whence), (file, at, whence), \
           if (whence == SEEK_END) note_length(of, __builtin_return_address(0)), NOTHING)

SEEK(off_t, lseek, int file, off_t, file)
SEEK(off64_t, lseek64, int file, off64_t, file)
SEEK(int, fseek, FILE *file, long, fileno(file))
SEEK(int, fseeko, FILE *file, off_t, fileno(file))
SEEK(int, fseeko64, FILE *file, off64_t, fileno(file))

/* Other programs: what they do is not seen. */
AROUND(int, system, (const char *command), (command), note_all(LOOKS | CHANGES), NOTHING)
AROUND(FILE *, popen, (const char *command, const char *mode), (command, mode), note_all(LOOKS | CHANGES),
       NOTHING)
AROUND(int, posix_spawn,
       (pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,
        const posix_spawnattr_t *attributes, char *const *argv, char *const *environment),
       (pid, path, actions, attributes, argv, environment), note_all(LOOKS | CHANGES), NOTHING)
AROUND(int, posix_spawnp,
       (pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,
        const posix_spawnattr_t *attributes, char *const *argv, char *const *environment),
       (pid, path, actions, attributes, argv, environment), note_all(LOOKS | CHANGES), NOTHING)

void prof_written_child(void) { note_all(LOOKS | CHANGES); }
