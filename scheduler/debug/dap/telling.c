/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests of isp's own that tell: where ranks stand, what is pending or could be chosen, what was found. */
#include <stdlib.h>

#include "base/alloc.h"
#include "dap.h"
#include "debug/console/commands.h"
#include "debug/motion.h"
#include "debug/view.h"
#include "poe/poe.h"
#include "words/words.h"

static json_t *event_name(int rank, unsigned long long number)
{
    char *text = sched_format("%d:%llu", rank, number);
    json_t *json = json_string(text);
    free(text);
    return json;
}

static void set_text(json_t *object, const char *key, const char *text)
{
    if (text)
        json_object_set_new(object, key, sched_dap_text(text));
}

/* ---- ranks ---- */

static json_t *describe(struct sched_dap *dap, int rank)
{
    static const char *const standings[] = {
        [SCHED_STANDS] = "stands", [SCHED_WAITS] = "waits", [SCHED_IS_OVER] = "over"};
    struct sched_view_row row = sched_view_rank(dap->session, rank);
    json_t *json = json_pack("{s:i,s:i,s:s,s:o,s:b}", "rank", rank, "threadId", rank + 1, "standing",
                             standings[row.standing], "event", event_name(rank, row.event.number), "focus",
                             rank == dap->session->focus);
    set_text(json, "place", row.place);
    set_text(json, "path", row.file);
    if (row.file && row.line)
        json_object_set_new(json, "line", json_integer(row.line - 1 + dap->first_line));
    set_text(json, "function", row.function);
    set_text(json, "call", row.call);
    set_text(json, "what", row.what);
    sched_view_finish(&row);
    return json;
}

bool sched_dap_ranks(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    json_t *list = json_array();
    for (int r = 0; r < dap->session->n; r++)
        json_array_append_new(list, describe(dap, r));
    json_object_set_new(body, "ranks", list);
    return true;
}

/* ---- queue ---- */

struct queue {
    struct sched_dap *dap;
    json_t *list;
};

static void add_live(const struct poe_transition *t, void *context)
{
    struct queue *q = context;
    struct sched_run *run = sched_session_run(q->dap->session);
    if (t->call.op != ISP_OP_SEND && t->call.op != ISP_OP_RECV)
        return;
    char *call = sched_words_call(run, &t->call), *place = sched_words_place(run, t->call.site);
    json_t *json = json_pack("{s:i,s:o,s:s,s:b,s:i,s:i}", "rank", t->rank, "event",
                             event_name(t->rank, (unsigned long long)t->index), "kind",
                             t->call.op == ISP_OP_SEND ? "send" : "receive", "matched", t->matched, "peer",
                             t->call.peer, "tag", t->call.tag);
    set_text(json, "call", call);
    set_text(json, "place", place);
    json_array_append_new(q->list, json);
    free(call);
    free(place);
}

bool sched_dap_queue(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    struct queue q = {dap, json_array()};
    poe_each_live(dap->session->now->s.run.poe, add_live, &q);
    json_object_set_new(body, "queue", q.list);
    return true;
}

/* ---- choices ---- */

bool sched_dap_choices(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    uint32_t number;
    if (!sched_dap_focus(dap, arguments))
        return false;
    const struct sched_record_choice *c = sched_console_choice(&dap->console, &number);
    if (!c)
        return sched_dap_failed(dap);
    json_t *list = json_array();
    for (unsigned i = 0; i < c->n; i++) {
        char *words = sched_console_alternative(&dap->console, &c->alternatives[i]);
        json_array_append_new(list, json_pack("{s:i,s:o,s:b}", "choice", (int)i, "text",
                                              sched_dap_text(words), "taken", i == c->taken));
        free(words);
    }
    json_object_set_new(body, "event", event_name(c->of.rank, c->of.number));
    json_object_set_new(body, "choices", list);
    return true;
}

/* ---- the finding ---- */

bool sched_dap_finding(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    struct sched_session *s = dap->session;
    json_t *choices = json_array();
    set_text(body, "finding", dap->subject.finding);
    set_text(body, "ending", s->ending);
    for (unsigned i = 0; i < s->n_choices; i++)
        json_array_append_new(choices, json_integer(s->choices[i]));
    json_object_set_new(body, "interleaving", choices);
    json_object_set_new(body, "threadId", json_integer(s->focus + 1));
    return true;
}
