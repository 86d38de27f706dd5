/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that go to another time: along messages, to events and lines, to another interleaving. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "dap.h"
#include "debug/along.h"
#include "debug/console/commands.h"
#include "debug/inferior.h"
#include "debug/motion.h"
#include "debug/view.h"
#include "sites/sites.h"

static const char doing[] = "isp: going through time";

bool sched_dap_go_to_start(struct sched_dap *dap, const struct sched_dap_move *move)
{
    return sched_session_go_to_start(dap->session, 0);
}

static bool go_to_event(struct sched_dap *dap, const struct sched_dap_move *move)
{
    return sched_session_go_to(dap->session, move->event);
}

/* ---- along messages ---- */

typedef bool along(struct sched_session *, struct sched_record_name, struct sched_record_name *);

static bool go_along(struct sched_dap *dap, const json_t *arguments, json_t *body, along *way)
{
    struct sched_record_name to;
    if (!sched_dap_focus(dap, arguments))
        return false;
    if (!way(dap->session, sched_along_present(dap->session), &to))
        return sched_dap_failed(dap);
    char *name = sched_format("%d:%u", to.rank, to.number);
    json_object_set_new(body, "event", json_string(name));
    json_object_set_new(body, "threadId", json_integer(to.rank + 1));
    free(name);
    sched_dap_then(
        dap, &(struct sched_dap_move){.make = go_to_event, .event = to, .reason = "goto", .doing = doing});
    return true;
}

bool sched_dap_follow(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    return go_along(dap, arguments, body, sched_along_receive);
}

bool sched_dap_sender(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    return go_along(dap, arguments, body, sched_along_send);
}

bool sched_dap_cause(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    return go_along(dap, arguments, body, sched_along_cause);
}

/* ---- to a named place ---- */

/* As the console's goto has it. */
static bool go_to_named(struct sched_dap *dap, const struct sched_dap_move *move)
{
    return sched_do_goto(&dap->console, move->place);
}

static bool go_to_finding(struct sched_dap *dap, const struct sched_dap_move *move)
{
    sched_evidence_go(&dap->subject.evidence, dap->session);
    dap->stop_text = sched_strdup(dap->subject.finding);
    return true;
}

bool sched_dap_isp_goto(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    const char *to = sched_dap_string(arguments, "to");
    if (!to || !*to)
        return sched_dap_fail(dap, "to: start, end, finding, choice, or RANK:CALL");
    bool finding = strcmp(to, "finding") == 0 && dap->subject.finding;
    sched_dap_then(dap, &(struct sched_dap_move){.make = finding ? go_to_finding : go_to_named,
                                                 .place = sched_strdup(to),
                                                 .reason = finding ? "exception" : "goto",
                                                 .doing = doing});
    return true;
}

/* ---- to a line ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool is_at(const struct sched_dap *dap, uint32_t site, const char *path, json_int_t line)
{
    const struct sched_location *at = sched_sites_find(dap->result->sites, site);
    return at->file && at->line == line && strcmp(base_name(at->file), base_name(path)) == 0;
}

static void add_target(struct sched_dap *dap, json_t *list, struct sched_record_name event, json_int_t line)
{
    char *call = sched_view_call(dap->session, event),
         *label =
             sched_format("rank %d, call %d:%u %s", event.rank, event.rank, event.number, call ? call : "");
    SCHED_GROW(dap->targets, dap->n_targets);
    dap->targets[dap->n_targets++] = event;
    json_array_append_new(list, json_pack("{s:i,s:o,s:I}", "id", (int)dap->n_targets, "label",
                                          sched_dap_text(label), "line", line - 1 + dap->first_line));
    free(call);
    free(label);
}

static void forget_targets(struct sched_dap *dap)
{
    free(dap->targets);
    free(dap->target_line);
    dap->targets = NULL;
    dap->target_line = NULL;
    dap->n_targets = 0;
}

/* The line the next time that a rank comes there; and each call of MPI that was made there. */
bool sched_dap_goto_targets(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    enum { MOST = 200 };
    const char *path = sched_dap_string(json_object_get(arguments, "source"), "path");
    json_int_t line = json_integer_value(json_object_get(arguments, "line")) - dap->first_line + 1;
    json_t *list = json_array();
    json_object_set_new(body, "targets", list);
    if (!path || !*path || line < 1 || line > INT32_MAX)
        return sched_dap_fail(dap, "source.path and line: a line of a source file");
    forget_targets(dap);
    for (int r = 0; r < dap->session->n; r++)
        for (uint32_t k = 0; k < dap->session->record->of[r].n && dap->n_targets < MOST; k++) {
            const struct isp_call *call = &dap->session->record->of[r].events[k].call;
            if (is_at(dap, call->site, path, line) && !(call->flags & ISP_F_CONTINUES))
                add_target(dap, list, (struct sched_record_name){r, k}, line);
        }
    dap->target_line = sched_format("%s:%d", base_name(path), (int)line);
    json_array_append_new(list, json_pack("{s:i,s:s,s:I}", "id", (int)dap->n_targets + 1, "label",
                                          "the next time that the rank comes to this line", "line",
                                          line - 1 + dap->first_line));
    return true;
}

