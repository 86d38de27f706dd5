/* SPDX-License-Identifier: BSD-3-Clause */
/* Text, JSON, exit code and replay command of hand-made results. */
#include "case.h"

#include <jansson.h>
#include <sys/stat.h>

#include "isp/functions.h"
#include "explore/bounds.h"
#include "base/escape.h"
#include "base/alloc.h"
#include "report/json.h"
#include "report/replay.h"
#include "report/text.h"
#include "report/verdict.h"
#include "explore/result.h"

static char *command[] = {(char *)"./my app", (char *)"it's", (char *)"a=b", NULL};

struct made {
    struct sched_options options;
    struct sched_result result;
};

static void made_init(struct made *m)
{
    *m = (struct made){.options = {.ranks = 4,
                                   .buffering = ISP_BUFFERING_AUTO,
                                   .polls = 1,
                                   .livelock_rounds = 5000,
                                   .timeout_s = 60,
                                   .memory = ISP_MEMORY_CHECKSUM,
                                   .mpi = "auto",
                                   .mpiexec = "mpiexec",
                                   .output = "first",
                                   .error_exitcode = 1,
                                   .command = command}};
    m->result = (struct sched_result){.options = &m->options,
                                      .sites = sched_sites_create(),
                                      .findings = sched_findings_create(),
                                      .interleavings = 6,
                                      .choice_points = 3,
                                      .calls = 123,
                                      .seconds = 0.31};
}

static void made_finish(struct made *m)
{
    sched_sites_destroy(m->result.sites);
    sched_findings_destroy(m->result.findings);
}

static struct sched_finding *add(struct made *m, enum isp_rule rule, const char *message, const char *story,
                                 const char *interleaving)
{
    int ranks[] = {0, 2};
    uint32_t place = sched_sites_intern(m->result.sites, "/nosuch/app", 11, 0x1234);
    struct sched_site_ref site = {2, ISP_FN_MPI_Recv, place};
    struct sched_finding f = {.rule = rule,
                              .message = (char *)message,
                              .story = (char *)story,
                              .ranks = ranks,
                              .interleaving = (char *)interleaving,
                              .n_ranks = 2,
                              .sites = &site,
                              .n_sites = 1,
                              .count = 1};
    return sched_findings_add(m->result.findings, NULL, &f);
}

static char *report(const struct made *m)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    sched_report_text(&m->result, out);
    fclose(out);
    return text;
}

/* ---- text ---- */

static void test_clean(void **state)
{
    struct made m;
    made_init(&m);
    char *text = report(&m);
    assert_string_equal(text, "isp: no error in 6 interleavings, all explored (0.31 s)\n");
    free(text);
    m.result.buffered_too = true;
    m.result.buffered_interleavings = 2;
    text = report(&m);
    assert_has(text, "isp: no error in 6 interleavings and 2 with buffered sends, all explored");
    free(text);
    made_finish(&m);
}

static void assert_verdict(const struct made *m, const char *wanted)
{
    char *text = report(m);
    assert_has(text, wanted);
    free(text);
}

/* An estimate is rounded to what it is worth, and not told if it says no more than what was explored. */
static void test_estimate(void **state)
{
    static const struct {
        double estimate;
        const char *says;
    } table[] = {
        {0, "in 6 interleavings, "},           {6, "in 6 interleavings, "},
        {6.9, "in 6 interleavings, "},         {7.4, "in 6 of about 7 interleavings, "},
        {99.4, "in 6 of about 99 interl"},     {123, "in 6 of about 120 interl"},
        {996, "in 6 of about 1000 interl"},    {1234, "in 6 of about 1e3 interl"},
        {3.4e5, "in 6 of about 3e5 interl"},   {9.7e5, "in 6 of about 1e6 interl"},
        {2.4e18, "in 6 of about 2e18 interl"}, {1e308 * 10, "in 6 of more than 1e300 interl"},
    };
    struct made m;
    made_init(&m);
    m.result.incomplete_because = (char *)"of a bound";
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        m.result.estimate = table[i].estimate;
        assert_verdict(&m, table[i].says);
    }
    m.result.estimate = 0;
    m.result.buffered_too = true;
    m.result.buffered_interleavings = 10;
    m.result.buffered_estimate = 50;
    assert_verdict(
        &m,
        "isp: no error in 6 interleavings and 10 of about 50 with buffered sends, incomplete: of a bound (");
    made_finish(&m);
}

