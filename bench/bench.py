#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Benchmarks of isp, as Markdown tables on stdout: `./dev bench [--full] [NAME...]`.

What is compared is run in turn (A B A B ...), so that both see the same machine; figures are
medians, ratios are medians of the ratios of neighbours. The targets stand beside the figures.
Programs are in bench/*.c. docs/performance.md holds results and says what they mean.
"""
import argparse
import os

from ahead import bench_decentralized, bench_hundreds, bench_programs, bench_thousands
from checking import bench_checks, bench_reports, bench_stacks, bench_trace, bench_watch
from exploring import bench_interleavings, bench_late, bench_merging, bench_parallel, bench_poe
from runs import (
    bench_debug,
    bench_launch,
    bench_libraries,
    bench_openmpi,
    bench_ring,
    bench_run,
    bench_scale,
    bench_threads,
)

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
    "hundreds": bench_hundreds,
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
