/* SPDX-License-Identifier: BSD-3-Clause */
/* See findings/suppressions.h. A generated block names the place as exactly as it can: whoever wants it to
 * cover more takes something out. */
#include "suppressions.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/alloc.h"
#include "isp/functions.h"
#include "findings/suppressions.h"

/* ---- what was used ---- */

static void put_block(const struct sched_suppression *b, FILE *out)
{
    char *name = sched_escape(b->name, "");
    fprintf(out, "  %s:%d: \"%s\" ", b->file, b->line, name);
    free(name);
    if (b->used)
        fprintf(out, "covers %" PRIu64 " finding%s\n", b->used, b->used == 1 ? "" : "s");
    else
        fputs("was never used\n", out);
}

void sched_report_suppressions(const struct sched_result *result, FILE *out)
{
    const struct sched_suppressions *all = result->options->suppressions;
    size_t used = 0;
    if (!all || !all->n_blocks)
        return;
    for (size_t i = 0; i < all->n_blocks; i++)
        used += all->blocks[i].used > 0;
    fprintf(out, "isp: %" PRIu64 " finding%s suppressed; %zu of %zu block%s used%s\n", all->suppressed,
            all->suppressed == 1 ? "" : "s", used, all->n_blocks, all->n_blocks == 1 ? "" : "s",
            result->options->verbose ? ":" : " (-v names them)");
    for (size_t i = 0; i < all->n_blocks && result->options->verbose; i++)
        put_block(&all->blocks[i], out);
}

/* ---- blocks for the findings ---- */

/* Whether the file's reader would take this blank for the end of a pattern (findings/suppression_file.c). */
static bool is_end(const char *text, const char *p)
{
    return isblank((unsigned char)*p) && (p == text || !p[1] || strchr(p, ':'));
}

/* As a pattern that fits nothing else; but where a character cannot be in such a file, any one is good. */
static void put_literal(const char *text, FILE *out)
{
    char *safe = sched_escape_mask(text);
    for (const char *p = safe; *p; p++) {
        if (strchr("*?[\\", *p))
            fputc('\\', out);
        fputc(*p == SCHED_ESCAPE_MASK || is_end(safe, p) ? '?' : *p, out);
    }
    free(safe);
}

static void put_pattern(const char *separator, const char *key, const char *text, FILE *out)
{
    fprintf(out, "%s%s", separator, key);
    put_literal(text, out);
}

/* A place, of the call of fn if that is not 0; false if nothing is known about it. */
static bool put_frame(uint16_t fn, const struct sched_location *at, FILE *out)
{
    const char *slash = at->module ? strrchr(at->module, '/') : NULL, *separator = "    ";
    if (fn) {
        put_pattern(separator, "call:", isp_fn_name((enum isp_fn)fn), out);
        separator = "  ";
    }
    if (at->function) {
        put_pattern(separator, "fun:", at->function, out);
        separator = "  ";
    }
    if (at->file && at->line) {
        put_pattern(separator, "file:", at->file, out);
        fprintf(out, ":%d\n", at->line);
        return true;
    }
    if (at->module)
        put_pattern(separator, "obj:", slash ? slash + 1 : at->module, out);
    if (fn || at->function || at->module)
        fputc('\n', out);
    return at->module;
}

/* Places of the way to the call that a block names: up to the line that matters; with --stacks all. What
 * leaks by several ways is covered as a whole. */
static size_t frames_wanted(const struct sched_result *r, const struct sched_finding *f, size_t n)
{
    uint32_t site = f->sites[0].site;
    for (size_t i = 1; i < f->n_sites && sched_rule_is_leak(f->rule); i++)
        if (f->sites[i].site != site)
            return 1;
    return r->options->stacks ? n : sched_sites_shown(r->sites, site) + 1;
}

static bool put_frames(const struct sched_result *r, const struct sched_finding *f, FILE *out)
{
    size_t n;
    const struct sched_location *way = sched_sites_way(r->sites, f->sites[0].site, &n);
    bool known = put_frame(f->sites[0].fn, sched_sites_find(r->sites, f->sites[0].site), out);
    for (size_t i = 1; i < n && i < frames_wanted(r, f, n); i++)
        put_frame(0, &way[i], out);
    return known;
}

/* The block of a finding. Caller frees. */
static char *generated(const struct sched_result *r, const struct sched_finding *f)
{
    char *block = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&block, &size));
    fputs("{\n    # why it is all right: ...\n", out);
    fprintf(out, "    rule: %s\n", sched_rule_id(f->rule));
    if (!f->n_sites || !put_frames(r, f, out)) {
        fputs("    text: ", out);
        put_literal(f->message, out);
        fputc('\n', out);
    }
    fputs("}\n", out);
    fclose(out);
    return sched_must(block);
}

static bool is_among(char *const *blocks, size_t n, const char *block)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(blocks[i], block) == 0)
            return true;
    return false;
}

/* Several findings at one place need one block. */
void sched_report_generated(const struct sched_result *result, FILE *out)
{
    struct sched_finding *const *all;
    size_t n = sched_findings_all(result->findings, &all), n_blocks = 0;
    char **blocks = sched_alloc(n, sizeof *blocks);
    fprintf(out, "%s %d\n", SCHED_SUPPRESSIONS_HEAD, SCHED_SUPPRESSIONS_VERSION);
    for (size_t i = 0; i < n; i++) {
        if (all[i]->rule == ISP_RULE_UNSUPPORTED || sched_rule_severity(all[i]->rule) == ISP_SEVERITY_NOTE)
            continue;
        char *block = generated(result, all[i]);
        if (is_among(blocks, n_blocks, block)) {
            free(block);
            continue;
        }
        fputs(block, out);
        blocks[n_blocks++] = block;
    }
    for (size_t i = 0; i < n_blocks; i++)
        free(blocks[i]);
    free(blocks);
}
