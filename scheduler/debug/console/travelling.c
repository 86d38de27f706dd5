/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands that go to another time: along messages, to events, to where one was. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "commands.h"
#include "debug/along.h"
#include "debug/inferior.h"
#include "debug/revisit.h"
#include "debug/view.h"

bool sched_console_arrive(struct sched_console *c, bool ok)
{
    struct sched_session *s = c->session;
    memset(c->level, 0, (size_t)s->n * sizeof *c->level);
    if (!ok)
        return false;
    sched_revisit_note(s);
    sched_console_show(c);
    return true;
}

static bool go_to(struct sched_console *c, struct sched_record_name name)
{
    return sched_console_arrive(c, sched_session_go_to(c->session, name));
}

static bool read_name(struct sched_console *c, const char *text, struct sched_record_name *name)
{
    int used = 0;
    bool digits = strspn(text, "0123456789:") == strlen(text); /* no "-1", which %u takes */
    if (!digits || sscanf(text, "%d:%u%n", &name->rank, &name->number, &used) != 2 || text[used] ||
        name->rank < 0 || name->rank >= c->session->n)
        return sched_session_fail(c->session, "goto where? RANK:CALL as in `calls`, or start, end, choice");
    return true;
}

/* The critical one, or the last choice point that had another alternative. */
static bool last_choice(struct sched_console *c, struct sched_record_name *name)
{
    const struct sched_record *r = c->session->record;
    if (c->decision >= 0 && (uint32_t)c->decision < r->n_choices) {
        *name = r->choices[c->decision].of;
        return true;
    }
    for (uint32_t k = r->n_choices; k > 0; k--)
        if (r->choices[k - 1].n > 1) {
            *name = r->choices[k - 1].of;
            return true;
        }
    return sched_session_fail(c->session, "this interleaving has no choice");
}

bool sched_do_goto(struct sched_console *c, const char *args)
{
    struct sched_session *s = c->session;
    struct sched_record_name name;
    if (strcmp(args, "end") == 0 || strcmp(args, "finding") == 0)
        return sched_console_arrive(c, sched_session_go(s, s->last, s->focus));
    if (strcmp(args, "start") == 0)
        return sched_console_arrive(c, sched_session_go_to_start(s, s->focus));
    if (strcmp(args, "choice") == 0)
        return last_choice(c, &name) && go_to(c, name);
    return read_name(c, args, &name) && go_to(c, name);
}

typedef bool along(struct sched_session *, struct sched_record_name, struct sched_record_name *);

static bool go_along(struct sched_console *c, along *way)
{
    struct sched_record_name to;
    return way(c->session, sched_along_present(c->session), &to) && go_to(c, to);
}

bool sched_do_follow(struct sched_console *c, const char *args) { return go_along(c, sched_along_receive); }
bool sched_do_sender(struct sched_console *c, const char *args) { return go_along(c, sched_along_send); }
bool sched_do_cause(struct sched_console *c, const char *args) { return go_along(c, sched_along_cause); }

static bool next_match(struct sched_session *s, struct sched_record_name of, struct sched_record_name *to)
{
    return sched_along_match(s, of, true, to);
}

static bool prev_match(struct sched_session *s, struct sched_record_name of, struct sched_record_name *to)
{
    return sched_along_match(s, of, false, to);
}

bool sched_do_next_match(struct sched_console *c, const char *args) { return go_along(c, next_match); }
bool sched_do_prev_match(struct sched_console *c, const char *args) { return go_along(c, prev_match); }

/* It is in the history, and must not be added to it again. */
static bool revisit(struct sched_console *c, const struct sched_history_place *place, const char *none)
{
    if (!place)
        return sched_session_fail(c->session, "%s", none);
    memset(c->level, 0, (size_t)c->session->n * sizeof *c->level);
    bool ok = sched_revisit(c->session, place);
    if (ok && place->spot && !c->session->inferiors[place->focus].at_line)
        puts("it does not come to the same line again: this is the call there");
    if (ok)
        sched_console_show(c);
    return ok;
}

bool sched_do_back(struct sched_console *c, const char *args)
{
    return revisit(c, sched_history_back(c->session->history), "this is where it began");
}

bool sched_do_forward(struct sched_console *c, const char *args)
{
    return revisit(c, sched_history_forward(c->session->history), "this is the last place");
}
