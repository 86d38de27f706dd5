/* SPDX-License-Identifier: BSD-3-Clause */
/* The pages of the rules, and Markdown for the terminal. */
#include "case.h"

#include "words/columns.h"
#include "explain/explain.h"
#include "findings/findings.h"
#include "explain/markdown.h"
#include "explain/rule_pages.h"

static char *shown(const char *text, int columns, bool colours)
{
    char *copy = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&copy, &size);
    assert_non_null(out);
    sched_markdown_put(out, text, columns, colours);
    fclose(out);
    return copy;
}

static void test_markdown(void **state)
{
    static const struct {
        const char *text, *shown;
    } table[] = {
        {"# Title\n\none two\nthree `four five` six seven\n",
         "Title\n\none two three four five six\nseven\n"},
        {"a:\n\n- one *two* three four five six seven\n  eight\n- nine\n\nz\n",
         "a:\n\n- one two three four five six\n  seven eight\n- nine\n\nz\n"},
        {"a\n\n```c\nint *a = b * c; /* `x` */\n\n    f();\n```\n\nb\n",
         "a\n\n    int *a = b * c; /* `x` */\n\n        f();\n\nb\n"},
        {"| a | b |\n|---|---|\n| `one` | two three four five seven |\n",
         "  a    b\n  one  two three four five\n       seven\n"},
        {"| `one two three four` | five six seven eight |\n",
         "  one two three four\n      five six seven eight\n"},
        {"2 * 3 and leak-* and *so*\n", "2 * 3 and leak-* and so\n"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char *text = shown(table[i].text, 30, false);
        assert_string_equal(text, table[i].shown);
        free(text);
    }
    char *text = shown("# T\n\n`a b` *c*\n", 80, true);
    assert_string_equal(text, "\033[1mT\033[0m\n\n\033[36ma b\033[0m \033[3mc\033[0m\n");
    free(text);
}

/* Whatever the pages are, no line of text is too long, and no markup is left but in programs. */
static void test_every_page(void **state)
{
    for (int i = 0; i < ISP_RULE_COUNT; i++) {
        assert_true(*sched_rule_brief((enum isp_rule)i) && *sched_rule_pages[i].meaning);
        char *text = shown(sched_rule_pages[i].page, 60, false);
        for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
            if (strncmp(line, "    ", 4) == 0 && strncmp(line, "      ", 6) != 0)
                continue;
            if (line[strspn(line, " ")] && strchr(line + strspn(line, " "), ' ') &&
                strncmp(line, "      ", 6) != 0 && sched_columns(line) > 60)
                fail_msg("%s: %s", sched_rule_id((enum isp_rule)i), line);
            assert_has_not(line, "`");
            assert_has_not(line, "](");
        }
        assert_has_not(text, "/* @");
        free(text);
    }
}

static void test_no_such_rule(void **state)
{
    static const struct {
        const char *word, *says;
    } table[] = {{"deadlok", "did you mean deadlock?"},
                 {"dedlock", "did you mean deadlock?"},
                 {"typemismatch", "did you mean type-mismatch?"},
                 {"leak-comunicator", "did you mean leak-communicator?"},
                 {"leak-", "there are leak-communicator, leak-group"},
                 {"", "isp explain lists them all"},
                 {"xyzzy-foo", "isp explain lists them all"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char *why = sched_explain(table[i].word, stdout);
        assert_non_null(why);
        assert_has(why, table[i].says);
        free(why);
    }
    assert_null(sched_explain("deadlock", stderr));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_markdown),
        cmocka_unit_test(test_every_page),
        cmocka_unit_test(test_no_such_rule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
