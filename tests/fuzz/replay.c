/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs a target over files, and over all files of folders, without libFuzzer: so that the kept inputs are
 * tried with whatever compiler builds isp. If one fails, its name is the last thing on stderr.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz.h"

enum { LIMIT_S = 60 }; /* for one file, under sanitizers, on a busy machine */

static const char *volatile current = "";
static volatile unsigned number, n_inputs;

static void tell(int signal)
{
    char text[4200];
    int n = snprintf(text, sizeof text, "\nfuzz: %s (number %u of this run)%s\n", current, number,
                     signal == SIGALRM ? " takes too long" : " fails");
    (void)!write(STDERR_FILENO, text, (size_t)n);
    if (signal)
        _exit(1);
}

/* Sanitizers end the process by exit(). */
static void tell_at_exit(void)
{
    if (*current)
        tell(0);
}

static uint8_t *read_file(const char *name, size_t *size)
{
    FILE *in = fopen(name, "rb");
    uint8_t *data = NULL;
    size_t n;
    if (!in) {
        fprintf(stderr, "fuzz: %s: %s\n", name, strerror(errno));
        exit(2);
    }
    *size = 0;
    do {
        data = realloc(data, *size + 65536);
        FUZZ_CHECK(data);
        n = fread(data + *size, 1, 65536, in);
        *size += n;
    } while (n);
    fclose(in);
    return data;
}

static void try(const char *name, const uint8_t *data, size_t size)
{
    uint8_t *exact = fuzz_copy(data, size);
    current = name;
    number = ++n_inputs;
    alarm(LIMIT_S);
    LLVMFuzzerTestOneInput(exact, size);
    alarm(0);
    current = "";
    free(exact);
}

/* A file is an input, or has many (run.py): each as u32 length and its bytes. */
static void run_file(const char *name)
{
    size_t size, n = strlen(name);
    uint8_t *data = read_file(name, &size);
    struct isp_reader in = isp_reader_of(data, size);
    if (n < 5 || strcmp(name + n - 5, ".pack") != 0)
        try(name, data, size);
    else
        while (in.at < in.end) {
            uint32_t length = isp_get_u32(&in);
            const uint8_t *one = isp_get_bytes(&in, length);
            FUZZ_CHECK(one);
            try(name, one, length);
        }
    free(data);
}

static void run(const char *name)
{
    struct stat st;
    struct dirent **entries;
    if (stat(name, &st) != 0 || !S_ISDIR(st.st_mode)) {
        run_file(name);
        return;
    }
    int n = scandir(name, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", name, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.')
            run(path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

int main(int argc, char **argv)
{
    signal(SIGALRM, tell);
    signal(SIGABRT, tell);
    atexit(tell_at_exit);
    for (int i = 1; i < argc; i++)
        run(argv[i]);
    printf("%u inputs\n", n_inputs);
    return n_inputs ? 0 : 2;
}
