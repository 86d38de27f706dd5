/* SPDX-License-Identifier: BSD-3-Clause */
#include "given.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "explore/save.h"
#include "values.h"

static struct sched_given *find(const struct sched_options *o, const char *name)
{
    struct sched_given *given = o->given;
    while (given && strcmp(given->option, name) != 0)
        given = given->next;
    return given;
}

void sched_given_add(struct sched_options *o, const struct sched_setting *s, const char *text)
{
    if (s->once)
        return;
    struct sched_given *given = find(o, sched_setting_name(s));
    if (!given) {
        given = sched_alloc(1, sizeof *given);
        *given = (struct sched_given){.option = sched_setting_name(s), .next = o->given};
        o->given = given;
    }
    char *was = given->text;
    given->text = was && s->joint ? sched_format("%s%s%s", was, s->joint, text) : sched_strdup(text);
    free(was);
}

const char *sched_given_text(const struct sched_options *o, const char *name)
{
    const struct sched_given *given = find(o, name);
    return given ? given->text : NULL;
}

void sched_given_finish(struct sched_options *o)
{
    for (struct sched_given *given = o->given, *next; given; given = next) {
        next = given->next;
        free(given->text);
        free(given);
    }
}

static void resume_option(struct sched_options *o, const struct sched_setting *s)
{
    const char *name = sched_setting_name(s);
    const char *text = sched_saved_option(o->saved, name), *now = sched_given_text(o, name);
    if (now && s->fixed && text && strcmp(text, now) != 0)
        sched_refuse("--resume %s: it was saved with %s %s, not with %s %s", o->resume, name, text, name,
                     now);
    if (now && s->fixed && !text)
        sched_refuse("--resume %s: it was saved without %s", o->resume, name);
    if (now || !text)
        return;
    if (!sched_setting_set(s, o, text))
        sched_refuse("--resume %s: the file is damaged", o->resume);
    sched_given_add(o, s, text);
}

static char **resume_command(struct sched_options *o, char **command)
{
    char **saved = sched_saved_command(o->saved);
    if (!saved)
        sched_refuse("--resume %s: the file is damaged", o->resume);
    size_t i = 0;
    while (command && command[i] && saved[i] && strcmp(command[i], saved[i]) == 0)
        i++;
    if (command && (command[i] || saved[i]))
        sched_refuse("--resume %s: it is of another program, or other arguments: %s", o->resume, saved[0]);
    if (!command)
        return o->resumed = saved;
    free(saved);
    return command;
}

char **sched_given_resume(struct sched_options *o, char **command)
{
    char *why;
    o->saved = sched_saved_read(o->resume, &why);
    if (!o->saved)
        sched_refuse("--resume %s: %s", o->resume, why);
    for (int i = 0; i < sched_n_settings; i++)
        if (sched_settings[i].kind != SCHED_ACTION)
            resume_option(o, &sched_settings[i]);
    if (!o->save)
        o->save = o->resume;
    return resume_command(o, command);
}
