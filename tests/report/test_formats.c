/* SPDX-License-Identifier: BSD-3-Clause */
/* SARIF and JUnit of hand-made results: texts that want to break them, and what services know findings again
 * by. tests/formats/ does the rest. */
#include "case.h"

#include "findings/findings.h"
#include "report/junit.h"
#include "report/sarif.h"
#include "report/sarif_parts.h"

/* A result with these findings. */
static json_t *made(const char *verdict, const char *because, json_t *findings)
{
    json_t *result =
        json_pack("{s:s, s:[s, s], s:{s:[s, s], s:s, s:i}, s:i, s:s, s:s, s:b, s:s?, s:i, s:i, s:f, s:o}",
                  "isp", "1.2.3", "command", "./my app", "<4>", "invocation", "words", "isp", "./my app",
                  "folder", "/a folder", "exit_code", 1, "ranks", 3, "buffering", "auto", "verdict", verdict,
                  "complete", !because, "incomplete_because", because, "interleavings", 6,
                  "buffered_interleavings", 0, "seconds", 0.31, "findings", findings);
    assert_non_null(result);
    return result;
}

static json_t *finding(const char *rule, const char *severity, const char *message, const char *file,
                       int line)
{
    json_t *f =
        json_pack("{s:s, s:s, s:s, s:s, s:s, s:b, s:[i, i], s:i, s:[{s:i, s:s, s:s?, s:i, s:s}], s:s}",
                  "rule", rule, "severity", severity, "message", message, "story", "rank 2  waits\n",
                  "interleaving", "0.1", "buffered", 0, "ranks", 0, 2, "count", 1, "sites", "rank", 2, "call",
                  "MPI_Recv", "file", file, "line", line, "function", "main", "replay", "isp replay ...");
    assert_non_null(f);
    return f;
}

static char *written(bool (*write)(const struct sched_report *, FILE *), json_t *result)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    assert_true(write(&(struct sched_report){.result = result}, out));
    fclose(out);
    json_decref(result);
    return text;
}

/* ---- SARIF ---- */

static void test_uri(void **state)
{
    static const struct {
        const char *path, *uri;
    } table[] = {{"main.c", "main.c"},
                 {"src/a b.c", "src/a%20b.c"},
                 {"/home/me/x.c", "file:///home/me/x.c"},
                 {"c:d.c", "c%3Ad.c"},
                 {"100%.c", "100%25.c"},
                 {"/#?[]", "file:///%23%3F%5B%5D"},
                 {"\xc3\xa9.c", "%C3%A9.c"},
                 {"a\nb", "a%0Ab"},
                 {"../up.c", "../up.c"}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char *uri = sched_sarif_uri(table[i].path);
        assert_string_equal(uri, table[i].uri);
        free(uri);
    }
}

static json_t *sarif(json_t *result)
{
    char *text = written(sched_report_sarif, result);
    json_t *log = json_loads(text, 0, NULL);
    assert_non_null(log);
    free(text);
    return log;
}

static json_t *run_of(const json_t *log) { return json_array_get(json_object_get(log, "runs"), 0); }

/* Neither placeholders nor links, which a message may have, come from the program. */
static void test_sarif_message(void **state)
{
    json_t *log =
        sarif(made("findings", NULL,
                   json_pack("[o]", finding("assertion", "error", "x[1](2) == {0} \x1b[31m", "a b.c", 3))));
    const char *text, *uri, *base;
    int line, index;
    assert_int_equal(json_unpack(run_of(log), "{s:[{s:i, s:{s:s}, s:[{s:{s:{s:s, s:s}, s:{s:i}}}]}]}",
                                 "results", "ruleIndex", &index, "message", "text", &text, "locations",
                                 "physicalLocation", "artifactLocation", "uri", &uri, "uriBaseId", &base,
                                 "region", "startLine", &line),
                     0);
    assert_has(text, "x[1\\](2) == {{0}} \\x1b[31m\n\nrank 2  waits\n\nreplay: isp replay ...\n");
    assert_string_equal(uri, "a%20b.c");
    assert_string_equal(base, SCHED_SARIF_BASE);
    assert_int_equal(line, 3);
    assert_int_equal(index, 0);
    assert_int_equal(
        json_unpack(run_of(log), "{s:{s:{s:s}}}", "originalUriBaseIds", SCHED_SARIF_BASE, "uri", &uri), 0);
    assert_string_equal(uri, "file:///a%20folder/");
    json_decref(log);
}

/* A service wants a place; and the rules are those that are used, each once. */
static void test_sarif_places_and_rules(void **state)
{
    json_t *log = sarif(made("findings", "of a bound",
                             json_pack("[o, o, o, o]", finding("crash", "error", "died", NULL, 0),
                                       finding("crash", "error", "died", NULL, 0),
                                       finding("of-tomorrow", "error", "new", NULL, 0),
                                       finding("wildcard", "note", "2", "a.c", 1))));
    const char *uri, *crash, *unknown, *because;
    json_t *brief;
    int first, second, third;
    assert_int_equal(json_unpack(run_of(log),
                                 "{s:[{s:i, s:[{s:{s:{s:s}}}]}, {s:i}, {s:i}, {}!], s:{s:{s:[{s:s, s:{s:o}}, "
                                 "{s:s}, {}!]}}, s:[{s:[{s:{s:s}}]}]}",
                                 "results", "ruleIndex", &first, "locations", "physicalLocation",
                                 "artifactLocation", "uri", &uri, "ruleIndex", &second, "ruleIndex", &third,
                                 "tool", "driver", "rules", "id", &crash, "shortDescription", "text", &brief,
                                 "id", &unknown, "invocations", "toolExecutionNotifications", "message",
                                 "text", &because),
                     0);
    assert_string_equal(uri, "./my%20app");
    assert_string_equal(crash, "crash");
    assert_string_equal(unknown, "of-tomorrow");
    assert_has(because, "of a bound");
    assert_int_equal(first, second);
    assert_int_not_equal(first, third);
    json_decref(log);
}

