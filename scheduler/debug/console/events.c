/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands that show calls of MPI: what is pending, what was and will be, what could be chosen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "commands.h"
#include "debug/along.h"
#include "debug/view.h"
#include "poe/poe.h"
#include "poe/search.h"
#include "words/words.h"

/* ---- queue ---- */

struct queue {
    struct sched_console *console;
    unsigned n;
};

static void put_live(const struct poe_transition *t, void *context)
{
    struct queue *q = context;
    struct sched_console *c = q->console;
    struct sched_run *run = sched_session_run(c->session);
    bool concerns =
        c->set[t->rank] || (t->call.op == ISP_OP_SEND && t->call.peer >= 0 && c->set[t->call.peer]);
    bool message = t->call.op == ISP_OP_SEND || t->call.op == ISP_OP_RECV;
    if (!concerns || !message)
        return;
    char *call = sched_words_call(run, &t->call), *place = sched_words_place(run, t->call.site);
    printf("%d:%llu  %-9s  %s  %s\n", t->rank, (unsigned long long)t->index,
           t->matched ? "matched" : "unmatched", call, place);
    q->n++;
    free(call);
    free(place);
}

bool sched_do_queue(struct sched_console *c, const char *args)
{
    struct queue q = {c, 0};
    poe_each_live(c->session->now->s.run.poe, put_live, &q);
    if (!q.n)
        puts("no operation is pending, and no message waits to be received");
    return true;
}

/* ---- calls ---- */

static void put_partner(struct sched_console *c, struct sched_record_name name)
{
    struct sched_record_name partner;
    const struct sched_record_event *e = sched_record_find(c->session->record, name);
    if (sched_record_partner(c->session->record, name, &partner))
        printf("  with %d:%u", partner.rank, partner.number);
    else if (e->match)
        printf("  with %u ranks", c->session->record->matches[e->match - 1].n);
    else if (e->call.op == ISP_OP_SEND || e->call.op == ISP_OP_RECV)
        printf("  with nobody");
}

static void put_event(struct sched_console *c, struct sched_record_name name, bool present)
{
    char *call = sched_view_call(c->session, name), *place = sched_view_place(c->session, name);
    printf("%c %d:%u  %s  %s", present ? '>' : ' ', name.rank, name.number, call, place);
    put_partner(c, name);
    puts("");
    free(call);
    free(place);
}

bool sched_do_calls(struct sched_console *c, const char *args)
{
    long around = *args ? strtol(args, NULL, 10) : 5;
    if (around < 1 || around > 100000)
        return sched_session_fail(c->session, "calls of how many events around this one? 1 or more");
    for (int r = 0; r < c->session->n; r++) {
        bool in;
        struct sched_record_name at = sched_session_event(c->session, r, &in);
        uint32_t from = at.number > around ? at.number - (uint32_t)around : 0;
        for (uint32_t k = from; c->set[r] && k <= at.number + around && k < c->session->record->of[r].n; k++)
            put_event(c, (struct sched_record_name){r, k}, k == at.number);
        if (c->set[r] && at.number >= c->session->record->of[r].n)
            printf("> %d:%u  %s\n", r, at.number,
                   strcmp(c->session->ending, "finished") == 0 ? "MPI_Finalize" : "(not made)");
    }
    return true;
}

bool sched_do_finding(struct sched_console *c, const char *args)
{
    if (c->finding)
        fputs(c->finding, stdout);
    printf("this interleaving ends: %s\n", c->session->ending);
    return true;
}

/* ---- choices ---- */

char *sched_console_alternative(struct sched_console *c, const struct poe_alternative *a)
{
    struct sched_record_name send = {a->source, (uint32_t)a->source_index};
    char *call = a->kind == POE_TAKE_MESSAGE ? sched_view_call(c->session, send) : NULL, *text;
    switch (a->kind) {
    case POE_TAKE_MESSAGE:
        text = sched_format("the message of %d:%u %s", send.rank, send.number, call ? call : "");
        break;
    case POE_TAKE_SUBSET:
        text = sched_format("complete: its request");
        for (uint32_t i = 0; i < a->n; i++)
            sched_words_add(&text, " %u", a->positions[i]);
        break;
    case POE_NOT_YET: text = sched_strdup("not yet"); break;
    case POE_CANCEL: text = sched_strdup("cancelled"); break;
    case POE_ADMIT: text = sched_strdup("this thread's call comes first"); break;
    default: text = sched_strdup("now, before what others want there"); break;
    }
    free(call);
    return text;
}

const struct sched_record_choice *sched_console_choice(struct sched_console *c, uint32_t *number)
{
    struct sched_record_name name = sched_along_present(c->session);
    int64_t k = sched_record_choice_of(c->session->record, name);
    if (k < 0) {
        sched_session_fail(c->session, "%d:%u had nothing to choose", name.rank, name.number);
        return NULL;
    }
    *number = (uint32_t)k;
    return &c->session->record->choices[k];
}

bool sched_do_choices(struct sched_console *c, const char *args)
{
    uint32_t number;
    const struct sched_record_choice *choice = sched_console_choice(c, &number);
    for (unsigned i = 0; choice && i < choice->n; i++) {
        char *words = sched_console_alternative(c, &choice->alternatives[i]);
        printf("%c %u  %s\n", i == choice->taken ? '*' : ' ', i, words);
        free(words);
    }
    return choice;
}

bool sched_do_choose(struct sched_console *c, const char *args)
{
    uint32_t number;
    char *end;
    const struct sched_record_choice *choice = sched_console_choice(c, &number);
    if (!choice)
        return false;
    unsigned long taken = strtoul(args, &end, 10);
    if (!*args || *end || taken >= choice->n)
        return sched_session_fail(c->session, "choose which? 0 to %u: choices shows them", choice->n - 1);
    struct sched_record_name at = choice->of;
    unsigned *choices = sched_alloc(number + 1u, sizeof *choices);
    memcpy(choices, c->session->choices, number * sizeof *choices);
    choices[number] = (unsigned)taken;
    char *name = poe_choices_name(choices, number + 1);
    bool ok = sched_session_choose(c->session, choices, number + 1);
    if (ok)
        printf("now in interleaving %s, which ends: %s\n", name, c->session->ending);
    free(name);
    free(choices);
    ok = ok && sched_session_go_to(c->session, at);
    if (ok)
        sched_console_show(c);
    return ok;
}
