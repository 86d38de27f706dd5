/* SPDX-License-Identifier: BSD-3-Clause */
#include "source_file.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/regular_file.h"

enum { LARGEST = 16 << 20 }; /* a larger file is no source code */

static bool is_source_name(const char *file)
{
    static const char *const endings[] = {"c",   "h",   "cc",  "cp",  "cpp", "cxx", "c++", "hh",
                                          "hpp", "hxx", "inl", "tcc", "ipp", "inc", "cu",  "cuh",
                                          "f",   "for", "ftn", "f77", "f90", "f95", "f03", "f08",
                                          "fpp", "i",   "ii",  "y",   "l",   "d",   "rs",  "pyx"};
    const char *slash = strrchr(file, '/'), *dot = strrchr(slash ? slash : file, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcasecmp(dot + 1, endings[i]) == 0)
            return true;
    return false;
}

FILE *sched_source_file_open(const char *file)
{
    int fd = sched_regular_file_open(file, LARGEST);
    FILE *in = fd >= 0 ? fdopen(fd, "r") : NULL;
    if (!in && fd >= 0)
        close(fd);
    return in;
}

/* Where links have led. */
static bool is_source(FILE *in)
{
    char path[64], real[PATH_MAX];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(in));
    ssize_t n = readlink(path, real, sizeof real - 1);
    if (n <= 0)
        return false;
    real[n] = '\0';
    return is_source_name(real);
}

FILE *sched_source_file_open_named(const char *file)
{
    FILE *in = is_source_name(file) ? sched_source_file_open(file) : NULL;
    if (!in || is_source(in))
        return in;
    fclose(in);
    return NULL;
}

char *sched_source_file_line(FILE *in, int64_t line)
{
    char *text = NULL;
    size_t room = 0;
    bool there = in && line > 0;
    for (int64_t i = 0; i < line && there; i++)
        there = getline(&text, &room, in) >= 0;
    if (in)
        fclose(in);
    if (there) {
        text[strcspn(text, "\r\n")] = '\0';
        return text;
    }
    free(text);
    return NULL;
}