static void test_bounds_in_words(void **state)
{
    struct made m;
    made_init(&m);
    struct sched_left_out *left = &m.result.left_out;
    m.options.mix = 2;
    m.options.max_time_s = 0.5;
    assert_null(sched_bounds_words(&m.result));
    left->mixing = 1;
    char *words = sched_bounds_words(&m.result);
    assert_string_equal(words, "--mix 2: first alternative only at 1 choice point");
    free(words);
    *left = (struct sched_left_out){
        .stop = SCHED_STOP_TIME, .open = 3, .mixing = 7, .loops = 1, .buffered = true};
    words = sched_bounds_words(&m.result);
    assert_string_equal(words, "0.5 s (--max-time) are over; --mix 2: first alternative only at 7 choice "
                               "points; loops: first alternative only at 1 choice point; none explored with "
                               "buffered sends, which could matter");
    free(words);
    made_finish(&m);
}

static void test_finding(void **state)
{
    struct made m;
    made_init(&m);
    add(&m, ISP_RULE_LEAK_GROUP, "a group is never freed", "", "0");
    add(&m, ISP_RULE_WILDCARD, "a note", "", "0");
    add(&m, ISP_RULE_DEADLOCK, "deadlock: all wait", "rank 0  waits\nrank 2  waits\n", "0.2.1");
    char *text = report(&m);
    assert_has(text, "isp: 1 error, 1 warning in 6 interleavings, all explored (0.31 s)\n");
    assert_has(
        text, "\n/nosuch/app+0x1234: error: deadlock: all wait [deadlock]\n  rank 0  waits\n  rank 2  waits\n"
              "  in interleaving 0.2.1 (of 6); "
              "replay: isp replay -n 4 --choices 0.2.1 -- './my app' 'it'\\''s' a=b\n"
              "  debug: isp debug -n 4 --choices 0.2.1 -- './my app' 'it'\\''s' a=b\n");
    assert_has(text, "/nosuch/app+0x1234: warning: a group is never freed [leak-group]\n");
    assert_has_not(text, "[wildcard]");
    assert_has(text, "1 note not shown");
    assert_has(text, "compile with -g");
    assert_has_not(text, "\033");
    assert_true(strstr(text, "[deadlock]") < strstr(text, "[leak-group]"));
    free(text);
    m.options.verbose = 1;
    text = report(&m);
    assert_has(text, "note: a note [wildcard]\n  at 1 choice point, first in interleaving 0; replay:");
    free(text);
    made_finish(&m);
}

/* Of n choices. */
static char *long_name(size_t n)
{
    char *name = sched_alloc(2 * n, 1);
    for (size_t i = 0; i < n; i++)
        memcpy(name + 2 * i, i % 3 ? "1." : "2.", 2 - (i == n - 1));
    return name;
}

/* It stands once: where it can be copied. */
static void test_a_long_name_is_cut(void **state)
{
    struct made m;
    char *name = long_name(400);
    made_init(&m);
    add(&m, ISP_RULE_DEADLOCK, "an error", "", name);
    char *text = report(&m);
    assert_has(text, "in interleaving 2.1.1.2.1.1.");
    assert_has(text, "... (the replay has all of it) (of 6)");
    assert_has(text, "debug: the same command with `isp debug`\n");
    assert_has(text, name);
    assert_true(strlen(text) < 2 * strlen(name));
    free(text);
    free(name);
    made_finish(&m);
}

/* A terminal does not take it, nor does Linux as one word of a command if it has 131072 characters. */
static void test_a_name_that_is_no_word(void **state)
{
    struct made m;
    char *name = long_name(3000);
    made_init(&m);
    add(&m, ISP_RULE_DEADLOCK, "an error", "", name);
    char *text = report(&m);
    assert_has(text, "... (5999 characters) (of 6); replay: isp debug FILE, after a run with --json=FILE");
    assert_null(strstr(text, "--choices"));
    assert_null(strstr(text, "debug: "));
    free(text);
    m.options.reports[SCHED_FORMAT_JSON] = "run.json";
    text = report(&m);
    assert_has(text, "; replay: isp debug run.json\n");
    free(text);
    free(name);
    made_finish(&m);
}

