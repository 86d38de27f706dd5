/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits and tests: what they say, and what has become of the requests. */
#include <stdio.h>
#include <string.h>

#include "player.h"

/* Request number `position` of the list of token k is complete. */
static void completed(int k, int position, const MPI_Status *status)
{
    int which = lines[me][k].args[position];
    lines[me][which].active = false;
    if (is_receive(&lines[me][which]))
        received(which, status);
    if (lines[me][which].call->kind == COLLECTIVE)
        check_collective(which);
}

/* Positions in ascending order, as outcomes have them. */
static void tell_positions(int k, int n, const int *indices)
{
    char text[LINE];
    int length = snprintf(text, sizeof text, "%d.%d=", me, k);
    const char *comma = "";
    for (int position = 0; position < lines[me][k].n_args; position++)
        for (int i = 0; i < n; i++)
            if (indices[i] == position) {
                length += snprintf(text + length, sizeof text - (size_t)length, "%s%d", comma, position);
                comma = ",";
            }
    say("%s", text);
}

/* A token whose persistent request is at work, perhaps for another one. */
static bool is_at_work(const struct token *t)
{
    for (int k = 0; k < n_tokens[me]; k++)
        if (&lines[me][lines[me][k].base] == &lines[me][t->base] && lines[me][k].active)
            return true;
    return false;
}

/* What is complete is null; or, if it is persistent, inactive, and then it is in the list as well. */
static MPI_Request request_in_list(const struct token *t)
{
    if (t->active || (t->persistent && &lines[me][t->base] == t && !is_at_work(t)))
        return t->request;
    return MPI_REQUEST_NULL;
}

enum { ALL, ANY, SOME };

/* Fills in which are complete; false: not yet. */
static bool call_any_some(bool test, int what, int n, MPI_Request *requests, int *n_done, int *indices,
                          MPI_Status *statuses)
{
    int flag = 1;
    if (what == ANY) {
        if (test)
            MPI_Testany(n, requests, indices, &flag, statuses);
        else
            MPI_Waitany(n, requests, indices, statuses);
        *n_done = flag && indices[0] != MPI_UNDEFINED;
        return flag;
    }
    if (test)
        MPI_Testsome(n, requests, n_done, indices, statuses);
    else
        MPI_Waitsome(n, requests, n_done, indices, statuses);
    return *n_done != 0;
}

static bool call_all(bool test, bool list, bool ask, int n, MPI_Request *requests, MPI_Status *statuses)
{
    int flag = 1;
    if (ask) {
        MPI_Request_get_status(*requests, &flag, statuses);
        if (flag)
            MPI_Wait(requests, statuses);
    } else if (test && list) {
        MPI_Testall(n, requests, &flag, statuses);
    } else if (test) {
        MPI_Test(requests, &flag, statuses);
    } else if (list) {
        MPI_Waitall(n, requests, statuses);
    } else {
        MPI_Wait(requests, statuses);
    }
    return flag;
}

/* Each request is as it should be now, and is kept. */
static void take_requests(int k, const MPI_Request *requests, const bool *active, int n, const int *indices)
{
    const struct token *t = &lines[me][k];
    for (int i = 0; i < t->n_args; i++) {
        struct token *which = &lines[me][t->args[i]];
        bool done = false;
        for (int j = 0; j < n; j++)
            done |= indices[j] == i;
        bool null = requests[i] == MPI_REQUEST_NULL;
        if (active[i] && null != (done && !which->persistent))
            say("wrong: %d.%d: request %d", me, k, i);
        if (active[i] && !which->persistent)
            which->request = requests[i];
    }
}

void completion(int k)
{
    struct token *t = &lines[me][k];
    const char *name = t->call->name;
    bool test = !strncmp(name, "test", 4), list = strlen(name) > 4 || is_way(t, "all"), none = true;
    bool tells = strstr(name, "any") || strstr(name, "some");
    int what = strstr(name, "any") || is_way(t, "any")     ? ANY
               : strstr(name, "some") || is_way(t, "some") ? SOME
                                                           : ALL;
    MPI_Request requests[TOKENS];
    MPI_Status statuses[TOKENS];
    int indices[TOKENS], n = 0;
    bool active[TOKENS], flag;
    for (int i = 0; i < t->n_args; i++) {
        const struct token *which = &lines[me][t->args[i]];
        active[i] = which->active;
        requests[i] = request_in_list(which);
        none &= !active[i];
    }
    if (!none && (test || tells))
        say("%d.%d=-", me, k);
    if (what == ALL) {
        flag = call_all(test, list, is_way(t, "status"), t->n_args, requests, statuses);
        for (int i = 0; flag && i < t->n_args; i++)
            indices[n++] = i;
    } else {
        flag = call_any_some(test, what, t->n_args, requests, &n, indices, statuses);
        if (what == SOME && none != (n == MPI_UNDEFINED))
            say("wrong: %d.%d: outcount is %d", me, k, n);
        n = none && what == SOME ? 0 : n;
    }
    if (none && (!flag || (what != ALL && n)))
        say("wrong: %d.%d: flag %d, %d completed, without active requests", me, k, flag, n);
    for (int i = 0; i < n; i++)
        if (active[indices[i]])
            completed(k, indices[i], &statuses[i]);
    take_requests(k, requests, active, n, indices);
    if (none)
        return;
    if (tells && n)
        tell_positions(k, n, indices);
    else if (test && !tells && flag)
        say("%d.%d=t", me, k);
}

/* Of what is not complete; otherwise of a persistent one that nobody uses any more. What is cancelled is
 * waited for, to be told. */
void request_free(int k)
{
    struct token *t = &lines[me][lines[me][k].args[0]];
    MPI_Status status;
    if (!t->active)
        return;
    if (t->cancelled) {
        MPI_Wait(&t->request, &status);
        completed(k, 0, &status);
    }
    if (t->request != MPI_REQUEST_NULL)
        MPI_Request_free(&t->request);
    t->active = t->persistent = false;
}

void cancel(int k)
{
    struct token *t = &lines[me][lines[me][k].args[0]];
    if (!t->active)
        return;
    t->cancelled = true;
    MPI_Cancel(&t->request);
}
