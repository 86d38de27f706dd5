/* SPDX-License-Identifier: BSD-3-Clause */
/* See keys.h. A name stands between \1 and \2. */
#include "keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "findings.h"

char *sched_findings_key_named(const struct sched_sites *sites, const char *key)
{
    char *named = NULL;
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&named, &size));
    while (*key) {
        if (*key != SCHED_KEY_SITE[0]) {
            fputc(*key++, out);
            continue;
        }
        char *name = sched_sites_name(sites, (uint32_t)strtoul(key + 1, (char **)&key, 10));
        fprintf(out, "\1%s\2", name);
        free(name);
    }
    fclose(out);
    return sched_must(named);
}

char *sched_findings_key_numbered(struct sched_sites *sites, const char *named)
{
    char *numbered = NULL, *copy = sched_strdup(named);
    size_t size = 0;
    FILE *out = sched_must(open_memstream(&numbered, &size));
    for (char *at = copy; *at;) {
        char *end = *at == '\1' ? strchr(at, '\2') : NULL;
        if (!end) {
            fputc(*at++, out);
            continue;
        }
        *end = '\0';
        fprintf(out, SCHED_KEY_SITE, sched_sites_named(sites, at + 1));
        at = end + 1;
    }
    fclose(out);
    free(copy);
    return sched_must(numbered);
}
