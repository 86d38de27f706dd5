/* SPDX-License-Identifier: BSD-3-Clause */
/* See replay.h. Only what changes the run itself is repeated: the buffering of the run that showed the
 * finding, and limits and the launcher if the user set them; not where output or results go. */
#include "replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "words/buffered.h"

/* One word for the shell: as it is, in '...', or, with control characters, in $'...'. A shell that does not
 * know the last (dash) takes it for a dollar sign and '...': so no quote and no backslash but those of
 * numbers is in it, and the word, though wrong there, is one word all the same. */
static void quote(FILE *out, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:=,+@%";
    bool control = false;
    for (const unsigned char *p = (const unsigned char *)word; *p; p++)
        control |= *p < 0x20 || *p >= 0x7f;
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, out);
        return;
    }
    fputs(control ? "$'" : "'", out);
    for (const unsigned char *p = (const unsigned char *)word; *p; p++) {
        if (control && (*p < 0x20 || *p >= 0x7f || *p == '\'' || *p == '\\'))
            fprintf(out, "\\%03o", *p);
        else if (*p == '\'')
            fputs("'\\''", out);
        else
            fputc(*p, out);
    }
    fputc('\'', out);
}

static void write_options(FILE *out, const struct sched_options *o, const struct sched_finding *f)
{
    const struct sched_options *usual = &sched_default_options;
    /* in a replay all findings have it */
    char *kept = o->mixed ? sched_kept_write(o->kept, o->n_kept) : NULL;
    if (f->kept || kept)
        fprintf(out, " --buffered=%s", kept ? kept : f->kept);
    else if (f->buffered)
        fputs(" --buffering=infinite", out);
    else if (o->buffering == ISP_BUFFERING_ZERO)
        fputs(" --buffering=zero", out);
    free(kept);
    if (o->polls != usual->polls)
        fprintf(out, " --polls=%u", o->polls);
    if (o->livelock_rounds != usual->livelock_rounds)
        fprintf(out, " --livelock-rounds=%u", o->livelock_rounds);
    if (o->timeout_s != usual->timeout_s)
        fprintf(out, " --timeout=%g", o->timeout_s);
    if (o->idle_s != usual->idle_s)
        fprintf(out, " --idle=%g", o->idle_s);
    if (o->on_error != usual->on_error)
        fputs(" --on-error=continue", out);
    if (o->memory != usual->memory)
        fputs(o->memory == ISP_MEMORY_WATCH ? " --memory=watch" : " --memory=off", out);
    if (o->stacks)
        fputs(" --stacks", out);
    for (char **name = o->ignored; name && *name; name++) {
        fputs(" --ignore ", out);
        quote(out, *name);
    }
    if (o->tcp) {
        fputs(" --tcp ", out);
        quote(out, o->tcp);
    }
    if (strcmp(o->mpi, usual->mpi) != 0)
        fprintf(out, " --mpi=%s", o->mpi);
    if (strcmp(o->mpiexec, usual->mpiexec) != 0) {
        fputs(" --mpiexec ", out);
        quote(out, o->mpiexec);
    }
}

static char *command(const char *does, const struct sched_options *options,
                     const struct sched_finding *finding)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&text, &size));
    fprintf(out, "isp %s -n %d", does, options->ranks);
    write_options(out, options, finding);
    fputs(" --choices ", out);
    const char *choices = finding->cut ? finding->cut : finding->interleaving;
    quote(out, *choices ? choices : "0");
    fputs(" --", out);
    for (char **word = options->command; *word; word++) {
        fputc(' ', out);
        quote(out, *word);
    }
    fclose(out);
    return sched_must(text);
}

char *sched_replay_command(const struct sched_options *options, const struct sched_finding *finding)
{
    return finding->interleaving ? command("replay", options, finding) : NULL;
}

/* One run alone does not differ from another one, and past a call that isp cannot model there is nothing. */
static bool can_stand_at(enum isp_rule rule)
{
    return sched_rule_severity(rule) != ISP_SEVERITY_NOTE && rule != ISP_RULE_NONDETERMINISM &&
           rule != ISP_RULE_UNSUPPORTED;
}

char *sched_replay_debug_command(const struct sched_options *options, const struct sched_finding *finding)
{
    bool can = finding->interleaving && can_stand_at(finding->rule);
    return can ? command("debug", options, finding) : NULL;
}
