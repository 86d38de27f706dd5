/* SPDX-License-Identifier: BSD-3-Clause */
/* See dap.h. Requests are done here, one after the other, in the order of the queue (talk.h). */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/escape.h"
#include "base/say.h"
#include "dap.h"

/* ---- words ---- */

bool sched_dap_fail(struct sched_dap *dap, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *why = sched_format_list(format, args);
    va_end(args);
    free(dap->problem);
    dap->problem = why;
    return false;
}

bool sched_dap_failed(struct sched_dap *dap) { return sched_dap_fail(dap, "%s", dap->session->why); }

json_t *sched_dap_text(const char *text)
{
    char *escaped = sched_escape(text ? text : "", "\n\t");
    json_t *json = sched_must(json_string(escaped));
    free(escaped);
    return json;
}

const char *sched_dap_string(const json_t *arguments, const char *name)
{
    return json_string_value(json_object_get(arguments, name));
}

bool sched_dap_rank(struct sched_dap *dap, const json_t *arguments, int *rank)
{
    json_int_t thread = json_integer_value(json_object_get(arguments, "threadId"));
    if (thread < 1 || thread > dap->session->n)
        return sched_dap_fail(dap, "threadId: a number from 1 to %d, that of a rank and 1", dap->session->n);
    *rank = (int)thread - 1;
    return true;
}

bool sched_dap_focus(struct sched_dap *dap, const json_t *arguments)
{
    return !json_object_get(arguments, "threadId") || sched_dap_rank(dap, arguments, &dap->session->focus);
}

void sched_dap_say(struct sched_dap *dap, const char *category, const char *text)
{
    char *line = sched_format("%s\n", text);
    sched_dap_send_event(&dap->talk, "output",
                         json_pack("{s:s,s:o}", "category", category, "output", sched_dap_text(line)));
    free(line);
}

/* ---- requests ---- */

enum needs { NOTHING, SESSION };

static const struct {
    const char *command;
    sched_dap_request *run;
    enum needs needs;
} requests[] = {
    {"initialize", sched_dap_initialize, NOTHING},
    {"launch", sched_dap_launch, NOTHING},
    {"attach", sched_dap_attach, NOTHING},
    {"disconnect", sched_dap_disconnect, NOTHING},
    {"terminate", sched_dap_terminate, NOTHING},
    {"pause", sched_dap_pause, NOTHING},
    {"cancel", sched_dap_cancel, NOTHING},
    {"configurationDone", sched_dap_configuration_done, SESSION},
    {"setBreakpoints", sched_dap_set_breakpoints, SESSION},
    {"setFunctionBreakpoints", sched_dap_set_function_breakpoints, SESSION},
    {"setExceptionBreakpoints", sched_dap_set_exception_breakpoints, SESSION},
    {"dataBreakpointInfo", sched_dap_data_breakpoint_info, SESSION},
    {"setDataBreakpoints", sched_dap_set_data_breakpoints, SESSION},
    {"threads", sched_dap_threads, SESSION},
    {"stackTrace", sched_dap_stack_trace, SESSION},
    {"exceptionInfo", sched_dap_exception_info, SESSION},
    {"scopes", sched_dap_scopes, SESSION},
    {"variables", sched_dap_variables, SESSION},
    {"setVariable", sched_dap_set_variable, SESSION},
    {"evaluate", sched_dap_evaluate, SESSION},
    {"next", sched_dap_next, SESSION},
    {"stepIn", sched_dap_step_in, SESSION},
    {"stepOut", sched_dap_step_out, SESSION},
    {"continue", sched_dap_continue, SESSION},
    {"stepBack", sched_dap_step_back, SESSION},
    {"reverseContinue", sched_dap_reverse_continue, SESSION},
    {"gotoTargets", sched_dap_goto_targets, SESSION},
    {"goto", sched_dap_goto, SESSION},
    {"isp/follow", sched_dap_follow, SESSION},
    {"isp/sender", sched_dap_sender, SESSION},
    {"isp/cause", sched_dap_cause, SESSION},
    {"isp/goto", sched_dap_isp_goto, SESSION},
    {"isp/why", sched_dap_why, SESSION},
    {"isp/choices", sched_dap_choices, SESSION},
    {"isp/choose", sched_dap_choose, SESSION},
    {"isp/ranks", sched_dap_ranks, SESSION},
    {"isp/queue", sched_dap_queue, SESSION},
    {"isp/finding", sched_dap_finding, SESSION},
};

