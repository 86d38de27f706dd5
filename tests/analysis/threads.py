#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""poe's threads under ThreadSanitizer.

Usage: threads.py BUILD

What is threaded in isp is one loop of poe/choice.c (OpenMP); -j starts processes, which share nothing but
sockets. gcc's OpenMP library tells ThreadSanitizer nothing of its barriers; clang's does, through libarcher.
So poe and poe-scenario are compiled by clang, with threads at every choice point, and run the scenario files
with four threads. To see that a race would be found, the same is compiled without `omp critical`, and must be
refused.
"""
import concurrent.futures
import glob
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def compile_all(build, folder, choice):
    """poe-scenario with this text of choice.c."""
    os.mkdir(folder)
    own = f"{folder}/choice.c"
    with open(own, "w", encoding="utf-8") as file:
        file.write(choice)
    flags = [
        "-g",
        "-O1",
        "-fsanitize=thread",
        "-fopenmp",
        "-std=gnu11",
        "-D_GNU_SOURCE",
        "-DPARALLEL_FROM=1",
        f"-I{ROOT}",
        f"-I{ROOT}/poe",
        f"-I{ROOT}/include",
        f"-I{build}/include",
        "-Wno-unknown-pragmas",
    ]
    sources = [s for s in glob.glob(f"{ROOT}/poe/*.c") if not s.endswith("/choice.c")] + [
        own,
        f"{build}/include/functions.c",
        f"{ROOT}/tests/poe/scenario.c",
    ]

    def compile_one(source):
        target = f"{folder}/{os.path.basename(source)[:-2]}.o"
        subprocess.run(["clang", *flags, "-c", source, "-o", target], check=True)
        return target

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compile_one, sources))
    subprocess.run(
        ["clang", "-fsanitize=thread", "-fopenmp", "-o", f"{folder}/poe-scenario", *objects], check=True
    )
    return f"{folder}/poe-scenario"


def archer():
    """libarcher.so, in the libraries of clang's version."""
    resources = subprocess.run(
        ["clang", "-print-resource-dir"], capture_output=True, text=True, check=True
    ).stdout.strip()
    where = os.path.join(os.path.dirname(os.path.dirname(resources)), "libarcher.so")
    if not os.path.exists(where):
        sys.exit("FAIL clang's libarcher.so is not there: install libomp-dev")
    return where


def run(program, *arguments):
    """(exit code, what ThreadSanitizer says)"""
    env = dict(
        os.environ,
        OMP_TOOL_LIBRARIES=archer(),
        ARCHER_OPTIONS="verbose=0",
        TSAN_OPTIONS="ignore_noninstrumented_modules=1:exitcode=66:halt_on_error=1",
    )
    done = subprocess.run(
        [sys.executable, f"{ROOT}/tests/poe/run_scenarios.py", program, *arguments, "--threads", "4"],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def main():
    build = os.path.abspath(sys.argv[1])
    with open(f"{ROOT}/poe/choice.c", encoding="utf-8") as file:
        choice = file.read()
    broken = choice.replace("#pragma omp critical", "")
    failed = broken == choice
    with tempfile.TemporaryDirectory() as folder:
        code, said = run(compile_all(build, f"{folder}/right", choice))
        failed |= code != 0
        print(
            "ok scenarios with four threads"
            if code == 0
            else f"FAIL scenarios with four threads\n{said[-6000:]}",
            flush=True,
        )
        code, said = run(
            compile_all(build, f"{folder}/wrong", broken), f"{ROOT}/tests/poe/scenarios/master_workers.scn"
        )
        found = code != 0 and "data race" in said
        failed |= not found
        print(
            "ok without omp critical it is refused"
            if found
            else f"FAIL without omp critical no data race is told\n{said[-3000:]}"
        )
    return 1 if failed else 0


sys.exit(main())
