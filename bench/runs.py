# SPDX-License-Identifier: BSD-3-Clause
"""What one run costs: against mpiexec, by ranks, threads, libraries and MPIs."""
import math
import os
import statistics
import subprocess
import tempfile

import debugging
from measuring import ISP, ROOT, library_program, paired, plain, program, row, run, title, under_isp


def bench_run(options):
    title(
        "One run of a deterministic program (halo exchange), isp against plain mpiexec",
        "ranks",
        "steps",
        "mpiexec, s",
        "isp, s",
        "isp / mpiexec",
        "target",
    )
    for ranks in (2, 4, 8):
        for steps in (100, 1000):
            command = program("halo", steps)
            a, b, ratio = paired(plain(ranks, command), under_isp(ranks, command), options.runs)
            row(
                ranks,
                steps,
                f"{a:.3f}",
                f"{b:.3f}",
                f"{ratio:.2f}",
                "at most 1.5" if ranks == 2 else "below 1",
            )


def bench_ring(options):
    title(
        "A ring of Isend, Irecv, Waitall: calls per second and memory of the scheduler",
        "ranks",
        "steps",
        "calls",
        "seconds",
        "calls/s",
        "target",
        "scheduler, µs per call",
        "scheduler, MiB",
        "target ",
    )
    for ranks in (2, 4, 8):
        sizes = [1000, 10000, 100000] + ([416667] if ranks == 8 and options.full else [])
        for steps in sizes:
            results = [run(under_isp(ranks, program("ring", steps))) for _ in range(options.runs)]
            seconds = statistics.median(r.seconds for r in results)
            calls = 3 * ranks * steps
            row(
                ranks,
                steps,
                calls,
                f"{seconds:.2f}",
                f"{calls / seconds:,.0f}",
                "200,000 or more" if ranks == 8 else "",
                f"{statistics.median(r.cpu_s for r in results) / calls * 1e6:.2f}",
                f"{max(r.peak_kib for r in results) / 1024:.1f}",
                "the same for all steps",
            )


def bench_threads(options):
    title(
        "poe's search for a choice point: one thread against two (median of 41 searches, run in turn)",
        "ranks",
        "wildcards",
        "pairs",
        "1 thread, µs",
        "2 threads, µs",
        "2 / 1",
    )
    # Waiting threads sleep: those that spin would win at any size here, and take the cores from the ranks.
    environment = dict(os.environ, OMP_WAIT_POLICY="passive")
    output = subprocess.run(
        program("threads"), check=True, capture_output=True, text=True, env=environment
    ).stdout
    for line in output.splitlines():
        ranks, wildcards, pairs, one, two = line.split()
        row(ranks, wildcards, pairs, one, two, f"{float(two) / float(one):.2f}")
    print("\nPARALLEL_FROM in poe/choice.c is the number of pairs from which two threads win.")


def bench_libraries(options):
    title(
        "Programs that use real libraries: one run under isp, all checks on, against plain mpiexec",
        "program",
        "ranks",
        "mpiexec, s",
        "isp, s",
        "isp / mpiexec",
        "target",
    )
    for name in ("ptscotch", "hdf5"):
        command = library_program(name)
        if not command:
            continue
        # One run of the many that there may be: what is asked is what a run costs. It ends with 3, since it
        # is not all of them.
        one = [ISP, "replay", "-q", "--choices", "0", "-n", "4", "--", *command]
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            here = os.getcwd()
            os.chdir(folder)  # they write files
            a, b, ratio = paired(plain(4, command), one, options.runs, (0, 3))
            os.chdir(here)
        row(name, 4, f"{a:.2f}", f"{b:.2f}", f"{ratio:.2f}", "at most 1")


def bench_launch(options):
    title(
        "Starting and ending an empty program",
        "ranks",
        "isp, s",
        "isp with all of hwloc, s",
        "isp / that",
        "mpiexec, s",
        "isp / mpiexec",
    )
    command = program("ring", 0)
    for ranks in (2, 4, 8, 32):
        isp = under_isp(ranks, command)
        whole, own, ratio = paired(["env", "HWLOC_COMPONENTS=linux", *isp], isp, options.runs)
        launcher, _, beside = paired(plain(ranks, command), isp, options.runs)
        row(ranks, f"{own:.3f}", f"{whole:.3f}", f"{ratio:.2f}", f"{launcher:.3f}", f"{beside:.2f}")


