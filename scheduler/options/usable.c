/* SPDX-License-Identifier: BSD-3-Clause */
#include "usable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "explore/save.h"
#include "launch/hydra.h"
#include "launch/libraries.h"
#include "launch/mpi.h"
#include "launch/program.h"
#include "misplaced.h"
#include "nearest.h"
#include "report/outputs.h"
#include "settings.h"

static void check_launcher(const char *mpiexec)
{
    const char *own = strcmp(mpiexec, "mpiexec") == 0 ? sched_hydra_name() : mpiexec;
    if (own != mpiexec && sched_hydra_is_open_mpis(own))
        sched_refuse("mpiexec is Open MPI's, but isp runs programs with MPICH's: install MPICH, or name its "
                     "launcher with --mpiexec");
    const char *word = mpiexec + strspn(mpiexec, " \t");
    char *name = sched_must(strndup(word, strcspn(word, " \t")));
    char *path = strpbrk(name, "'\"\\$=") ? name : sched_program_find(name); /* quoted: launching will tell */
    if (!path)
        sched_refuse("launcher %s not found: install MPICH's mpiexec, or name another with --mpiexec", name);
    if (path != name)
        free(path);
    free(name);
}

static void check_sbatch(void)
{
    char *path = sched_program_find("sbatch");
    if (!path)
        sched_refuse("--slurm: sbatch not found: is this a host of a Slurm cluster?");
    free(path);
}

/* A file that will be written. */
static void check_file(const char *option, const char *file)
{
    if (!file || strcmp(file, "-") == 0)
        return;
    const char *slash = strrchr(file, '/');
    char *folder = sched_must(!slash          ? strdup(".")
                              : slash == file ? strdup("/")
                                              : strndup(file, (size_t)(slash - file)));
    if (access(folder, W_OK | X_OK) != 0)
        sched_refuse("%s %s: cannot write in %s: %s", option, file, folder, strerror(errno));
    free(folder);
}

/* What stands where a command does (isp doctor), and is neither one nor a program, not even one in this
 * directory. */
static void check_command(const struct sched_options *options)
{
    const char *word = options->command ? options->command[0] : NULL;
    if (!word || options->replay || options->words[1] != word || strchr(word, '/') || access(word, F_OK) == 0)
        return;
    char *path = sched_program_find(word);
    const char *near = path ? NULL : sched_nearest_command(word);
    free(path);
    if (near)
        sched_refuse("%s: no such program; did you mean isp %s?", word, near);
}

static void check_together(const struct sched_options *options)
{
    if (options->decentralized && options->memory == ISP_MEMORY_WATCH)
        sched_refuse(
            "--decentralized: MPI works while the program does, so --memory=watch cannot tell them apart");
    if (options->sample && options->save)
        sched_refuse("--sample: random walks cannot be saved");
    if (options->slurm && (options->sample || options->max_interleavings || options->stop_at_first))
        sched_refuse("--slurm: of the bounds only --max-time, --mix and --loop");
    if (options->slurm && options->debug)
        sched_refuse("--slurm: not with --debug; isp debug stands at a finding of its --json");
    if (options->slurm && options->trace)
        sched_refuse("--slurm: its tasks write no trace; give --trace to isp replay of an interleaving");
    if (!options->command || !*options->command[0])
        sched_refuse("which program? usage: isp -n N [options] [--] program [args]; see isp --help");
    const char *behind = options->ranks ? NULL : sched_misplaced_ranks(options->command + 1);
    if (behind)
        sched_refuse("how many ranks? isp's options come before the program: isp -n %s %s", behind,
                     options->command[0]);
    if (!options->ranks)
        sched_refuse("how many ranks? give -n N, e.g. isp -n 4 %s", options->command[0]);
    if (options->replay && !options->choices)
        sched_refuse("which interleaving? give --choices as a finding names it, e.g. isp replay -n %d "
                     "--choices 0.1 -- %s",
                     options->ranks, options->command[0]);
}

static void check_front(const struct sched_options *options)
{
    char *front = sched_launch_front(options->other_mpi);
    if (options->other_mpi == &sched_open_mpi && !front)
        sched_refuse("%s is built with Open MPI, and this isp was built without its headers (package "
                     "libopenmpi-dev): build isp again with them, or the program with MPICH's mpicc",
                     options->command[0]);
    if (options->other_mpi && !front)
        sched_refuse("%s is built with %s: isp needs its %s for that; install isp as a whole",
                     options->command[0], options->other_mpi->with, options->other_mpi->front);
    free(front);
}

static void find_program(struct sched_options *options)
{
    const char *name = options->command[0];
    options->program = sched_program_find(name);
    if (!options->program)
        sched_refuse("program %s not found%s", name,
                     strchr(name, '/') ? ": give the path of a program"
                                       : " in PATH: for one in this directory write ./name");
    char *why = sched_program_refuse(name, options->program);
    if (why)
        sched_refuse("%s", why);
    options->other_mpi = strcmp(options->mpi, "auto") == 0 ? sched_mpi_of(options->program, options->command)
                                                           : sched_mpi_named(options->mpi);
    check_front(options);
    if (options->saved && !sched_saved_is_program(options->saved, options->program))
        sched_refuse("--resume %s: the program %s has changed since", options->resume, options->program);
}

void sched_options_check(struct sched_options *options)
{
    check_command(options);
    check_together(options);
    find_program(options);
    check_launcher(options->mpiexec);
    if (options->slurm)
        check_sbatch();
    for (int i = 0; i < SCHED_FORMATS; i++)
        check_file(sched_formats[i].option, options->reports[i]);
    check_file("--trace", options->trace);
    check_file("--save", options->save);
}
