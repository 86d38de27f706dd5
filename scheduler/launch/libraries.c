/* SPDX-License-Identifier: BSD-3-Clause */
/* See libraries.h. */
#include "libraries.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

char *sched_launch_library(void)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n > 0) {
        self[n] = '\0';
        *strrchr(self, '/') = '\0';
        static const char *const places[] = {"profiler/libisp.so", "../" ISP_LIBDIR_NAME "/libisp.so"};
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            char *path = sched_format("%s/%s", self, places[i]);
            char *real = access(path, R_OK) == 0 ? realpath(path, NULL) : NULL;
            free(path);
            if (real)
                return real;
        }
    }
    char *path = sched_format("%s/libisp.so", ISP_LIBDIR);
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

char *sched_library_beside(const char *library, const char *name)
{
    const char *slash = library ? strrchr(library, '/') : NULL;
    char *beside = slash ? sched_format("%.*s/%s", (int)(slash - library), library, name) : NULL;
    if (beside && access(beside, R_OK) == 0)
        return beside;
    free(beside);
    return NULL;
}

char *sched_launch_front(const struct sched_mpi *mpi)
{
    if (!mpi)
        return NULL;
    char *library = sched_launch_library(), *front = sched_library_beside(library, mpi->front);
    if (!front) { /* in the build folder */
        char *built = sched_format("../adapters/%s/%s", mpi->option, mpi->front);
        front = sched_library_beside(library, built);
        free(built);
    }
    free(library);
    return front;
}
