/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines as gdb 13.1 has written them, and lines that it would not write. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdb/mi.h"
#include "gdb/modules.h"

static struct sched_mi_record parse(const char *line)
{
    struct sched_mi_record r;
    sched_mi_parse(line, strlen(line), &r);
    return r;
}

/* What the values are, as JSON. */
static void check_values(const char *line, enum sched_mi_kind kind, long token, const char *word,
                         const char *json)
{
    struct sched_mi_record r = parse(line);
    assert_int_equal(r.kind, kind);
    assert_int_equal(r.token, token);
    assert_string_equal(r.word, word);
    char *found = json_dumps(r.values, JSON_COMPACT | JSON_SORT_KEYS);
    assert_string_equal(found, json);
    free(found);
    sched_mi_finish(&r);
}

static void check_text(const char *line, enum sched_mi_kind kind, const char *text)
{
    struct sched_mi_record r = parse(line);
    assert_int_equal(r.kind, kind);
    assert_string_equal(r.text, text);
    sched_mi_finish(&r);
}

static void results(void **state)
{
    check_values("1^done", '^', 1, "done", "{}");
    check_values("^running", '^', -1, "running", "{}");
    check_values("12^error,msg=\"No symbol \\\"i\\\" in current context.\"", '^', 12, "error",
                 "{\"msg\":\"No symbol \\\"i\\\" in current context.\"}");
    check_values("6^done,register-values=[{number=\"16\",value=\"0x7fb970e9365e\"}]", '^', 6, "done",
                 "{\"register-values\":[{\"number\":\"16\",\"value\":\"0x7fb970e9365e\"}]}");
    check_values("^done,a=[],b={},c=\"\"", '^', -1, "done", "{\"a\":[],\"b\":{},\"c\":\"\"}");
}

static void lists(void **state)
{
    check_values(
        "4^done,stack=[frame={level=\"0\",addr=\"0x00007fb97095be8d\",func=\"ucp_worker_progress\","
        "from=\"/lib/libucp.so.0\",arch=\"i386:x86-64\"},frame={level=\"1\",addr=\"0x1\",func=\"main\"}]",
        '^', 4, "done",
        "{\"stack\":[{\"addr\":\"0x00007fb97095be8d\",\"arch\":\"i386:x86-64\",\"from\":\"/lib/libucp.so.0\","
        "\"func\":\"ucp_worker_progress\",\"level\":\"0\"},{\"addr\":\"0x1\",\"func\":\"main\",\"level\":"
        "\"1\"}]}");
    check_values(
        "^done,numchild=\"1\",children=[child={name=\"var1.public\",exp=\"public\",numchild=\"3\",value=\"\","
        "thread-id=\"1\"}],has_more=\"0\"",
        '^', -1, "done",
        "{\"children\":[{\"exp\":\"public\",\"name\":\"var1.public\",\"numchild\":\"3\",\"thread-id\":\"1\","
        "\"value\":\"\"}],\"has_more\":\"0\",\"numchild\":\"1\"}");
    check_values("^done,thread-ids={thread-id=\"1\",thread-id=\"2\",thread-id=\"3\"}", '^', -1, "done",
                 "{\"thread-ids\":{\"thread-id\":[\"1\",\"2\",\"3\"]}}");
}

static void breakpoints(void **state)
{
    check_values(
        "^done,bkpt={number=\"1\",type=\"breakpoint\",disp=\"keep\",enabled=\"y\",addr=\"<MULTIPLE>\",times="
        "\"0\","
        "original-location=\"twice\",locations=[{number=\"1.1\",enabled=\"y\",func=\"twice<int>(int)\","
        "thread-groups=[\"i1\"]},{number=\"1.2\",enabled=\"n\",thread-groups=[\"i1\"]}]}",
        '^', -1, "done",
        "{\"bkpt\":{\"addr\":\"<MULTIPLE>\",\"disp\":\"keep\",\"enabled\":\"y\",\"locations\":[{\"enabled\":"
        "\"y\","
        "\"func\":\"twice<int>(int)\",\"number\":\"1.1\",\"thread-groups\":[\"i1\"]},{\"enabled\":\"n\","
        "\"number\":\"1.2\",\"thread-groups\":[\"i1\"]}],\"number\":\"1\",\"original-location\":\"twice\","
        "\"times\":\"0\",\"type\":\"breakpoint\"}}");
    /* as mi2 writes its places: values without a name */
    check_values("=breakpoint-modified,bkpt={number=\"1\"},{number=\"1.1\"},{number=\"1.2\"}", '=', -1,
                 "breakpoint-modified",
                 "{\"\":[{\"number\":\"1.1\"},{\"number\":\"1.2\"}],\"bkpt\":{\"number\":\"1\"}}");
}

