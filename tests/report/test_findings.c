/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings are kept once, counted by interleaving, and come sorted by severity. */
#include "run/options.h"
#include "case.h"

#include "base/alloc.h"
#include "findings/draft.h"
#include "sites/sites.h"

static struct sched_finding finding(enum isp_rule rule, const char *interleaving, int *rank,
                                    struct sched_site_ref *site)
{
    return (struct sched_finding){.rule = rule,
                                  .message = (char *)"m",
                                  .story = (char *)"",
                                  .ranks = rank,
                                  .interleaving = (char *)interleaving,
                                  .n_ranks = 1,
                                  .sites = site,
                                  .n_sites = 1,
                                  .count = 1};
}

static void test_same_key_is_counted_by_interleaving(void **state)
{
    struct sched_findings *all = sched_findings_create();
    int rank = 1;
    struct sched_site_ref site = {1, 5, 7};
    struct sched_finding f = finding(ISP_RULE_DEADLOCK, "0", &rank, &site);
    struct sched_finding *first = sched_findings_add(all, "k", &f);
    assert_int_equal(first->count, 1);
    assert_ptr_equal(sched_findings_add(all, "k", &f), first); /* the same run: a loop */
    assert_int_equal(first->count, 1);
    f.interleaving = (char *)"0.1";
    sched_findings_add(all, "k", &f);
    sched_findings_add(all, "k", &f);
    assert_int_equal(first->count, 2);
    f.buffered = true; /* another exploration */
    sched_findings_add(all, "k", &f);
    assert_int_equal(first->count, 2);
    assert_string_equal(first->interleaving, "0");
    sched_findings_destroy(all);
}

static void test_default_key_is_rule_and_sites(void **state)
{
    struct sched_findings *all = sched_findings_create();
    int rank = 1;
    struct sched_site_ref site = {1, 5, 7}, other = {2, 5, 7};
    struct sched_finding a = finding(ISP_RULE_CRASH, "0", &rank, &site), b = a;
    struct sched_finding *first = sched_findings_add(all, NULL, &a);
    assert_ptr_equal(sched_findings_add(all, NULL, &b), first);
    b.sites = &other;
    assert_ptr_not_equal(sched_findings_add(all, NULL, &b), first);
    b = a;
    b.rule = ISP_RULE_ABORT;
    assert_ptr_not_equal(sched_findings_add(all, NULL, &b), first);
    sched_findings_destroy(all);
}

static void test_leaks_count_handles_of_the_first_interleaving(void **state)
{
    struct sched_findings *all = sched_findings_create();
    int ranks[] = {3, 0};
    struct sched_site_ref sites[] = {{3, 5, 7}, {0, 5, 7}};
    struct sched_finding f = finding(ISP_RULE_LEAK_DATATYPE, "0", &ranks[0], &sites[0]);
    f.count = 4;
    struct sched_finding *leak = sched_findings_add(all, "leak", &f);
    f.ranks = &ranks[1];
    f.sites = &sites[1];
    sched_findings_add(all, "leak", &f);
    assert_int_equal(leak->count, 8);
    assert_int_equal(leak->n_ranks, 2);
    assert_int_equal(leak->ranks[0], 0);
    assert_int_equal(leak->ranks[1], 3);
    assert_int_equal(leak->n_sites, 2);
    f.interleaving = (char *)"1";
    sched_findings_add(all, "leak", &f);
    assert_int_equal(leak->count, 8);
    sched_findings_destroy(all);
}

static void test_alias_counts_without_mixing_sites(void **state)
{
    struct sched_findings *all = sched_findings_create();
    int rank = 1;
    struct sched_site_ref site = {1, 5, 7}, other = {1, 6, 8};
    struct sched_finding f = finding(ISP_RULE_DEADLOCK, "0", &rank, &site);
    struct sched_finding *entry = sched_findings_add(all, "zero", &f);
    sched_findings_alias(all, "buffered", entry);
    sched_findings_alias(all, "zero", entry); /* no effect */
    f.sites = &other;
    f.interleaving = (char *)"1";
    assert_ptr_equal(sched_findings_add(all, "buffered", &f), entry);
    assert_int_equal(entry->n_sites, 1);
    assert_int_equal(entry->count, 2);
    sched_findings_destroy(all);
}

