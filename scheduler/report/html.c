/* SPDX-License-Identifier: BSD-3-Clause */
/* See viewer/DATA.md for what is written. */
#include "html.h"

#include "json.h"
#include "page/tables.h"
#include "page/viewer.h"

static void note(struct sched_page_sources *sources, const json_t *place)
{
    sched_page_sources_note(sources, json_string_value(json_object_get(place, "file")),
                            json_integer_value(json_object_get(place, "line")));
}

/* Findings come first: their source is shown, whatever else is too much. */
static void note_findings(struct sched_page_sources *sources, const json_t *result)
{
    size_t i, k;
    const json_t *finding, *site;
    json_array_foreach (json_object_get(result, "findings"), i, finding)
        json_array_foreach (json_object_get(finding, "sites"), k, site) {
            note(sources, site);
            note(sources, sched_json_headline(site));
        }
}

static void write_field(FILE *out, const char *name, const json_t *value)
{
    fprintf(out, "\"%s\":", name);
    sched_page_json(value, out);
    fputc(',', out);
}

static void write_list(FILE *out, const char *name, struct sched_page_list *list)
{
    fprintf(out, "\"%s\":", name);
    sched_page_list_write(list, out);
    fputc(',', out);
}

static void write_tables(struct sched_page_tables *t, FILE *out)
{
    fputs("\"tables\":{", out);
    for (int i = 0; i < SCHED_PAGE_TABLES; i++) {
        if (i > 0)
            fputc(',', out);
        sched_page_table_write(&t->table[i], out);
    }
    fputc('}', out);
}

static void write_data(const struct sched_report *report, const struct sched_page_selection *s,
                       struct sched_page_tables *t, FILE *out)
{
    json_t *sources = sched_page_sources_read(t->sources);
    json_t *left_out = json_pack("{sI,sI,sI}", "interleavings", (json_int_t)s->left_interleavings, "nodes",
                                 (json_int_t)s->left_nodes, "calls", (json_int_t)s->left_calls);
    fputs("{\"format\":3,", out);
    write_field(out, "result", report->result);
    write_field(out, "sources", sources);
    write_field(out, "endings", t->endings);
    write_field(out, "left_out", left_out);
    write_list(out, "sites", &t->sites);
    write_list(out, "kinds", &t->kinds);
    write_list(out, "communicators", &t->communicators);
    write_list(out, "waiting", &t->waiting);
    write_field(out, "output", t->printed);
    write_tables(t, out);
    fputs("}", out);
    json_decref(sources);
    json_decref(left_out);
}

bool sched_report_html_within(const struct sched_report *report, const struct sched_page_budget *budget,
                              FILE *out)
{
    struct sched_asked asked = {.trace = report->trace};
    struct sched_page_selection selection;
    struct sched_page_tables tables;
    struct sched_page_sources *sources = sched_page_sources_create();
    note_findings(sources, report->result);
    sched_page_select(&selection, &asked, report->result, budget);
    sched_page_tables_init(&tables, &asked, &selection, sources);
    fwrite(isp_viewer_head, 1, isp_viewer_head_size, out);
    fputs("<script type=\"application/json\" id=\"isp-data\">", out);
    write_data(report, &selection, &tables, out);
    fputs("</script>", out);
    fwrite(isp_viewer_tail, 1, isp_viewer_tail_size, out);
    sched_page_tables_finish(&tables);
    sched_page_selection_finish(&selection);
    sched_page_sources_destroy(sources);
    return sched_query_well(&asked, out);
}

bool sched_report_html(const struct sched_report *report, FILE *out)
{
    static const struct sched_page_budget budget = {.calls = 2000000, .nodes = 100000};
    return sched_report_html_within(report, &budget, out);
}
