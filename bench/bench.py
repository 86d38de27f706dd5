#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Benchmarks of isp, as Markdown tables on stdout: `./dev bench [--full] [NAME...]`.

What is compared is run in turn (A B A B ...), so that both see the same machine; figures are
medians, ratios are medians of the ratios of neighbours. The targets stand beside the figures.
Programs are in bench/*.c. docs/performance.md holds results and says what they mean.
"""
import argparse
import collections
import importlib.util
import json
import math
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import debugging
import own_tests

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("ISP_BUILD", os.path.join(ROOT, "build"))
ISP = os.path.join(BUILD, "isp")
LIMIT_S = 900


def program(name, *args):
    return [os.path.join(BUILD, "bench", "bench-" + name), *map(str, args)]


def under_isp(ranks, command, *options):
    return [ISP, "-q", *options, "-n", str(ranks), "--", *command]


def plain(ranks, command):
    return ["mpiexec", "-n", str(ranks), *command]


# the latter two of the process itself, without its children
Run = collections.namedtuple("Run", "seconds peak_kib cpu_s")


def own_use(pid, before):
    """Peak resident memory in KiB and processor seconds of this one process so far; `before` if it is
    gone."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
        ticks = (
            pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[11:13]
        )
    except OSError:
        return before
    peak = re.search(r"VmHWM:\s+(\d+)", status)
    return (int(peak.group(1)), sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")) if peak else before


def run(command, codes=(0,)):
    started, use = time.monotonic(), (0, 0)
    with tempfile.TemporaryFile("w+") as output:
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output) as process:
            while True:
                try:
                    process.wait(timeout=0.005)
                    break
                except subprocess.TimeoutExpired:
                    use = own_use(process.pid, use)
                if time.monotonic() - started > LIMIT_S:
                    process.terminate()
                    sys.exit(f"{' '.join(command)}: not done after {LIMIT_S} s")
        seconds = time.monotonic() - started
        if process.returncode not in codes:
            output.seek(0)
            sys.exit(f"{output.read()}{' '.join(command)}: exit code {process.returncode}")
    return Run(seconds, *use)


def paired(a, b, runs, codes=(0,)):
    """Medians of a's and b's seconds, and of the ratio b/a of neighbouring runs. b may end with one of these
    codes."""
    pairs = [(run(a).seconds, run(b, codes).seconds) for _ in range(runs)]
    return (
        statistics.median(x for x, _ in pairs),
        statistics.median(y for _, y in pairs),
        statistics.median(y / x for x, y in pairs),
    )


def title(text, *columns):
    print(f"\n{text}\n", flush=True)
    row(*columns)
    row(*["---"] * len(columns))


def row(*cells):
    print("| " + " | ".join(str(c) for c in cells) + " |", flush=True)


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


# one interleaving, as it is compared with a run without isp
ONE = ("--max-interleavings", "1", "--predict", "off", "--buffering", "zero")


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
        cells = (
            f"{plainly:.1f}",
            f"{ahead:.1f}",
            f"{ahead / plainly:.1f}",
            f"{waiting:.1f}",
            f"{waiting / plainly:.1f}",
        )
        row(ranks, many, *cells)


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
    title(
        "MPICH's own tests, likewise",
        "folder",
        "programs",
        "median mpiexec, s",
        "median ratio",
        "90 % below",
        "largest",
        "of",
    )
    folder = pathlib.Path(BUILD, "mpich-tests")
    found, left_out = own_tests.ratios(ISP, ahead, yielding, folder, options.runs)
    for group in [*found, "all"] if found else ():
        ratios = sorted(found[group] if group != "all" else (r for rs in found.values() for r in rs))
        cells = (
            f"{statistics.median(s for _, s, _ in ratios):.3f}",
            f"{statistics.median(r for r, _, _ in ratios):.2f}",
            f"{ratios[len(ratios) * 9 // 10][0]:.2f}",
            f"{ratios[-1][0]:.2f}",
            ratios[-1][2],
        )
        row(group, len(ratios), *cells)
    print(f"\nnot passing in both, or more than {own_tests.MOST_S} s: {left_out}")


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


def explored(ranks, *options, before=()):
    """Seconds that isp itself counts for a master and its workers."""
    expected = math.factorial(ranks - 1)
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        result = os.path.join(folder, "result.json")
        run([*before, *under_isp(ranks, program("master_worker"), "--merge=off", "--json", result, *options)])
        with open(result, encoding="utf-8") as file:
            found = json.load(file)
    if found["interleavings"] != expected:
        sys.exit(
            f"master_worker, {ranks} ranks: {found['interleavings']} interleavings instead of {expected}"
        )
    return found["seconds"]


def bench_interleavings(options):
    title(
        "Master and k workers, one message each, in every order",
        "k",
        "interleavings",
        "seconds",
        "interleavings/s",
        "without the launch (the time of one interleaving)",
        "forks alone: interleavings/s",
        "--no-checkpoints: interleavings/s",
        "target",
    )
    targets = {5: "1000/s", 7: "5 s"}
    for workers in range(3, 8):
        ranks, number = workers + 1, math.factorial(workers)
        one = under_isp(
            ranks, program("master_worker"), "--merge=off", "--predict=off", "--max-interleavings", "1"
        )
        pairs = [(explored(ranks), run(one, (3,)).seconds) for _ in range(options.runs)]
        seconds, launch = (statistics.median(column) for column in zip(*pairs))
        forked = statistics.median(
            explored(ranks, before=("env", "ISP_FORK_ONLY=1")) for _ in range(options.runs)
        )
        launched = (
            statistics.median(explored(ranks, "--no-checkpoints") for _ in range(options.runs))
            if workers <= 4
            else None
        )
        row(
            workers,
            number,
            f"{seconds:.2f}",
            f"{number / seconds:.0f}",
            f"{number / max(seconds - launch, 0.001):.0f}",
            f"{number / forked:.0f}",
            f"{number / launched:.1f}" if launched else "",
            targets.get(workers, ""),
        )


MERGING = os.path.join(BUILD, "tests/merging")
ORDERS = os.path.join(MERGING, "orders")
WHOLE_S = 60  # with --merge=off


def merged(ranks, program, *options):
    """What isp says of a program, its own memory in MB, and seconds."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        result = os.path.join(folder, "result.json")
        command = under_isp(ranks, program, "--predict=off", "--json", result, *options)
        used = run(command, (0, 1, 3))
        with open(result, encoding="utf-8") as file:
            return json.load(file), used


def program_of_merging(words):
    """The program of "farm 30" or "panels 8"."""
    program = words.split()
    if program[0] in ("buffers", "panels"):
        program[0] = os.path.join(MERGING, program[0])
    else:
        program.insert(0, ORDERS)
    return program


def bench_merging(options):
    title(
        "States that come up again",
        "program, ranks",
        "interleavings",
        "runs",
        "states",
        "seconds",
        "isp's own memory",
        f"--merge=off, at most {WHOLE_S} s",
        "target",
    )
    programs = [(8, "sum", "1 s"), (11, "sum", "15 s"), (6, "sum 2", ""), (5, "farm 14", "")]
    programs += [(4, "nbx", ""), (2, "polls 40", "")]
    programs += [(2, "buffers 5", "complete"), (4, "panels 8", "complete")]
    if options.full:
        programs += [(16, "sum", "10 min"), (5, "farm 30", "")]
    for ranks, words, target in programs:
        command = [ranks, program_of_merging(words), "--buffering=zero"]
        result, used = merged(*command)
        whole, took = merged(*command, "--merge=off", "--max-time", str(WHOLE_S))
        row(
            f"{words}, {ranks}",
            f"{result['interleavings']:,}" + ("" if result["complete"] else ", incomplete"),
            f"{result['runs']:,}",
            f"{result['states']:,}",
            f"{used.seconds:.2f}",
            f"{used.peak_kib / 1024:.0f} MB",
            f"{took.seconds:.2f} s" if whole["complete"] else f"{whole['interleavings']:,} of them",
            target,
        )
    title(
        "What it costs where no state comes up again",
        "program, ranks",
        "--merge=off",
        "auto",
        "ratio",
        "target",
    )
    for ranks in (5, 7):
        command = under_isp(ranks, [ORDERS, "different"], "--predict=off")
        off, auto, ratio = paired([*command[:1], "--merge=off", *command[1:]], command, options.runs)
        row(f"different, {ranks}", f"{off:.2f} s", f"{auto:.2f} s", f"{ratio:.2f}", "1.15")


def bench_late(options):
    title(
        "2 s of computation before 6 alternatives, against one run",
        "ranks",
        "one run, s",
        "all 6, s",
        "ratio",
        "target",
    )
    one = [ISP, "replay", "-q", "-n", "4", "--choices", "0", "--", *program("master_worker", 2)]
    pairs = [
        (run(one, (3,)).seconds, run(under_isp(4, program("master_worker", 2))).seconds)
        for _ in range(options.runs)
    ]
    row(
        4,
        *(f"{statistics.median(column):.2f}" for column in zip(*pairs)),
        f"{statistics.median(total / single for single, total in pairs):.2f}",
        "at most 1.3",
    )


def cpu_seconds(command):
    """Of the command and of all processes below it."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(command)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def bench_parallel(options):
    title(
        "The same search by one process and by two",
        "ranks",
        "rounds",
        "interleavings",
        "options",
        "-j 1, s",
        "-j 2, s",
        "times as fast",
        "target",
    )
    for ranks, rounds, *how in ((6, 1, "--no-checkpoints"), (8, 1), (3, 12)):
        command = program("master_worker", 0, rounds)
        two, one, ratio = paired(*(under_isp(ranks, command, "-j", k, *how) for k in "21"), options.runs)
        row(
            ranks,
            rounds,
            math.factorial(ranks - 1) ** rounds,
            *(how or [""]),
            f"{one:.2f}",
            f"{two:.2f}",
            f"{ratio:.2f}",
            "1.7 for 5000",
        )


def bench_watch(options):
    title(
        "Watching pending buffers: processor time for each buffer, over that with --memory=off",
        "pending in a rank",
        "bytes each",
        "buffers in all",
        "off, s",
        "checksum, µs per buffer",
        "watch, µs per buffer",
    )
    for buffers, size, steps in (
        (1, 4, 5000),
        (4, 4, 2000),
        (32, 4, 300),
        (1, 1 << 16, 1000),
        (4, 1 << 16, 300),
    ):
        command = program("buffers", steps, buffers, size)
        rounds = [
            [cpu_seconds(under_isp(2, command, "--memory=" + mode)) for mode in ("off", "checksum", "watch")]
            for _ in range(options.runs)
        ]
        off = statistics.median(r[0] for r in rounds)
        prices = [
            statistics.median(r[i] - r[0] for r in rounds) / (4 * buffers * steps) * 1e6 for i in (1, 2)
        ]
        row(2 * buffers, size, 4 * buffers * steps, f"{off:.2f}", *[f"{p:.1f}" for p in prices])


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


def many_choices(prefix):
    """A scenario with 1680 interleavings after so many receives that have one sender."""
    senders = "".join(
        f"{rank}: {'send(0) ' * (prefix if rank == 1 else 0)}{'send(0,5) ' * 3}\n" for rank in (1, 2, 3)
    )
    return f"ranks 4\n0: {'recv(1) ' * prefix}{'recv(*,5) ' * 9}\n{senders}"


def bench_poe(options):
    title(
        "poe by itself: a call, a save of its state, a restore",
        "ranks",
        "ring, µs per call",
        "all to all",
        "ring and barrier",
        "first save, µs",
        "bytes",
        "next saves, µs",
        "bytes each",
        "restore, µs",
    )
    for line in subprocess.run(
        program("poe"), check=True, capture_output=True, text=True
    ).stdout.splitlines():
        row(*line.split())
    title(
        "1680 interleavings of a scenario: each from its start, and each from its last choice point; "
        "processor time",
        "receives before the first choice",
        "from the start, s",
        "restoring, s",
        "restoring / from the start",
    )
    player = os.path.join(BUILD, "tests", "poe", "poe-scenario")
    for prefix in (0, 20, 50):
        with tempfile.NamedTemporaryFile("w", suffix=".scn", encoding="ascii") as file:
            file.write(many_choices(prefix))
            file.flush()
            rounds = [
                [cpu_seconds([player, *how, file.name]) for how in ((), ("--restore",))]
                for _ in range(options.runs)
            ]
        again, restoring = (statistics.median(times) for times in zip(*rounds))
        row(prefix, f"{again:.3f}", f"{restoring:.3f}", f"{restoring / again:.2f}")


def bench_thousands(options):
    """What isp does behind ranks that go ahead, as far as it grows with their number: poe by itself."""
    title(
        "poe by itself with thousands of ranks, and what follows from it",
        "ranks",
        "a call of a ring, µs",
        "a choice among all ranks, µs",
        "pending, bytes per rank",
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
        row(ranks, f"{call:.2f}", f"{choice:.1f}", lines[0][2], f"{whole:.2f}", f"{master:.2f}")


def library_program(name):
    """A program of tests/libraries, hdf5 or ptscotch; or None."""
    spec = importlib.util.spec_from_file_location(
        "libraries", os.path.join(ROOT, "tests", "libraries", "run.py")
    )
    libraries = importlib.util.module_from_spec(spec)
    sys.modules["libraries"] = libraries
    spec.loader.exec_module(libraries)
    folder = pathlib.Path(BUILD, "libraries")
    folder.mkdir(exist_ok=True)
    try:
        return [str(libraries.TESTS[name](folder))]
    except libraries.Unavailable as missing:
        print(f"{name} is left out: {missing}", file=sys.stderr)
        return None


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


def bench_checks(options):
    title(
        "All checks (--memory=checksum) against none (--checks=off)",
        "program",
        "ranks",
        "off, s",
        "checksum, s",
        "checksum / off",
        "target",
        "watch / off",
    )
    programs = [
        ("ring of 4-byte messages, 20000 steps", 2, program("ring", 20000)),
        ("ring of 64 KiB messages, 1000 steps", 2, program("ring", 1000, 1 << 16)),
        ("ring of 1 MiB messages, 300 steps", 2, program("ring", 300, 1 << 20)),
        ("PT-Scotch", 4, library_program("ptscotch")),
    ]
    for name, ranks, command in programs:
        if not command:
            continue
        off = under_isp(ranks, command, "--checks=off")
        a, b, ratio = paired(off, under_isp(ranks, command, "--memory=checksum"), options.runs)
        _, _, watch = paired(off, under_isp(ranks, command, "--memory=watch"), options.runs)
        row(name, ranks, f"{a:.2f}", f"{b:.2f}", f"{ratio:.2f}", "at most 1.2", f"{watch:.2f}")


def bench_stacks(options):
    title(
        "The same ring without and with --stacks", "ranks", "steps", "without, s", "with, s", "with / without"
    )
    for ranks, steps in ((2, 20000), (4, 20000)):
        command = program("ring", steps)
        without, with_, ratio = paired(
            under_isp(ranks, command), under_isp(ranks, command, "--stacks"), options.runs
        )
        row(ranks, steps, f"{without:.2f}", f"{with_:.2f}", f"{ratio:.2f}")


def bench_trace(options):
    title(
        "A ring of a million calls, without and with --trace",
        "ranks",
        "calls",
        "without, s",
        "with, s",
        "with / without",
        "target",
        "scheduler without, µs per call",
        "with",
        "MiB without",
        "with ",
        "trace, bytes per call",
    )
    for ranks in (2, 4, 8):
        steps = 10**6 // (3 * ranks) + 1
        calls = 3 * ranks * steps
        command = program("ring", steps)
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            trace = os.path.join(folder, "trace")
            pairs = [
                (run(under_isp(ranks, command)), run(under_isp(ranks, command, "--trace", trace)))
                for _ in range(options.runs)
            ]
            size = os.path.getsize(trace)
        middle = [
            [statistics.median(getattr(p[i], what) for p in pairs) for i in (0, 1)]
            for what in ("seconds", "cpu_s", "peak_kib")
        ]
        ratio = statistics.median(b.seconds / a.seconds for a, b in pairs)
        row(
            ranks,
            calls,
            *(f"{s:.2f}" for s in middle[0]),
            f"{ratio:.2f}",
            "at most 1.3",
            *(f"{s / calls * 1e6:.2f}" for s in middle[1]),
            *(f"{k / 1024:.1f}" for k in middle[2]),
            f"{size / calls:.1f}",
        )
    title("A row of a trace: processor time to write it", "by INSERT, ns", "as isp does, ns")
    results = [
        subprocess.run(program("rows"), capture_output=True, text=True, check=True).stdout.split()
        for _ in range(options.runs)
    ]
    row(*(f"{statistics.median(float(r[i]) for r in results):.0f}" for i in (0, 1)))


def bench_reports(options):
    title(
        "isp report: from the trace of a ring of a million calls on 4 ranks",
        "report",
        "calls",
        "seconds",
        "MiB",
        "bytes per call",
    )
    steps = 10**6 // 12 + 1
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        trace, file = os.path.join(folder, "trace"), os.path.join(folder, "report")
        run(under_isp(4, program("ring", steps), "--trace", trace))
        for report in ("--html", "--isp-log", "--dot", "--sarif", "--json"):
            runs = [run([ISP, "report", trace, report, file]) for _ in range(options.runs)]
            row(
                report,
                12 * steps,
                f"{statistics.median(r.seconds for r in runs):.2f}",
                f"{max(r.peak_kib for r in runs) / 1024:.0f}",
                f"{os.path.getsize(file) / (12 * steps):.1f}",
            )


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


BENCHES = {
    "run": bench_run,
    "decentralized": bench_decentralized,
    "programs": bench_programs,
    "ring": bench_ring,
    "interleavings": bench_interleavings,
    "merging": bench_merging,
    "parallel": bench_parallel,
    "late": bench_late,
    "threads": bench_threads,
    "poe": bench_poe,
    "thousands": bench_thousands,
    "launch": bench_launch,
    "openmpi": bench_openmpi,
    "scale": bench_scale,
    "libraries": bench_libraries,
    "checks": bench_checks,
    "watch": bench_watch,
    "stacks": bench_stacks,
    "trace": bench_trace,
    "reports": bench_reports,
    "debug": bench_debug,
}


def main():
    parser = argparse.ArgumentParser(prog="./dev bench")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHES))
    parser.add_argument("--full", action="store_true", help="the long ones too")
    parser.add_argument("--runs", type=int, default=5, help="runs per figure (5)")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in BENCHES]
    if unknown:
        parser.error(f"no benchmark {unknown[0]}; there are {', '.join(BENCHES)}")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}, {options.runs} runs per figure")
    for name in options.names or BENCHES:
        BENCHES[name](options)


main()
