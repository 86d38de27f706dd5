/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the terminal shows of the source, and how lines are broken. The program that is shown prints the
 * offsets of its calls of something that is called as an MPI function, as libisp.so would send them.
 */
#include "case.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "words/columns.h"
#include "isp/functions.h"
#include "report/excerpt.h"
#include "words/wrap.h"

#define LONG                                                                                                 \
    "1000000000 + 1000000000 - 1000000000 - 1000000000 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 + 0 " \
    "+ 0 + 0 + 0"

static const char program[] =
    "#define _GNU_SOURCE\n"
    "#include <link.h>\n"
    "#include <stdio.h>\n"
    "static int base(struct dl_phdr_info *i, size_t n, void *p) { *(size_t *)p = i->dlpi_addr; return 1; }\n"
    "__attribute__((noinline)) int MPI_Recv(int line)\n"
    "{\n"
    "    size_t load = 0;\n"
    "    dl_iterate_phdr(base, &load);\n"
    "    printf(\"%zu %d\\n\", (size_t)__builtin_return_address(0) - load, line);\n"
    "    return 0;\n"
    "}\n"
    "#define hidden MPI_Recv\n"
    "#define my_MPI_Recv MPI_Recv\n"
    "int main(void)\n"
    "{\n"
    "\tMPI_Recv(__LINE__);\n"
    "    int\ta =\tMPI_Recv(__LINE__);\n"
    "    a = hidden(__LINE__);\n"
    "    /* 漢字 ü \x1b[2J */ a += MPI_Recv(__LINE__);\n"
    "    a = " LONG " + MPI_Recv(__LINE__); /* and on " LONG " */\n"
    "    a = my_MPI_Recv(__LINE__) + 0 * MPI_Recv(0);\n"
    "    return a;\n"
    "}\n";

enum { CALLS = 6 };

struct shown {
    struct sched_sites *sites;
    struct sched_result result;
    struct sched_site_ref refs[CALLS];
};

/* Compiles the program, runs it, and makes a site of each call. */
static void shown_init(struct shown *s)
{
    case_file("prog.c", program);
    case_compile("-g -O0 prog.c -o prog");
    *s = (struct shown){.sites = sched_sites_create()};
    s->result.sites = s->sites;
    FILE *out = popen("./prog", "r");
    assert_non_null(out);
    for (int i = 0, line = 0; i < CALLS;) {
        size_t offset;
        assert_int_equal(fscanf(out, "%zu %d", &offset, &line), 2);
        if (line)
            s->refs[i] = (struct sched_site_ref){i, ISP_FN_MPI_Recv,
                                                 sched_sites_intern(s->sites, "./prog", 6, offset)},
            i++;
    }
    while (fgetc(out) != EOF)
        ;
    assert_int_equal(pclose(out), 0);
}

static char *excerpt_of(struct shown *s, const struct sched_finding *f, int columns)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    sched_excerpt_put(&s->result, f, columns, out);
    fclose(out);
    return text;
}

static void assert_shows(struct shown *s, int call, int columns, const char *wanted)
{
    struct sched_finding f = {.rule = ISP_RULE_TRUNCATION, .sites = &s->refs[call], .n_sites = 1};
    char *text = excerpt_of(s, &f, columns);
    assert_string_equal(text, wanted);
    free(text);
}

static void test_line_and_caret(void **state)
{
    struct shown s;
    shown_init(&s);
    assert_shows(&s, 0, 0, "    16 | MPI_Recv(__LINE__);\n       | ^~~~~~~~\n");
    assert_shows(&s, 1, 0, "    17 | int a =     MPI_Recv(__LINE__);\n       |             ^~~~~~~~\n");
    assert_shows(&s, 2, 0, "    18 | a = hidden(__LINE__);\n"); /* no name, no caret */
    assert_shows(&s, 3, 0,
                 "    19 | /* 漢字 ü \\x1b[2J */ a += MPI_Recv(__LINE__);\n"
                 "       |                           ^~~~~~~~\n");
    assert_shows(&s, 5, 0,
                 "    21 | a = my_MPI_Recv(__LINE__) + 0 * MPI_Recv(0);\n"
                 "       |                                 ^~~~~~~~\n"); /* a whole name */
    sched_sites_destroy(s.sites);
}

