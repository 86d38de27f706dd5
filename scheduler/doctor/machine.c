/* SPDX-License-Identifier: BSD-3-Clause */
/* What the ranks will ask the kernel for is asked for here: the profiler's own code is not called, since isp
 * has none of it. */
#include <errno.h>
#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/subprocess.h"
#include "base/kernel.h"
#include "checks.h"
#include "base/tmpdir.h"
#include "here.h"
#include "launch/program.h"

/* The first line of a file of /proc; "?" if it is not there. Caller frees. */
static char *setting(const char *path)
{
    char line[256] = "?";
    FILE *file = fopen(path, "re");
    if (file && fgets(line, sizeof line, file))
        line[strcspn(line, "\n")] = '\0';
    if (file)
        fclose(file);
    return sched_strdup(line);
}

/* ---- checkpoints ---- */

/* profiler/rewind/copies.c: a child reads what its parent had. */
static bool reads_parent(void)
{
    static volatile int there;
    pid_t parent = getpid();
    prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY);
    there = 42;
    pid_t child = fork();
    if (child == 0) {
        int found = 0;
        there = 0;
        struct iovec to = {&found, sizeof found}, from = {(void *)&there, sizeof there};
        _exit(process_vm_readv(parent, &to, 1, &from, 1, 0) == sizeof found && found == 42 ? 0 : 1);
    }
    int status;
    bool well =
        child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    prctl(PR_SET_PTRACER, 0);
    return well;
}

static void check_checkpoints(struct sched_doctor *doctor)
{
    struct utsname machine;
    const char *release = uname(&machine) == 0 ? machine.release : "?";
    if (!reads_parent()) {
        char *scope = setting("/proc/sys/kernel/yama/ptrace_scope");
        const char *advice =
            sched_here_is_container()
                ? "ranks are forked at each choice: slower. Start the container with --cap-add=SYS_PTRACE"
            : atoi(scope) > 1
                ? "ranks are forked at each choice: slower. sysctl kernel.yama.ptrace_scope=1 allows it"
                : "ranks are forked at each choice: slower. A security module of the kernel forbids it";
        sched_doctor_say(doctor, SCHED_HEALTH_WARNING, "checkpoints",
                         sched_format("a process may not read its parent's memory (ptrace_scope %s)", scope),
                         advice);
        free(scope);
    } else if (!sched_kernel_tells_changes()) {
        sched_doctor_say(
            doctor, SCHED_HEALTH_WARNING, "checkpoints",
            sched_format("the kernel (%s) does not tell which pages were written", release),
            !sched_here_is_linux(6, 7)
                ? "ranks are forked at each choice: slower. It takes Linux 6.7 or later"
            : sched_here_is_container()
                ? "ranks are forked at each choice: slower. The container's seccomp profile must "
                  "allow userfaultfd"
                : "ranks are forked at each choice: slower. It takes userfaultfd: sysctl "
                  "vm.unprivileged_userfaultfd=1");
    } else {
        sched_doctor_say(doctor, SCHED_HEALTH_OK, "checkpoints", sched_format("in place (Linux %s)", release),
                         NULL);
    }
}

/* ---- debug registers ---- */

/* profiler/watch/watch_registers.c */
static bool has_debug_registers(void)
{
#if defined __x86_64__
    static uint64_t watched;
    struct perf_event_attr a = {.type = PERF_TYPE_BREAKPOINT,
                                .size = sizeof a,
                                .sample_period = 1,
                                .bp_type = HW_BREAKPOINT_W,
                                .bp_addr = (uintptr_t)&watched,
                                .bp_len = HW_BREAKPOINT_LEN_8,
                                .disabled = 1,
                                .exclude_kernel = 1,
                                .exclude_hv = 1,
                                .remove_on_exec = 1,
                                .sigtrap = 1};
    int fd = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
#else
    return false;
#endif
}

/* What stands between, as far as can be told. */
static const char *advise_debug_registers(int paranoid)
{
#if defined __x86_64__
    if (!sched_here_is_linux(5, 13))
        return ": it takes Linux 5.13 or later";
    if (paranoid > 2)
        return ": sysctl kernel.perf_event_paranoid=2 allows it";
    return sched_here_is_container() ? ": the container's seccomp profile must allow perf_event_open"
                                     : ": this processor, or virtual machine, lends none";
#else
    return ": isp uses those of x86-64 only";
#endif
}

