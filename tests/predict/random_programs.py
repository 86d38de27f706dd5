#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Random scenarios as real MPI programs (../player), of which isp may run one interleaving only: whatever
else it finds it has predicted. With zero and with infinite buffering a deadlock is found if and only if the
reference has one; "no deadlock predicted" is only said where there is none. Of scenarios with polls, whose
calls depend on what matches, only the latter must hold, and that no deadlock is invented.

usage: random_programs.py ISP PLAYER [--seed S] [--count N] [--one-of K] [--jobs J]
"""

import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "../poe"), os.path.join(HERE, "../player"), os.path.join(HERE, "..")]

import compare  # noqa: E402 # ../poe
import judge  # noqa: E402
import playable  # noqa: E402
import random_scenarios  # noqa: E402
import reference  # noqa: E402
import scenario_file as sf  # noqa: E402
import week  # noqa: E402

NOT_MODELLED = {"ready"} | sf.PARTITIONED


def kinds(scenario):
    return {t.kind for line in scenario.lines for t in line}


def explore(options, scenario, mode):
    with tempfile.TemporaryDirectory(prefix="predict-") as folder:
        file, result = os.path.join(folder, "scenario"), os.path.join(folder, "result.json")
        with open(file, "w", encoding="ascii") as stream:
            stream.write(str(scenario))
        command = [options.isp, "-q", "--timeout", "30", "--output", "none", "--json", result]
        command += [f"--buffering={mode}", "--max-interleavings", "1", "-n", str(scenario.ranks)]
        done = subprocess.run(
            [*command, "--", options.player, file],
            env={**os.environ, "PLAYER_DIR": folder, "ISP_ONCE": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        if not os.path.exists(result):
            return None, done.stderr[-400:]
        with open(result, encoding="utf-8") as stream:
            return json.load(stream), ""


def one(work):
    """(name, what differs, whether the reference has a deadlock, whether the first run was one)"""
    options, k, mode = work
    scenario = playable.make(random_scenarios.scenario(options.seed, k, locks=False))
    if kinds(scenario) & NOT_MODELLED:
        return None
    try:
        wanted = reference.outcomes(scenario, mode, limit=3000)
    except reference.TooBig:
        return None
    stuck = any("deadlock:" in o for o in wanted)
    result, why = explore(options, scenario, mode)
    if result is None:
        return k, mode, why, stuck, 0, scenario
    found = [f for f in result["findings"] if f["rule"] in judge.STUCK]
    says_none = result["no_deadlock_predicted"]
    differs = ""
    polls = kinds(scenario) & compare.POLLS
    if bool(found) != stuck and not (polls and stuck):
        differs = f"{[f['message'] for f in found]}, but {'there is one' if stuck else 'there is none'}"
    elif says_none and stuck:
        differs = "said that there is none"
    elif not polls and not found and not result["complete"] and not says_none:
        # of an intercommunicator nothing is said: it is made by MPI_Intercomm_create
        if not kinds(scenario) & {"waitany", "waitsome"} and not scenario.sides:
            differs = f"did not say that there is none: {result['incomplete_because']}"
    predicted = sum(f["interleaving"] not in ("", "0", None) for f in found)
    return k, mode, differs, stuck, predicted, scenario


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isp")
    parser.add_argument("player")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--one-of", type=int, default=1, metavar="K", help="../week.py")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    numbers = week.part(range(options.count), options.one_of)
    work = [(options, k, mode) for k in numbers for mode in ("zero", "infinite")]
    n = deadlocking = predicted = differ = 0
    begin = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for answer in pool.map(one, work):
            if answer is None:
                continue
            k, mode, differs, stuck, found, scenario = answer
            n += 1
            deadlocking += stuck
            predicted += found
            if differs:
                differ += 1
                print(f"==== --seed {options.seed} --only {k}, {mode}: {differs}\n{scenario}", flush=True)
    print(
        f"{n} programs, {deadlocking} can deadlock, {predicted} deadlocks predicted; {differ} differ "
        f"({time.monotonic() - begin:.0f} s)"
    )
    sys.exit(differ > 0 or n == 0)


if __name__ == "__main__":
    main()
