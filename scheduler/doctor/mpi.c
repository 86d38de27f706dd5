/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The check that counts is a run of isp: two ranks with a barrier. No MPI program need be there for that, nor
 * a compiler: with libisp.so, which is linked with MPICH, preloaded into it, isp itself is one. It finds MPI
 * by name, so that it knows nothing of MPI when it is a scheduler.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/subprocess.h"
#include "launch/program.h"
#include "checks.h"
#include "here.h"
#include "launch/hydra.h"
#include "launch/libraries.h"

enum { COMM_WORLD = 0x44000000 }; /* of MPICH's binary interface */

static const char mark[] = "isp doctor: ";

/* ---- as a rank ---- */

int sched_doctor_rank(void)
{
    int (*init)(int *, char ***), (*barrier)(int), (*finalize)(void), (*version)(char *, int *),
        (*rank)(int, int *);
    *(void **)&init = dlsym(RTLD_DEFAULT, "MPI_Init");
    *(void **)&barrier = dlsym(RTLD_DEFAULT, "MPI_Barrier");
    *(void **)&finalize = dlsym(RTLD_DEFAULT, "MPI_Finalize");
    *(void **)&version = dlsym(RTLD_DEFAULT, "MPI_Get_library_version");
    *(void **)&rank = dlsym(RTLD_DEFAULT, "MPI_Comm_rank");
    if (!init || !barrier || !finalize || !version || !rank) {
        printf("%sthe launcher does not pass on LD_PRELOAD\n", mark);
        return 1;
    }
    char text[8192] = "";
    int length = 0, number = -1;
    Dl_info info = {0};
    dladdr(dlsym(RTLD_DEFAULT, "MPI_Status_c2f"), &info); /* has no wrapper */
    init(NULL, NULL);
    rank(COMM_WORLD, &number);
    barrier(COMM_WORLD);
    version(text, &length);
    text[strcspn(text, "\n")] = '\0';
    for (char *p = text; *p; p++)
        if (*p == '\t')
            *p = ' ';
    if (number == 0)
        printf("%s%s in %s\n", mark, text, info.dli_fname ? info.dli_fname : "?");
    finalize();
    return 0;
}

/* ---- what a program says ---- */

/* The rest of the first line that begins with `begin`; caller frees; NULL: there is none. */
static char *line_with(const char *text, const char *begin)
{
    const char *at = text;
    while (at && strncmp(at, begin, strlen(begin)) != 0) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    if (!at)
        return NULL;
    at += strlen(begin);
    at += strspn(at, " \t");
    return sched_must(strndup(at, strcspn(at, "\n")));
}

/* The first line, and the last one if it is another. Caller frees. */
static char *first_and_last(const char *text)
{
    size_t end = strlen(text);
    while (end && text[end - 1] == '\n')
        end--;
    size_t start = end, first = strcspn(text, "\n");
    while (start && text[start - 1] != '\n')
        start--;
    if (end == 0)
        return sched_strdup("they say nothing");
    return start == 0 ? sched_must(strndup(text, end))
                      : sched_format("%.*s; %.*s", (int)first, text, (int)(end - start), text + start);
}

/* ---- the launcher ---- */

static const char *launcher_words(void)
{
    const char *wish = getenv("ISP_MPIEXEC");
    return wish && *wish ? wish : sched_hydra_name();
}

/* MPICH's under another name, as Debian has it where there are several. */
static const char *other_name(void)
{
    static const char *const others[] = {"mpiexec.hydra", "mpiexec.mpich"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char *path = sched_program_find(others[i]);
        free(path);
        if (path)
            return others[i];
    }
    return NULL;
}

static char *advise_launcher(void)
{
    const char *other = other_name();
    if (other)
        return sched_format("set ISP_MPIEXEC=%s, or give --mpiexec %s", other, other);
    char *install = sched_here_install((struct sched_package){"mpich", "mpich", "mpich", "mpich"});
    char *advice =
        sched_format("install MPICH%s, or name its launcher with ISP_MPIEXEC or --mpiexec", install);
    free(install);
    return advice;
}

