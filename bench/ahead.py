# SPDX-License-Identifier: BSD-3-Clause
"""Ranks that go ahead (--decentralized), and what isp computes behind them."""
import os
import pathlib
import statistics
import subprocess

import own_tests
from measuring import BUILD, ISP, ONE, library_program, paired, program, row, title, under_isp, verbose_run

# as isp has them for ranks of one host (scheduler/launch/launch.c)
TRANSPORT = {
    "MPIR_CVAR_NOLOCAL": "1",
    "UCX_TLS": "posix,self",
    "UCX_POSIX_FIFO_SIZE": "16",
    "UCX_POSIX_RX_BUFS_GROW": "16",
    "UCX_RCACHE_ENABLE": "n",
    "UCX_MEM_MMAP_HOOK_MODE": "none",
}


def yielding(ranks, command):
    """Without isp, but with its transport, and waiting as its ranks do."""
    words = [f"{name}={value}" for name, value in TRANSPORT.items()]
    preload = os.path.join(BUILD, "bench", "libbench-yielding.so")
    return ["env", *words, "mpiexec", "-genv", "LD_PRELOAD", preload, "-n", str(ranks), *command]


def bench_decentralized(options):
    """One run of ranks that go ahead."""
    title(
        "One run, ranks that go ahead (--decentralized), and ranks that wait, against mpiexec with the same "
        "transport and yielding",
        "program",
        "ranks",
        "mpiexec, s",
        "ahead, s",
        "ratio",
        "waiting, s",
        "ratio ",
    )
    programs = (
        ("halo", 2000),
        ("ring", 5000, 8),
        ("ring", 1000, 1 << 16),
        ("ring", 100, 1 << 20),
        ("ring", 500, 8, "polls"),
        ("alltoall", 200, 8),
        ("alltoall", 20, 1 << 16),
        ("gossip", 100, 3),
    )
    ratios = []
    for ranks in (2, 8, 32, 128) if options.full else (2, 8, 32):
        for name, steps, *more in programs:
            words = (name, steps // (10 if ranks > 32 else 1), *more)
            command = program(*words)
            figures = []
            for option in ("--decentralized", "--no-checkpoints"):
                ways = yielding(ranks, command), under_isp(ranks, command, option, *ONE)
                a, b, ratio = paired(*ways, options.runs, (0, 3))
                figures += [f"{b:.3f}", f"{ratio:.2f}"]
                if option == "--decentralized":
                    plainly = a
                    ratios.append(ratio)
            row(" ".join(map(str, words)), ranks, f"{plainly:.3f}", *figures)
    row("median", "", "", "", f"{statistics.median(ratios):.2f}", "", "")
    bench_steps(options)


def bench_steps(options):
    """What is left of the ratios above when start and end do not count."""
    title(
        "A step of a ring (8 bytes; three calls of each rank) without start and end: the difference of "
        "a short run and a long one",
        "ranks",
        "steps",
        "mpiexec, µs",
        "ahead, µs",
        "ratio",
        "waiting, µs",
        "ratio ",
    )
    for ranks, few, many in ((2, 2000, 52000), (8, 500, 10500), (32, 100, 2100)):
        commands = [program("ring", steps, 8) for steps in (few, many)]
        ways = [[yielding(ranks, command) for command in commands]]
        for option in ("--decentralized", "--no-checkpoints"):
            ways.append([under_isp(ranks, command, option, *ONE) for command in commands])
        rounds = [[paired(*way, 1, (0, 3))[:2] for way in ways] for _ in range(options.runs)]
        plainly, ahead, waiting = (
            statistics.median(1e6 * (long - short) / (many - few) for short, long in way)
            for way in zip(*rounds)
        )
        figures = (plainly, ahead, ahead / plainly, waiting, waiting / plainly)
        row(ranks, many, *(f"{figure:.1f}" for figure in figures))


def bench_programs(options):
    """One run of ranks that go ahead, of programs that do more than communicate."""
    title(
        "One run of PT-Scotch, ranks that go ahead, against mpiexec with the same transport and yielding",
        "ranks",
        "mpiexec, s",
        "ahead, s",
        "ratio",
    )
    command = library_program("ptscotch")
    ahead = ("--decentralized", *ONE)
    for ranks in (2, 4, 8) if command else ():
        ways = yielding(ranks, command), under_isp(ranks, command, *ahead)
        a, b, ratio = paired(*ways, options.runs, (0, 1, 3))
        row(ranks, f"{a:.3f}", f"{b:.3f}", f"{ratio:.2f}")
    bench_own_tests(ahead, options.runs)


def bench_own_tests(ahead, runs):
    """What takes more than 1.5 times as long is measured five times."""
    title(
        "One run of MPICH's own tests, likewise",
        "folder",
        "programs",
        "median mpiexec, s",
        "median ratio",
        "90 % below",
        "largest",
        "of",
    )
    folder = pathlib.Path(BUILD, "mpich-tests")
    found, left_out = own_tests.ratios(ISP, ahead, yielding, folder, runs)
    groups = sorted({r.group for r in found})
    for group in [*groups, "all"] if found else ():
        rows = sorted((r for r in found if group in (r.group, "all")), key=lambda r: r.one)
        cells = (
            f"{statistics.median(r.plain_s for r in rows):.3f}",
            f"{statistics.median(r.one for r in rows):.2f}",
            f"{rows[len(rows) * 9 // 10].one:.2f}",
            f"{rows[-1].one:.2f}",
            rows[-1].name,
        )
        row(group, len(rows), *cells)
    print(f"\nnot passing in both, or more than {own_tests.MOST_S} s: {left_out}")
    whole = sorted((r for r in found if r.whole), key=lambda r: -r.whole)
    if whole:
        title("Of those with findings: with the run that shows their callers", "program", "one run", "in all")
        for r in whole[:5]:
            row(r.name, f"{r.one:.2f}", f"{r.whole:.2f}")


def bench_hundreds(options):
    """What a user with hundreds of ranks sees: without options that make it shorter, but for the number of
    walks."""
    title(
        "Hundreds of ranks that go ahead, from the start of isp to its end",
        "program",
        "ranks",
        "seconds",
        "bytes of records for a call",
        "kB of isp for a rank",
        "verdict",
        "interleavings",
        "where",
    )
    for ranks in (128, 512):
        for words, more in (
            (("ring", 20, 8), ()),
            (("master_worker",), ("--sample", "3")),
            (("two_stuck", 20), ()),
        ):
            runs = [
                verbose_run(ranks, program(*words), "--decentralized", *more) for _ in range(options.runs)
            ]
            seconds = statistics.median(seconds for seconds, _, _ in runs)
            _, sent, found = runs[0]
            sites = [s for f in found["findings"] for s in f["sites"] if s["call"] != "MPI_Finalize"]
            where = sorted({f"rank {s['rank']} {s['call']} :{s['line']}" for s in sites})
            row(
                " ".join(map(str, (*words, *more))),
                ranks,
                f"{seconds:.1f}",
                *sent,
                found["verdict"],
                found["interleavings"],
                ", ".join(where),
            )


def bench_thousands(options):
    """What isp does behind ranks that go ahead, as far as it grows with their number: poe by itself."""
    title(
        "poe by itself with thousands of ranks, and what follows from it",
        "ranks",
        "a call of a ring, µs",
        "a choice among all ranks, µs",
        "pending, bytes per rank",
        "a call with barriers, µs",
        "an interleaving of 1000 calls of each rank, s",
        "one of a master that takes one message of each, s",
    )
    for ranks in (32, 128, 512, 2048, 8192, 16384):
        lines = [
            subprocess.run(program("poe", ranks), check=True, capture_output=True, text=True).stdout.split()
            for _ in range(options.runs)
        ]
        call, choice = (statistics.median(float(line[i]) for line in lines) for i in (0, 1))
        whole, master = call * 1e-6 * 1000 * ranks, choice * 1e-6 * ranks / 2
        barrier = statistics.median(float(line[3]) for line in lines)
        cells = f"{call:.2f}", f"{choice:.1f}", lines[0][2], f"{barrier:.2f}", f"{whole:.2f}", f"{master:.2f}"
        row(ranks, *cells)
