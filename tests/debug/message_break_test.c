/* SPDX-License-Identifier: BSD-3-Clause */
/* Breakpoints at messages, as they are typed, and what they match. Four ranks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "debug/message_break.h"
#include "isp/functions.h"

enum { RANKS = 4, NONE = SCHED_MESSAGE_WHATEVER };

static bool matches(const char *text, const struct sched_message_event *e)
{
    struct sched_message_break b;
    char *why = NULL;
    print_message("%s\n", text);
    if (!sched_message_break_parse(&b, text, RANKS, &why))
        fail_msg("%s", why);
    bool does = sched_message_break_matches(&b, e);
    sched_message_break_finish(&b);
    return does;
}

static void check(const char *const *yes, const char *const *no, const struct sched_message_event *e)
{
    for (; *yes; yes++)
        assert_true(matches(*yes, e));
    for (; *no; no++)
        assert_false(matches(*no, e));
}

static void test_send(void **state)
{
    static const int members[] = {3, 0, 2};
    struct isp_call call = {.op = ISP_OP_SEND, .peer = 2, .tag = 7, .comm = 9};
    struct sched_message_event e = {
        .rank = 0, .call = &call, .from = NONE, .tag = NONE, .members = members, .n = 3};
    check(
        (const char *[]){"send", "send to=2", "send tag=7 to=2", "send comm=0,2-3", "send comm=3,0,2", NULL},
        (const char *[]){"send to=1", "send tag=6", "send to=2 tag=0", "send comm=world", "send comm=self",
                         "send comm=0,2", "send comm=0-3", "recv", "collective", "choice", NULL},
        &e);
    call.comm = ISP_COMM_WORLD;
    check((const char *[]){"send comm=world", "send comm=MPI_COMM_WORLD", NULL}, (const char *[]){NULL}, &e);
    call.comm = ISP_COMM_SELF(0);
    check((const char *[]){"send comm=self", NULL}, (const char *[]){"send comm=world", NULL}, &e);
    call.flags = ISP_F_SIGNAL; /* none of the program's */
    check((const char *[]){NULL}, (const char *[]){"send", NULL}, &e);
}

static void test_recv(void **state)
{
    struct isp_call call = {.op = ISP_OP_RECV, .peer = 1, .tag = 7};
    struct sched_message_event e = {.rank = 0, .call = &call, .from = 1, .tag = 7};
    check((const char *[]){"recv", "recv from=1", "recv tag=7", "recv from=1 tag=7 comm=world", NULL},
          (const char *[]){"recv from=2", "recv from=any", "recv tag=any", "recv tag=1", "send", NULL}, &e);
    call.peer = ISP_ANY_SOURCE;
    call.tag = ISP_ANY_TAG;
    check((const char *[]){"recv", "recv from=any", "recv tag=any", "recv from=1", "recv tag=7", NULL},
          (const char *[]){"recv from=2", "recv tag=6", NULL}, &e);
    e.from = e.tag = NONE; /* nothing came */
    check((const char *[]){"recv", "recv from=any tag=any", NULL},
          (const char *[]){"recv from=1", "recv tag=7", NULL}, &e);
}

static void test_collective(void **state)
{
    struct isp_call call = {.op = ISP_OP_COLLECTIVE, .fn = ISP_FN_MPI_Allreduce};
    struct sched_message_event e = {.rank = 0, .call = &call, .from = NONE, .tag = NONE};
    check((const char *[]){"collective", "collective MPI_Allreduce", "collective allreduce comm=world", NULL},
          (const char *[]){"collective MPI_Reduce", "collective MPI_Iallreduce", "collective comm=self",
                           "send", NULL},
          &e);
    call.flags = ISP_F_INTERNAL; /* the second half of a call */
    check((const char *[]){NULL}, (const char *[]){"collective", NULL}, &e);
}

static void test_choice(void **state)
{
    struct isp_call call = {.op = ISP_OP_COMPLETE};
    struct sched_message_event e = {.rank = 0, .call = &call, .from = NONE, .tag = NONE, .is_choice = true};
    check((const char *[]){"choice", NULL}, (const char *[]){"recv", NULL}, &e);
    e.is_choice = false;
    check((const char *[]){NULL}, (const char *[]){"choice", NULL}, &e);
}

/* Each says what is wrong, and how it is written. */
static void test_wrong(void **state)
{
    static const char *const table[] = {
        "send to=4",
        "send to=-1",
        "send to=",
        "send to=any",
        "send tag=any",
        "send from=1",
        "send 1",
        "send tag=1x",
        "send tag=-1",
        "send tag=99999999999",
        "recv to=1",
        "recv from=4",
        "recv from=all",
        "recv MPI_Recv",
        "recv comm=",
        "recv comm=0,",
        "recv comm=4",
        "recv comm=2-1",
        "recv comm=0-",
        "recv comm=world,1",
        "recv comm=-1",
        "collective tag=1",
        "collective nope",
        "collective from=1",
        "choice 1",
        "choice comm=world",
        "collective bcast reduce",
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct sched_message_break b;
        char *why = NULL, word[32];
        print_message("%s\n", table[i]);
        assert_false(sched_message_break_parse(&b, table[i], RANKS, &why));
        sscanf(strrchr(table[i], ' '), "%31s", word);
        assert_non_null(strstr(why, word));
        assert_non_null(strstr(why, ": break "));
        assert_null(strchr(why, '\n'));
        free(why);
    }
}

static void test_words(void **state)
{
    static const char *const are[] = {"send", "send to=1", "recv x", "collective", "choice"};
    static const char *const are_not[] = {"sender", "recv.c:3", "MPI_Send", "", "send.c:1", "main"};
    for (size_t i = 0; i < sizeof are / sizeof *are; i++)
        assert_true(sched_message_break_is(are[i]));
    for (size_t i = 0; i < sizeof are_not / sizeof *are_not; i++)
        assert_false(sched_message_break_is(are_not[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_send),   cmocka_unit_test(test_recv),  cmocka_unit_test(test_collective),
        cmocka_unit_test(test_choice), cmocka_unit_test(test_wrong), cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
