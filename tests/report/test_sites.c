/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sites are resolved for real programs: each prints the offset of a return address from its load base, as
 * libisp.so would send it, and the line that the compiler gave that call.
 */
#include "case.h"

#include "sites/sites.h"

static const char program[] =
    "#define _GNU_SOURCE\n"
    "#include <link.h>\n"
    "#include <stdio.h>\n"
    "static int base(struct dl_phdr_info *i, size_t n, void *p) { *(size_t *)p = i->dlpi_addr; return 1; }\n"
    "__attribute__((noinline)) void callee(int line)\n"
    "{\n"
    "    size_t load = 0;\n"
    "    dl_iterate_phdr(base, &load);\n"
    "    printf(\"%zu %d\\n\", (size_t)__builtin_return_address(0) - load, line);\n"
    "}\n"
    "static inline __attribute__((always_inline)) void inlined(void)\n"
    "{\n"
    "    callee(__LINE__);\n"
    "    callee(__LINE__);\n"
    "}\n"
    "__attribute__((noinline)) void outer(void)\n"
    "{\n"
    "    callee(__LINE__);\n"
    "    inlined();\n"
    "    __asm__ volatile(\"\");\n"
    "}\n"
    "int main(void) { outer(); return 0; }\n";

struct call {
    size_t offset;
    int line;
};

/* Compiles the program, runs it, and tells its three calls: outer, inlined, inlined. */
static void build_and_run(const char *flags, struct call calls[3])
{
    char arguments[256];
    case_file("prog.c", program);
    snprintf(arguments, sizeof arguments, "%s prog.c -o prog", flags);
    case_compile(arguments);
    FILE *out = popen("./prog", "r");
    assert_non_null(out);
    for (int i = 0; i < 3; i++)
        assert_int_equal(fscanf(out, "%zu %d", &calls[i].offset, &calls[i].line), 2);
    assert_int_equal(pclose(out), 0);
}

static const struct sched_location *look(struct sched_sites *sites, size_t offset)
{
    char module[] = "./prog and more"; /* not terminated */
    return sched_sites_find(sites, sched_sites_intern(sites, module, 6, offset));
}

static void check_lines(const char *flags)
{
    static const char *const functions[] = {"outer", "inlined", "inlined"};
    struct call calls[3];
    build_and_run(flags, calls);
    struct sched_sites *sites = sched_sites_create();
    for (int i = 0; i < 3; i++) {
        const struct sched_location *at = look(sites, calls[i].offset);
        assert_non_null(at->file);
        assert_string_equal(at->file, "prog.c");
        assert_int_equal(at->line, calls[i].line);
        assert_string_equal(at->function, functions[i]);
    }
    sched_sites_destroy(sites);
}

static void test_pie(void **state) { check_lines("-g -O0 -fPIE -pie"); }
static void test_fixed_address(void **state) { check_lines("-g -O1 -fno-pie -no-pie"); }
static void test_optimized(void **state) { check_lines("-g -O2"); }

static void test_separate_debug_file(void **state)
{
    struct call calls[3];
    build_and_run("-g", calls);
    if (system("objcopy --only-keep-debug prog prog.debug && objcopy --strip-all "
               "--add-gnu-debuglink=prog.debug prog") != 0)
        skip();
    struct sched_sites *sites = sched_sites_create();
    assert_int_equal(look(sites, calls[0].offset)->line, calls[0].line);
    sched_sites_destroy(sites);
}

static void test_without_debug_information(void **state)
{
    struct call calls[3];
    build_and_run("-g0", calls);
    struct sched_sites *sites = sched_sites_create();
    const struct sched_location *at = look(sites, calls[0].offset);
    assert_null(at->file);
    assert_int_equal(at->line, 0);
    assert_string_equal(at->function, "outer");
    assert_string_equal(at->module, "./prog");
    assert_int_equal(at->offset, calls[0].offset);
    sched_sites_destroy(sites);
}

