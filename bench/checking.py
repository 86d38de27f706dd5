# SPDX-License-Identifier: BSD-3-Clause
"""What the checks and reports cost beside the exploration."""
import os
import statistics
import subprocess
import tempfile

from exploring import cpu_seconds
from measuring import ISP, library_program, paired, program, row, run, title, under_isp


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