static void test_callers_stand_below_the_story(void **state)
{
    struct made m;
    made_init(&m);
    struct sched_finding *f = add(&m, ISP_RULE_LEAK_GROUP, "a group is never freed", "a story\n", "0");
    uint32_t frames[] = {f->sites[0].site, sched_sites_intern(m.result.sites, "/nosuch/app", 11, 0x20),
                         sched_sites_intern(m.result.sites, "/nosuch/app", 11, 0x30)};
    f->sites[0].site = sched_sites_intern_stack(m.result.sites, frames, 3);
    f->count = 5;
    m.options.stacks = true;
    char *text = report(&m);
    assert_has(text, "/nosuch/app+0x1234: warning: a group is never freed [leak-group]\n  a story\n"
                     "  MPI_Recv: app+0x1234, called from app+0x20, from app+0x30\n"
                     "  5 times, on ranks 0, 2; first in interleaving 0; replay:");
    free(text);
    made_finish(&m);
}

static void test_quiet_is_one_line_per_finding(void **state)
{
    struct made m;
    made_init(&m);
    m.options.quiet = true;
    char *text = report(&m);
    assert_string_equal(text, "");
    free(text);
    add(&m, ISP_RULE_WILDCARD, "a note", "x\n", "0");
    add(&m, ISP_RULE_CRASH, "rank 2 died", "x\n", "0");
    text = report(&m);
    assert_string_equal(text, "/nosuch/app+0x1234: error: rank 2 died [crash]\n");
    free(text);
    made_finish(&m);
}

static void test_unsupported_and_incomplete(void **state)
{
    struct made m;
    made_init(&m);
    m.result.incomplete_because = (char *)"the time ran out";
    char *text = report(&m);
    assert_has(text, "isp: no error in 6 interleavings, incomplete: the time ran out (0.31 s)\n");
    free(text);
    m.result.incomplete_because = NULL;
    m.result.unsupported = true;
    add(&m, ISP_RULE_UNSUPPORTED, "MPI_Recv is not modelled", "", "0");
    text = report(&m);
    assert_has(text, "isp: unsupported: MPI_Recv; nothing after it is judged; no error in 6 interleavings");
    assert_has_not(text, "all explored");
    free(text);
    made_finish(&m);
}

static void test_program_text_is_harmless(void **state)
{
    struct made m;
    made_init(&m);
    add(&m, ISP_RULE_ASSERTION, "x\033[2Jy\nfake.c:1: error: z\xff \xe2\x80\xae ü", "a\033]0;b\n", "0");
    char *text = report(&m);
    assert_has(text, "x\\x1b[2Jy\\x0afake.c:1: error: z\\xff \\xe2\\x80\\xae ü [assertion]\n");
    assert_has(text, "  a\\x1b]0;b\n");
    free(text);
    made_finish(&m);
}

static void test_escape(void **state)
{
    static const char *const table[][2] = {
        {"plain → ü 😀", "plain → ü 😀"}, {"\t\r\x7f", "\\x09\\x0d\\x7f"},     {"\xc2\x9b", "\\xc2\\x9b"},
        {"\xc0\x80", "\\xc0\\x80"},     {"\xed\xa0\x80", "\\xed\\xa0\\x80"}, {"\xe2\x82", "\\xe2\\x82"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char *text = sched_escape(table[i][0], "");
        assert_string_equal(text, table[i][1]);
        free(text);
    }
}

/* Arrows are signs where the terminal can show them. */
static void test_arrows_need_utf8(void **state)
{
    static const char *const locales[][2] = {{"C.UTF-8", "0 → 1 → 0"},
                                             {"C", "0 -> 1 -> 0"},
                                             {"", "0 -> 1 -> 0"},
                                             {"de_DE.utf8", "0 → 1 → 0"},
                                             {"de_DE@euro", "0 -> 1 -> 0"}};
    struct made m;
    made_init(&m);
    add(&m, ISP_RULE_DEADLOCK, "deadlock", "cycle: 0 → 1 → 0\n", "0");
    for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
        assert_int_equal(setenv("LC_ALL", locales[i][0], 1), 0);
        unsetenv("LC_CTYPE");
        unsetenv("LANG");
        char *text = report(&m);
        assert_has(text, locales[i][1]);
        free(text);
    }
    assert_int_equal(setenv("LC_ALL", "C.UTF-8", 1), 0);
    made_finish(&m);
}

