/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A saved search (--resume FILE). The input is the JSON of the file; its head and checksum are made here, as
 * somebody who means harm would make them. What can be read is gone on with: its jobs are searched, its
 * findings merged and reported, and all is saved again.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "json_mutator.h"

#include "base/alloc.h"
#include "explore/job.h"
#include "explore/orders.h"
#include "poe/search.h"
#include "explore/pool.h"
#include "report/json.h"
#include "report/text.h"
#include "explore/save.h"

enum { MOST_RUNS = 50 };

/* FNV-1a, as in save.c. */
static uint64_t checksum(const uint8_t *data, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 0x100000001b3u;
    return hash;
}

/* It is read from a path. */
static json_t *read_saved(const uint8_t *data, size_t size)
{
    char head[64], path[64], *why = NULL;
    int fd = memfd_create("saved", MFD_CLOEXEC),
        n = snprintf(head, sizeof head, "isp-save 1 %016llx\n", (unsigned long long)checksum(data, size));
    FUZZ_CHECK(fd >= 0 && write(fd, head, (size_t)n) == n && write(fd, data, size) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    json_t *saved = sched_saved_read(path, &why);
    FUZZ_CHECK(!saved == !!why);
    free(why);
    close(fd);
    return saved;
}

/* Whoever is given it, a worker or a later sitting, can read it. */
static void give(struct sched_job *job)
{
    json_t *json = job ? sched_job_write(job) : NULL;
    struct sched_job *read = job ? sched_job_read(json) : NULL;
    FUZZ_CHECK(!job || (read && sched_job_compare(read, job) == 0));
    json_decref(json);
    sched_job_destroy(read);
    sched_job_destroy(job);
}

static void give_later(const struct poe_search *s, bool buffered, unsigned number)
{
    give(sched_job_of_alternative(s, buffered, number, poe_search_step(s, number).n));
}

/* A half of what is left, as a worker of -j gives it away. */
static void give_half(struct poe_search *s, bool buffered)
{
    struct poe_given given;
    if (!poe_search_halve(s, &given))
        return;
    give(sched_job_of_given(s, buffered, &given));
    if (given.later)
        give_later(s, buffered, given.number);
}

/* As the exploration does, with choice points of three alternatives. */
static void search(const struct sched_job *job)
{
    struct poe_search *s = poe_search_create(NULL);
    poe_search_begin(s, job->steps, job->n, job->root);
    sched_orders_read_done(s, job->done);
    for (int run = 0; run < MOST_RUNS; run++) {
        for (unsigned number = 0; number < job->n + 2 && number < 1000; number++) {
            const struct poe_step *step = number < job->n ? &job->steps[number] : NULL;
            if (poe_search_next(s, number, step ? step->n : 3, step ? step->signature : number, false) < 0)
                break;
            poe_search_classify(s, number, POE_CLASS_FIRST + number, number % 3);
            if (number % 2)
                poe_search_race(s, number);
        }
        free(poe_search_name(s));
        poe_search_estimate(s);
        poe_search_frontier(s);
        struct poe_share *shares;
        poe_search_shares(s, true, &shares);
        free(shares);
        for (unsigned number; poe_search_next_race(s, &number);)
            give_later(s, job->buffered, number);
        if (!poe_search_backtrack(s))
            break;
        give(sched_job_of_search(s, job->buffered));
        if (run % 3 == 0)
            give_half(s, job->buffered);
    }
    poe_search_destroy(s);
}

static void report(const struct sched_result *result)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    sched_report_text(result, out);
    fclose(out);
    free(text);
    json_t *json = sched_result_json(result);
    FUZZ_CHECK(json);
    json_decref(json);
}

static void go_on(const json_t *saved)
{
    static char *words[] = {"isp", NULL};
    struct sched_options options = {.ranks = 2,
                                    .buffering = ISP_BUFFERING_AUTO,
                                    .polls = 1,
                                    .mix = -1,
                                    .mpi = "auto",
                                    .mpiexec = "mpiexec",
                                    .output = "first",
                                    .error_exitcode = 1,
                                    .words = words,
                                    .command = words,
                                    .program = "/nowhere"};
    struct sched_result result;
    struct sched_pool pool;
    sched_part_init(&result, &options, sched_sites_create());
    sched_pool_init(&pool, &result);
    bool ok = sched_pool_read(&pool, sched_saved_state(saved));
    if (ok) {
        json_decref(sched_pool_write(&pool, NULL, 0));
        for (const struct sched_job *job = pool.jobs; job; job = job->next)
            search(job);
        sched_part_settle(&result);
        report(&result);
    }
    struct sched_sites *sites = result.sites;
    sched_pool_finish(&pool);
    sched_part_finish(&result);
    sched_sites_destroy(sites);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_t *saved = read_saved(data, size);
    if (!saved)
        return 0;
    free(sched_saved_command(saved));
    sched_saved_option(saved, "-n");
    sched_saved_is_program(saved, "/nowhere");
    go_on(saved);
    json_decref(saved);
    return 0;
}