static void stops(void **state)
{
    check_values("*stopped,reason=\"watchpoint-trigger\",wpt={number=\"2\",exp=\"counter\"},value={old=\"0\","
                 "new=\"7\"},"
                 "frame={addr=\"0x1\",func=\"main\",args=[{name=\"x\",value=\"0x2 "
                 "\\\"a\\\\nb\\\"\"}]},thread-id=\"1\","
                 "stopped-threads=\"all\"",
                 '*', -1, "stopped",
                 "{\"frame\":{\"addr\":\"0x1\",\"args\":[{\"name\":\"x\",\"value\":\"0x2 \\\"a\\\\nb\\\"\"}],"
                 "\"func\":\"main\"},\"reason\":\"watchpoint-trigger\",\"stopped-threads\":\"all\",\"thread-"
                 "id\":\"1\","
                 "\"value\":{\"new\":\"7\",\"old\":\"0\"},\"wpt\":{\"exp\":\"counter\",\"number\":\"2\"}}");
}

static void streams(void **state)
{
    check_text("~\"\\nBreakpoint 1.1, twice<int> (x=119) at x.cc:5\\n\"", '~',
               "\nBreakpoint 1.1, twice<int> (x=119) at x.cc:5\n");
    check_text("&\"28\\t../sysdeps/recv.c: No such file or directory.\\n\"", '&',
               "28\t../sysdeps/recv.c: No such file or directory.\n");
    check_text("@\"\"", '@', "");
    check_text("~\"gr\\303\\274n \\033[1m \\\\ \\\"\"", '~', "gr\xc3\xbcn \x1b[1m \\ \"");
    check_text("~\"a\\000b\"", '~', "a b");
    struct sched_mi_record r = parse("(gdb) ");
    assert_int_equal(r.kind, SCHED_MI_PROMPT);
    sched_mi_finish(&r);
    check_values("^done,value=\"\\377\"", '^', -1, "done", "{\"value\":\"\\\\xff\"}"); /* no UTF-8 */
}