/* ---- verdict ---- */

static void test_verdict_and_exit_code(void **state)
{
    struct made m;
    made_init(&m);
    m.options.error_exitcode = 42;
    assert_int_equal(sched_verdict(&m.result), SCHED_VERDICT_CLEAN);
    assert_int_equal(sched_exit_code(&m.result), 0);
    add(&m, ISP_RULE_WILDCARD, "note", "", "0");
    assert_int_equal(sched_exit_code(&m.result), 0);
    m.result.incomplete_because = (char *)"why";
    assert_int_equal(sched_verdict(&m.result), SCHED_VERDICT_INCOMPLETE);
    assert_int_equal(sched_exit_code(&m.result), 3);
    m.result.unsupported = true;
    add(&m, ISP_RULE_UNSUPPORTED, "MPI_X", "", "0");
    assert_int_equal(sched_verdict(&m.result), SCHED_VERDICT_UNSUPPORTED);
    assert_int_equal(sched_exit_code(&m.result), 3);
    add(&m, ISP_RULE_LEAK_OP, "leak", "", "0");
    assert_int_equal(sched_verdict(&m.result), SCHED_VERDICT_UNSUPPORTED);
    assert_int_equal(sched_exit_code(&m.result), 42);
    m.result.unsupported = false;
    assert_int_equal(sched_verdict(&m.result), SCHED_VERDICT_FINDINGS);
    assert_int_equal(sched_exit_code(&m.result), 42);
    m.options.fail_on = SCHED_FAIL_ON_ERROR; /* there is a warning, and a search that is not complete */
    assert_int_equal(sched_exit_code(&m.result), 3);
    m.result.incomplete_because = NULL;
    assert_int_equal(sched_exit_code(&m.result), 0);
    assert_int_equal(sched_verdict(&m.result), SCHED_VERDICT_FINDINGS);
    add(&m, ISP_RULE_CRASH, "crash", "", "0");
    assert_int_equal(sched_exit_code(&m.result), 42);
    made_finish(&m);
}

/* ---- replay ---- */

static void test_replay_command(void **state)
{
    struct made m;
    made_init(&m);
    struct sched_finding f = {.rule = ISP_RULE_DEADLOCK, .interleaving = (char *)"0*11.1", .buffered = true};
    m.options.polls = 2;
    m.options.mpiexec = "srun --mpi=pmi2";
    char *text = sched_replay_command(&m.options, &f);
    assert_string_equal(text, "isp replay -n 4 --buffering=infinite --polls=2 --mpiexec 'srun --mpi=pmi2' "
                              "--choices '0*11.1' -- './my app' 'it'\\''s' a=b");
    free(text);
    m.options.polls = 1;
    m.options.mpiexec = "mpiexec";
    m.options.buffering = ISP_BUFFERING_ZERO;
    f.buffered = false;
    char *odd[] = {(char *)"./a", (char *)"", (char *)"x\ny", (char *)"$HOME", NULL};
    m.options.command = odd;
    text = sched_replay_command(&m.options, &f);
    assert_string_equal(text,
                        "isp replay -n 4 --buffering=zero --choices '0*11.1' -- ./a '' $'x\\012y' '$HOME'");
    free(text);
    text = sched_replay_debug_command(&m.options, &f);
    assert_string_equal(text,
                        "isp debug -n 4 --buffering=zero --choices '0*11.1' -- ./a '' $'x\\012y' '$HOME'");
    free(text);
    static const enum isp_rule elsewhere[] = {ISP_RULE_WILDCARD, ISP_RULE_NONDETERMINISM,
                                              ISP_RULE_UNSUPPORTED};
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        f.rule = elsewhere[i];
        assert_null(sched_replay_debug_command(&m.options, &f));
    }
    f.rule = ISP_RULE_DEADLOCK;
    f.interleaving = NULL;
    assert_null(sched_replay_command(&m.options, &f));
    assert_null(sched_replay_debug_command(&m.options, &f));
    made_finish(&m);
}