static void test_what_adds_nothing_is_only_counted(void **state)
{
    struct sched_findings *all = sched_findings_create();
    int ranks[] = {1, 2};
    struct sched_site_ref sites[] = {{1, 5, 7}, {2, 5, 7}, {1, 5, 8}};
    struct sched_finding f = finding(ISP_RULE_WILDCARD, "0", &ranks[0], &sites[0]);
    assert_false(sched_findings_count_again(all, "k", &f));
    const struct sched_finding *first = sched_findings_add(all, "k", &f);
    assert_true(sched_findings_count_again(all, "k", &f));
    assert_int_equal(first->count, 2);
    f.ranks = &ranks[1];
    f.sites = &sites[1];
    assert_false(sched_findings_count_again(all, "k", &f));
    f.ranks = &ranks[0];
    f.sites = &sites[2];
    assert_false(sched_findings_count_again(all, "k", &f));
    f.interleaving = (char *)"1"; /* not of the run that is shown */
    assert_true(sched_findings_count_again(all, "k", &f));
    assert_int_equal(first->count, 3);
    assert_int_equal(first->n_ranks, 1);
    sched_findings_destroy(all);
}

/* Three matches at one place, as time may order them: what is told is that of the first ranks. */
static void test_one_place_is_told_by_rank(void **state)
{
    static const int orders[][3] = {{0, 2, 4}, {0, 4, 2}, {2, 0, 4}, {2, 4, 0}, {4, 0, 2}, {4, 2, 0}};
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        struct sched_findings *all = sched_findings_create();
        sched_findings_begin_run(all);
        struct sched_finding *told = NULL;
        for (size_t i = 0; i < 3; i++) {
            int ranks[] = {orders[o][i], orders[o][i] + 1};
            struct sched_site_ref sites[] = {{ranks[0], 5, 7}, {ranks[1], 6, 8}};
            struct sched_finding f = finding(ISP_RULE_READY_SEND, "0", ranks, sites);
            char message[] = {(char)('0' + ranks[0]), 0};
            f.message = message;
            f.n_ranks = f.n_sites = 2;
            told = sched_findings_add(all, "place", &f);
        }
        assert_string_equal(told->message, "0");
        assert_int_equal(told->count, 1);
        assert_int_equal(told->n_sites, 6);
        for (int i = 0; i < 6; i++)
            assert_int_equal(told->sites[i].rank, i);
        sched_findings_destroy(all);
    }
}

static void test_errors_come_first(void **state)
{
    struct sched_findings *all = sched_findings_create();
    int rank = 0;
    struct sched_site_ref site = {0, 1, 1};
    const enum isp_rule rules[] = {ISP_RULE_WILDCARD, ISP_RULE_LEAK_OP, ISP_RULE_CRASH, ISP_RULE_LEAK_INFO,
                                   ISP_RULE_TRUNCATION};
    const enum isp_rule sorted[] = {ISP_RULE_CRASH, ISP_RULE_TRUNCATION, ISP_RULE_LEAK_OP, ISP_RULE_LEAK_INFO,
                                    ISP_RULE_WILDCARD};
    for (int i = 0; i < 5; i++) {
        struct sched_finding f = finding(rules[i], "0", &rank, &site);
        sched_findings_add(all, NULL, &f);
    }
    struct sched_finding *const *list;
    assert_int_equal(sched_findings_all(all, &list), 5);
    for (int i = 0; i < 5; i++)
        assert_int_equal(list[i]->rule, sorted[i]);
    sched_findings_destroy(all);
}

static void test_rules_have_ids(void **state)
{
    assert_string_equal(sched_rule_id(ISP_RULE_UNSAFE_BUFFERING), "unsafe-buffering");
    assert_int_equal(sched_rule_severity(ISP_RULE_LEAK_GROUP), ISP_SEVERITY_WARNING);
    assert_int_equal(sched_rule_severity(ISP_RULE_WILDCARD), ISP_SEVERITY_NOTE);
}

