/* SPDX-License-Identifier: BSD-3-Clause */
#include "job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "orders.h"

static struct sched_job *create(bool buffered, unsigned n, unsigned root)
{
    struct sched_job *job = sched_alloc(1, sizeof *job);
    *job = (struct sched_job){
        .buffered = buffered, .steps = sched_alloc(n, sizeof *job->steps), .n = n, .root = root};
    return job;
}

struct sched_job *sched_job_create(bool buffered) { return create(buffered, 0, 0); }

static struct sched_job *of_prefix(const struct poe_search *search, bool buffered, unsigned n, unsigned root)
{
    struct sched_job *job = create(buffered, n, root);
    for (unsigned i = 0; i < n; i++)
        job->steps[i] = poe_search_step(search, i);
    return job;
}

struct sched_job *sched_job_of_search(const struct poe_search *search, bool buffered)
{
    unsigned n = poe_search_prefix(search), root = poe_search_root(search);
    struct sched_job *job = of_prefix(search, buffered, n, root);
    job->done = sched_orders_write_done(search, root, n);
    return job;
}

struct sched_job *sched_job_of_alternative(const struct poe_search *search, bool buffered, unsigned number,
                                           unsigned alternative)
{
    struct sched_job *job = of_prefix(search, buffered, number + 1, number + 1);
    struct poe_step *step = &job->steps[number];
    step->taken = alternative;
    step->first = step->end = 0; /* what the search itself has still to do there */
    return job;
}

struct sched_job *sched_job_of_given(const struct poe_search *search, bool buffered,
                                     const struct poe_given *given)
{
    struct sched_job *job = of_prefix(search, buffered, given->number + 1, given->number);
    struct poe_step *step = &job->steps[given->number];
    if (given->from >= (given->end ? given->end : poe_step_positions(step))) {
        sched_job_destroy(job);
        return NULL;
    }
    step->first = step->taken = given->from;
    step->end = given->end;
    step->leaves = 0;
    return job;
}

bool sched_job_is_new(const struct sched_job *job)
{
    const struct poe_step *last = job->n ? &job->steps[job->n - 1] : NULL;
    return job->root == job->n || (job->root + 1 == job->n && last->first && last->first == last->taken);
}

struct sched_job *sched_job_copy(const struct sched_job *job)
{
    struct sched_job *same = create(job->buffered, job->n, job->root);
    memcpy(same->steps, job->steps, job->n * sizeof *same->steps);
    same->done = json_incref(job->done);
    return same;
}

void sched_job_destroy(struct sched_job *job)
{
    if (job) {
        free(job->steps);
        json_decref(job->done);
    }
    free(job);
}

int sched_job_compare(const struct sched_job *a, const struct sched_job *b)
{
    if (a->buffered != b->buffered)
        return (int)a->buffered - (int)b->buffered;
    for (unsigned i = 0; i < a->n || i < b->n; i++) {
        unsigned x = i < a->n ? a->steps[i].taken : 0, y = i < b->n ? b->steps[i].taken : 0;
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

json_t *sched_job_write(const struct sched_job *job)
{
    json_t *steps = json_array();
    for (unsigned i = 0; i < job->n; i++) {
        char signature[20];
        snprintf(signature, sizeof signature, "%" PRIx64, job->steps[i].signature);
        json_array_append_new(steps, json_pack("[i, i, i, i, i, s, b, b, f]", (int)job->steps[i].taken,
                                               (int)job->steps[i].shown, (int)job->steps[i].first,
                                               (int)job->steps[i].end, (int)job->steps[i].n, signature,
                                               (int)job->steps[i].raced, (int)job->steps[i].in_loop,
                                               job->steps[i].leaves));
    }
    return json_pack("{s:b, s:i, s:o, s:O*}", "buffered", (int)job->buffered, "root", (int)job->root, "steps",
                     steps, "done", job->done);
}

static bool read_step(struct poe_step *step, json_t *json)
{
    int taken, shown, first, end, n, raced, in_loop;
    const char *signature;
    double leaves;
    if (json_unpack(json, "[i, i, i, i, i, s, b, b, F]", &taken, &shown, &first, &end, &n, &signature, &raced,
                    &in_loop, &leaves) != 0 ||
        taken < 0 || first < 0 || first > taken || end < 0 || (end && taken >= end) || taken > n ||
        shown < 0 || shown > n || ((taken == n || shown == n) && !raced))
        return false;
    *step = (struct poe_step){.signature = strtoull(signature, NULL, 16),
                              .leaves = leaves,
                              .n = (unsigned)n,
                              .taken = (unsigned)taken,
                              .shown = (unsigned)shown,
                              .first = (unsigned)first,
                              .end = (unsigned)end,
                              .raced = raced,
                              .in_loop = in_loop};
    return true;
}

struct sched_job *sched_job_read(const json_t *json)
{
    int buffered, root;
    json_t *steps;
    if (json_unpack((json_t *)json, "{s:b, s:i, s:o}", "buffered", &buffered, "root", &root, "steps",
                    &steps) != 0 ||
        root < 0 || (size_t)root > json_array_size(steps))
        return NULL;
    struct sched_job *job = create(buffered, (unsigned)json_array_size(steps), (unsigned)root);
    bool ok = true;
    for (unsigned i = 0; ok && i < job->n; i++)
        ok = read_step(&job->steps[i], json_array_get(steps, i));
    job->done = json_incref(json_object_get(json, "done"));
    if (ok)
        return job;
    sched_job_destroy(job);
    return NULL;
}