/* ---- JSON ---- */

static int write_json(const struct sched_result *result, const char *file)
{
    json_t *json = sched_result_json(result);
    int status = sched_output_write(&(struct sched_report){.result = json}, SCHED_FORMAT_JSON, file);
    json_decref(json);
    return status;
}

static void validate(const char *file)
{
    const char *python = getenv("PYTHON"), *script = getenv("VALIDATE"), *schema = getenv("SCHEMA");
    if (!python || !script || !schema)
        return;
    char words[1024];
    snprintf(words, sizeof words, "'%s' '%s' '%s' '%s'", python, script, schema, file);
    assert_int_equal(system(words), 0);
}

static void test_json(void **state)
{
    struct made m;
    made_init(&m);
    add(&m, ISP_RULE_DEADLOCK, "bad \xff byte", "story\n", "0.2.1");
    add(&m, ISP_RULE_WILDCARD, "note", "", "0");
    struct sched_finding outside = {.rule = ISP_RULE_EXIT_CODE, .message = (char *)"exits with 3"};
    sched_findings_add(m.result.findings, NULL, &outside);
    assert_int_equal(write_json(&m.result, "result.json"), 0);
    validate("result.json");
    json_error_t error;
    json_t *root = json_load_file("result.json", 0, &error);
    assert_non_null(root);
    const char *verdict, *rule, *message, *severity, *interleaving, *call, *replay;
    int ranks, calls, count, second;
    json_t *file;
    assert_int_equal(
        json_unpack(root, "{s:s, s:i, s:i, s:[{s:s, s:s, s:s, s:s, s:i, s:s, s:[i, i!], s:[{s:s, s:o}]}]}",
                    "verdict", &verdict, "ranks", &ranks, "calls", &calls, "findings", "rule", &rule,
                    "message", &message, "severity", &severity, "interleaving", &interleaving, "count",
                    &count, "replay", &replay, "ranks", &ranks, &second, "sites", "call", &call, "file",
                    &file),
        0);
    assert_string_equal(verdict, "findings");
    assert_string_equal(rule, "deadlock");
    assert_string_equal(message, "bad \\xff byte");
    assert_string_equal(severity, "error");
    assert_string_equal(interleaving, "0.2.1");
    assert_string_equal(call, "MPI_Recv");
    assert_has(replay, "isp replay -n 4 --choices 0.2.1");
    const json_t *findings = json_object_get(root, "findings");
    assert_has(json_string_value(json_object_get(json_array_get(findings, 0), "debug")),
               "isp debug -n 4 --choices 0.2.1");
    for (size_t i = 1; i < 3; i++) /* of no single run, and a note */
        assert_null(json_object_get(json_array_get(findings, i), "debug"));
    assert_true(json_is_null(file));
    assert_int_equal(calls, 123);
    assert_int_equal(second, 2);
    json_decref(root);
    made_finish(&m);
}

/* Its first run is 1.1; 1.0.2 finished without it, and so did 2. */
static void give_fate(struct made *m, struct sched_finding *f)
{
    static struct sched_path_alternative alternatives[] = {
        {.kind = POE_TAKE_MESSAGE, .fn = ISP_FN_MPI_Send, .rank = 1},
        {.kind = POE_TAKE_MESSAGE, .fn = ISP_FN_MPI_Send, .rank = 3}};
    static struct sched_path_choice choice = {.rank = 2, .fn = ISP_FN_MPI_Recv, .op = ISP_OP_RECV, .n = 2};
    struct sched_path path = {
        .choices = &choice, .alternatives = alternatives, .from = 1, .n = 1, .n_alternatives = 2};
    choice.site = sched_sites_intern(m->result.sites, "/nosuch/app", 11, 0x50);
    alternatives[0].site = alternatives[1].site =
        sched_sites_intern(m->result.sites, "/nosuch/app", 11, 0x60);
    f->fate = sched_fate_create();
    sched_fate_meet(f->fate, f->interleaving, "1.0.2");
    sched_fate_meet(f->fate, f->interleaving, "2");
    f->fate->path = sched_path_copy(&path, 0);
}

