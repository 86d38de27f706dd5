/* SPDX-License-Identifier: BSD-3-Clause */
/* The pages are installed with the documentation; an isp in its build folder finds them in the folder above. */
#include "explain.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "alloc.h"
#include "findings.h"

static bool is_rule(const char *name)
{
    for (int i = 0; i < ISP_RULE_COUNT; i++)
        if (strcmp(name, sched_rule_id((enum isp_rule)i)) == 0)
            return true;
    return false;
}

/* "did you mean": every rule with a part of the word. */
static char *similar(const char *word)
{
    char *list = sched_strdup("");
    for (int i = 0; i < ISP_RULE_COUNT; i++) {
        const char *id = sched_rule_id((enum isp_rule)i);
        if (*word && strstr(id, word)) {
            char *longer = sched_format("%s%s%s", list, *list ? ", " : "", id);
            free(list);
            list = longer;
        }
    }
    char *text = *list ? sched_format("there is no such rule; there are %s", list)
                       : sched_strdup("there is no such rule; man isp lists them all, findings end with theirs in brackets");
    free(list);
    return text;
}

static FILE *open_page(const char *rule)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return NULL;
    self[n] = '\0';
    *strrchr(self, '/') = '\0';
    static const char *const places[] = {"../docs/rules", "../" ISP_DOCDIR_NAME "/rules"};
    FILE *page = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places && !page; i++) {
        char *path = sched_format("%s/%s/%s.md", self, places[i], rule);
        page = fopen(path, "re");
        free(path);
    }
    return page;
}

char *sched_explain(const char *rule, FILE *out)
{
    if (!is_rule(rule))
        return similar(rule);
    FILE *page = open_page(rule);
    if (!page)
        return sched_format("its page is not installed beside isp (docs/rules/%s.md)", rule);
    char text[4096];
    for (size_t n; (n = fread(text, 1, sizeof text, page)) > 0;)
        fwrite(text, 1, n, out);
    fclose(page);
    return NULL;
}