static void check_debug_registers(struct sched_doctor *doctor)
{
    if (has_debug_registers()) {
        sched_doctor_say(doctor, SCHED_HEALTH_OK, "debug registers",
                         sched_strdup("accesses to buffers in use are found with their lines"), NULL);
        return;
    }
    char *why = sched_strdup(strerror(errno)), *paranoid = setting("/proc/sys/kernel/perf_event_paranoid");
    static const char less[] = "accesses to buffers in use are found without their lines, reads not at all";
    char *advice = sched_format("%s%s", less, advise_debug_registers(atoi(paranoid)));
    sched_doctor_say(doctor, SCHED_HEALTH_WARNING, "debug registers",
                     sched_format("they cannot be used (%s; perf_event_paranoid %s)", why, paranoid), advice);
    free(advice);
    free(paranoid);
    free(why);
}

/* ---- room ---- */

static bool holds(const char *folder)
{
    char *path = sched_format("%s/isp-doctor-XXXXXX", folder), page[4096];
    int fd = mkostemp(path, O_CLOEXEC);
    memset(page, 1, sizeof page);
    bool well = fd >= 0 && write(fd, page, sizeof page) == sizeof page;
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    free(path);
    return well;
}

static void check_shared_memory(struct sched_doctor *doctor)
{
    const char *advice = sched_here_is_container()
                             ? "MPICH's messages go through it. Start the container with --shm-size=1g"
                             : "MPICH's messages go through it. mount -o remount,size=1g /dev/shm";
    struct statvfs fs;
    bool known = statvfs("/dev/shm", &fs) == 0;
    unsigned long long free_mb = known ? (unsigned long long)fs.f_bavail * fs.f_frsize >> 20 : 0;
    if (!known || !holds("/dev/shm"))
        sched_doctor_say(doctor, SCHED_HEALTH_PROBLEM, "shared memory",
                         sched_format("nothing can be written to /dev/shm: %s", strerror(errno)), advice);
    else
        sched_doctor_say(doctor, free_mb < 32 ? SCHED_HEALTH_WARNING : SCHED_HEALTH_OK, "shared memory",
                         sched_format("%llu MB are free in /dev/shm", free_mb), advice);
}

/* isp's private folder, and a socket in it, are made there. 0 or an errno. */
static int bind_in(const char *tmp)
{
    char *folder = sched_format("%s/isp-XXXXXX", tmp);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), error = fd < 0 || !mkdtemp(folder) ? errno : 0;
    if (!error) {
        snprintf(address.sun_path, sizeof address.sun_path, "%s/socket", folder);
        error = bind(fd, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
        unlink(address.sun_path);
        rmdir(folder);
    }
    if (fd >= 0)
        close(fd);
    free(folder);
    return error;
}

static void check_temporary(struct sched_doctor *doctor)
{
    static const char advice[] =
        "set TMPDIR to a folder on a local disk, with a short path, that you may write to";
    const char *wish = getenv("TMPDIR"), *tmp = sched_tmpdir();
    int error = bind_in(tmp);
    if (error)
        sched_doctor_say(doctor, SCHED_HEALTH_PROBLEM, "temporary files",
                         sched_format("no socket can be made in %s: %s", tmp, strerror(error)), advice);
    else if (sched_tmpdir_refused())
        sched_doctor_say(
            doctor, SCHED_HEALTH_WARNING, "temporary files",
            sched_format("TMPDIR=%s cannot be used: %s; isp takes %s", wish, sched_tmpdir_refused(), tmp),
            advice);
    else
        sched_doctor_say(doctor, SCHED_HEALTH_OK, "temporary files", sched_strdup(tmp), NULL);
}

/* ---- limits ---- */

static void check_files(struct sched_doctor *doctor)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    char *most = limit.rlim_cur == RLIM_INFINITY ? sched_strdup("as many as one likes")
                                                 : sched_format("%llu", (unsigned long long)limit.rlim_cur);
    sched_doctor_say(doctor, limit.rlim_cur < 1024 ? SCHED_HEALTH_WARNING : SCHED_HEALTH_OK, "open files",
                     sched_format("a process may have %s", most),
                     "with many ranks that is not enough: ulimit -n 4096");
    free(most);
}