static void say_launcher(struct sched_doctor *doctor, const char *name, const char *path)
{
    char *words[] = {(char *)path, (char *)"--version", NULL}, *advice = advise_launcher();
    int status;
    char *said = sched_subprocess_run(words, NULL, 20, &status), *version = line_with(said, "    Version:");
    if (strstr(said, "HYDRA") && version)
        sched_doctor_say(doctor, SCHED_HEALTH_OK, "launcher",
                         sched_format("%s, MPICH's Hydra %s", path, version), NULL);
    else if (strstr(said, "Open MPI") || strstr(said, "OpenRTE") || strstr(said, "PRTE"))
        sched_doctor_say(doctor, SCHED_HEALTH_PROBLEM, "launcher",
                         sched_format("%s is Open MPI's; isp works with MPICH", path), advice);
    else if (strcmp(name, "mpiexec") == 0)
        sched_doctor_say(doctor, SCHED_HEALTH_WARNING, "launcher",
                         sched_format("%s is not MPICH's Hydra", path),
                         "the run below tells whether it works");
    else
        sched_doctor_say(doctor, SCHED_HEALTH_OK, "launcher", sched_format("%s, as ISP_MPIEXEC says", path),
                         NULL);
    free(version);
    free(said);
    free(advice);
}

static bool check_launcher(struct sched_doctor *doctor)
{
    const char *words = launcher_words() + strspn(launcher_words(), " \t");
    char *name = sched_must(strndup(words, strcspn(words, " \t"))), *path = sched_program_find(name);
    bool there = path;
    if (there) {
        say_launcher(doctor, name, path);
    } else {
        char *advice = advise_launcher();
        sched_doctor_say(doctor, SCHED_HEALTH_PROBLEM, "launcher", sched_format("%s is not in PATH", name),
                         advice);
        free(advice);
    }
    free(path);
    free(name);
    return there;
}

/* ---- the run ---- */

static void say_mpi(struct sched_doctor *doctor, const char *about)
{
    int major = 0;
    bool mpich = sscanf(about, "MPICH Version: %d", &major) == 1;
    if (mpich && major >= 4)
        sched_doctor_say(doctor, SCHED_HEALTH_OK, "MPI library", sched_strdup(about), NULL);
    else
        sched_doctor_say(doctor, SCHED_HEALTH_WARNING, "MPI library", sched_strdup(about),
                         "isp is made for MPICH 4.0 and later: what it reports may be wrong with others");
}

static void check_run(struct sched_doctor *doctor)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    char *words[] = {self,         (char *)"-q", (char *)"-n",     (char *)"2",      (char *)"--timeout=20",
                     (char *)"--", self,         (char *)"doctor", (char *)"--rank", NULL};
    int status;
    char *said = sched_subprocess_run(words, NULL, 60, &status), *about = line_with(said, mark);
    bool works = status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (works && about) {
        say_mpi(doctor, about);
        sched_doctor_say(doctor, SCHED_HEALTH_OK, "a run",
                         sched_strdup("two ranks met in a barrier, under isp"), NULL);
    } else {
        char *why = about ? sched_strdup(about) : first_and_last(said);
        sched_doctor_say(doctor, SCHED_HEALTH_PROBLEM, "a run",
                         sched_format("two ranks under isp do not work: %s", why),
                         "try `mpiexec -n 2 hostname`; with another launcher than MPICH's set ISP_MPIEXEC to "
                         "its command line");
        free(why);
    }
    free(about);
    free(said);
}

/* gdb's machine interface as isp drives it is that of gdb 13 (scheduler/gdb/). The version is the last word
 * of its first line. */
