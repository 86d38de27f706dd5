/* SPDX-License-Identifier: BSD-3-Clause */
/* Widths are those of the C library's tables for UTF-8. They are looked at in a locale of this file's own:
 * isp itself runs in "C", so that numbers and messages are the same everywhere. */
#include "columns.h"

#include <locale.h>
#include <stdbool.h>
#include <string.h>
#include <wchar.h>

static locale_t utf8_locale(void)
{
    static locale_t locale;
    if (!locale)
        locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", NULL);
    return locale;
}

size_t sched_columns_step(const char *at, int *columns)
{
    bool ascii = (unsigned char)*at < 0x80;
    locale_t utf8 = ascii ? NULL : utf8_locale();
    /* without such a locale: a column for each character's first byte */
    *columns = ascii || ((unsigned char)*at & 0xc0) != 0x80;
    if (!utf8)
        return 1;
    locale_t before = uselocale(utf8);
    wchar_t character;
    mbstate_t state = {0};
    size_t n = mbrtowc(&character, at, strlen(at), &state);
    int width = n == 0 || n > 4 ? 1 : wcwidth(character); /* n > 4: an error */
    uselocale(before);
    *columns = width < 0 ? 1 : width;
    return n == 0 || n > 4 ? 1 : n;
}

int sched_columns(const char *text)
{
    int all = 0, columns;
    for (; *text; text += sched_columns_step(text, &columns), all += columns)
        ;
    return all;
}

void sched_columns_pad(FILE *out, const char *text, int columns)
{
    int left = columns - sched_columns(text);
    fprintf(out, "%s%*s", text, left > 0 ? left : 0, "");
}
