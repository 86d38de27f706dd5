/* SPDX-License-Identifier: BSD-3-Clause */
/* See shared_memory.h. */
#include "shared_memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <unistd.h>

#include "isp/wire.h"

/* It is a name that UCX or MPICH gives. */
static bool is_segment(const char *name)
{
    return strncmp(name, "ucx_shm_posix_", 14) == 0 || strncmp(name, "mpich_shar_tmp", 14) == 0;
}

static void append(struct sched_segment_names *names, const char *name)
{
    char **more = reallocarray(names->all, names->n + 1, sizeof *names->all);
    char *copy = strdup(name);
    if (more)
        names->all = more;
    if (more && copy)
        names->all[names->n++] = copy;
    else
        free(copy);
}

static void note_segment(struct sched_segment_names *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->all[i], name) == 0)
            return;
    append(names, name);
}

/* A link below /proc/PID/map_files or fd that leads to a segment that still has its name. */
static void note_link(struct sched_segment_names *names, const char *path)
{
    static const char shm[] = "/dev/shm/";
    char target[PATH_MAX];
    ssize_t n = readlink(path, target, sizeof target - 1);
    if (n <= 0)
        return;
    target[n] = '\0';
    if (strncmp(target, shm, sizeof shm - 1) == 0 && is_segment(target + sizeof shm - 1) &&
        !strchr(target, ' '))
        note_segment(names, target + sizeof shm - 1);
}

void sched_segment_names_note(struct sched_segment_names *names, pid_t pid)
{
    static const char *const folders[] = {"map_files", "fd"};
    for (int i = 0; i < 2; i++) {
        char path[PATH_MAX];
        snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, folders[i]);
        DIR *dir = opendir(path);
        struct dirent *entry;
        while (dir && (entry = readdir(dir))) {
            snprintf(path, sizeof path, "/proc/%d/%s/%s", (int)pid, folders[i], entry->d_name);
            note_link(names, path);
        }
        if (dir)
            closedir(dir);
    }
}

bool sched_segment_any(void)
{
    DIR *dir = opendir("/dev/shm");
    struct dirent *entry;
    bool found = false;
    while (dir && !found && (entry = readdir(dir)))
        found = is_segment(entry->d_name);
    if (dir)
        closedir(dir);
    return found;
}

static void remove_segment(const char *name)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "/dev/shm/%s", name);
    unlink(path);
}

void sched_segment_names_remove(struct sched_segment_names *names)
{
    for (size_t i = 0; i < names->n; i++) {
        remove_segment(names->all[i]);
        free(names->all[i]);
    }
    free(names->all);
}

/* What was taken back is one of the last, as a rule. */
static void take_back(struct sched_segment_names *names, const char *name)
{
    size_t i = names->n;
    while (i > 0 && strcmp(names->all[i - 1], name) != 0)
        i--;
    if (!i)
        return;
    free(names->all[i - 1]);
    names->all[i - 1] = names->all[--names->n];
}

void sched_segment_remove_noted(int folder)
{
    int fd = openat(folder, ISP_SEGMENTS_FILE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    FILE *f = fd >= 0 ? fdopen(fd, "r") : NULL;
    struct sched_segment_names names = {0};
    char line[NAME_MAX + 4];
    while (f && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = '\0';
        bool known = is_segment(line + 1) && !strchr(line, '/');
        if (known && line[0] == '+')
            append(&names, line + 1);
        else if (known && line[0] == '-')
            take_back(&names, line + 1);
    }
    sched_segment_names_remove(&names);
    if (f)
        fclose(f);
}

void sched_segment_remove_sysv(const struct sched_process *list, size_t n)
{
    FILE *f = fopen("/proc/sysvipc/shm", "re");
    char line[512];
    while (f && fgets(line, sizeof line, f)) {
        int id, creator;
        if (sscanf(line, "%*d %d %*o %*u %d", &id, &creator) != 2)
            continue;
        for (size_t i = 0; i < n; i++)
            if (list[i].ours && list[i].pid == creator)
                shmctl(id, IPC_RMID, NULL);
    }
    if (f)
        fclose(f);
}
