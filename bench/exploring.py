# SPDX-License-Identifier: BSD-3-Clause
"""Explorations: interleavings by the second, merging, several processes, poe alone."""
import json
import math
import os
import resource
import statistics
import subprocess
import tempfile

from measuring import BUILD, ISP, explored, paired, program, row, run, title, under_isp


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