def open_mpi(name, folder):
    """The program as Open MPI compiles it."""
    path = os.path.join(folder, name)
    source = os.path.join(ROOT, "bench", name + ".c")
    if not os.path.exists(path):
        subprocess.run(["mpicc.openmpi", "-O2", "-w", "-o", path, source], check=True)
    return path


def bench_openmpi(options):
    title(
        "Programs of Open MPI under isp, against the same as MPICH compiles them, and Open MPI's own mpiexec",
        "program",
        "ranks",
        "isp, MPICH, s",
        "isp, Open MPI, s",
        "Open MPI / MPICH",
        "mpiexec of Open MPI, s",
        "isp / mpiexec",
    )
    launcher = ["mpiexec.openmpi", "--allow-run-as-root", "--oversubscribe"]
    programs = (("ring", 0), ("ring", 2000), ("ring", 300, 1 << 20), ("halo", 1000), ("master_worker", 0))
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        for name, *words in programs:
            for ranks in (2, 4):
                own = program(name, *words)
                other = [open_mpi(name, folder), *own[1:]]
                a, b, ratio = paired(under_isp(ranks, own), under_isp(ranks, other), options.runs)
                c, _, beside = paired(
                    [*launcher, "-n", str(ranks), *other], under_isp(ranks, other), options.runs
                )
                row(
                    " ".join([name, *own[1:]]),
                    ranks,
                    f"{a:.3f}",
                    f"{b:.3f}",
                    f"{ratio:.2f}",
                    f"{c:.3f}",
                    f"{beside:.2f}",
                )
        title(
            "Master and k workers of Open MPI, in every order",
            "k",
            "interleavings",
            "MPICH, interleavings/s",
            "Open MPI, interleavings/s",
        )
        for workers in (5, 6):
            number = math.factorial(workers)
            rates = []
            for words in program("master_worker"), [open_mpi("master_worker", folder)]:
                command = under_isp(workers + 1, words, "--merge=off")
                seconds = statistics.median(run(command).seconds for _ in range(options.runs))
                rates.append(f"{number / seconds:.0f}")
            row(workers, number, *rates)


def bench_scale(options):
    title(
        "Many ranks on these cores: one interleaving",
        "program",
        "ranks",
        "seconds",
        "of that starting and ending",
        "calls",
        "calls/s without that",
        "scheduler, MiB",
        "scheduler, µs per call",
        "2 threads / 1",
    )
    for name, arguments, calls in (("ring", (200,), 3 * 200), ("gossip", (20, 4), 9 * 20)):
        for ranks in (8, 64, 128):

            def one(command, *more, ranks=ranks):
                return [ISP, "replay", "-q", "--choices", "0", *more, "-n", str(ranks), "--", *command]

            # One after the other, so that each difference and ratio is of neighbours.
            rounds = [
                [
                    run(one(program(name, 0)), (0, 3)),
                    run(one(program(name, *arguments), "--threads", "1"), (0, 3)),
                    run(one(program(name, *arguments), "--threads", "2"), (0, 3)),
                ]
                for _ in range(options.runs)
            ]
            start, whole = (statistics.median(r[i].seconds for r in rounds) for i in (0, 1))
            work = statistics.median(r[1].seconds - r[0].seconds for r in rounds)
            row(
                name,
                ranks,
                f"{whole:.2f}",
                f"{start:.2f}",
                calls * ranks,
                f"{calls * ranks / work:,.0f}",
                f"{max(r[1].peak_kib for r in rounds) / 1024:.1f}",
                f"{statistics.median(r[1].cpu_s - r[0].cpu_s for r in rounds) / (calls * ranks) * 1e6:.2f}",
                f"{statistics.median(r[2].seconds / r[1].seconds for r in rounds):.2f}",
            )


def bench_debug(options):
    title(
        f"isp debug: what one waits for, {debugging.RANKS} ranks",
        "what is done",
        "s",
        "s, with 2 s of computing before",
    )
    path = program("debug")[0]
    at_once, behind = (
        debugging.medians(ISP, path, seconds, 10, debugging.short, options.runs) for seconds in (0, 2)
    )
    for name, seconds in at_once.items():
        row(name, f"{seconds:.2f}", f"{behind[name]:.2f}")
    at_once, behind = (
        debugging.medians(ISP, path, seconds, debugging.ROUNDS, debugging.long, options.runs)
        for seconds in (0, 2)
    )
    for name, seconds in at_once.items():
        row(f"{debugging.EVENTS:,} events: {name}", f"{seconds:.2f}", f"{behind[name]:.2f}")
