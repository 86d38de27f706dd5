/* SPDX-License-Identifier: BSD-3-Clause */
#include "ascii.h"

#include <stdlib.h>
#include <string.h>

bool sched_ascii_is_wanted(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *locale = getenv(variables[i]);
        if (locale && *locale)
            return !strcasestr(locale, "UTF-8") && !strcasestr(locale, "UTF8");
    }
    return true; /* the C locale */
}

void sched_ascii_arrows(char *text)
{
    static const char arrow[] = "\xe2\x86\x92"; /* U+2192 */
    for (char *at = text; (at = strstr(at, arrow));) {
        memcpy(at, "->", 2);
        memmove(at + 2, at + strlen(arrow), strlen(at + strlen(arrow)) + 1);
    }
}
