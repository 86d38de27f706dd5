/* SPDX-License-Identifier: BSD-3-Clause */
/* What the tests of this folder share: cmocka, a folder of their own, looking for text. */
#ifndef TESTS_REPORT_CASE_H
#define TESTS_REPORT_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A new folder, which becomes the working directory. Removed by case_folder_remove if the test went well. */
static inline int case_folder(void **state)
{
    char name[] = "/tmp/isp-test-XXXXXX";
    if (!mkdtemp(name) || chdir(name) != 0)
        return -1;
    *state = strdup(name);
    return 0;
}

static inline int case_folder_remove(void **state)
{
    char command[256];
    snprintf(command, sizeof command, "rm -r %s", (char *)*state);
    free(*state);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static inline void case_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

/* Runs "$CC arguments". */
static inline void case_compile(const char *arguments)
{
    const char *cc = getenv("CC");
    char command[512];
    snprintf(command, sizeof command, "%s %s", cc ? cc : "cc", arguments);
    assert_int_equal(system(command), 0);
}

#define assert_has(text, part)                                     \
    do {                                                           \
        if (!strstr((text), (part)))                               \
            fail_msg("\"%s\" is missing in:\n%s", (part), (text)); \
    } while (0)

#define assert_has_not(text, part)                                    \
    do {                                                              \
        if (strstr((text), (part)))                                   \
            fail_msg("\"%s\" should not be in:\n%s", (part), (text)); \
    } while (0)

#endif
