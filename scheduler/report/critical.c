/* SPDX-License-Identifier: BSD-3-Clause */
/* Which runs are compared, and why these: fate.h. */
#include "critical.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "words/words.h"
#include "isp/functions.h"

/* Notes are about choices themselves; and what a program does that is not determined by its choices depends
 * on none of them. */
static bool can_depend(const struct sched_result *result, const struct sched_finding *f)
{
    return f->fate && f->interleaving && !result->options->replay && f->rule != ISP_RULE_NONDETERMINISM &&
           sched_rule_severity(f->rule) != ISP_SEVERITY_NOTE;
}

bool sched_critical_find(const struct sched_result *result, const struct sched_finding *f,
                         struct sched_critical *c)
{
    if (!can_depend(result, f) ||
        !sched_fate_parting(f->fate, f->interleaving, &c->decision, &c->interleaving))
        return false;
    const struct sched_path *path = f->fate->path;
    c->choice = sched_path_find(path, c->decision);
    if (!c->choice)
        return false;
    c->taken =
        sched_path_words(path, c->choice, sched_moment_decision(f->interleaving, c->decision), result->sites);
    c->alternative =
        sched_path_words(path, c->choice, sched_moment_decision(c->interleaving, c->decision), result->sites);
    return true;
}

void sched_critical_finish(struct sched_critical *c)
{
    free(c->taken);
    free(c->alternative);
}

/* Where both messages are sent at one place, it is told once. */
static void shorten(char *alternative, const char *taken)
{
    static const char sent[] = ", sent at ";
    char *mine = strstr(alternative, sent);
    const char *other = strstr(taken, sent);
    if (mine && other && strcmp(mine, other) == 0)
        *mine = '\0';
}

char *sched_critical_story(const struct sched_result *result, const struct sched_finding *f)
{
    struct sched_critical c;
    char *story = sched_strdup(f->story ? f->story : "");
    if (!sched_critical_find(result, f, &c))
        return story;
    shorten(c.alternative, c.taken);
    char *place = sched_sites_words(result->sites, c.choice->site);
    sched_words_add(&story, "critical choice: %s of rank %d at %s: it %s\n",
                    isp_fn_name((enum isp_fn)c.choice->fn), c.choice->rank, place, c.taken);
    sched_words_add(&story, "if instead it %s, as in interleaving %s, this does not happen\n", c.alternative,
                    c.interleaving);
    free(place);
    sched_critical_finish(&c);
    return story;
}
