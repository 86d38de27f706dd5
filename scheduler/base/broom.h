/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that isp writes beside their place and renames when they are whole: what is left of them if isp is
 * killed before that is swept up by the broom, a process that outlives isp for a moment. (Guards sweep up
 * after worlds; a report is written when there is none.) It is started with the first file. If it cannot be,
 * or is killed itself, isp goes on without.
 */
#ifndef SCHED_BROOM_H
#define SCHED_BROOM_H

#include <stdbool.h>

/* Makes a file that was not there before beside `file`, for reading and writing, with the mode that the umask
 * gives. Its name (caller frees), or NULL with errno. */
char *sched_broom_create(const char *file, int *fd);
/* The same for this user alone, whatever the umask is. */
char *sched_broom_create_private(const char *file, int *fd);
/* Makes a private folder in a folder, likewise, which the broom removes if it is empty by then. NULL with
 * errno. */
char *sched_broom_create_folder(const char *in);
void sched_broom_remove_folder(const char *folder);
/* The broom is to know of this file, which will be made, and belongs to `file` alone. */
void sched_broom_add(const char *file);
/* Removes the file, which the broom need not know any longer. errno stays. */
void sched_broom_remove(const char *file);
/* Its bytes are on the disk, and it gets its place, which may be taken. False with errno: it is still where
 * it was. */
bool sched_broom_place(const char *beside, const char *file);

#endif