static char **prints_of(const char *source, int line, const char *message)
{
    case_file("source.c", source);
    char *folder = get_current_dir_name();
    json_t *result = made("findings", NULL,
                          json_pack("[o, o]", finding("leak-op", "warning", message, "source.c", line),
                                    finding("leak-op", "warning", message, "source.c", line + 1)));
    json_object_set_new(json_object_get(result, "invocation"), "folder", json_string(folder));
    char **prints = sched_sarif_fingerprints(result);
    json_decref(result);
    free(folder);
    return prints;
}

static void test_fingerprints(void **state)
{
    char **first = prints_of("MPI_Op_create(f, 1, &o);\nMPI_Op_create(f, 1, &o);\n", 1, "leak");
    char **moved = prints_of("\n\n  MPI_Op_create(f,1,&o);\nMPI_Op_create(f, 1, &o);\n", 3, "otherwise said");
    char **other = prints_of("MPI_Op_create(g, 1, &o);\nMPI_Op_create(f, 1, &o);\n", 1, "leak");
    assert_string_not_equal(first[0], first[1]); /* alike, and still two */
    for (int i = 0; i < 2; i++)
        assert_string_equal(first[i], moved[i]);
    assert_string_not_equal(first[0], other[0]);
    for (int i = 0; i < 2; i++) {
        free(first[i]);
        free(moved[i]);
        free(other[i]);
    }
    free(first);
    free(moved);
    free(other);
}

/* ---- JUnit ---- */

static void test_every_rule_has_a_case(void **state)
{
    for (int i = 0; i < ISP_RULE_COUNT; i++)
        assert_true((sched_rule_group((enum isp_rule)i) == ISP_RULE_GROUP_NOTES) ==
                    (sched_rule_severity((enum isp_rule)i) == ISP_SEVERITY_NOTE));
}

static void test_junit_escapes(void **state)
{
    char *xml =
        written(sched_report_junit,
                made("findings", NULL,
                     json_pack("[o]", finding("assertion", "error",
                                              "a<b && \"c\" ]]> \x02 \xef\xbf\xbf \xc3\xa9", "<x>.c", 3))));
    assert_has(xml, "&lt;x&gt;.c:3: error: a&lt;b &amp;&amp; &quot;c&quot; ]]&gt; \\x02 \\xef\\xbf\\xbf "
                    "\xc3\xa9 [assertion]\nrank 2  waits\nreplay: isp replay ...\n");
    assert_has(xml, "<testsuite name=\"my app &lt;4&gt; (3 ranks)\"");
    case_file("escaped.xml", xml);
    assert_int_equal(system("xmllint --noout escaped.xml"), 0);
    free(xml);
}

/* Red if and only if isp's exit code is not 0. */
static void test_junit_colours(void **state)
{
    char *xml = written(sched_report_junit,
                        made("clean", NULL, json_pack("[o]", finding("wildcard", "note", "2", "a.c", 1))));
    assert_has(xml, "failures=\"0\" errors=\"0\" skipped=\"0\"");
    assert_has_not(xml, "[wildcard]");
    free(xml);
    xml = written(sched_report_junit, made("incomplete", "of a <bound>", json_array()));
    assert_has(xml, "failures=\"0\" errors=\"1\" skipped=\"0\"");
    assert_has(xml, "<error message=\"of a &lt;bound&gt;\" type=\"incomplete\"/>");
    free(xml);
    xml = written(sched_report_junit, made("findings", "of a bound",
                                           json_pack("[o, o]", finding("crash", "error", "died", NULL, 0),
                                                     finding("abort", "error", "left", "a.c", 1))));
    assert_has(xml, "failures=\"1\" errors=\"0\" skipped=\"1\"");
    assert_has(xml, "<failure message=\"2 findings; the first: died\" type=\"crash\">");
    free(xml);
    xml = written(sched_report_junit,
                  made("unsupported", "a call",
                       json_pack("[o]", finding("unsupported", "error", "MPI_Comm_spawn", "a.c", 1))));
    assert_has(xml, "failures=\"0\" errors=\"1\" skipped=\"0\"");
    assert_has(xml, "<error message=\"MPI_Comm_spawn\" type=\"unsupported\">");
    free(xml);
    json_t *leaves = made("findings", NULL,
                          json_pack("[o, o]", finding("crash", "error", "died", NULL, 0),
                                    finding("leak-group", "warning", "group is never freed", "a.c", 1)));
    json_object_set_new(leaves, "invocation", json_pack("{s:s}", "fail_on", "error"));
    xml = written(sched_report_junit, leaves);
    assert_has(xml, "failures=\"1\" errors=\"0\" skipped=\"1\"");
    assert_has(xml, "<skipped message=\"group is never freed\">");
    case_file("skipped.xml", xml);
    assert_int_equal(system("xmllint --noout skipped.xml"), 0);
    free(xml);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uri),
        cmocka_unit_test(test_sarif_message),
        cmocka_unit_test(test_sarif_places_and_rules),
        cmocka_unit_test_setup_teardown(test_fingerprints, case_folder, case_folder_remove),
        cmocka_unit_test(test_every_rule_has_a_case),
        cmocka_unit_test_setup_teardown(test_junit_escapes, case_folder, case_folder_remove),
        cmocka_unit_test(test_junit_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