static void test_critical_choice(void **state)
{
    struct made m;
    made_init(&m);
    give_fate(&m, add(&m, ISP_RULE_DEADLOCK, "all wait", "a story\n", "1.1"));
    char *text = report(&m);
    assert_has(
        text,
        "  a story\n  critical choice: MPI_Recv of rank 2 at app+0x50: it takes the message of rank 3, "
        "sent at app+0x60\n"
        "  if instead it takes the message of rank 1, as in interleaving 1.0.2, this does not happen\n");
    free(text);
    assert_int_equal(write_json(&m.result, "result.json"), 0);
    validate("result.json");
    json_t *root = json_load_file("result.json", 0, NULL);
    int decision, rank;
    const char *call, *taken, *alternative, *interleaving, *story;
    assert_int_equal(json_unpack(root, "{s:[{s:s, s:{s:i, s:s, s:i, s:n, s:n, s:s, s:s, s:s!}}]}", "findings",
                                 "story", &story, "critical", "decision", &decision, "call", &call, "rank",
                                 &rank, "file", "line", "taken", &taken, "alternative", &alternative,
                                 "interleaving", &interleaving),
                     0);
    assert_int_equal(decision, 1);
    assert_int_equal(rank, 2);
    assert_string_equal(call, "MPI_Recv");
    assert_string_equal(taken, "takes the message of rank 3, sent at app+0x60");
    assert_string_equal(alternative, "takes the message of rank 1, sent at app+0x60");
    assert_string_equal(interleaving, "1.0.2");
    assert_has(story, "a story\ncritical choice: ");
    json_decref(root);
    made_finish(&m);
}

static void test_in_all_interleavings(void **state)
{
    struct made m;
    made_init(&m);
    struct sched_finding *f = add(&m, ISP_RULE_DEADLOCK, "all wait", "", "0");
    f->count = 6;
    f->fate = sched_fate_create();
    f->fate->shown = 6;
    char *text = report(&m);
    assert_has(text, "  in all 6 interleavings, the first is 0; replay: ");
    free(text);
    m.result.incomplete_because = (char *)"the time ran out";
    text = report(&m);
    assert_has(text, "  in all 6 interleavings so far, the first is 0; replay: ");
    free(text);
    made_finish(&m);
}

static void test_json_of_every_verdict(void **state)
{
    struct made m;
    made_init(&m);
    assert_int_equal(write_json(&m.result, "clean.json"), 0);
    validate("clean.json");
    m.result.incomplete_because = (char *)"why";
    assert_int_equal(write_json(&m.result, "incomplete.json"), 0);
    validate("incomplete.json");
    m.result.incomplete_because = NULL;
    m.result.unsupported = true;
    assert_int_equal(write_json(&m.result, "unsupported.json"), 0);
    validate("unsupported.json");
    made_finish(&m);
}

static void test_json_of_bounds(void **state)
{
    struct made m;
    made_init(&m);
    m.result.incomplete_because = (char *)"of bounds";
    m.result.estimate = 3.4e5;
    m.result.buffered_estimate = 1e308 * 10; /* too large for a double, and for JSON */
    m.result.left_out = (struct sched_left_out){.stop = SCHED_STOP_SAMPLE, .open = 3, .loops = 2};
    assert_int_equal(write_json(&m.result, "bounds.json"), 0);
    validate("bounds.json");
    json_error_t error;
    json_t *root = json_load_file("bounds.json", 0, &error);
    double estimate, buffered_estimate;
    const char *stop, *other;
    int open, loops;
    assert_int_equal(json_unpack(root, "{s:F, s:F, s:[{s:s, s:i!}, {s:s, s:i!}!]}", "estimated_interleavings",
                                 &estimate, "estimated_buffered_interleavings", &buffered_estimate,
                                 "left_out", "bound", &stop, "choice_points", &open, "bound", &other,
                                 "choice_points", &loops),
                     0);
    assert_true(estimate == 3.4e5);
    assert_true(buffered_estimate > 1e308);
    assert_string_equal(stop, "sample");
    assert_int_equal(open, 3);
    assert_string_equal(other, "loop");
    assert_int_equal(loops, 2);
    json_decref(root);
    made_finish(&m);
}

