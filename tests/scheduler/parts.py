#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A search that is made in parts comes to what one search comes to: -j, --save and --resume, with and without
checkpoints.

Usage: parts.py ISP PROGRAM

Each mode of PROGRAM (orders.c) is explored by one process, by two and by three; then by one or two that are
killed at random moments and go on with --resume until they are done. The results must be the same but for the
seconds, and nothing may be left behind. Bad files are refused.
"""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from alike import alike  # noqa: E402
from marks import marked, new_mark, setting  # noqa: E402

signal.signal(signal.SIGHUP, signal.SIG_DFL)

# interleavings, and with buffered sends
MODES = {"deadlock": (26, 0), "later": (9, 16), "buffered": (1, 6), "two": (6, 8)}
LIMIT_S = 120
KILLS = 10  # in all


class Test:
    def __init__(self, isp, program, folder):
        self.isp, self.program, self.folder = os.path.abspath(isp), os.path.abspath(program), folder
        self.tmp = os.path.join(folder, "tmp")
        os.mkdir(self.tmp)
        self.mark = new_mark()
        self.env = (
            {k: v for k, v in os.environ.items() if not k.startswith("ISP_")}
            | {"TMPDIR": self.tmp}
            | setting(self.mark)
        )
        self.json = os.path.join(folder, "result.json")

    def start(self, *words):
        return subprocess.Popen(
            [self.isp, "--json", self.json, *words],
            env=self.env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
        )

    def end(self, process):
        said = process.communicate(timeout=LIMIT_S)[1]
        self.nothing_left()
        return process.returncode, said

    def nothing_left(self):
        end = time.monotonic() + 10
        while time.monotonic() < end and (marked(self.mark) or os.listdir(self.tmp)):
            time.sleep(0.02)
        assert not marked(self.mark), "processes are left"
        assert not os.listdir(self.tmp), f"left in TMPDIR: {os.listdir(self.tmp)}"

    def result(self):
        with open(self.json, encoding="utf-8") as f:
            return alike(json.load(f))

    def explore(self, mode, *options):
        code, said = self.end(self.start(*options, "-n", "4", "--", self.program, mode))
        assert code in (0, 1), (code, said)
        return self.result()

    def survive(self, mode, seed, whole_s, signum):
        """Ends it again and again until nothing is left to do; how often that was."""
        chance = random.Random(seed)
        file = os.path.join(self.folder, f"{mode}.{seed}.save")
        new = ("--save", file, "-j", "1", "--no-checkpoints", "-n", "4", "--", self.program, mode)
        process, kills = self.start(*new), 0
        while True:
            try:
                # more, lest it never gets anywhere[1]
                said = process.communicate(timeout=chance.uniform(0.1, 1.0) * whole_s / 2 * (1 + kills / 3))
                self.nothing_left()
                assert process.returncode in (0, 1), (process.returncode, said)
                return kills
            except subprocess.TimeoutExpired:
                process.send_signal(signum)
                process.communicate(timeout=LIMIT_S)
                self.nothing_left()
                kills += 1
            if not os.path.exists(file):  # it had not even begun
                process = self.start(*new)
            else:
                process = self.start(
                    "--resume",
                    file,
                    "-j",
                    str(chance.choice((1, 2))),
                    "--checkpoints",
                    str(chance.choice((0, 0, 64))),
                )


def same(expected, got, what):
    if expected == got:
        return
    for key in expected:
        if expected[key] != got.get(key):
            print(f"  {key}: {json.dumps(expected[key])}\n  but  {json.dumps(got.get(key))}")
    raise AssertionError(f"{what}: another result")


def check_modes(test):
    results = {}
    for mode, counts in MODES.items():
        result = test.explore(mode)
        began = time.monotonic()
        same(result, test.explore(mode, "--no-checkpoints"), f"{mode} with --no-checkpoints")
        results[mode] = (result, time.monotonic() - began)
        assert (result["interleavings"], result["buffered_interleavings"]) == counts, (mode, result)
        assert result["complete"], result
        for workers in "2", "3":
            same(result, test.explore(mode, "-j", workers), f"{mode} with -j {workers}")
        print(f"ok {mode}: {counts[0]} interleavings and {counts[1]}, alike with -j 1, 2 and 3")
    return results


def check_kills(test, results):
    kills, seed = 0, 1
    while kills < KILLS:
        mode = list(MODES)[seed % len(MODES)]
        result, whole_s = results[mode]
        signum = signal.SIGTERM if seed % 4 == 0 else signal.SIGKILL
        kills += (times := test.survive(mode, seed, whole_s, signum))
        same(result, test.result(), f"{mode}, {times} times ended by {signum.name} (seed {seed})")
        print(f"ok {mode}: ended {times} times by {signum.name} and resumed")
        seed += 1


def check_worker_dies(test, results):
    """Its job is done again."""
    process = test.start("-j", "2", "--no-checkpoints", "-n", "4", "--", test.program, "deadlock")
    end = time.monotonic() + 10
    workers = []
    while not workers and time.monotonic() < end:
        workers = [pid for pid, name in marked(test.mark).items() if name == "isp-worker"]
    os.kill(workers[0], signal.SIGKILL)
    code, said = test.end(process)
    assert code == 1, (code, said)
    same(results["deadlock"][0], test.result(), "a worker was killed")
    print("ok a worker is killed: the same result")


def check_refusals(test):
    file = os.path.join(test.folder, "refused.save")
    test.end(test.start("--save", file, "-n", "4", "--", test.program, "two"))
    with open(file, "rb") as f:
        good = f.read()
    cases = {
        "is of another program": ("--", test.program, "later"),
        "not with -n 3": ("-n", "3"),
        "saved without --polls": ("--polls", "2"),
    }
    for words, options in cases.items():
        code, said = test.end(test.start("--resume", file, *options))
        assert code == 2 and words in said and said.count("\n") == 1, (words, code, said)
    damaged = {
        "damaged": good[:-5] + b"x" + good[-4:],
        "damaged ": good[: len(good) // 2],
        "no file of isp": b"{}",
        "another version": good.replace(b"isp-save 1", b"isp-save 9", 1),
    }
    for words, content in damaged.items():
        with open(file, "wb") as f:
            f.write(content)
        code, said = test.end(test.start("--resume", file))
        assert code == 2 and words.strip() in said and said.count("\n") == 1, (words, code, said)
    code, said = test.end(test.start("--resume", file + ".none"))
    assert code == 2 and "No such file" in said, (code, said)
    print("ok files that cannot be resumed are refused")


def check_several(test):
    """What is given several times is saved as it holds."""
    file = os.path.join(test.folder, "several.save")
    words = ("-n", "3", "-n", "4", "--loop", "take", "--loop", "give", "--loop", "both,all")
    test.end(test.start("--save", file, *words, "--", test.program, "two"))
    with open(file, encoding="utf-8") as f:
        options = json.loads(f.read().partition("\n")[2])["options"]
    assert (options["-n"], options["--loop"]) == ("4", "take,give,both,all"), options
    code, said = test.end(test.start("--resume", file, "--loop", "take,give", "--loop", "both,all"))
    assert code == 1, (code, said)
    print("ok options that are given several times are saved")


def check_bound(test, results):
    """--max-time leaves something, which --resume does."""
    file, result = os.path.join(test.folder, "bound.save"), results["deadlock"][0]
    code, said = test.end(
        test.start(
            "--save", file, "--max-time", "0.5", "--no-checkpoints", "-n", "4", "--", test.program, "deadlock"
        )
    )
    assert not test.result()["complete"] and "--max-time" in said, (code, said)
    test.end(test.start("--resume", file))
    same(result, test.result(), "resumed after --max-time")
    test.end(test.start("--resume", file))
    same(result, test.result(), "resumed when all was done")
    print("ok what --max-time left is done by --resume")


def main():
    with tempfile.TemporaryDirectory() as folder:
        test = Test(*sys.argv[1:3], folder)
        code, said = test.end(test.start("-j", "2", "-n", "4", "--", "/bin/true"))
        assert code in (2, 3) and said, (code, said)
        results = check_modes(test)
        check_bound(test, results)
        check_worker_dies(test, results)
        check_refusals(test)
        check_several(test)
        check_kills(test, results)


if __name__ == "__main__":
    main()