static int find(const char *command)
{
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        if (strcmp(command, requests[i].command) == 0)
            return (int)i;
    return -1;
}

static bool is_possible(struct sched_dap *dap, int row)
{
    if (row < 0)
        return sched_dap_fail(dap, "isp dap has no request of this name");
    if (!dap->greeted && requests[row].run != sched_dap_initialize &&
        requests[row].run != sched_dap_disconnect)
        return sched_dap_fail(dap, "initialize comes first");
    if (requests[row].needs == SESSION && dap->terminated)
        return sched_dap_fail(dap, "the session has ended: only disconnect is left");
    if (requests[row].needs == SESSION && !dap->session)
        return sched_dap_fail(dap, "nothing is debugged yet: launch or attach comes first");
    return true;
}

static bool run(struct sched_dap *dap, const char *command, const json_t *request, json_t *body)
{
    const json_t *arguments = json_object_get(request, "arguments");
    int row = find(command);
    if (json_object_get(request, "cancelled"))
        return sched_dap_fail(dap, "cancelled");
    if (arguments && !json_is_object(arguments) && !json_is_null(arguments))
        return sched_dap_fail(dap, "arguments: an object");
    if (!is_possible(dap, row))
        return false;
    if (dap->session)
        sched_session_catch_up(dap->session);
    return requests[row].run(dap, arguments, body);
}

static void respond(struct sched_dap *dap, const json_t *request, const char *command, bool ok, json_t *body)
{
    json_t *response =
        json_pack("{s:s,s:I,s:b,s:o,s:o}", "type", "response", "request_seq",
                  json_integer_value(json_object_get(request, "seq")), "success", ok, "command",
                  sched_dap_text(command), "body",
                  ok ? json_incref(body)
                     : json_pack("{s:{s:i,s:o}}", "error", "id", 1, "format", sched_dap_text(dap->problem)));
    if (!ok)
        json_object_set_new(response, "message", sched_dap_text(dap->problem));
    sched_dap_send(&dap->talk, response);
}

/* Takes the request. */
static void answer(struct sched_dap *dap, json_t *request)
{
    const char *command = sched_dap_string(request, "command"), *type = sched_dap_string(request, "type");
    json_t *body = json_object();
    bool is_one =
        command && type && strcmp(type, "request") == 0 && json_is_integer(json_object_get(request, "seq"));
    dap->talk.present = json_integer_value(json_object_get(request, "seq"));
    bool ok = is_one ? run(dap, command, request, body)
                     : sched_dap_fail(dap, "a request has seq, a number, type \"request\", and command");
    dap->talk.present = 0;
    respond(dap, request, command ? command : "", ok, body);
    json_decref(body);
    json_decref(request);
}

void sched_dap_answer_urgent(struct sched_dap *dap)
{
    /* What ends all does so in its turn, which is the next one. */
    while (dap->talk.n_urgent > 0 && !dap->session->closing)
        answer(dap, sched_dap_urgent_request(&dap->talk));
}

void sched_dap_then(struct sched_dap *dap, const struct sched_dap_move *move) { dap->then = *move; }

void sched_dap_converse(struct sched_dap *dap)
{
    json_t *request;
    while (!dap->over && !dap->refused && (request = sched_dap_next_request(&dap->talk))) {
        answer(dap, request);
        if (dap->ready) { /* after the response to launch */
            dap->ready = false;
            sched_dap_send_event(&dap->talk, "initialized", NULL);
        }
        if (dap->then.make)
            sched_dap_make(dap);
    }
    if (dap->talk.broken)
        sched_say("dap: %s", dap->talk.broken);
}