/* Of those with one cause the first is told. */
static void test_one_cause_is_one_finding(void **state)
{
    static const struct {
        const char *key, *cause, *interleaving, *message;
        enum isp_rule rule;
        bool buffered;
    } table[] = {
        {"d", "one", "2", "deadlock: third", ISP_RULE_DEADLOCK, false},
        {"b", "one", "0", "deadlock: first", ISP_RULE_DEADLOCK, false},
        {"c", "one", "1", "deadlock: second", ISP_RULE_DEADLOCK, false},
        {"e", "other", "3", "deadlock: another", ISP_RULE_DEADLOCK, false},
        {"f", "one", "4", "livelock: another", ISP_RULE_LIVELOCK, false},
        {"g", NULL, "5", "deadlock: none", ISP_RULE_DEADLOCK, false},
        {"h", NULL, "6", "deadlock: none either", ISP_RULE_DEADLOCK, false},
        {"i", "one", "0", "deadlock: fourth", ISP_RULE_DEADLOCK, true},
        {"j", "same", "7", "deadlock: alike", ISP_RULE_DEADLOCK, false},
        {"k", "same", "8", "deadlock: alike", ISP_RULE_DEADLOCK, false},
    };
    struct sched_findings *all = sched_findings_create();
    int rank = 1;
    struct sched_site_ref site = {1, 5, 7};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct sched_finding f = finding(table[i].rule, table[i].interleaving, &rank, &site);
        f.message = (char *)table[i].message;
        f.cause = (char *)table[i].cause;
        f.buffered = table[i].buffered;
        sched_findings_add(all, table[i].key, &f);
    }
    sched_findings_sort(all);
    sched_findings_fold(all);
    struct sched_finding *const *list;
    assert_int_equal(sched_findings_all(all, &list), 6);
    assert_string_equal(list[0]->message, "deadlock: first");
    assert_int_equal(list[0]->count, 3);
    assert_string_equal(list[0]->story, "in 3 further forms: second (interleaving 1); third (interleaving "
                                        "2); fourth (interleaving 0 with buffered sends)\n");
    assert_string_equal(list[1]->message, "deadlock: another");
    assert_string_equal(list[2]->message, "livelock: another");
    assert_string_equal(list[5]->story, "in 1 further form, in which other ranks wait elsewhere\n");
    sched_findings_destroy(all);
}

/* Ranks come in order and once, places as they are told; what is told of a place has it in its key. */
static void test_draft(void **state)
{
    struct sched_options options = {0};
    struct sched_run run = {.options = &options,
                            .sites = sched_sites_create(),
                            .findings = sched_findings_create(),
                            .interleaving = "0.1",
                            .buffered = true};
    struct sched_draft *d = sched_draft_create(&run, ISP_RULE_CRASH);
    sched_draft_message(d, "%s", "rank 2");
    sched_draft_message(d, " died of signal %d", 11);
    sched_draft_line(d, "this is said of %s", sched_draft_own(d, sched_format("rank %d", 2)));
    sched_draft_lines(d, NULL);
    sched_draft_lines(d, sched_strdup("one\ntwo\n"));
    sched_draft_site(d, 2, 5, 7);
    sched_draft_site(d, 0, 0, 8);
    sched_draft_site(d, 2, 0, 9);
    sched_draft_beside(d, 1, 0, 10);
    assert_string_equal(sched_draft_ranks(d), "ranks 0, 2");
    sched_draft_about(d, "signal 11");
    sched_draft_count(d, 0);
    const struct sched_finding *f = sched_draft_end(d);
    char *key = sched_draft_place_key(&run, ISP_RULE_CRASH, 5, 7, "signal 11");
    assert_ptr_equal(sched_findings_find(run.findings, key), f);
    assert_string_equal(f->message, "rank 2 died of signal 11");
    assert_string_equal(f->story, "this is said of rank 2\none\ntwo\n");
    assert_string_equal(f->interleaving, "0.1");
    assert_true(f->buffered);
    assert_int_equal(f->count, 1);
    assert_int_equal(f->n_ranks, 2);
    assert_int_equal(f->n_sites, 4);
    assert_int_equal(f->sites[0].site, 7);
    assert_int_equal(f->sites[3].rank, 1);
    free(key);
    sched_findings_destroy(run.findings);
    sched_sites_destroy(run.sites);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_key_is_counted_by_interleaving),
        cmocka_unit_test(test_default_key_is_rule_and_sites),
        cmocka_unit_test(test_leaks_count_handles_of_the_first_interleaving),
        cmocka_unit_test(test_alias_counts_without_mixing_sites),
        cmocka_unit_test(test_what_adds_nothing_is_only_counted),
        cmocka_unit_test(test_one_place_is_told_by_rank),
        cmocka_unit_test(test_errors_come_first),
        cmocka_unit_test(test_one_cause_is_one_finding),
        cmocka_unit_test(test_rules_have_ids),
        cmocka_unit_test(test_draft),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
