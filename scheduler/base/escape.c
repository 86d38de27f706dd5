/* SPDX-License-Identifier: BSD-3-Clause */
/* Only whole, shortest-form UTF-8 sequences outside the control characters (C0, DEL, C1) and what
 * changes the direction of text pass; everything else is shown byte by byte. */
#include "escape.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"

/* Length of the UTF-8 sequence at p, and its code point; 0 if it is not one. */
static size_t decode(const unsigned char *p, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t n = p[0] < 0x80             ? 1
               : (p[0] & 0xe0) == 0xc0 ? 2
               : (p[0] & 0xf0) == 0xe0 ? 3
               : (p[0] & 0xf8) == 0xf0 ? 4
                                       : 0;
    if (n == 0)
        return 0;
    *code = n == 1 ? p[0] : p[0] & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (p[i] & 0x3f);
    }
    bool valid = *code >= least[n] && *code <= 0x10ffff && !(*code >= 0xd800 && *code <= 0xdfff);
    return valid ? n : 0;
}

static bool is_control(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200e ||
           code == 0x200f || code == 0x2028 || code == 0x2029 || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

/* mask: in the place of \xNN, unless it is 0. */
static char *escape(const char *text, const char *keep, char mask)
{
    const unsigned char *p = (const unsigned char *)text;
    char *copy = sched_alloc(4 * strlen(text) + 1, 1), *out = copy;
    while (*p) {
        uint32_t code = 0;
        size_t n = decode(p, &code);
        if (n && (!is_control(code) || (n == 1 && strchr(keep, (int)code)))) {
            memcpy(out, p, n);
            out += n;
            p += n;
            continue;
        }
        for (n = n ? n : 1; n > 0; n--, p++)
            if (mask)
                *out++ = mask;
            else
                out += sprintf(out, "\\x%02x", *p);
    }
    *out = '\0';
    return copy;
}

char *sched_escape(const char *text, const char *keep) { return escape(text, keep, '\0'); }

char *sched_escape_mask(const char *text) { return escape(text, "", SCHED_ESCAPE_MASK); }