static void check_processors(struct sched_doctor *doctor)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    sched_doctor_say(doctor, SCHED_HEALTH_OK, "processors",
                     sched_format("%d: -j auto explores with %d process%s", n, n, n == 1 ? "" : "es"), NULL);
}

/* Each interleaving in which the program dies may leave one. */
static void check_cores(struct sched_doctor *doctor)
{
    struct rlimit limit;
    char *pattern = setting("/proc/sys/kernel/core_pattern");
    bool off = getrlimit(RLIMIT_CORE, &limit) == 0 && limit.rlim_cur == 0 && *pattern != '|';
    if (off)
        sched_doctor_say(doctor, SCHED_HEALTH_OK, "core files",
                         sched_strdup("a crash leaves none; its stack is in the finding"), NULL);
    else
        sched_doctor_say(doctor, SCHED_HEALTH_WARNING, "core files",
                         sched_format("a crash leaves one, at \"%s\"; a search may crash often", pattern),
                         "the finding has the stack anyway: ulimit -c 0");
    free(pattern);
}

void sched_doctor_machine(struct sched_doctor *doctor)
{
    check_temporary(doctor);
    check_shared_memory(doctor);
    check_files(doctor);
    check_processors(doctor);
    check_checkpoints(doctor);
    check_debug_registers(doctor);
    check_cores(doctor);
}

/* ---- manual and completion ---- */

static bool is_there(const char *program)
{
    char *path = sched_program_find(program);
    bool found = path != NULL;
    free(path);
    return found;
}

static char *advise_manual(bool man)
{
    char *file = sched_here_file("docs/isp.1", "../share/man/man1/isp.1"), *advice;
    if (!file)
        file = sched_here_file("docs/isp.1.gz", "../share/man/man1/isp.1.gz");
    char *end = file ? strstr(file, "/man1/isp.1") : NULL;
    if (!file)
        advice = sched_strdup("this isp was built without it: install scdoc, and build isp again");
    else if (!man)
        advice = sched_format("it is %s", file);
    else if (end)
        advice = sched_format("add %.*s to MANPATH", (int)(end - file), file);
    else
        advice = sched_format("man -l %s", file);
    free(file);
    return advice;
}

static void check_manual(struct sched_doctor *doctor)
{
    char *words[] = {(char *)"man", (char *)"-w", (char *)"isp", NULL};
    bool man = is_there("man");
    int status = -1;
    char *path = man ? sched_subprocess_run(words, NULL, 20, &status) : sched_strdup(""),
         *advice = advise_manual(man);
    path[strcspn(path, "\n")] = '\0';
    if (status == 0)
        sched_doctor_say(doctor, SCHED_HEALTH_OK, "manual", sched_strdup(path), NULL);
    else
        sched_doctor_say(doctor, SCHED_HEALTH_WARNING, "manual",
                         sched_strdup(man ? "man does not find isp's" : "there is no man here"), advice);
    free(advice);
    free(path);
}

/* Of bash, if that is the user's shell. What an interactive one would do at `isp <Tab>`. */
static void check_completion(struct sched_doctor *doctor)
{
    char *words[] = {(char *)"bash", (char *)"-ic",
                     (char *)"_completion_loader isp 2>/dev/null; complete -p isp", NULL};
    const char *shell = getenv("SHELL");
    if ((shell && *shell && strcmp(strrchr(shell, '/') ? strrchr(shell, '/') + 1 : shell, "bash") != 0) ||
        !is_there("bash"))
        return;
    int status;
    char *said = sched_subprocess_run(words, NULL, 20, &status);
    char *file = sched_here_file("packaging/bash-completion/isp", "../share/bash-completion/completions/isp");
    char *install = sched_here_install(
        (struct sched_package){"bash-completion", "bash-completion", "bash-completion", "bash-completion"});
    char *advice = file ? sched_format("source %s (in ~/.bashrc, for good)", file)
                        : sched_format("install bash-completion%s", install);
    sched_doctor_say(
        doctor, status == 0 ? SCHED_HEALTH_OK : SCHED_HEALTH_WARNING, "completion",
        sched_format("bash %s the options of isp", status == 0 ? "completes" : "does not complete"),
        status == 0 ? NULL : advice);
    free(advice);
    free(install);
    free(file);
    free(said);
}

void sched_doctor_installation(struct sched_doctor *doctor)
{
    check_manual(doctor);
    check_completion(doctor);
}
