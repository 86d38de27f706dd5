/* SPDX-License-Identifier: BSD-3-Clause */
/* See refused.h. */
#include "refused.h"

#include <stdio.h>

#include "errors.h"

/* What ended it. */
static const char *how(const struct prof_request *r, bool persistent)
{
    bool freed = persistent || (r && r->ended.fn == ISP_FN_MPI_Request_free);
    return freed ? "freed" : r ? "completed" : "completed or freed";
}

static int refuse(int position, const char *what, const char *story, const struct prof_place *more,
                  uint32_t n)
{
    char text[160], which[32] = "";
    if (position >= 0)
        snprintf(which, sizeof which, " %d of the array", position);
    snprintf(text, sizeof text, "%s%s %s", position < 0 ? "this request" : "request", which, what);
    struct prof_finding finding = {
        .rule = ISP_RULE_REQUEST_REUSE, .text = text, .story = story, .more = more, .n_more = n};
    return prof_error_raise_finding(&finding, MPI_COMM_WORLD, MPI_ERR_REQUEST);
}

int prof_request_refuse_old(MPI_Request request, int position)
{
    const struct prof_request *r = prof_request_of_number(prof_request_number(request));
    const char *ended = how(r, ((unsigned)request & PROF_HANDLE_PERSISTENT) != 0);
    char what[100], story[80];
    snprintf(what, sizeof what, "was %s already: this is an old copy of its handle", ended);
    snprintf(story, sizeof story, "it was made by %%0\nand %s by %%1\n", ended);
    struct prof_place more[2];
    if (r)
        more[0] = r->made, more[1] = r->ended;
    return refuse(position, what, r ? story : NULL, more, r ? 2 : 0);
}

int prof_request_refuse_twice(int position)
{
    return refuse(position, "stands in the array twice: it would be completed twice", NULL, NULL, 0);
}

int prof_request_refuse_start(const struct prof_place *started, int position)
{
    return refuse(position, "is active: it was started, and is not completed", "it was started by %0\n",
                  started, 1);
}
