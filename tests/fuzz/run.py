#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""
Runs the fuzz targets of a build with libFuzzer (-Dfuzz=true), and prints a table.

    run.py BUILD [TARGET...] [--seconds N] [--jobs N] [--seed S] [--merge]

A target starts from the kept inputs, corpus/TARGET.pack and regressions/TARGET, and from what earlier runs
found, BUILD/corpus/TARGET, where what is new stays. With --merge nothing is fuzzed: of all these the few that
reach everything become the kept inputs. A pack has many small inputs in one file: each as u32 length,
little-endian, and its bytes. An input that makes a target fail is left in BUILD/crashes. The exit code is 1
if there was one.
"""
import argparse
import concurrent.futures
import hashlib
import os
import re
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGETS = ("answers", "link", "options", "poe", "result", "saved", "suppressions", "trace", "types", "world")
MAX_LENGTH = {
    "poe": 800,
    "world": 6000,
    "options": 300,
    "link": 600,
    "types": 400,
    "suppressions": 1500,
    "trace": 400,
    "answers": 2000,
    "result": 8000,
    "saved": 8000,
}
LEAKS_BY_DESIGN = {"options"}  # a refused command line ends the process
# of the inputs of a target (of `trace` each makes all reports); of others:
KEPT_BYTES = {"world": 400_000, "trace": 15_000}
KEPT_BYTES_EACH = 150_000
TIMEOUT = 120  # seconds for one input: the machine may be busy


def options_of(target):
    options = [
        f"-max_len={MAX_LENGTH[target]}",
        f"-timeout={TIMEOUT}",
        f"-report_slow_units={TIMEOUT}",
        "-rss_limit_mb=3000",
        "-close_fd_mask=3",
        "-len_control=0",
    ]
    words = HERE / f"{target}.dict"
    return options + ([f"-dict={words}"] if words.exists() else [])


def environment(target):
    leaks = 0 if target in LEAKS_BY_DESIGN else 1
    return dict(
        os.environ,
        ASAN_OPTIONS=f"detect_leaks={leaks}:allocator_may_return_null=1",
        UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1",
        OMP_NUM_THREADS="1",
    )


def unpack(pack, folder):
    data, at = pack.read_bytes(), 0
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at)
        one = data[at + 4 : at + 4 + length]
        (folder / hashlib.sha1(one).hexdigest()).write_bytes(one)
        at += 4 + length


def folders(build, target):
    """Where its inputs are: the one that grows, then the kept ones."""
    grows, regressions, pack = (
        build / "corpus" / target,
        HERE / "regressions" / target,
        HERE / "corpus" / f"{target}.pack",
    )
    grows.mkdir(parents=True, exist_ok=True)
    if pack.exists():
        unpack(pack, grows)
    return [grows] + ([regressions] if regressions.is_dir() else [])


def fuzz(build, target, seconds, seed):
    """One row of the table: what libFuzzer says, and the failures."""
    crashes = build / "crashes"
    crashes.mkdir(exist_ok=True)
    before = set(crashes.glob(f"{target}-*"))
    command = [
        build / "tests/fuzz" / f"fuzz-{target}",
        f"-max_total_time={seconds}",
        f"-seed={seed}",
        "-print_final_stats=1",
        f"-artifact_prefix={crashes}/{target}-",
        *options_of(target),
        *folders(build, target),
    ]
    done = subprocess.run(
        [str(word) for word in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=environment(target),
        check=False,
    )
    return row_of(target, done.stdout, done.returncode, sorted(set(crashes.glob(f"{target}-*")) - before))


def row_of(target, log, code, crashes):
    def last(pattern, otherwise="-"):
        found = re.findall(pattern, log)
        return found[-1] if found else otherwise

    failed = bool(crashes) or code != 0
    return {
        "target": target,
        "executions": last(r"stat::number_of_executed_units: (\d+)"),
        "per second": last(r"stat::average_exec_per_sec: +(\d+)"),
        "edges": last(r"cov: (\d+)"),
        "features": last(r"ft: (\d+)"),
        "inputs": last(r"corp: (\d+)"),
        "failures": len(crashes) or int(failed),
        "crashes": crashes,
        "log": log if failed else "",
    }


def tell_failure(row):
    print(f"\n{row['target']} failed:")
    print("\n".join(row["log"].splitlines()[-60:]))
    for crash in row["crashes"]:
        print(f"the input: {crash}; again: BUILD/tests/fuzz/fuzz-{row['target']} {crash}")


def print_table(rows):
    columns = ("target", "executions", "per second", "edges", "features", "inputs", "failures")
    cells = [columns] + [tuple(str(row[c]) for c in columns) for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    for row in cells:
        print(
            "  ".join(
                row[i].ljust(widths[i]) if i == 0 else row[i].rjust(widths[i]) for i in range(len(columns))
            )
        )


def merge(build, target):
    """Of all inputs the smallest that reach everything; within the limit, the small ones."""
    kept = b""
    with tempfile.TemporaryDirectory() as name:
        command = [
            build / "tests/fuzz" / f"fuzz-{target}",
            "-merge=1",
            *options_of(target),
            name,
            *folders(build, target),
        ]
        subprocess.run(
            [str(word) for word in command],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment(target),
            check=False,
        )
        files = sorted(Path(name).iterdir(), key=lambda f: (f.stat().st_size, f.name))
        if not files:
            print(f"{target}: the merge gave nothing; the kept inputs stay")
            return
        n = 0
        for file in files:
            if len(kept) + file.stat().st_size > KEPT_BYTES.get(target, KEPT_BYTES_EACH):
                break
            kept += struct.pack("<I", file.stat().st_size) + file.read_bytes()
            n += 1
    (HERE / "corpus").mkdir(exist_ok=True)
    (HERE / "corpus" / f"{target}.pack").write_bytes(kept)
    print(f"{target}: {n} of {len(files)} inputs are kept, {len(kept)} bytes")


def main():
    parser = argparse.ArgumentParser(prog="./dev fuzz")
    parser.add_argument("build", type=Path)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--seconds", type=int, default=600, help="for each target (600)")
    parser.add_argument("--jobs", type=int, default=1, help="targets at a time (1)")
    parser.add_argument(
        "--seed", type=int, default=0, help="for the same inputs again; 0: another one each time (0)"
    )
    parser.add_argument("--merge", action="store_true", help="make the kept inputs anew instead")
    args = parser.parse_intermixed_args()
    build, targets = args.build.resolve(), args.targets or list(TARGETS)
    unknown = set(targets) - set(TARGETS)
    if unknown:
        parser.error(f"no target {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    if args.merge:
        for target in targets:
            merge(build, target)
        return 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        rows = list(pool.map(lambda target: fuzz(build, target, args.seconds, args.seed), targets))
    for row in rows:
        if row["failures"]:
            tell_failure(row)
    print_table(rows)
    return 1 if any(row["failures"] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