static bool run_to_line(struct sched_dap *dap, const struct sched_dap_move *move)
{
    struct sched_session *s = dap->session;
    bool *set = sched_alloc((size_t)s->n, sizeof *set);
    set[s->focus = move->rank] = true;
    struct sched_motion motion = {.set = set, .move = SCHED_GDB_UNTIL, .place = move->place};
    enum sched_motion_end end = sched_motion_make(s, &motion);
    free(set);
    if (end == SCHED_MOTION_BROKEN_OFF)
        dap->reason = "pause";
    return end != SCHED_MOTION_FAILED;
}

bool sched_dap_goto(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    json_int_t id = json_integer_value(json_object_get(arguments, "targetId"));
    struct sched_dap_move m = {.reason = "goto", .doing = doing};
    if (!sched_dap_rank(dap, arguments, &m.rank))
        return false;
    if (id < 1 || id > (json_int_t)dap->n_targets + (dap->target_line != NULL))
        return sched_dap_fail(dap, "targetId: gotoTargets has given no such target");
    bool event = id <= (json_int_t)dap->n_targets;
    m.make = event ? go_to_event : run_to_line;
    if (event)
        m.event = dap->targets[id - 1];
    else
        m.place = sched_strdup(dap->target_line);
    sched_dap_then(dap, &m);
    return true;
}

/* ---- where a value came from ---- */

static json_t *name_of(struct sched_record_name name)
{
    char *text = sched_format("%d:%u", name.rank, name.number);
    json_t *json = json_string(text);
    free(text);
    return json;
}

static void put_text(json_t *body, const char *key, const char *text)
{
    if (text)
        json_object_set_new(body, key, sched_dap_text(text));
}

static json_t *parts_of(const struct sched_why *answer)
{
    json_t *parts = json_array();
    for (unsigned i = 0; i < answer->n_parts; i++) {
        json_t *part =
            json_pack("{s:i, s:b}", "rank", answer->parts[i].of.rank, "chosen", (int)i == answer->chosen);
        put_text(part, "value", answer->parts[i].value);
        json_array_append_new(parts, part);
    }
    return parts;
}

static void put_answer(struct sched_dap *dap, const struct sched_why *answer, json_t *body)
{
    static const char *const kinds[] = {
        [SCHED_WHY_LINE] = "line",    [SCHED_WHY_GIVEN] = "given", [SCHED_WHY_REDUCED] = "reduced",
        [SCHED_WHY_CALL] = "call",    [SCHED_WHY_NEVER] = "never", [SCHED_WHY_LEFT] = "left",
        [SCHED_WHY_OTHERS] = "others"};
    char *name = dap->why.size ? sched_why_name(dap->session, &dap->why) : NULL;
    json_object_set_new(body, "kind", json_string(kinds[answer->kind]));
    if (answer->kind == SCHED_WHY_GIVEN || answer->kind == SCHED_WHY_REDUCED)
        json_object_set_new(body, "received", name_of(answer->got));
    if (answer->kind == SCHED_WHY_GIVEN)
        json_object_set_new(body, "sent", name_of(answer->sent));
    if (answer->kind == SCHED_WHY_REDUCED)
        json_object_set_new(body, "parts", parts_of(answer));
    if (answer->line)
        json_object_set_new(body, "line", json_integer(answer->line));
    put_text(body, "file", answer->file);
    put_text(body, "function", answer->function);
    put_text(body, "call", answer->call);
    put_text(body, "name", name);
    free(name);
}

