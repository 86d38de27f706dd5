/* SPDX-License-Identifier: BSD-3-Clause */
#include "tmpdir.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "say.h"

enum { ROOM = 80 }; /* what a folder may use of the 108 bytes of a socket's path */

static struct {
    bool looked;
    char path[PATH_MAX];
    const char *refused;
} tmpdir;

/* Who can do all here: root; or, where this user seems to be root (unshare), whoever that is outside. */
static bool is_trusted(uid_t user)
{
    struct stat root;
    return user == 0 || user == geteuid() || (stat("/", &root) == 0 && user == root.st_uid);
}

static bool is_private(const struct stat *st)
{
    bool shared =
        (st->st_mode & S_IWOTH) || ((st->st_mode & S_IWGRP) && st->st_gid != 0 && st->st_gid != getegid());
    return is_trusted(st->st_uid) && (!shared || (st->st_mode & S_ISVTX));
}

/* The folder, and all above it. */
static bool is_safe(const char *real)
{
    char path[PATH_MAX];
    struct stat st;
    snprintf(path, sizeof path, "%s", real);
    for (;;) {
        if (lstat(path, &st) != 0 || !is_private(&st))
            return false;
        char *slash = strrchr(path, '/');
        if (!slash || !path[1])
            return true;
        slash[slash == path] = '\0';
    }
}

/* Why not, or NULL; `real` is then where it is. */
static const char *refuse(const char *wish, char *real)
{
    struct stat st;
    if (wish[0] != '/')
        return "it does not begin with a slash";
    if (!realpath(wish, real) || stat(real, &st) != 0)
        return strerror(errno);
    if (!S_ISDIR(st.st_mode))
        return strerror(ENOTDIR);
    if (access(real, W_OK | X_OK) != 0)
        return strerror(errno);
    if (strlen(real) > ROOM)
        return "the name is too long for a socket in it";
    return is_safe(real) ? NULL : "other users can rename what lies there";
}

static void look(void)
{
    const char *wish = getenv("TMPDIR");
    tmpdir.looked = true;
    if (wish && *wish)
        tmpdir.refused = refuse(wish, tmpdir.path);
    if ((!wish || !*wish || tmpdir.refused) && !realpath("/tmp", tmpdir.path))
        strcpy(tmpdir.path, "/tmp");
}

const char *sched_tmpdir(void)
{
    if (!tmpdir.looked)
        look();
    return tmpdir.path;
}

const char *sched_tmpdir_refused(void)
{
    sched_tmpdir();
    return tmpdir.refused;
}

void sched_tmpdir_tell(void)
{
    if (sched_tmpdir_refused())
        sched_say("note: TMPDIR=%s cannot be used: %s; %s is taken", getenv("TMPDIR"), tmpdir.refused,
                  tmpdir.path);
}
