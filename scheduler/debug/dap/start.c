/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests that begin and end a session. `initialized` comes when the interleaving is recorded. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "base/alloc.h"
#include "base/now.h"
#include "breakpoints.h"
#include "dap.h"
#include "debug/inferior.h"
#include "debug/printing.h"
#include "explore/part.h"
#include "options/parse.h"

/* ---- what this can ---- */

static json_t *exception_filters(void)
{
    return json_pack("[{s:s,s:s,s:s,s:b},{s:s,s:s,s:s,s:b}]", "filter", "finding", "label", "isp: findings",
                     "description", "stop where the interleaving ends with a finding, as a deadlock",
                     "default", 1, "filter", "end", "label", "isp: end of the interleaving", "description",
                     "stop there also without a finding", "default", 1);
}

static bool is_false(const json_t *arguments, const char *name)
{
    return json_is_false(json_object_get(arguments, name));
}

bool sched_dap_initialize(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    static const char *const can[] = {"supportsConfigurationDoneRequest",
                                      "supportsFunctionBreakpoints",
                                      "supportsConditionalBreakpoints",
                                      "supportsHitConditionalBreakpoints",
                                      "supportsDataBreakpoints",
                                      "supportsEvaluateForHovers",
                                      "supportsSetVariable",
                                      "supportsStepBack",
                                      "supportsSteppingGranularity",
                                      "supportsGotoTargetsRequest",
                                      "supportsExceptionInfoRequest",
                                      "supportsDelayedStackTraceLoading",
                                      "supportsTerminateRequest",
                                      "supportsCancelRequest",
                                      "supportsSingleThreadExecutionRequests"};
    const char *paths = sched_dap_string(arguments, "pathFormat");
    if (dap->greeted)
        return sched_dap_fail(dap, "initialize comes once");
    if (paths && strcmp(paths, "path") != 0)
        return sched_dap_fail(dap, "pathFormat: only \"path\"");
    dap->greeted = true;
    dap->first_line = !is_false(arguments, "linesStartAt1");
    dap->shows_progress = json_is_true(json_object_get(arguments, "supportsProgressReporting"));
    for (size_t i = 0; i < sizeof can / sizeof *can; i++)
        json_object_set_new(body, can[i], json_true());
    json_object_set_new(body, "exceptionBreakpointFilters", exception_filters());
    return true;
}

/* ---- begin ---- */

static void send_output(void *context, int rank, bool error, const char *text)
{
    struct sched_dap *dap = context;
    char *line = sched_printing_line(rank, text);
    json_t *body = json_pack("{s:s,s:s}", "category", error ? "stderr" : "stdout", "output", line);
    if (rank >= 0)
        json_object_set_new(body, "data", json_pack("{s:i,s:s}", "rank", rank, "text", text));
    sched_dap_send_event(&dap->talk, "output", body);
    free(line);
}

static void on_begin(void *context, struct sched_session *session)
{
    struct sched_dap *dap = context;
    session->tells_later = dap->is_launch && !dap->plain_run;
    sched_dap_talk_attend(&dap->talk, session);
}

static void on_end(void *context)
{
    struct sched_dap *dap = context;
    sched_dap_talk_attend(&dap->talk, NULL);
}

static void on_attached(void *context, int rank)
{
    struct sched_dap *dap = context;
    if (dap->session)
        sched_dap_breakpoints_attached(dap, rank);
}

/* Records it; what moves ranks is broken off when the client goes. */
static bool record(struct sched_dap *dap)
{
    char *why = NULL;
    dap->options = sched_alloc(1, sizeof *dap->options);
    dap->result = sched_alloc(1, sizeof *dap->result);
    sched_options_parse(dap->options, dap->subject.n, dap->subject.words);
    sched_part_init(dap->result, dap->options, sched_sites_create());
    dap->options->begun_s = sched_now_s();
    dap->user = (struct sched_session_user){
        .context = dap, .printed = send_output, .begin = on_begin, .end = on_end, .attached = on_attached};
    dap->session = sched_session_create(&dap->user, dap->options, dap->result, &why);
    if (!dap->session) {
        sched_dap_fail(dap, "%s", why);
        free(why);
        return false;
    }
    sched_console_init(&dap->console, dap->session);
    dap->console.finding = dap->subject.finding;
    dap->console.decision = dap->subject.decision;
    return true;
}

static bool begin(struct sched_dap *dap)
{
    if (!sched_dap_check_options(dap) || !record(dap)) {
        sched_dap_end_session(dap);
        return false;
    }
    dap->stops_at_finding = dap->stops_at_end = true;
    dap->ready = true;
    return true;
}

