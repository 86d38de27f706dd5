/* SPDX-License-Identifier: BSD-3-Clause */
#include "nearest.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { LONGEST = 40 };

static int least(int a, int b) { return a < b ? a : b; }

/* Letters to insert, delete, replace, or swap with their neighbour (optimal string alignment). Both are no
 * longer than LONGEST. */
static int distance(const char *a, size_t na, const char *b, size_t nb)
{
    int d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= na; i++)
        for (size_t j = 0; j <= nb; j++) {
            if (!i || !j) {
                d[i][j] = (int)(i + j);
                continue;
            }
            d[i][j] = least(d[i - 1][j - 1] + (a[i - 1] != b[j - 1]), least(d[i - 1][j], d[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[na][nb];
}

/* Of the word, without dashes and value, from each name; one letter in three may differ. A name of which the
 * word is a part (--interleavings) is as good as one that differs by that much. */
const struct sched_setting *sched_nearest(const char *word)
{
    const char *bare = word + strspn(word, "-");
    size_t n = strcspn(bare, "=");
    if (n < 2 || n > LONGEST)
        return NULL;
    char *part = sched_must(strndup(bare, n));
    const struct sched_setting *nearest = NULL;
    int most = (int)n / 3 > 1 ? (int)n / 3 : 1, best = most + 1;
    for (const struct sched_setting *s = sched_settings; s < sched_settings + sched_n_settings; s++) {
        const char *name = s->option + 2;
        int d = strlen(name) <= LONGEST ? distance(bare, n, name, strlen(name)) : best;
        if (d > most && n > 3 && strstr(name, part))
            d = most;
        if (d < best) {
            best = d;
            nearest = s;
        }
    }
    free(part);
    return nearest;
}

/* A short word is near to many; as a part of the command line it is a program. */
const char *sched_nearest_command(const char *word)
{
    enum { SHORTEST = 4 };
    static const char *const commands[] = {"replay", "report", "explain", "doctor", "debug", "dap", "help"};
    size_t n = strlen(word);
    const char *nearest = NULL;
    int best = (int)n / 3 + 1;
    for (size_t i = 0; n >= SHORTEST && n <= LONGEST && i < sizeof commands / sizeof *commands; i++) {
        int d = distance(word, n, commands[i], strlen(commands[i]));
        if (d > 0 && d < best) {
            best = d;
            nearest = commands[i];
        }
    }
    return nearest;
}

const struct sched_setting *sched_nearest_of_one_dash(const char *word)
{
    if (!word || word[0] != '-' || word[1] == '-' || strlen(word) < 4)
        return NULL;
    for (const struct sched_setting *s = sched_settings; s < sched_settings + sched_n_settings; s++)
        if (strcmp(word, s->option + 1) == 0)
            return s;
    return NULL;
}
