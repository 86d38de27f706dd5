/* SPDX-License-Identifier: BSD-3-Clause */
#include "regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int sched_regular_file_open(const char *path, int64_t largest)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= largest))
        return fd;
    close(fd);
    return -1;
}
