#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Compares isp on real MPI programs with the reference, on random scenarios.

player.c plays a scenario with real MPI calls; isp explores it with zero and with infinite buffering. What it
shows must be the outcomes of ../poe/reference.py: none missing, none invented, none twice; and the numbers
that isp reports must be theirs. It is looked at in two ways:

With checkpoints, or several processes (VARIANTS; each program has one of them), a world makes many
interleavings, and the file of a rank has the histories of all of them. Each must be the beginning of the
rank's part of an outcome, and all of these parts must be there. Which of them belong to one interleaving is
in the trace: which messages met, and which ranks are stuck at the end (traced.py).

With a launch for each interleaving each world leaves its own outcome in files, and they are compared as a
whole (observed.py); the JSON result must be the same as with checkpoints. isp ends redundant runs, which are
the beginning of an outcome that another run shows in full, and does not say which worlds they are. So as many
worlds as it reports redundant runs may be left over, each of them with nothing but items of one outcome of
the reference. This takes most of the time: --launched limits it to programs with few outcomes.

usage: compare_real.py ISP PLAYER [--seed S] [--count N] [--first K] [--one-of K] [--jobs J] [--launched N]
[--decentralized] [--mpi3] [--scenarios FILE...]
"""

import argparse
import collections
import concurrent.futures
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "poe"))
sys.dont_write_bytecode = True

import compare  # noqa: E402
import compare_threads  # noqa: E402
import judge  # noqa: E402
import observed  # noqa: E402
import playable  # noqa: E402
import random_cancels  # noqa: E402
import random_mixed  # noqa: E402
import random_scenarios  # noqa: E402
import random_threads  # noqa: E402
import reference  # noqa: E402
import scenario_file as sf  # noqa: E402
import traced  # noqa: E402
import week  # noqa: E402 # compare.py has put its folder on the path

MODES = ("zero", "infinite")
# How often polls fail, and how interleavings are made but by launches: options of isp, and its environment.
WAYS = [
    (["--checkpoints", "16"], {}),
    (["--checkpoints", "2"], {}),
    (["--checkpoints", "16"], {"ISP_FORK_ONLY": "1"}),
    (["-j", "2"], {}),
]  # -j keeps no checkpoints
VARIANTS = [(["--polls", polls, *words], variables) for polls in ("1000", "1") for words, variables in WAYS]
DECENTRALIZED = [len(VARIANTS), len(VARIANTS) + 1]
VARIANTS += [(["--polls", polls, "--decentralized"], {}) for polls in ("1000", "1")]
TURNS = [0, 5, 2, 4, 1, 6, 0, 3, 5, 2, 4, 7]  # which one a program has, by its number
STATES = 3000  # after which the reference gives up
MIXED_STATES = 10000
TIME_LIMIT_S = 300
HANG_S = 30  # of a rank that makes no call
REPLAYS = 3  # of the findings of a program
MOST_LAUNCHED = 12  # outcomes, where each is launched
TRIES = 300  # of the minimiser
TOO_BIG, TOO_MANY, MPI4 = "states", "outcomes", "calls of MPI 4"  # why a program is skipped


class Compared:
    """What came of one program."""

    def __init__(self):
        self.skipped = ""
        self.differences = []
        self.outcomes = self.deadlocks = self.redundant = 0
        self.launched = self.auto = self.mixed = False


def start(options, label, command, environment):
    """What the program said, and the folder of what the ranks have told; or None, and why it did not end."""
    told = os.path.join(options.folder, label)
    os.mkdir(told)
    own = {k: v for k, v in os.environ.items() if not k.startswith("ISP_")}
    environment = {"ISP_ONCE": "1", **own, **environment, "PLAYER_DIR": told}
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIME_LIMIT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, f"no end after {TIME_LIMIT_S} s"
    if " hung " in done.stderr:
        return None, f"a hang: {done.stderr[-400:]}"
    return done, told


def run(options, scenario, label, arguments, environment):
    """The JSON result, and the folder of what the ranks have told; or None, and why there is none."""
    file, result = os.path.join(options.folder, "scenario"), os.path.join(options.folder, f"{label}.json")
    with open(file, "w", encoding="ascii") as stream:
        stream.write(str(scenario))
    command = [
        options.isp,
        "-q",
        "--timeout",
        str(HANG_S),
        "--keep-going",
        "--output",
        "none",
        "--json",
        result,
        *arguments,
        "-n",
        str(scenario.ranks),
        "--",
        options.player,
        file,
    ]
    done, told = start(options, label, command, environment)
    if done is None:
        return None, told
    if not os.path.exists(result):
        return None, f"no result, exit code {done.returncode}: {done.stderr[-400:]}"
    with open(result, encoding="utf-8") as stream:
        return json.load(stream), told


def compare_run(options, scenario, mode, wanted, arguments, environment, launched):
    """(differences, JSON result or None) of one way to explore. wanted: by mode. Ranks that go ahead may have
    been given more buffers than isp plays: such a run does not count."""
    dropped = wanted["infinite"] if options.decentralized else frozenset()
    wanted = wanted[mode]
    label = f"{mode}{' launched' if launched else ''}"
    trace = os.path.join(options.folder, f"{label}.trace")
    arguments = [f"--buffering={mode}", "--trace", trace, *arguments]
    result, folder = run(options, scenario, label, arguments, environment)
    if result is None:
        return [(f"{label} error", folder)], None
    cut = judge.is_cut_at_polls(result)
    found = judge.judge_result(label, wanted, result, playable.expected_rules(scenario), cut)
    if launched:
        found += judge.judge_worlds(label, wanted, result, observed.read_worlds(scenario, folder), cut)
    else:
        found += judge.judge_histories(label, wanted, observed.read_histories(scenario, folder), cut, dropped)
    try:
        found += judge.judge_trace(label, wanted, traced.outcomes(scenario, trace), cut)
    except traced.Wrong as wrong:
        found.append((f"{label} trace", str(wrong)))
    return found, result


def compare_mode(options, scenario, mode, variant, wanted, launched):
    """(differences, redundant runs). What has windows is launched each time anyway."""
    if scenario.threads:
        return compare_threads.compare_mode(
            options, run, scenario, mode, VARIANTS[variant], wanted[mode], launched
        )
    arguments, environment = VARIANTS[variant]
    found, result, plain = [], None, None
    if not playable.has_windows(scenario) or "-j" in arguments:
        found, result = compare_run(options, scenario, mode, wanted, arguments, environment, False)
    if launched or playable.has_windows(scenario):
        plainly = ["--checkpoints", "0", *arguments[:2]]  # with its --polls
        more, plain = compare_run(options, scenario, mode, wanted, plainly, {}, True)
        found += more
    if result and plain:
        found += judge.judge_same(mode, plain, result)
    return found, (result or plain or {}).get("redundant_runs", 0)


def replayed(options, scenario, finding, label):
    """The outcomes of the worlds that its command makes."""
    command = [options.isp, *shlex.split(finding["replay"])[1:]]
    done, folder = start(options, label, command, {})
    if done is None:
        return [folder]
    return [world.outcome() for world in observed.read_worlds(scenario, folder)]


def compare_auto(options, scenario, wanted, mixed):
    """As users run it. mixed: the deadlocks if MPI decides for each send whether to buffer it."""
    result, why = run(options, scenario, "auto", [], {})
    if result is None:
        return [("auto error", why)]
    found = judge.judge_auto(wanted, mixed, result)
    stuck = [f for f in result["findings"] if f["rule"] in judge.STUCK]
    for k, finding in enumerate(stuck[:REPLAYS]):
        found += judge.judge_replay(mixed, finding, replayed(options, scenario, finding, f"replay-{k}"))
    return found


def mixed_deadlocks(scenario):
    """None: too many states, or threads; then there is nothing to compare `auto` with."""
    if scenario.threads:
        return None
    try:
        return observed.Mixed(scenario, limit=MIXED_STATES).deadlocks()
    except reference.TooBig:
        return None


def compare_one(options, scenario, variant):
    compared = Compared()
    if options.mpi3 and playable.needs_mpi4(scenario):
        compared.skipped = MPI4
        return compared
    try:
        wanted = {m: observed.wanted(scenario, m == "infinite", STATES) for m in MODES}
    except reference.TooBig:
        compared.skipped = TOO_BIG
        return compared
    if max(map(len, wanted.values())) > (MOST_LAUNCHED if playable.has_windows(scenario) else options.most):
        compared.skipped = TOO_MANY
        return compared
    compared.launched = not options.decentralized and (
        max(map(len, wanted.values())) <= options.launched or playable.has_windows(scenario)
    )
    mixed = mixed_deadlocks(scenario) if variant == 0 or not options.scenarios else None
    compared.auto = mixed is not None
    compared.mixed = bool(mixed) and not any(judge.deadlocks(wanted[mode]) for mode in MODES)
    for mode in MODES + (("auto",) if compared.auto else ()):
        options.folder = tempfile.mkdtemp(prefix="player-")
        if mode == "auto":
            compared.differences += compare_auto(options, scenario, wanted, mixed)
        else:
            found, redundant = compare_mode(options, scenario, mode, variant, wanted, compared.launched)
            compared.differences += found
            compared.redundant += redundant
            compared.outcomes += len(wanted[mode])
            compared.deadlocks += judge.deadlocks(wanted[mode])
        shutil.rmtree(options.folder)
    return compared


# ---- what differs ----


def minimise(options, scenario, variant, kinds):
    """The same kind of difference in a smaller scenario."""
    tries, again = TRIES, True
    while again:
        again = False
        for small in compare.smaller(scenario):
            tries -= 1
            if tries < 0:
                return scenario
            try:
                sf.check(small)
            except sf.Bad:
                continue
            if kinds & {kind for kind, _ in compare_one(options, small, variant).differences}:
                scenario, again = small, True
                break
    return scenario


def print_differences(found):
    for kind, text in found[:20]:
        print(f"#   {kind}: {text:.400}")


def report(options, name, scenario, variant, found):
    """The last lines can be kept as they are, as a scenario."""
    kinds = sorted({kind for kind, _ in found})
    print(
        f"\nFAIL {name} (isp {' '.join(VARIANTS[variant][0])} {VARIANTS[variant][1] or ''}): "
        f"{', '.join(kinds)}"
    )
    print(scenario, end="")
    print_differences(found)
    if not options.no_minimise:
        small = minimise(options, scenario, variant, set(kinds))
        print(f"---- minimised, to be kept in tests/player/scenarios:\n# {', '.join(kinds)}\n{small}", end="")
        print_differences(compare_one(options, small, variant).differences)
    print(f"---- again: {sys.argv[0]} {options.isp} {options.player} {name}", flush=True)


# ---- what was covered ----


def words(scenario):
    """What a program has, for the table."""
    found = set()
    for line in scenario.lines:
        for token in line:
            found.add(token.kind)
            if token.way:
                found.add(
                    f"{token.kind} again"
                    if token.way.startswith(sf.AGAIN)
                    else f"{token.kind} by {token.way}"
                )
            receives = token.kind in sf.RECVS | sf.PROBES
            marks = {
                "any source": receives
                and token.peer is sf.ANY
                or token.kind in sf.EXCHANGE
                and token.sources[0] is sf.ANY,
                "any tag": receives and token.tag is sf.ANY,
                "MPI_PROC_NULL": token.is_to_null(),
                "communicator": token.comm in scenario.comms,
                "intercommunicator": token.comm in scenario.sides,
            }
            found |= {f"({mark})" for mark, there in marks.items() if there}
    if scenario.scale > 1:
        found.add("(large messages)")
    if any(
        t.kind in sf.SENDS | sf.EXCHANGE and t.peer == rank
        for rank, line in enumerate(scenario.lines)
        for t in line
    ):
        found.add("(to itself)")
    return found


class Totals:
    def __init__(self):
        self.begin = time.monotonic()
        self.compared = self.differ = self.launched = self.auto = self.mixed = 0
        self.skipped, self.ranks, self.calls, self.variants = (collections.Counter() for _ in range(4))
        self.outcomes = self.deadlocks = self.redundant = 0

    def add(self, scenario, variant, one):
        if one.skipped:
            self.skipped[one.skipped] += 1
            return
        self.compared += 1
        self.differ += bool(one.differences)
        self.launched += one.launched
        self.auto += one.auto
        self.mixed += one.mixed
        self.ranks[scenario.ranks] += 1
        self.variants[variant] += 1
        self.calls.update(words(scenario))
        for field in "outcomes", "deadlocks", "redundant":
            setattr(self, field, getattr(self, field) + getattr(one, field))

    def seconds(self):
        return time.monotonic() - self.begin

    def table(self):
        skipped, all_of = sum(self.skipped.values()), self.compared + sum(self.skipped.values())
        rows = [
            ("programs compared", self.compared),
            ("ranks", ", ".join(f"{n}: {k}" for n, k in sorted(self.ranks.items()))),
            ("interleavings (= outcomes), both buffering modes", self.outcomes),
            ("of them deadlocks", self.deadlocks),
            ("redundant runs", self.redundant),
            (
                "explored with",
                ", ".join(
                    f"{' '.join(VARIANTS[v][0] + list(VARIANTS[v][1]))}: {n}"
                    for v, n in sorted(self.variants.items())
                ),
            ),
            ("each interleaving launched as well", self.launched),
            (
                "skipped",
                f"{skipped} of {all_of} "
                f"({', '.join(f'too many {w}: {n}' for w, n in sorted(self.skipped.items())) or 'none'})",
            ),
            ("compared with mixed buffering, too", self.auto),
            ("of them with no other deadlocks", self.mixed),
            ("seconds", f"{self.seconds():.0f}"),
            ("differences", self.differ),
        ]
        return "\n".join(f"{name:50} {value}" for name, value in rows)

    def calls_table(self):
        cells = [
            f"{n:5} {name}"
            for name, n in sorted(self.calls.items(), key=lambda c: (c[0].startswith("("), c[0]))
        ]
        rows = -(-len(cells) // 3)
        return "\n".join("".join(f"{c:32}" for c in cells[k::rows]).rstrip() for k in range(rows))


# ---- running ----


def random_program(options, k):
    if options.of_threads:
        return random_threads.scenario(options.seed, k)
    if options.of_cancels:
        return playable.make(random_cancels.scenario(options.seed, k))
    maker = random_mixed if k % 3 == 1 else random_scenarios  # in which mixed buffering may matter
    return playable.make(maker.scenario(options.seed, k))


def given(options):
    """(how to name it on the command line, scenario or its number, variant)"""
    for path in options.scenarios:
        with open(path, encoding="ascii") as stream:
            for text in sf.split(stream.read()):
                scenario = sf.parse(text)
                polls = compare.has_polls(scenario) and not scenario.threads
                for variant in DECENTRALIZED if options.decentralized else range(len(WAYS) + polls):
                    yield f"--scenarios {path}", scenario, variant
    if not options.scenarios:
        for k in range(options.first, options.first + options.count):
            of = "--of-threads " if options.of_threads else "--of-cancels " if options.of_cancels else ""
            variant = TURNS[k % len(TURNS)]
            if options.of_threads:
                variant %= len(WAYS)  # with all that polls may say
            if options.decentralized:
                variant = DECENTRALIZED[k % 2]
            yield f"{of}--seed {options.seed} --first {k} --count 1", k, variant


def job(options, what, variant):
    scenario = random_program(options, what) if isinstance(what, int) else what
    if options.mpi3:
        scenario = playable.without_mpi4(scenario)
    return scenario, compare_one(options, scenario, variant)


def compare_all(options, totals, pool):
    """False if it was ended: what was compared by then counts."""
    running, n = collections.deque(), 0
    try:
        for name, what, variant in given(options):
            running.append((name, variant, pool.submit(job, options, what, variant)))
            n += 1
        while running:
            name, variant, future = running.popleft()
            scenario, one = future.result()
            totals.add(scenario, variant, one)
            if one.differences:
                report(options, name, scenario, variant, one.differences)
            done = n - len(running)
            if done % 100 == 0 or done == n:
                print(
                    f"{done} of {n}: {totals.compared} compared, {totals.differ} differ, "
                    f"{totals.seconds():.0f} s",
                    flush=True,
                )
    except KeyboardInterrupt:
        print(f"ended after {max(n - len(running) - 1, 0)} of {n}", flush=True)
        pool.shutdown(cancel_futures=True)  # those that run now end first
        return False
    return True


def interrupt(number, frame):
    raise KeyboardInterrupt


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("isp", type=os.path.abspath)
    parser.add_argument("player", type=os.path.abspath)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--scenarios", nargs="+", default=[], help="compare these instead of random ones")
    parser.add_argument(
        "--launched",
        type=int,
        default=1,
        help="launch each interleaving as well where there are at most so many outcomes",
    )
    parser.add_argument("--most", type=int, default=40, help="skip programs with more outcomes")
    parser.add_argument("--of-threads", action="store_true", help="scenarios of ranks with several threads")
    parser.add_argument("--of-cancels", action="store_true", help="scenarios in which receives are cancelled")
    parser.add_argument("--decentralized", action="store_true", help="ranks go ahead")
    parser.add_argument(
        "--mpi3", action="store_true", help="PLAYER has an MPI of 3.1 (what needs MPI 4 is skipped)"
    )
    parser.add_argument("--no-minimise", action="store_true")
    parser.add_argument(
        "--one-of",
        type=int,
        default=1,
        metavar="K",
        help="only the K-th part of them whose turn it is this week (../week.py)",
    )
    options = parser.parse_args()
    if not options.scenarios:
        numbers = week.part(range(options.first, options.first + options.count), options.one_of)
        of = f" ({week.told(len(numbers), options.count)})" if options.one_of > 1 else ""
        options.first, options.count = numbers.start, len(numbers)
        print(f"seed {options.seed}, programs {numbers.start} to {numbers.stop - 1}{of}", flush=True)
    elif options.one_of > 1:
        due = [path for path in options.scenarios if week.takes(os.path.basename(path), options.one_of)]
        print(week.told(len(due), len(options.scenarios)), flush=True)
        if not due:
            return 0
        options.scenarios = due
    totals = Totals()
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        signal.signal(signal.SIGTERM, interrupt)
        whole = compare_all(options, totals, pool)
    print(f"\nprograms with each kind of call\n{totals.calls_table()}\n\n{totals.table()}")
    print(f"{totals.compared} programs, {totals.differ} differ")
    return totals.differ > 0 or not whole


if __name__ == "__main__":
    sys.exit(main())
