/* SPDX-License-Identifier: BSD-3-Clause */
/* See values.h. A number has as many digits as tell the two apart, six at least. */
#include "values.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define ARROW " \xe2\x86\x92 "

enum { DIGITS_FEW = 6, DIGITS_ALL = 36 };

static char *bytes_words(const unsigned char *bytes, size_t n)
{
    char *text = sched_alloc(2 * n + 3, 1);
    snprintf(text, 3, "0x");
    for (size_t i = 0; i < n; i++)
        snprintf(text + 2 + 2 * i, 3, "%02x", bytes[i]);
    return text;
}

/* ---- integers ---- */

static char *integer_words(bool is_signed, size_t size, const unsigned char *bytes)
{
    unsigned __int128 value = 0;
    char text[48], *at = text + sizeof text - 1;
    memcpy(&value, bytes, size); /* of this machine, which has the lowest byte first, or all */
    unsigned unused = (unsigned)(sizeof value - size) * 8;
    value <<= unused;
    bool minus = is_signed && value >> 127;
    value = is_signed ? (unsigned __int128)((__int128)value >> unused) : value >> unused;
    if (minus)
        value = -value;
    *at = 0;
    do
        *--at = (char)('0' + (int)(value % 10));
    while (value /= 10);
    if (minus)
        *--at = '-';
    return sched_strdup(at);
}

/* ---- floating point ---- */

/* IEEE's binary16. */
static double half(const unsigned char *bytes)
{
    uint16_t bits;
    memcpy(&bits, bytes, sizeof bits);
    int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    double value = exponent ? 1024 + mantissa : mantissa;
    for (int i = exponent ? exponent : 1; i < 25; i++)
        value /= 2;
    for (int i = 25; i < exponent; i++)
        value *= 2;
    if (exponent == 31)
        value = mantissa ? __builtin_nan("") : __builtin_inf();
    return bits >> 15 ? -value : value;
}

/* The 16-byte real of Fortran has more digits than are shown. */
static long double floating(enum isp_value_kind kind, size_t size, const unsigned char *bytes)
{
    float f;
    double d;
    long double l = 0;
    if (size == 2)
        return (long double)half(bytes);
    if (size == sizeof f)
        return (long double)*(float *)memcpy(&f, bytes, sizeof f);
    if (size == sizeof d)
        return (long double)*(double *)memcpy(&d, bytes, sizeof d);
#ifdef __SIZEOF_FLOAT128__
    __float128 q;
    if (kind == ISP_VALUE_FLOATING && size == sizeof q)
        return (long double)*(__float128 *)memcpy(&q, bytes, sizeof q);
#endif
    (void)kind;
    return *(long double *)memcpy(&l, bytes, size < sizeof l ? size : sizeof l);
}

static char *floating_words(enum isp_value_kind kind, size_t size, const unsigned char *bytes, int digits)
{
    int most = size == 2 ? 5 : size == sizeof(float) ? 9 : size == sizeof(double) ? 17 : DIGITS_ALL;
    return sched_format("%.*Lg", digits < most ? digits : most, floating(kind, size, bytes));
}

static char *complex_words(enum isp_value_kind kind, size_t size, const unsigned char *bytes, int digits)
{
    enum isp_value_kind part = kind == ISP_VALUE_EXTENDED_COMPLEX ? ISP_VALUE_EXTENDED : ISP_VALUE_FLOATING;
    char *real = floating_words(part, size / 2, bytes, digits),
         *imaginary = floating_words(part, size / 2, bytes + size / 2, digits),
         *text = sched_format("(%s, %s)", real, imaginary);
    free(real);
    free(imaginary);
    return text;
}

/* ---- the others ---- */

static char *character_words(const unsigned char *bytes)
{
    bool plain = *bytes >= ' ' && *bytes <= '~' && *bytes != '\'' && *bytes != '\\';
    return plain ? sched_format("'%c'", *bytes) : bytes_words(bytes, 1);
}

static bool is_zero(const unsigned char *bytes, size_t size)
{
    while (size && !bytes[size - 1])
        size--;
    return size == 0;
}

static char *one(enum isp_value_kind kind, size_t size, const unsigned char *bytes, int digits)
{
    switch (kind) {
    case ISP_VALUE_CHARACTER: return size == 1 ? character_words(bytes) : bytes_words(bytes, size);
    case ISP_VALUE_SIGNED: return integer_words(true, size, bytes);
    case ISP_VALUE_UNSIGNED:
    case ISP_VALUE_WIDE_CHARACTER: return integer_words(false, size, bytes);
    case ISP_VALUE_LOGICAL: return sched_strdup(is_zero(bytes, size) ? ".false." : ".true.");
    case ISP_VALUE_BOOL: return sched_strdup(is_zero(bytes, size) ? "false" : "true");
    case ISP_VALUE_FLOATING:
    case ISP_VALUE_EXTENDED: return floating_words(kind, size, bytes, digits);
    case ISP_VALUE_COMPLEX:
    case ISP_VALUE_EXTENDED_COMPLEX: return complex_words(kind, size, bytes, digits);
    default: return bytes_words(bytes, size);
    }
}

char *sched_values_words(enum isp_value_kind kind, size_t size, const unsigned char *was,
                         const unsigned char *is)
{
    char *old = NULL, *now = NULL;
    for (int digits = DIGITS_FEW; digits <= DIGITS_ALL && (!old || strcmp(old, now) == 0); digits++) {
        free(old);
        free(now);
        old = one(kind, size, was, digits);
        now = one(kind, size, is, digits);
    }
    if (strcmp(old, now) == 0) { /* such as two that are no numbers, or two ways to say .true. */
        free(old);
        free(now);
        old = bytes_words(was, size);
        now = bytes_words(is, size);
    }
    char *text = sched_format("%s" ARROW "%s", old, now);
    free(old);
    free(now);
    return text;
}