static void others(void **state)
{
    static const char *const lines[] = {
        "",
        "hello",
        "12",
        "^",
        "^done,",
        "^done,a",
        "^done,a=",
        "^done,a={",
        "^done,a=[",
        "^done,a=\"",
        "^done,a=\"\\",
        "^done,a={\"x\"",
        "^done,a=[b=]",
        "~",
        "~\"",
        "~\"x\" more",
        "*",
        "^done x",
        "^done,a=\"1\"b",
        "(gd",
        "^done,{a=\"1\"",
        "99999999999999999999999^done,a",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        check_text(lines[i], SCHED_MI_OTHER, lines[i]);
}

static void limits(void **state)
{
    struct sched_mi_record r;
    char *deep = malloc(200000);
    memset(deep, '[', 200000);
    memcpy(deep, "^done,a=", 8);
    sched_mi_parse(deep, 200000, &r);
    assert_int_equal(r.kind, SCHED_MI_OTHER);
    sched_mi_finish(&r);
    size_t n = 3 * (SCHED_MI_VALUES_MOST + 2);
    char *many = malloc(n + 8);
    memcpy(many, "^done,a=[", 9);
    for (size_t i = 9; i + 3 < n; i += 3)
        memcpy(many + i, "[],", 3);
    sched_mi_parse(many, n, &r);
    assert_int_equal(r.kind, SCHED_MI_OTHER);
    sched_mi_finish(&r);
    free(deep);
    free(many);
}

/* Every beginning of a line, and each with a byte changed: whatever it is, memory is in order. */
static void any_bytes(void **state)
{
    static const char line[] = "7*stopped,reason=\"a\\\"\\303\\274\",wpt={number=\"2\",b=[c={d=\"1\"},e="
                               "\"2\"]},x={},y=[\"1\",\"2\"]";
    for (size_t n = 0; n < sizeof line; n++)
        for (int byte = -1; byte < 256; byte += n < 20 ? 1 : 37) {
            char *copy = malloc(sizeof line);
            memcpy(copy, line, sizeof line);
            if (byte >= 0)
                copy[n] = (char)byte;
            struct sched_mi_record r;
            sched_mi_parse(copy, byte < 0 ? n : sizeof line - 1, &r);
            sched_mi_finish(&r);
            free(copy);
        }
}

static void numbers(void **state)
{
    struct sched_mi_record r =
        parse("^done,a=\"12\",b=\"0x1f\",c=\"-1\",d=\"99999999999999999999\",e=\"4294967296\",f={}");
    unsigned long long n;
    assert_true(sched_mi_number(r.values, "a", &n) && n == 12);
    assert_true(sched_mi_number(r.values, "b", &n) && n == 31);
    assert_false(sched_mi_number(r.values, "c", &n));
    assert_false(sched_mi_number(r.values, "d", &n));
    assert_false(sched_mi_number(r.values, "f", &n));
    assert_false(sched_mi_number(NULL, "f", &n));
    assert_int_equal(sched_mi_int(r.values, "e", -7), -7);
    assert_null(sched_mi_text(r.values, "f"));
    sched_mi_finish(&r);
    char *quoted = sched_mi_quote("a \"b\\\"\n1-gdb-exit");
    assert_string_equal(quoted, "\"a \\\"b\\\\\\\" 1-gdb-exit\"");
    free(quoted);
}

/* ---- modules ---- */

static void names_of_mpi(void **state)
{
    static const char *const names[][2] = {
        {"PMPI_Send", "MPI_Send"},
        {"isp_MPI_Recv", "MPI_Recv"},
        {"MPI_Wait", "MPI_Wait"},
        {"mpi_send_", "MPI_Send"},
        {"pmpi_comm_rank_", "MPI_Comm_rank"},
        {"pmpir_recv_f08ts_", "MPI_Recv"},
        {"mpi_recv__", "MPI_Recv"},
        {"main", NULL},
        {"MPIR_Wait", NULL},
        {"PMPIX_Iov_len", "MPIX_Iov_len"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *name = sched_mpi_name(names[i][0]);
        if (names[i][1])
            assert_string_equal(name, names[i][1]);
        else
            assert_null(name);
        free(name);
    }
}

static void kinds(void **state)
{
    char path[] = "/tmp/isp-test-maps-XXXXXX";
    int fd = mkstemp(path);
    static const char maps[] =
        "1000-2000 r-xp 00000000 08:01 11                       /home/u/libmpi_test\n"
        "2000-3000 r--p 00000000 08:01 11                       /home/u/libmpi_test\n"
        "3000-4000 r-xp 00000000 08:01 12                       /usr/lib/x/libmpich.so.12.2.2\n"
        "4000-5000 r-xp 00000000 08:01 13                       /opt/isp/libisp.so\n"
        "5000-6000 r-xp 00000000 08:01 14                       /lib/libc.so.6 (deleted)\n"
        "6000-7000 r-xp 00000000 08:01 15                       /lib/libhdf5.so\n"
        "7000-8000 rwxp 00000000 00:00 0 \n"
        "nonsense\n"
        "8000-9000 r-xp 00000000 00:00 0                        [vdso]\n";
    FILE *out = fdopen(fd, "w");
    fputs(maps, out);
    fclose(out);
    struct sched_modules m;
    sched_modules_init_from(&m, path, "/home/u/libmpi_test");
    remove(path);
    static const enum sched_module_kind expected[] = {SCHED_MODULE_OWN, SCHED_MODULE_OWN,    SCHED_MODULE_MPI,
                                                      SCHED_MODULE_ISP, SCHED_MODULE_SYSTEM, SCHED_MODULE_OWN,
                                                      SCHED_MODULE_OWN, SCHED_MODULE_SYSTEM};
    for (size_t i = 0; i < 8; i++)
        if (i != 1)
            assert_int_equal(sched_modules_kind(&m, 0x1000 * (i + 1) + 0x10, "f"), expected[i]);
    assert_int_equal(sched_modules_kind(&m, 0x1010, "MPI_Send"),
                     SCHED_MODULE_OWN);                                     /* a tool of the program's */
    assert_int_equal(sched_modules_kind(&m, 0, NULL), SCHED_MODULE_SYSTEM); /* no code at all */
    sched_modules_finish(&m);
    assert_int_equal(sched_modules_kind(&m, 0x1010, "MPI_Send"), SCHED_MODULE_MPI); /* a static program */
    assert_int_equal(sched_modules_kind(&m, 0x1010, "main"), SCHED_MODULE_OWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results),      cmocka_unit_test(lists),     cmocka_unit_test(breakpoints),
        cmocka_unit_test(stops),        cmocka_unit_test(streams),   cmocka_unit_test(others),
        cmocka_unit_test(limits),       cmocka_unit_test(any_bytes), cmocka_unit_test(numbers),
        cmocka_unit_test(names_of_mpi), cmocka_unit_test(kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