static void test_json_appears_whole_or_not(void **state)
{
    struct made m;
    made_init(&m);
    assert_int_equal(mkdir("in", 0755), 0);
    case_file("in/result.json", "old");
    assert_int_equal(write_json(&m.result, "in/result.json"), 0);
    struct stat st;
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat("in/result.json", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0666 & ~mask);
    assert_int_equal(system("test $(ls in | wc -l) = 1"), 0); /* no temporary file stays */
    assert_true(write_json(&m.result, "nosuch/result.json") < 0);
    assert_true(write_json(&m.result, "in") < 0);
    assert_int_equal(write_json(&m.result, "/dev/null"), 0);
    assert_true(write_json(&m.result, "/dev/full") < 0);
    made_finish(&m);
}

static void add_choices(struct made *m, const char *message, enum isp_fn fn, uint64_t count)
{
    struct sched_finding *f = add(m, ISP_RULE_WILDCARD, message, "", "");
    f->sites[0].fn = fn;
    f->count = count;
}

static void test_advice_names_polls(void **state)
{
    struct made m;
    made_init(&m);
    add_choices(&m, "a poll", ISP_FN_MPI_Testall, 8);
    char *text = report(&m);
    assert_has_not(text, "--polls"); /* complete: nothing to advise */
    free(text);
    m.result.incomplete_because = "interrupted";
    text = report(&m);
    assert_has(text, "isp: 8 of 8 choice points are polls, most of them MPI_Testall: with --polls 0");
    assert_has_not(text, "each may fail more often");
    free(text);
    m.result.incomplete_because =
        "it was not tried that a poll fails more often before it succeeds, though ...";
    text = report(&m);
    assert_has(text, "with --polls 3 each may fail more often");
    free(text);
    m.result.left_out.stop = SCHED_STOP_TIME; /* that more is left out is what matters */
    text = report(&m);
    assert_has_not(text, "each may fail more often");
    m.result.left_out.stop = SCHED_STOP_NONE;
    free(text);
    m.options.polls = 0;
    text = report(&m);
    assert_has_not(text, "choice points are polls");
    free(text);
    made_finish(&m);
}

static void test_advice_is_silent_about_receives(void **state)
{
    struct made m;
    made_init(&m);
    add_choices(&m, "a receive", ISP_FN_MPI_Recv, 8);
    m.result.incomplete_because = "interrupted";
    char *text = report(&m);
    assert_has_not(text, "polls");
    free(text);
    made_finish(&m);
}

static void set_order(struct made *m, struct sched_order *order, enum isp_fn fn, enum sched_class_kind kind,
                      double left)
{
    uint32_t site = sched_sites_intern(m->result.sites, "/nosuch/app", 11, 0x1234 + (uint64_t)left);
    *order = (struct sched_order){{1000 + (uint64_t)left, site, (uint16_t)fn, (uint16_t)kind}, left};
}

/* Why a search that was cut short is not complete: the class without which the fewest would be left, and of
 * the options after which the same bound is enough the one that keeps most. */