static void test_stripped(void **state)
{
    struct call calls[3];
    build_and_run("-g0 -s", calls);
    struct sched_sites *sites = sched_sites_create();
    const struct sched_location *at = look(sites, calls[0].offset);
    assert_null(at->file);
    assert_null(at->function);
    assert_string_equal(at->module, "./prog");
    sched_sites_destroy(sites);
}

static void test_file_elsewhere_is_absolute(void **state)
{
    struct call calls[3];
    build_and_run("-g", calls);
    char here[4096], module[4200], expected[4200];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir("/usr"), 0);
    snprintf(module, sizeof module, "%s/prog", here);
    snprintf(expected, sizeof expected, "%s/prog.c", here);
    struct sched_sites *sites = sched_sites_create();
    uint32_t site = sched_sites_intern(sites, module, (uint32_t)strlen(module), calls[0].offset);
    assert_string_equal(sched_sites_find(sites, site)->file, expected);
    sched_sites_destroy(sites);
    assert_int_equal(chdir(here), 0);
}

static void test_numbers(void **state)
{
    struct sched_sites *sites = sched_sites_create();
    uint32_t a = sched_sites_intern(sites, "/nosuch/a", 9, 16),
             b = sched_sites_intern(sites, "/nosuch/b", 9, 16);
    assert_int_equal(a, 1);
    assert_int_equal(b, 2);
    assert_int_equal(sched_sites_intern(sites, "/nosuch/a", 9, 16), a);
    assert_int_not_equal(sched_sites_intern(sites, "/nosuch/a", 9, 17), a);
    assert_int_equal(sched_sites_intern(sites, "", 0, 17), 0);
    assert_string_equal(sched_sites_find(sites, a)->module, "/nosuch/a");
    assert_null(sched_sites_find(sites, a)->file);
    assert_non_null(sched_sites_find(sites, 0));
    assert_null(sched_sites_find(sites, 0)->module);
    assert_null(sched_sites_find(sites, 99)->module);
    for (uint64_t i = 0; i < 1000; i++)
        sched_sites_intern(sites, "/nosuch/c", 9, i);
    assert_int_equal(sched_sites_find(sites, a)->offset, 16);
    sched_sites_destroy(sites);
}

static void test_callers(void **state)
{
    struct sched_sites *sites = sched_sites_create();
    uint32_t n, make = sched_sites_intern(sites, "/nosuch/a", 9, 16),
                use = sched_sites_intern(sites, "/nosuch/a", 9, 32),
                forget = sched_sites_intern(sites, "/nosuch/a", 9, 48),
                start = sched_sites_intern(sites, "/nosuch/libc.so.6", 17, 8);
    uint32_t by_use[] = {make, use, start}, by_forget[] = {make, forget, start};
    uint32_t a = sched_sites_intern_stack(sites, by_use, 3),
             b = sched_sites_intern_stack(sites, by_forget, 3);
    assert_int_not_equal(a, b);
    assert_int_equal(sched_sites_intern_stack(sites, by_use, 3), a);
    assert_int_equal(sched_sites_intern_stack(sites, by_use, 1), make);
    assert_int_equal(sched_sites_place(sites, a), make);
    assert_int_equal(sched_sites_place(sites, b), make);
    assert_int_equal(sched_sites_place(sites, make), make);
    assert_int_equal(sched_sites_find(sites, b)->offset, 16);
    const uint32_t *callers = sched_sites_callers(sites, b, &n);
    assert_int_equal(n, 1); /* without what starts the program */
    assert_int_equal(callers[0], forget);
    sched_sites_callers(sites, make, &n);
    assert_int_equal(n, 0);
    sched_sites_callers(sites, 99, &n);
    assert_int_equal(n, 0);
    sched_sites_destroy(sites);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pie),
        cmocka_unit_test(test_fixed_address),
        cmocka_unit_test(test_optimized),
        cmocka_unit_test(test_separate_debug_file),
        cmocka_unit_test(test_without_debug_information),
        cmocka_unit_test(test_stripped),
        cmocka_unit_test(test_file_elsewhere_is_absolute),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_callers),
    };
    return cmocka_run_group_tests(tests, case_folder, case_folder_remove);
}
