/* SPDX-License-Identifier: BSD-3-Clause */
#include "found.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/now.h"
#include "base/say.h"
#include "findings/suppressions.h"
#include "words/ascii.h"

/* Whoever watches waits; a log is read when all is over, unless isp is ended by force. */
static const double TERMINAL_S = 2, LOG_S = 30;

void sched_found_init(struct sched_found *found, bool quiet, double started_s)
{
    *found = (struct sched_found){.on = !quiet, .from_s = started_s + (isatty(2) ? TERMINAL_S : LOG_S)};
}

void sched_found_finish(struct sched_found *found)
{
    for (size_t i = 0; i < found->n; i++)
        free(found->lines[i]);
    free(found->lines);
}

/* "app.c:12: deadlock: ... [deadlock]" */
static char *line_of(const struct sched_result *r, const struct sched_finding *f)
{
    const struct sched_location *at = sched_sites_headline(r->sites, f->n_sites ? f->sites[0].site : 0);
    char *place = at->file && at->line ? sched_format("%s:%d: ", at->file, at->line) : sched_strdup("");
    char *line = sched_format("%s at %s%s [%s]",
                              sched_rule_severity(f->rule) == ISP_SEVERITY_ERROR ? "error" : "warning", place,
                              f->message, sched_rule_id(f->rule));
    free(place);
    return line;
}

struct seeing {
    const struct sched_result *result;
    void (*see)(enum isp_severity severity, const char *line, void *data);
    void *data;
};

static bool see_new(const struct sched_finding *f, const char *const *keys, size_t n_keys, void *data)
{
    const struct seeing *s = data;
    const struct sched_options *o = s->result->options;
    enum isp_severity severity = sched_rule_severity(f->rule);
    if (severity == ISP_SEVERITY_NOTE ||
        (o->suppressions && sched_suppressions_cover(o->suppressions, f, s->result->sites)))
        return true;
    char *line = line_of(s->result, f);
    s->see(severity, line, s->data);
    free(line);
    return true;
}

void sched_found_each(const struct sched_result *result,
                      void (*see)(enum isp_severity severity, const char *line, void *data), void *data)
{
    struct seeing seeing = {result, see, data};
    sched_findings_each_new(result->findings, see_new, &seeing);
}

void sched_found_add(struct sched_found *found, enum isp_severity severity, const char *line)
{
    for (size_t i = 0; i < found->n; i++)
        if (strcmp(found->lines[i], line) == 0)
            return;
    SCHED_GROW(found->lines, found->n);
    found->lines[found->n++] = sched_strdup(line);
    ++*(severity == ISP_SEVERITY_ERROR ? &found->errors : &found->warnings);
}

void sched_found_tell(struct sched_found *found)
{
    if (!found->on || found->told == found->n || sched_now_s() < found->from_s)
        return;
    for (; found->told < found->n; found->told++) {
        char *line = found->lines[found->told];
        if (sched_ascii_is_wanted())
            sched_ascii_arrows(line);
        sched_say("found: %s", line);
    }
}
