/* SPDX-License-Identifier: BSD-3-Clause */
/* Many programs have a --verbose of their own. The words that a program understands stand in its file, so one
 * that is not there was hardly meant for it. */
#include "misplaced.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/say.h"
#include "settings.h"
#include "values.h"

/* `name` as a word of its own. */
static bool has_word(const char *bytes, size_t size, const char *name)
{
    size_t n = strlen(name);
    const char *end = bytes + size;
    for (const char *at = bytes; (at = memmem(at, (size_t)(end - at), name, n)); at++) {
        bool begins = at == bytes || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        bool ends = at + n == end || !(isalnum((unsigned char)at[n]) || at[n] == '_');
        if (begins && ends)
            return true;
    }
    return false;
}

static bool knows(const char *path, const char *name)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    bool open = fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0;
    void *bytes = open ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    bool found = bytes != MAP_FAILED && has_word(bytes, (size_t)st.st_size, name);
    if (bytes != MAP_FAILED)
        munmap(bytes, (size_t)st.st_size);
    if (fd >= 0)
        close(fd);
    return found;
}

static const struct sched_setting *option_of(const char *word)
{
    size_t n = strcspn(word, "=");
    for (const struct sched_setting *s = sched_settings; s < sched_settings + sched_n_settings; s++)
        if (strlen(s->option) == n && strncmp(word, s->option, n) == 0)
            return s;
    return NULL;
}

void sched_misplaced_tell(const struct sched_options *options)
{
    for (char **word = options->command + 1; *word && strcmp(*word, "--") != 0; word++) {
        const struct sched_setting *s = option_of(*word);
        if (!s || knows(options->program, s->option + 2))
            continue;
        sched_say("note: %s stands behind the program, so the program gets it, and not isp: isp's options "
                  "come first (with -- before the program this is not said)",
                  s->option);
        return;
    }
}

const char *sched_misplaced_ranks(char **command)
{
    long n;
    for (; command[0] && command[1]; command++)
        if ((strcmp(command[0], "-n") == 0 || strcmp(command[0], "-np") == 0) &&
            sched_read_whole(command[1], 1, SCHED_RANKS_MAX, &n))
            return command[1];
    return NULL;
}
