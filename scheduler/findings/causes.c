/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings of one cause are one finding, in several forms. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/count.h"

enum { SHOWN_FORMS = 3 };

/* The first with this cause, in the order of the search. */
static struct entry *find_cause(const struct sched_findings *findings, const struct entry *before)
{
    const char *cause = before->finding.cause;
    for (size_t i = 0; cause && findings->entries[i] != before; i++) {
        struct entry *e = findings->entries[i];
        if (!e->hidden && e->finding.cause && e->finding.rule == before->finding.rule &&
            strcmp(e->finding.cause, cause) == 0)
            return e;
    }
    return NULL;
}

/* Who waits for whom, of "deadlock: what would have to change; who waits for whom". */
static const char *who_waits(const char *message)
{
    const char *what = strstr(message, ": "), *who = what ? strstr(what, "; ") : NULL;
    return who ? who + 2 : what ? what + 2 : message;
}

/* "rank 0 waits in MPI_Recv for rank 1, which has finished (interleaving 1)"; not what reads like another
 * one: then it is others who wait elsewhere. */
static void add_form(struct entry *into, const struct sched_finding *f)
{
    const char *what = who_waits(f->message);
    into->forms++;
    if (strcmp(what, who_waits(into->finding.message)) == 0 || (into->told && strstr(into->told, what)))
        return;
    if (into->n_told++ >= SHOWN_FORMS)
        return;
    char *more =
        sched_format("%s%s%s (interleaving %s%s)", into->told ? into->told : "", into->told ? "; " : "", what,
                     f->interleaving, f->buffered ? " with buffered sends" : "");
    free(into->told);
    into->told = more;
}

static void fold(struct entry *into, struct entry *form)
{
    struct sched_finding *mine = &into->finding;
    const struct sched_finding *other = &form->finding;
    if (mine->buffered == other->buffered) {
        mine->count += other->count;
        if (mine->fate && other->fate)
            mine->fate->shown = sched_count_sum(mine->fate->shown, other->fate->shown);
    }
    add_form(into, other);
    form->hidden = true;
    form->into = into;
}

void sched_findings_tell_forms(struct entry *e)
{
    if (!e->forms)
        return;
    char *story =
        sched_format("%sin %zu further form%s%s%s%s\n", e->finding.story, e->forms, e->forms == 1 ? "" : "s",
                     e->told ? ": " : "", e->told ? e->told : ", in which other ranks wait elsewhere",
                     e->n_told > SHOWN_FORMS ? "; ..." : "");
    free(e->finding.story);
    e->finding.story = story;
}

void sched_findings_fold(struct sched_findings *findings)
{
    for (size_t i = 0; i < findings->n; i++) {
        struct entry *e = findings->entries[i], *first = e->hidden ? NULL : find_cause(findings, e);
        if (first)
            fold(first, e);
    }
    for (size_t i = 0; i < findings->n; i++)
        sched_findings_tell_forms(findings->entries[i]);
}
