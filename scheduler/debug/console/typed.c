/* SPDX-License-Identifier: BSD-3-Clause */
/* See typed.h. Each line is appended by one write, so sessions may share the file. */
#include "typed.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

/* "/home/me/.local/state/isp/history"; NULL: nowhere. Caller frees. */
static char *path_of_file(void)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && *state == '/')
        return sched_format("%s/isp/history", state);
    return home && *home == '/' ? sched_format("%s/.local/state/isp/history", home) : NULL;
}

/* The folders on the way to it, as XDG has them: private. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, S_IRWXU);
        *slash = '/';
    }
}

/* It may be anything that somebody has put there. -1: it is not used. */
static int open_file(const char *path, int flags)
{
    struct stat is;
    int fd = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return -1;
    if (fstat(fd, &is) == 0 && S_ISREG(is.st_mode)) {
        if (is.st_mode & (S_IRWXG | S_IRWXO))
            fchmod(fd, S_IRUSR | S_IWUSR);
        return fd;
    }
    close(fd);
    return -1;
}

static bool write_all(int fd, char *const *lines, size_t n)
{
    FILE *out = fdopen(fd, "w");
    bool ok = out;
    if (!out)
        close(fd);
    for (size_t i = 0; i < n && ok; i++)
        ok = fprintf(out, "%s\n", lines[i]) > 0;
    return out && fclose(out) == 0 && ok;
}

/* Only the last ones stay; the file is replaced as a whole. */
static void shorten(const char *path, char *const *lines, size_t n)
{
    char *other = sched_format("%s.%ld", path, (long)getpid());
    int fd = open(other, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd >= 0 && (!write_all(fd, lines, n) || rename(other, path) != 0))
        unlink(other);
    free(other);
}

static char **read_lines(FILE *in, size_t *n)
{
    char **lines = NULL, *line = NULL;
    size_t room = 0;
    ssize_t size;
    *n = 0;
    while ((size = getline(&line, &room, in)) > 0) {
        line[line[size - 1] == '\n' ? size - 1 : size] = '\0';
        if (!*line)
            continue;
        SCHED_GROW(lines, *n);
        lines[(*n)++] = sched_strdup(line);
    }
    free(line);
    return lines;
}

char **sched_typed_load(size_t *n)
{
    char *path = path_of_file();
    int fd = path ? open_file(path, O_RDONLY) : -1;
    FILE *in = fd >= 0 ? fdopen(fd, "r") : NULL;
    char **lines = NULL;
    *n = 0;
    if (in)
        lines = read_lines(in, n);
    if (in)
        fclose(in);
    size_t many = *n, first = many > SCHED_TYPED_MOST ? many - SCHED_TYPED_MOST : 0;
    for (size_t i = 0; i < first; i++)
        free(lines[i]);
    if (first)
        memmove(lines, lines + first, (many - first) * sizeof *lines);
    *n = many - first;
    if (many > 2 * SCHED_TYPED_MOST)
        shorten(path, lines, *n);
    free(path);
    return lines;
}

void sched_typed_add(const char *line)
{
    char *path = path_of_file(), *text = sched_format("%s\n", line);
    if (path)
        make_folders(path);
    int fd = path ? open_file(path, O_WRONLY | O_APPEND | O_CREAT) : -1;
    if (fd >= 0) {
        ssize_t done = write(fd, text, strlen(text));
        (void)done; /* nobody is told */
        close(fd);
    }
    free(path);
    free(text);
}
