/* SPDX-License-Identifier: BSD-3-Clause */
/* Suppression files: what is refused, and with which words; which findings a block covers, and how that is
 * counted. */
#include "case.h"

#include "isp/functions.h"
#include "findings/suppressions.h"

#define HEAD "isp-suppressions 1\n"

static void test_bad_files(void **state)
{
    static const struct {
        const char *text, *says;
    } table[] = {
        {"", "bad.supp:1: the first line of a suppression file must be \"isp-suppressions 1\""},
        {"{\n", "bad.supp:1: the first line"},
        {"isp-suppressions 1 or so\n", "bad.supp:1: the first line"},
        {"# comment\n\nisp-suppressions 2\n", "bad.supp:3: this is version 2"},
        {HEAD "rule: deadlock\n", "bad.supp:2: \"rule: deadlock\" is outside of a block"},
        {HEAD "{\nname\n}\n", "bad.supp:4: the block that ends here names no rule"},
        {HEAD "{\nrule: leek-*\n}\n", "bad.supp:3: there is no rule \"leek-*\""},
        {HEAD "{\nrule:\n}\n", "bad.supp:3: rule: needs a pattern"},
        {HEAD "{\nrule: deadlock\nrule: hang\n}\n", "bad.supp:4: a second rule:"},
        {HEAD "{\nrule: deadlock\nfun:\n}\n", "bad.supp:4: fun: needs a pattern"},
        {HEAD "{\nrule: deadlock\nfun:a fun:b\n}\n", "bad.supp:4: a second fun:"},
        {HEAD "{\nrule: deadlock\nline: 5\n}\n", "bad.supp:4: \"line: 5\" is nothing that a block can have"},
        {HEAD "{\nrule: deadlock\n{\n", "bad.supp:4: the block of line 2 is not closed"},
        {HEAD "{\nrule: deadlock\n", "the block of line 2 is not closed"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        case_file("bad.supp", table[i].text);
        struct sched_suppressions *all = sched_suppressions_create();
        char *why = sched_suppressions_read(all, "bad.supp");
        assert_non_null(why);
        assert_has(why, table[i].says);
        free(why);
        sched_suppressions_destroy(all);
    }
    struct sched_suppressions *all = sched_suppressions_create();
    char *why = sched_suppressions_read(all, "nosuch.supp");
    assert_has(why, "nosuch.supp: No such file");
    free(why);
    sched_suppressions_destroy(all);
}

/* ---- what a block covers ---- */

static size_t offset; /* of the call in ./src/prog.c, function outer, line 12, in ./prog */

static const char program[] =
    "#define _GNU_SOURCE\n"
    "#include <link.h>\n"
    "#include <stdio.h>\n"
    "static int base(struct dl_phdr_info *i, size_t n, void *p) { *(size_t *)p = i->dlpi_addr; return 1; }\n"
    "__attribute__((noinline)) void callee(void)\n"
    "{\n"
    "    size_t load = 0;\n"
    "    dl_iterate_phdr(base, &load);\n"
    "    printf(\"%zu\\n\", (size_t)__builtin_return_address(0) - load);\n"
    "}\n"
    "__attribute__((noinline)) void outer(void)\n"
    "{ callee(); __asm__ volatile(\"\"); }\n"
    "int main(void) { outer(); return 0; }\n";

static int set_up(void **state)
{
    if (case_folder(state) != 0 || system("mkdir src") != 0)
        return -1;
    case_file("src/prog.c", program);
    case_compile("-g -O0 src/prog.c -o prog");
    FILE *out = popen("./prog", "r");
    return out && fscanf(out, "%zu", &offset) == 1 && pclose(out) == 0 ? 0 : -1;
}

/* One finding: MPI_Comm_dup at src/prog.c:12 outer, rank 1. */
struct world {
    struct sched_sites *sites;
    struct sched_findings *findings;
};

static void add(struct world *w, enum isp_rule rule, const char *message, bool place)
{
    struct sched_site_ref site = {1, ISP_FN_MPI_Comm_dup, sched_sites_intern(w->sites, "./prog", 6, offset)};
    int rank = 1;
    struct sched_finding f = {.rule = rule,
                              .message = (char *)message,
                              .interleaving = (char *)"0",
                              .ranks = &rank,
                              .n_ranks = 1,
                              .sites = &site,
                              .n_sites = place,
                              .count = 1};
    sched_findings_add(w->findings, NULL, &f);
}

/* How many findings a file leaves. */
static size_t left(struct world *w, const char *text, struct sched_suppressions **all)
{
    case_file("good.supp", text);
    *all = sched_suppressions_create();
    char *why = sched_suppressions_read(*all, "good.supp");
    if (why)
        fail_msg("%s", why);
    sched_suppressions_apply(*all, w->findings, w->sites);
    struct sched_finding *const *rest;
    return sched_findings_all(w->findings, &rest);
}

static void test_patterns(void **state)
{
    static const struct {
        const char *block;
        bool covers;
    } table[] = {
        {"rule: leak-communicator", true},
        {"a name\nrule: leak-*", true},
        {"rule: *", true},
        {"rule: leak-group", false},
        {"rule: *\ncall:MPI_Comm_dup", true},
        {"rule: *\ncall:MPI_Comm_*  fun:outer  file:src/prog.c:12  obj:prog", true},
        {"rule: *\ncall:MPI_Comm_*  fun:outer  file:src/prog.c:13", false},
        {"rule: *\ncall:MPI_Comm_split", false},
        {"rule: *\nfun:out", false},
        {"rule: *\nfun:out*", true},
        {"rule: *\nfile:prog.c", true}, /* the last parts of the path */
        {"rule: *\nfile:rc/prog.c", false},
        {"rule: *\nfile:*/prog.c", true},
        {"rule: *\nfile:/src/prog.c", false},
        {"rule: *\nobj:*.so", false},
        {"rule: *\n...\nfun:outer", true},
        {"rule: *\nfun:outer\n...", true},
        {"rule: *\n...", true},
        {"rule: *\nfun:outer\nfun:main", false}, /* the caller is not known */
        {"rule: *\ntext: this comm* is never freed", true},
        {"rule: *\ntext: never freed", false},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct world w = {sched_sites_create(), sched_findings_create()};
        struct sched_suppressions *all;
        char text[512];
        add(&w, ISP_RULE_LEAK_COMMUNICATOR, "this communicator is never freed", true);
        snprintf(text, sizeof text, HEAD "{\n%s\n}\n", table[i].block);
        print_message("%s\n", table[i].block);
        assert_int_equal(left(&w, text, &all), !table[i].covers);
        assert_int_equal(all->suppressed, table[i].covers);
        assert_int_equal(all->blocks[0].used, table[i].covers);
        sched_suppressions_destroy(all);
        sched_findings_destroy(w.findings);
        sched_sites_destroy(w.sites);
    }
}

static void test_counts(void **state)
{
    struct world w = {sched_sites_create(), sched_findings_create()};
    struct sched_suppressions *all;
    add(&w, ISP_RULE_LEAK_COMMUNICATOR, "one", true);
    add(&w, ISP_RULE_WILDCARD, "a note", true);
    add(&w, ISP_RULE_EXIT_CODE, "rank 1 ended with 3", false);
    add(&w, ISP_RULE_EXIT_CODE, "rank 1 ended with 4", false);
    add(&w, ISP_RULE_UNSUPPORTED, "x", true);
    size_t n =
        left(&w,
             HEAD "{\n none \n rule: deadlock\n}\n{\n rule: wildcard\n}\n{\n leaks\n rule: leak-*\n}\n"
                  "{\n three\n rule: exit-code\n text: rank ? ended with 3\n}\n{\n rule: unsupported\n}\n",
             &all);
    assert_int_equal(n, 2); /* the other exit code; what is unsupported stays */
    assert_int_equal(all->n_blocks, 5);
    assert_int_equal(all->suppressed, 2); /* notes are not counted */
    static const uint64_t used[] = {0, 1, 1, 1, 0};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(all->blocks[i].used, used[i]);
    assert_string_equal(all->blocks[0].name, "none");
    assert_string_equal(all->blocks[1].name, "wildcard"); /* its rule, as it has no name */
    assert_int_equal(all->blocks[2].line, 9);
    sched_suppressions_destroy(all);
    sched_findings_destroy(w.findings);
    sched_sites_destroy(w.sites);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bad_files), cmocka_unit_test(test_patterns),
                                       cmocka_unit_test(test_counts)};
    return cmocka_run_group_tests(tests, set_up, case_folder_remove);
}
