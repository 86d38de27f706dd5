/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For targets that read JSON: mutations that leave it JSON, since almost every change of a byte does not. One
 * value is replaced, dropped or doubled. libFuzzer finds the function by its name; included once, in the
 * target's source.
 */
#ifndef FUZZ_JSON_MUTATOR_H
#define FUZZ_JSON_MUTATOR_H

#include <jansson.h>
#include <stdbool.h>

#include "fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

#pragma weak LLVMFuzzerMutate /* without libFuzzer there is none */

static unsigned json_count(const json_t *value)
{
    unsigned n = 1;
    const char *key;
    json_t *each;
    size_t i;
    json_object_foreach ((json_t *)value, key, each)
        n += json_count(each);
    json_array_foreach (value, i, each)
        n += json_count(each);
    return n;
}

static json_t *json_other(const json_t *value, unsigned seed)
{
    static const json_int_t numbers[] = {
        0, 1, -1, 2, 4096, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, (json_int_t)1 << 32, 255};
    switch (seed % 9) {
    case 0: return json_null();
    case 1: return json_array();
    case 2: return json_object();
    case 3:
        return json_string(seed & 16 ? ""
                                     : "\1"
                                       "2:\n<\"\2");
    case 4: return json_real(seed & 16 ? 1e308 : -0.5);
    case 5: return json_boolean(seed & 16);
    case 6:
        return json_is_integer(value)
                   ? json_integer((json_int_t)((uint64_t)json_integer_value(value) + (seed >> 8 & 7) - 3))
                   : json_integer(numbers[seed >> 8 & 7]);
    case 7: {
        json_t *list = json_array();
        json_array_append(list, (json_t *)value);
        json_array_append(list, (json_t *)value);
        return list;
    }
    default: return json_integer(numbers[(seed >> 8) % (sizeof numbers / sizeof *numbers)]);
    }
}

/* Changes what is *at-th below the value, in the order of the text. */
static bool json_change(json_t *value, unsigned *at, unsigned seed)
{
    const char *key;
    json_t *each;
    void *next;
    size_t i;
    json_object_foreach_safe (value, next, key, each) {
        if ((*at)-- == 0) {
            if (seed % 8 == 0)
                json_object_del(value, key);
            else if (seed % 8 == 1)
                json_object_set_new(value, "another", json_deep_copy(each));
            else
                json_object_set_new(value, key, json_other(each, seed / 8));
            return true;
        }
        if (json_change(each, at, seed))
            return true;
    }
    json_array_foreach (value, i, each) {
        if ((*at)-- == 0) {
            if (seed % 8 == 0)
                json_array_remove(value, i);
            else if (seed % 8 == 1)
                json_array_insert_new(value, i, json_deep_copy(each));
            else
                json_array_set_new(value, i, json_other(each, seed / 8));
            return true;
        }
        if (json_change(each, at, seed))
            return true;
    }
    return false;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    json_t *value = seed % 16 ? json_loadb((const char *)data, size, 0, NULL) : NULL;
    unsigned n = value ? json_count(value) : 0, at = n > 1 ? seed / 16 % (n - 1) : 0;
    char *text =
        n > 1 && json_change(value, &at, seed * 2654435761u >> 8) ? json_dumps(value, JSON_COMPACT) : NULL;
    json_decref(value);
    size_t length = text ? strlen(text) : 0;
    if (text && length <= max_size)
        memcpy(data, text, length);
    else
        length = 0;
    free(text);
    return length ? length : LLVMFuzzerMutate(data, size, max_size);
}

#endif
