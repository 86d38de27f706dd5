/* SPDX-License-Identifier: BSD-3-Clause */
/* See processes.h. */
#include "processes.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int sched_proc_read(const char *path, char *room, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    size_t have = 0;
    ssize_t n;
    while (have < size - 1 && (n = read(fd, room + have, size - 1 - have)) > 0)
        have += (size_t)n;
    close(fd);
    room[have] = '\0';
    return (int)have;
}

/* Parent of a process, or -1, also if it has died and waits for its parent. */
static pid_t parent_of(pid_t pid)
{
    char path[64], stat[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (sched_proc_read(path, stat, sizeof stat) <= 0)
        return -1;
    char *name_end = strrchr(stat, ')');
    int parent;
    char state;
    if (!name_end || sscanf(name_end + 1, " %c %d", &state, &parent) != 2 || state == 'Z')
        return -1;
    return parent;
}

size_t sched_processes_list(struct sched_process **list)
{
    *list = NULL;
    size_t n = 0, room = 0;
    DIR *proc = opendir("/proc");
    struct dirent *entry;
    while (proc && (entry = readdir(proc))) {
        if (!isdigit((unsigned char)entry->d_name[0]))
            continue;
        if (n == room) {
            room = room ? 2 * room : 256;
            struct sched_process *more = reallocarray(*list, room, sizeof **list);
            if (!more)
                break;
            *list = more;
        }
        pid_t pid = (pid_t)atoi(entry->d_name);
        (*list)[n++] = (struct sched_process){.pid = pid, .parent = parent_of(pid)};
    }
    if (proc)
        closedir(proc);
    return n;
}

pid_t sched_processes_child(pid_t parent)
{
    struct sched_process *list;
    pid_t child = 0;
    for (size_t n = sched_processes_list(&list), i = 0; i < n && !child; i++)
        child = list[i].parent == parent ? list[i].pid : 0;
    free(list);
    return child;
}

/* Marks the descendants of `root`. Pids wrap, so a parent may come later in the list: repeat. */
size_t sched_processes_mark_descendants(struct sched_process *list, size_t n, pid_t root)
{
    size_t marked = 0;
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < n; i++) {
            if (list[i].ours || list[i].parent <= 0)
                continue;
            bool ours = list[i].parent == root;
            for (size_t k = 0; k < n && !ours; k++)
                ours = list[k].ours && list[k].pid == list[i].parent;
            if (ours) {
                list[i].ours = more = true;
                marked++;
            }
        }
    }
    return marked;
}

bool sched_processes_signal(const struct sched_process *list, size_t n, int signal)
{
    bool foreign = false, any = false;
    for (size_t i = 0; i < n; i++) {
        if (!list[i].ours)
            continue;
        if (kill(list[i].pid, signal) == 0)
            any = true;
        else
            foreign |= errno == EPERM;
    }
    return foreign && !any;
}

/* An environment may be as long as a stack. */
bool sched_process_carries(pid_t pid, const char *token)
{
    static char room[1 << 16];
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    size_t kept = 0, length = strlen(token);
    ssize_t n;
    bool found = false;
    while (fd >= 0 && !found && (n = read(fd, room + kept, sizeof room - kept)) > 0) {
        kept += (size_t)n;
        found = memmem(room, kept, token, length);
        size_t drop = kept >= length ? kept - length + 1 : 0; /* it may lie across */
        memmove(room, room + drop, kept - drop);
        kept -= drop;
    }
    if (fd >= 0)
        close(fd);
    return found;
}