static bool may_begin(struct sched_dap *dap, const json_t *arguments)
{
    const char *token = sched_dap_string(arguments, "token");
    if (dap->session || dap->terminated)
        return sched_dap_fail(dap, "this session has begun already: one of isp dap is one session");
    if (dap->token && !sched_dap_is_token(token ? token : "", dap->token)) {
        dap->refused = true;
        return sched_dap_fail(dap, "token: the one that isp dap --port has printed");
    }
    dap->token = NULL;
    dap->talk.until_s = 0;
    return true;
}

static bool begin_result(struct sched_dap *dap, const json_t *arguments)
{
    if (!sched_dap_take_result(dap, arguments))
        return false;
    dap->is_launch = false;
    dap->stop_on_entry = true;
    if (!begin(dap))
        return false;
    dap->talk.moving = true;
    sched_evidence_go(&dap->subject.evidence, dap->session);
    dap->talk.moving = false;
    return true;
}

bool sched_dap_launch(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    if (!may_begin(dap, arguments))
        return false;
    if (json_object_get(arguments, "result"))
        return begin_result(dap, arguments);
    if (!sched_dap_take_launch(dap, arguments))
        return false;
    dap->is_launch = true;
    return begin(dap) && (dap->plain_run || sched_dap_go_to_start(dap, NULL) || sched_dap_failed(dap));
}

bool sched_dap_attach(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    return may_begin(dap, arguments) && begin_result(dap, arguments);
}

static bool stand(struct sched_dap *dap, const struct sched_dap_move *move)
{
    if (dap->plain_run)
        sched_dap_tell_end(dap);
    else if (!dap->is_launch && dap->subject.finding)
        dap->stop_text = sched_strdup(dap->subject.finding);
    return true;
}

bool sched_dap_configuration_done(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    json_t *all = json_pack("{s:i}", "threadId", 1), *nothing = json_object();
    bool ok = true;
    if (dap->configured)
        ok = sched_dap_fail(dap, "configurationDone comes once");
    else if (dap->stop_on_entry || dap->plain_run)
        sched_dap_then(
            dap, &(struct sched_dap_move){.make = stand, .reason = dap->is_launch ? "entry" : "exception"});
    else
        ok = sched_dap_continue(dap, all, nothing);
    dap->configured |= ok;
    json_decref(all);
    json_decref(nothing);
    return ok;
}

/* ---- end ---- */

void sched_dap_tell_end(struct sched_dap *dap)
{
    if (dap->terminated)
        return;
    bool clean = dap->session && strcmp(dap->session->ending, "finished") == 0;
    dap->terminated = true;
    if (dap->session)
        sched_printing_flush(dap->session->printing);
    sched_dap_send_event(&dap->talk, "exited",
                         json_pack("{s:i}", "exitCode", clean ? ISP_EXIT_CLEAN : ISP_EXIT_FINDINGS));
    sched_dap_send_event(&dap->talk, "terminated", NULL);
}

bool sched_dap_terminate(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    if (!dap->session)
        return sched_dap_fail(dap, "nothing is debugged");
    sched_dap_tell_end(dap);
    sched_dap_end_session(dap);
    return true;
}

bool sched_dap_disconnect(struct sched_dap *dap, const json_t *arguments, json_t *body)
{
    sched_dap_end_session(dap); /* nothing is left when it is answered */
    dap->over = true;
    return true;
}

/* What was under way has been broken off when these came (talk.c). */
bool sched_dap_pause(struct sched_dap *dap, const json_t *arguments, json_t *body) { return true; }
bool sched_dap_cancel(struct sched_dap *dap, const json_t *arguments, json_t *body) { return true; }

void sched_dap_end_session(struct sched_dap *dap)
{
    sched_dap_forget_values(dap);
    sched_dap_breakpoints_destroy(dap);
    if (dap->session) {
        sched_dap_talk_attend(&dap->talk, NULL); /* nothing is to be broken off any more */
        sched_console_finish(&dap->console);
        sched_session_destroy(dap->session);
    }
    dap->session = NULL;
    if (dap->options) {
        struct sched_sites *sites = dap->result->sites;
        sched_part_finish(dap->result);
        sched_sites_destroy(sites);
        sched_options_finish(dap->options);
    }
    free(dap->result);
    free(dap->options);
    dap->result = NULL;
    dap->options = NULL;
    sched_subject_finish(&dap->subject);
    dap->subject = (struct sched_subject){0};
    free(dap->targets);
    free(dap->target_line);
    free(dap->stop_text);
    dap->targets = NULL;
    dap->target_line = dap->stop_text = NULL;
    dap->n_targets = 0;
}
