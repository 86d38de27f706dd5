/* SPDX-License-Identifier: BSD-3-Clause */
/* `why`: its answers, in words. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/escape.h"
#include "commands.h"
#include "debug/view.h"
#include "isp/functions.h"
#include "words/words.h"

/* "1:2 MPI_Send(to 0, tag 0) at ring.c:12 main" */
static void put_event(struct sched_console *c, struct sched_record_name name)
{
    char *call = sched_view_call(c->session, name), *place = sched_view_place(c->session, name);
    printf("%d:%u %s at %s", name.rank, name.number, call ? call : "?", place);
    free(call);
    free(place);
}

static bool is_message(const struct sched_console *c, struct sched_record_name got)
{
    return sched_record_find(c->session->record, got)->call.op == ISP_OP_RECV;
}

static void put_given(struct sched_console *c, const struct sched_why *a)
{
    if (is_message(c, a->got)) {
        fputs("it came with the message of ", stdout);
        put_event(c, a->sent);
        fputs("\nthat ", stdout);
        put_event(c, a->got);
        puts(" got; `why` goes on there");
        return;
    }
    fputs("it came with ", stdout);
    put_event(c, a->got);
    printf("\nfrom rank %d, which gave it with ", a->sent.rank);
    put_event(c, a->sent);
    puts("; `why` goes on there");
}

static void put_parts(struct sched_console *c, const struct sched_why *a)
{
    fputs("it was made by ", stdout);
    put_event(c, a->got);
    puts(" of");
    for (unsigned i = 0; i < a->n_parts; i++)
        printf("  rank %d: %s%s\n", a->parts[i].of.rank, a->parts[i].value ? a->parts[i].value : "?",
               (int)i == a->chosen ? "  <- it is this" : "");
    if (a->chosen >= 0)
        puts("`why` goes on there; `why RANK` with what another rank gave");
    else
        puts("`why RANK` goes on with what that rank gave");
}

enum { PUTS_MOST = 8 };

/* Calls that may have written it by a window, each line of the program once. */
static void put_puts(struct sched_console *c, const struct sched_bytes *bytes)
{
    const struct sched_record_put *put, *told[PUTS_MOST];
    unsigned n = 0, more = 0;
    for (uint32_t k = 0;
         (put = sched_origin_next_put(c->session->record, bytes->rank, bytes->address, &k));) {
        bool is_told = false;
        for (unsigned i = 0; i < n; i++)
            is_told |= told[i]->before.rank == put->before.rank && told[i]->site == put->site;
        if (is_told || n == PUTS_MOST) {
            more += !is_told;
            continue;
        }
        told[n++] = put;
        char *place = sched_words_place(sched_session_run(c->session), put->site);
        printf("  rank %d: %s at %s, before %d:%u\n", put->before.rank,
               put->fn ? isp_fn_name((enum isp_fn)put->fn) : "a store", place, put->before.rank,
               put->before.number);
        free(place);
    }
    if (more)
        puts("  ...");
    if (n)
        puts("these may have put it; ask on there");
}

static void put_call(struct sched_console *c, const struct sched_why *a, const struct sched_bytes *bytes)
{
    bool one_sided = strncmp(a->call, "MPI_Win_", 8) == 0;
    printf("written by %s here, %s\n", a->call,
           one_sided ? "where what other ranks put into the window may come in"
                     : "and can be followed no further: ask for what that call was given");
    put_puts(c, bytes);
}

static void put_left(const struct sched_why *a)
{
    if (a->call)
        printf("nobody has changed it since %s was called here: it is what was left in its memory before\n",
               a->call);
    else
        puts("nobody has changed it since its memory was freed here: it is what was left there before");
}

/* "written at ring.c:12 main", and that line. */
static void put_line(const struct sched_why *a)
{
    const char *slash = a->file ? strrchr(a->file, '/') : NULL;
    char *raw = sched_format("written%s%s at %s:%d %s", a->call ? " by " : "", a->call ? a->call : "",
                             slash     ? slash + 1
                             : a->file ? a->file
                                       : "?",
                             a->line, a->function ? a->function : "?");
    char *text = sched_escape(raw, ""), *source = sched_view_source(a->file, a->line);
    puts(text);
    if (source)
        printf("%d\t%s\n", a->line, source);
    free(raw);
    free(text);
    free(source);
}

static void put_answer(struct sched_console *c, const struct sched_why *a, const struct sched_bytes *bytes)
{
    if (a->again)
        puts("(the same value was there before)");
    switch (a->kind) {
    case SCHED_WHY_LINE: put_line(a); break;
    case SCHED_WHY_GIVEN: put_given(c, a); break;
    case SCHED_WHY_REDUCED: put_parts(c, a); break;
    case SCHED_WHY_CALL: put_call(c, a, bytes); break;
    case SCHED_WHY_NEVER:
        puts("nobody has changed it since MPI_Init (writing the same again is no change)");
        break;
    case SCHED_WHY_LEFT: put_left(a); break;
    case SCHED_WHY_OTHERS:
        puts("this thread did not change it after this place: another thread of the rank has, or the kernel "
             "(read()),\n"
             "or another rank, by MPI_Put, MPI_Accumulate and the like, or as shared memory");
        put_puts(c, bytes);
        break;
    }
}

/* "2" after a reduction: what rank 2 gave. */
static bool read_rank(struct sched_console *c, const char *args, struct sched_bytes *bytes,
                      struct sched_record_name *of)
{
    const struct sched_why *a = &c->why;
    if (!*args || strspn(args, "0123456789") != strlen(args))
        return false;
    for (unsigned i = 0; i < a->n_parts; i++)
        if (a->parts[i].of.rank == atoi(args)) {
            *bytes = a->parts[i].bytes;
            *of = a->parts[i].of;
            return true;
        }
    return false;
}

/* Which bytes are asked about: one stands where they are then. */
static bool read_question(struct sched_console *c, const char *args, struct sched_bytes *bytes)
{
    struct sched_session *s = c->session;
    struct sched_record_name of;
    *bytes = c->bytes;
    if (read_rank(c, args, bytes, &of))
        return sched_session_go_to(s, of);
    if (*args)
        return sched_why_bytes(s, c->level[s->focus], args, bytes);
    return bytes->size || sched_session_fail(s, "why what? why EXPR; without EXPR it goes on from a message");
}

static void put_name(struct sched_console *c, const struct sched_bytes *bytes)
{
    char *raw = bytes->size ? sched_why_name(c->session, bytes) : NULL;
    char *name = raw ? sched_escape(raw, "") : NULL;
    if (name)
        printf("there it is %s\n", name);
    else if (bytes->size)
        printf("there it is at address %#" PRIx64 "\n", bytes->address);
    free(raw);
    free(name);
}

/* Without an expression: of the bytes that the last answer led to. */
bool sched_do_why(struct sched_console *c, const char *args)
{
    struct sched_bytes bytes;
    struct sched_why answer;
    if (!read_question(c, args, &bytes))
        return false;
    if (sched_why_watched(&bytes) < bytes.size)
        printf("(of its %" PRIu64 " bytes the first %" PRIu64 " are followed)\n", bytes.size,
               sched_why_watched(&bytes));
    bool ok = sched_why_ask(c->session, &bytes, &answer);
    sched_why_finish(&c->why);
    c->why = answer;
    c->bytes = ok ? answer.from : (struct sched_bytes){0};
    if (!ok)
        return false;
    put_answer(c, &answer, &bytes);
    put_name(c, &c->bytes);
    return sched_console_arrive(c, true);
}