static void test_long_lines_are_cut_around_the_call(void **state)
{
    struct shown s;
    shown_init(&s);
    assert_shows(&s, 4, 60,
                 "    20 | ...0 + 0 + 0 + MPI_Recv(__LINE__); /* and on 100...\n"
                 "       |                ^~~~~~~~\n");
    assert_shows(&s, 4, 30, "    20 | ... 0 + MPI_Recv(_...\n       |         ^~~~~~~~\n");
    sched_sites_destroy(s.sites);
}

static void test_each_place_once_with_its_ranks(void **state)
{
    struct shown s;
    shown_init(&s);
    int stuck[] = {0, 1, 2};
    struct sched_site_ref refs[] = {s.refs[1], s.refs[0], {2, ISP_FN_MPI_Recv, s.refs[1].site}, s.refs[3]};
    struct sched_finding f = {
        .rule = ISP_RULE_DEADLOCK, .sites = refs, .n_sites = 4, .ranks = stuck, .n_ranks = 3};
    char *text = excerpt_of(&s, &f, 0);
    assert_string_equal(text,
                        "    17 | int a =     MPI_Recv(__LINE__);\n       |             ^~~~~~~~ ranks 1, 2\n"
                        "    16 | MPI_Recv(__LINE__);\n       | ^~~~~~~~ rank 0\n"); /* rank 3 is not stuck */
    free(text);
    sched_sites_destroy(s.sites);
}

static void test_nothing_of_a_source_that_changed(void **state)
{
    struct shown s;
    shown_init(&s);
    struct stat program_is;
    assert_int_equal(stat("prog", &program_is), 0);
    struct timespec later[2] = {{.tv_sec = program_is.st_mtime + 5}, {.tv_sec = program_is.st_mtime + 5}};
    assert_int_equal(utimensat(AT_FDCWD, "prog.c", later, 0), 0);
    assert_shows(&s, 0, 0, "");
    assert_int_equal(remove("prog.c"), 0);
    assert_shows(&s, 0, 0, "");
    assert_int_equal(mkdir("prog.c", 0700), 0);
    assert_shows(&s, 0, 0, "");
    sched_sites_destroy(s.sites);
}

/* ---- lines ---- */

static char *wrapped(const char *line, int hang, int columns)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    sched_wrap_put(out, line, hang, columns);
    fclose(out);
    return text;
}

static void assert_wrapped(const char *line, int hang, int columns, const char *wanted)
{
    char *text = wrapped(line, hang, columns);
    assert_string_equal(text, wanted);
    free(text);
}

static void test_lines_are_broken(void **state)
{
    assert_wrapped("one two three four", 2, 0, "one two three four\n");
    assert_wrapped("one two three four", 2, 18, "one two three four\n");
    assert_wrapped("one two three four", 2, 10, "one two\n  three\n  four\n");
    assert_wrapped("漢字 漢字 漢字", 2, 10, "漢字 漢字\n  漢字\n");
    assert_wrapped("\033[1misp:\033[0m one two", 2, 12, "\033[1misp:\033[0m one two\n");
    assert_wrapped("a /long/path/that/is/longer/than/that b", 2, 12,
                   "a\n  /long/path/that/is/longer/than/that\n  b\n");
    assert_wrapped("  rank 0  MPI_Recv(from 2)  app.c:3 main  waits for it", 6, 45,
                   "  rank 0  MPI_Recv(from 2)  app.c:3 main\n      waits for it\n");
    assert_wrapped("", 2, 10, "\n");
}

static void test_columns(void **state)
{
    assert_int_equal(sched_columns("abc"), 3);
    assert_int_equal(sched_columns("→ü漢"), 4);
    assert_int_equal(sched_columns("e\xcc\x81"), 1); /* a combining accent */
    assert_int_equal(sched_columns("\xff"), 1);
}

int main(void)
{
#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, case_folder, case_folder_remove)
    const struct CMUnitTest tests[] = {
        IN_FOLDER(test_line_and_caret),
        IN_FOLDER(test_long_lines_are_cut_around_the_call),
        IN_FOLDER(test_each_place_once_with_its_ranks),
        IN_FOLDER(test_nothing_of_a_source_that_changed),
        cmocka_unit_test(test_lines_are_broken),
        cmocka_unit_test(test_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
