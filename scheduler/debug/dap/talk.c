/* SPDX-License-Identifier: BSD-3-Clause */
/* See talk.h. */
#include "talk.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "base/alloc.h"
#include "base/now.h"
#include "debug/session.h"
#include "framing.h"

void sched_dap_talk_init(struct sched_dap_talk *t, int in, int out)
{
    *t = (struct sched_dap_talk){
        .in = in, .out = out, .bytes = sched_must(evbuffer_new()), .waiting = sched_must(json_array())};
}

void sched_dap_talk_finish(struct sched_dap_talk *t)
{
    if (t->readable)
        event_free(t->readable);
    evbuffer_free(t->bytes);
    json_decref(t->waiting);
}

/* ---- out ---- */

void sched_dap_send(struct sched_dap_talk *t, json_t *message)
{
    json_object_set_new(message, "seq", json_integer(++t->seq));
    if (!t->gone)
        t->gone = !sched_dap_put(t->out, message);
    json_decref(message);
}

void sched_dap_send_event(struct sched_dap_talk *t, const char *name, json_t *body)
{
    json_t *event = json_pack("{s:s,s:s}", "type", "event", "event", name);
    if (body)
        json_object_set_new(event, "body", body);
    sched_dap_send(t, event);
}

/* ---- in ---- */

static void refuse(struct sched_dap_talk *t, const char *why)
{
    sched_dap_send(t, json_pack("{s:s,s:i,s:b,s:s,s:s}", "type", "response", "request_seq", 0, "success", 0,
                                "command", "", "message", why));
}

static bool is_one_of(const char *command, const char *const *names)
{
    for (; command && *names; names++)
        if (strcmp(command, *names) == 0)
            return true;
    return false;
}

/* A request that has not begun is not to begin. */
static void cancel_waiting(struct sched_dap_talk *t, json_int_t seq)
{
    size_t i;
    json_t *request;
    json_array_foreach (t->waiting, i, request)
        if (json_integer_value(json_object_get(request, "seq")) == seq)
            json_object_set_new(request, "cancelled", json_true());
}

static bool cancels_present(struct sched_dap_talk *t, const json_t *request)
{
    const json_t *arguments = json_object_get(request, "arguments");
    json_int_t seq = json_integer_value(json_object_get(arguments, "requestId"));
    if (json_is_string(json_object_get(arguments, "progressId")))
        return true;
    if (seq == t->present)
        return true;
    cancel_waiting(t, seq);
    return false;
}

static void break_off(struct sched_dap_talk *t, bool for_good)
{
    if (t->session && (for_good || t->moving || t->present))
        sched_session_break_off(t->session, for_good);
}

static void enqueue(struct sched_dap_talk *t, json_t *request)
{
    static const char *const ending[] = {"disconnect", "terminate", NULL}, *const urgent[] = {
                                                                               "pause", "cancel",
                                                                               "disconnect", "terminate",
                                                                               NULL};
    const char *command = json_string_value(json_object_get(request, "command"));
    bool is_urgent = is_one_of(command, urgent), ends = is_one_of(command, ending);
    if (is_urgent && strcmp(command, "cancel") == 0 ? cancels_present(t, request)
                                                    : ends || (is_urgent && t->moving))
        break_off(t, ends);
    if (is_urgent)
        json_array_insert_new(t->waiting, t->n_urgent++, request);
    else
        json_array_append_new(t->waiting, request);
    if (json_array_size(t->waiting) > SCHED_DAP_WAITING_MOST || t->n_bytes > SCHED_DAP_WAITING_BYTES_MOST)
        t->broken = "too many requests wait: a client is to wait for the responses";
}

static void take_messages(struct sched_dap_talk *t)
{
    json_t *message;
    const char *why;
    while (!t->broken)
        switch (sched_dap_take(t->bytes, &message, &why)) {
        case SCHED_DAP_PARTIAL: return;
        case SCHED_DAP_WRONG: refuse(t, why); break;
        case SCHED_DAP_BROKEN: t->broken = why; break;
        case SCHED_DAP_MESSAGE: enqueue(t, message); break;
        }
}

/* Nobody waits for ever for one who may be a stranger. */
static bool await_bytes(const struct sched_dap_talk *t)
{
    struct pollfd in = {.fd = t->in, .events = POLLIN};
    double left_s = t->until_s > 0 ? t->until_s - sched_now_s() : 0;
    if (t->until_s > 0 && left_s <= 0)
        return false;
    return poll(&in, 1, t->until_s > 0 ? (int)(left_s * 1000) + 1 : -1) != 0;
}

static void on_readable(evutil_socket_t fd, short what, void *context)
{
    struct sched_dap_talk *t = context;
    int n = evbuffer_read(t->bytes, fd, 65536);
    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return;
    t->gone |= n <= 0;
    if (n > 0) {
        t->n_bytes += (size_t)n;
        take_messages(t);
    }
    if (!t->gone && !t->broken)
        return;
    if (t->readable)
        event_del(t->readable);
    if (t->session)
        sched_session_break_off(t->session, true);
}

void sched_dap_talk_attend(struct sched_dap_talk *t, struct sched_session *session)
{
    if (t->readable)
        event_free(t->readable);
    t->readable = NULL;
    t->session = session;
    if (!session)
        return;
    t->readable = sched_must(event_new(session->base, t->in, EV_READ | EV_PERSIST, on_readable, t));
    if (event_add(t->readable, NULL) == 0)
        return;
    event_free(t->readable); /* a file, say: it is read between requests */
    t->readable = NULL;
}

static json_t *take_first(struct sched_dap_talk *t)
{
    json_t *request = json_incref(json_array_get(t->waiting, 0));
    json_array_remove(t->waiting, 0);
    t->n_urgent -= t->n_urgent > 0;
    if (json_array_size(t->waiting) == 0)
        t->n_bytes = 0;
    return request;
}

json_t *sched_dap_next_request(struct sched_dap_talk *t)
{
    while (json_array_size(t->waiting) == 0 && !t->gone && !t->broken)
        if (t->readable)
            event_base_loop(t->session->base, EVLOOP_ONCE);
        else
            await_bytes(t) ? on_readable(t->in, EV_READ, t) : (void)(t->gone = true);
    /* What was asked before the client went is done all the same, as long as the line makes sense. */
    return json_array_size(t->waiting) > 0 && !t->broken ? take_first(t) : NULL;
}

json_t *sched_dap_urgent_request(struct sched_dap_talk *t) { return t->n_urgent > 0 ? take_first(t) : NULL; }