static void test_most_orders(void **state)
{
    static const char why[] =
        "isp: most orders come from MPI_Recv at app+0x1298 (a receive from any rank): a "
        "factor of about 600 of about 6e4; ";
    struct made m;
    struct sched_order classes[2];
    struct sched_orders orders = {.shares = {60000, 59000, 5, 14, 40}, .classes = classes, .n = 2};
    made_init(&m);
    m.options.mix = -1;
    m.options.polls = 1;
    set_order(&m, &classes[0], ISP_FN_MPI_Waitany, SCHED_CLASS_WAIT, 5000);
    set_order(&m, &classes[1], ISP_FN_MPI_Recv, SCHED_CLASS_RECEIVE, 100);
    m.result.incomplete_because = (char *)"interrupted";
    m.result.estimate = 60000;
    m.result.orders = orders;
    char *text = report(&m);
    assert_has_not(text, "most orders"); /* not cut short */
    free(text);
    m.result.left_out.open = 2;
    struct {
        uint64_t interleavings;
        int mix;
        double no_polls;
        const char *says;
    } table[] = {
        {14, -1, 59000, "--mix 1 would leave about 14 interleavings\n"},
        {13, -1, 59000, "--mix 0 would leave about 5 interleavings\n"},
        {4, -1, 59000, "--mix 0 would leave about 5 interleavings\n"}, /* none is enough: the fewest */
        {50, -1, 59000, "--mix 2 would leave about 40 interleavings\n"},
        {50, -1, 50, "--polls 0 would leave about 50 interleavings\n"},
        {50, -1, 0.5, "--polls 0 would leave about 1 interleaving\n"},
        {50, 1, 59000, "--mix 0 would leave about 5 interleavings\n"}, /* --mix 1 is in force */
        {50, 0, 59000, "no option leaves fewer than half: fewer ranks or a smaller input help most, else "},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        m.result.interleavings = table[i].interleavings;
        m.options.mix = table[i].mix;
        m.result.orders.shares[POE_SHARE_NO_POLLS] = table[i].no_polls;
        char *wanted = sched_format("%s%s", why, table[i].says);
        assert_verdict(&m, wanted);
        free(wanted);
    }
    m.options.polls = 0; /* in force */
    text = report(&m);
    assert_has_not(text, "--polls");
    free(text);
    m.result.interleavings = 40000; /* nearly all */
    text = report(&m);
    assert_has_not(text, "most orders");
    free(text);
    m.result.orders = (struct sched_orders){0};
    made_finish(&m);
}

/* Of the exploration that was cut short; never of a search that ended since it found something. */
static void test_most_orders_with_buffers(void **state)
{
    struct made m;
    struct sched_order class;
    made_init(&m);
    m.options.mix = -1;
    set_order(&m, &class, ISP_FN_MPI_Recv, SCHED_CLASS_RECEIVE, 1);
    m.result.incomplete_because = (char *)"interrupted";
    m.result.left_out.open = 2;
    m.result.buffered_interleavings = 20;
    m.result.buffered_estimate = 3000;
    m.result.buffered_orders =
        (struct sched_orders){.shares = {3000, 3000, 9, 30, 90}, .classes = &class, .n = 1};
    assert_verdict(&m, "a factor of about 3e3 of about 3e3; --mix 0 would leave about 9 interleavings\n");
    m.result.left_out.stop = SCHED_STOP_FIRST;
    char *text = report(&m);
    assert_has_not(text, "most orders");
    free(text);
    m.result.buffered_orders = (struct sched_orders){0};
    made_finish(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean),
        cmocka_unit_test(test_estimate),
        cmocka_unit_test(test_bounds_in_words),
        cmocka_unit_test(test_finding),
        cmocka_unit_test(test_a_long_name_is_cut),
        cmocka_unit_test(test_a_name_that_is_no_word),
        cmocka_unit_test(test_callers_stand_below_the_story),
        cmocka_unit_test(test_quiet_is_one_line_per_finding),
        cmocka_unit_test(test_unsupported_and_incomplete),
        cmocka_unit_test(test_advice_names_polls),
        cmocka_unit_test(test_advice_is_silent_about_receives),
        cmocka_unit_test(test_most_orders),
        cmocka_unit_test(test_most_orders_with_buffers),
        cmocka_unit_test(test_program_text_is_harmless),
        cmocka_unit_test(test_escape),
        cmocka_unit_test(test_arrows_need_utf8),
        cmocka_unit_test(test_verdict_and_exit_code),
        cmocka_unit_test(test_replay_command),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_json_of_every_verdict),
        cmocka_unit_test(test_critical_choice),
        cmocka_unit_test(test_in_all_interleavings),
        cmocka_unit_test(test_json_of_bounds),
        cmocka_unit_test(test_json_appears_whole_or_not),
    };
    return cmocka_run_group_tests(tests, case_folder, case_folder_remove);
}