static void check_debugger(struct sched_doctor *doctor)
{
    enum { OLDEST = 13 };
    char *words[] = {(char *)"gdb", (char *)"--version", NULL};
    int status;
    char *said = sched_subprocess_run(words, NULL, 20, &status);
    said[strcspn(said, "\n")] = '\0';
    const char *version = strrchr(said, ' ');
    bool works = status == 0 && version && atoi(version) >= OLDEST;
    char *install = sched_here_install((struct sched_package){"gdb", "gdb", "gdb", "gdb"});
    char *advice = sched_format("isp debug and isp dap look into ranks with gdb 13 or later%s", install);
    sched_doctor_say(doctor, works ? SCHED_HEALTH_OK : SCHED_HEALTH_WARNING, "debugger",
                     status == 0 ? sched_strdup(said) : sched_strdup("there is no gdb"), advice);
    free(advice);
    free(install);
    free(said);
}

static bool is_open_mpis(const char *compiler)
{
    char *words[] = {(char *)compiler, (char *)"--showme:version", NULL};
    int status;
    char *said = sched_subprocess_run(words, NULL, 20, &status);
    bool is = strstr(said, "Open MPI");
    free(said);
    return is;
}

static void say_open_mpi(struct sched_doctor *doctor, const char *compiler)
{
    char *front = sched_launch_front(&sched_open_mpi);
    if (front)
        sched_doctor_say(
            doctor, SCHED_HEALTH_OK, "compiler",
            sched_format("%s is Open MPI's: isp runs its programs on MPICH, with %s", compiler, front), NULL);
    else
        sched_doctor_say(doctor, SCHED_HEALTH_WARNING, "compiler", sched_format("%s is Open MPI's", compiler),
                         "this isp was built without its headers: build it again with them, or programs "
                         "with MPICH's mpicc");
    free(front);
}

static void check_compiler(struct sched_doctor *doctor)
{
    char *path = sched_program_find("mpicc"), *words[] = {path, (char *)"-v", NULL};
    int status = -1;
    char *said = path ? sched_subprocess_run(words, NULL, 20, &status) : NULL;
    char *other = sched_program_find("mpicc.mpich");
    char *install =
        sched_here_install((struct sched_package){"libmpich-dev", "mpich-devel", "mpich", "mpich-devel"});
    char *missing = other ? sched_format("compile with %s", other)
                          : sched_format("to compile programs install MPICH's%s", install);
    char *wrong = other ? sched_format("compile with %s, or with Open MPI's", other)
                        : sched_format("compile with MPICH's mpicc%s, with another that is compatible with "
                                       "it, or with Open MPI's",
                                       install);
    if (!path)
        sched_doctor_say(doctor, SCHED_HEALTH_WARNING, "compiler", sched_strdup("mpicc is not in PATH"),
                         missing);
    else if (strstr(said, "for MPICH version"))
        sched_doctor_say(doctor, SCHED_HEALTH_OK, "compiler", sched_format("%s is MPICH's", path), NULL);
    else if (is_open_mpis(path))
        say_open_mpi(doctor, path);
    else
        sched_doctor_say(doctor, SCHED_HEALTH_WARNING, "compiler", sched_format("%s is not MPICH's", path),
                         wrong);
    free(wrong);
    free(missing);
    free(install);
    free(other);
    free(said);
    free(path);
}

void sched_doctor_mpi(struct sched_doctor *doctor)
{
    char *library = sched_launch_library();
    if (library)
        sched_doctor_say(doctor, SCHED_HEALTH_OK, "isp",
                         sched_format("version " ISP_VERSION ", with %s", library), NULL);
    else
        sched_doctor_say(doctor, SCHED_HEALTH_PROBLEM, "isp", sched_strdup("libisp.so is not found"),
                         "install isp as a whole (meson install), or run it in its build folder");
    bool launcher = check_launcher(doctor);
    if (library && launcher)
        check_run(doctor);
    check_compiler(doctor);
    check_debugger(doctor);
    free(library);
}