static bool stay(struct sched_dap *dap, const struct sched_dap_move *move) { return true; }

/* Its answer is what it has found, so it comes when the ranks are there. Without an expression: of the bytes
 * that the last answer led to. */
bool sched_dap_why(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    struct sched_session *s = dap->session;
    const char *expression = sched_dap_string(arguments, "expression");
    struct sched_bytes bytes = dap->why;
    struct sched_why answer;
    int rank, index = 0;
    if (json_object_get(arguments, "frameId")) {
        if (!sched_dap_frame(dap, arguments, &rank, &index))
            return false;
        s->focus = rank;
    } else if (!sched_dap_focus(dap, arguments))
        return false;
    if (expression && !sched_why_bytes(s, index, expression, &bytes))
        return sched_dap_failed(dap);
    if (!bytes.size)
        return sched_dap_fail(dap, "expression: a text; without it, it goes on from a message");
    sched_dap_then(dap, &(struct sched_dap_move){.make = stay, .reason = "goto"});
    dap->talk.moving = true;
    bool ok = sched_why_ask(s, &bytes, &answer);
    dap->talk.moving = false;
    bool goes_on = ok && (answer.kind == SCHED_WHY_GIVEN || answer.chosen >= 0) && answer.from.size;
    dap->why = goes_on ? answer.from : (struct sched_bytes){0};
    if (ok)
        put_answer(dap, &answer, body);
    sched_why_finish(&answer);
    return ok || sched_dap_failed(dap);
}

/* ---- another interleaving ---- */

static bool choose(struct sched_dap *dap, const struct sched_dap_move *move)
{
    struct sched_session *s = dap->session;
    char *name = poe_choices_name(move->choices, move->n_choices),
         *words = sched_format("now in interleaving %s", name);
    bool ok = sched_session_choose(s, move->choices, move->n_choices);
    if (ok)
        sched_dap_say(dap, "console", words);
    free(name);
    free(words);
    uint64_t *limits = sched_alloc((size_t)s->n, sizeof *limits);
    bool there = ok && move->event.rank >= 0 && sched_cut_at(s->cuts, move->event, limits);
    if (ok)
        ok = there ? sched_session_go_anew(s, limits, move->event.rank) : sched_dap_go_to_start(dap, move);
    free(limits);
    return ok;
}

/* The choices up to the present one, and another alternative there. */
static bool choose_here(struct sched_dap *dap, json_int_t taken, struct sched_dap_move *move)
{
    uint32_t number;
    const struct sched_record_choice *c = sched_console_choice(&dap->console, &number);
    if (!c)
        return sched_dap_failed(dap);
    if (taken < 0 || taken >= c->n)
        return sched_dap_fail(dap, "choice: 0 to %u; isp/choices lists them", c->n - 1);
    move->n_choices = number + 1;
    move->choices = sched_alloc(move->n_choices, sizeof *move->choices);
    memcpy(move->choices, dap->session->choices, number * sizeof *move->choices);
    move->choices[number] = (unsigned)taken;
    move->event = c->of;
    return true;
}

static bool take_choices(struct sched_dap *dap, const json_t *list, struct sched_dap_move *move)
{
    size_t n = json_array_size(list);
    if (n > 1u << 20)
        return sched_dap_fail(dap, "choices: a list of numbers, those of isp replay --choices");
    move->choices = sched_alloc(n, sizeof *move->choices);
    move->n_choices = (unsigned)n;
    move->event.rank = -1;
    for (size_t i = 0; i < n; i++)
        move->choices[i] = (unsigned)json_integer_value(json_array_get(list, i));
    return true;
}

bool sched_dap_choose(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    const json_t *list = json_object_get(arguments, "choices"), *one = json_object_get(arguments, "choice");
    struct sched_dap_move m = {.make = choose, .reason = "goto", .doing = doing};
    if (!sched_dap_focus(dap, arguments))
        return false;
    if (!json_is_array(list) && !json_is_integer(one))
        return sched_dap_fail(dap,
                              "choice: a number of isp/choices; or choices: [...], a whole interleaving");
    bool ok =
        json_is_array(list) ? take_choices(dap, list, &m) : choose_here(dap, json_integer_value(one), &m);
    if (ok)
        sched_dap_then(dap, &m);
    return ok;
}
