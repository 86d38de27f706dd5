# SPDX-License-Identifier: BSD-3-Clause
"""Runs poe-scenario and reads what it prints.

For each scenario of its files: `== name#k`, one line per interleaving that is not redundant, in the
order of exploration (`-c` if a bound of poe's own has left some out; with --runs also
`-r NAME ok|deadlock|redundant races NUMBER...` for each run), and
`-- interleavings N deadlocks D redundant R matters 0|1`;
under bounds then `-l mixing N loops N estimate X`: choice points that were not explored whole, and
interleavings in all as expected. A block without that last line is one that did not end: the program died, or
said why on stderr.
"""

import re
import subprocess
import tempfile

import scenario_file as sf
import visits

LAST = re.compile(r"-- interleavings (\d+) deadlocks (\d+) redundant (\d+) matters ([01])$")


class Answer:
    def __init__(self):
        self.runs = []  # the lines of --runs
        self.mixed = []  # the lines of --mixed
        self.outcomes = []  # in order of exploration, duplicates and all
        self.interleavings = self.deadlocks = self.redundant = self.matters = 0
        self.merged = None  # (runs, merged, states) of --merge
        self.cut = False  # a bound of poe's own kept some outcome out
        self.left_out = None  # (mixing, loops, estimate) under bounds
        self.error = ""  # why the rest means nothing


def read(text):
    answers = []
    for line in text.splitlines():
        last = LAST.match(line)
        if line.startswith("== "):
            answers.append(Answer())
            answers[-1].error = "no last line"
        elif not answers:
            continue
        elif last:
            answer = answers[-1]
            answer.interleavings, answer.deadlocks, answer.redundant, answer.matters = map(int, last.groups())
            answer.error = ""
            if answer.interleavings != len(answer.outcomes):
                answer.error = f"says {answer.interleavings} interleavings, printed {len(answer.outcomes)}"
            elif answer.deadlocks != sum(is_deadlock(o) for o in answer.outcomes):
                answer.error = f"says {answer.deadlocks} deadlocks, printed others"
        elif line.startswith("-r "):
            answers[-1].runs.append(line)
        elif line.startswith("-m"):
            answers[-1].mixed.append(line)
        elif line.startswith("-g "):
            _, _, runs, _, merged, _, states = line.split()
            answers[-1].merged = int(runs), int(merged), int(states)
        elif line == "-c":
            answers[-1].cut = True
        elif line.startswith("-l "):
            _, _, mixing, _, loops, _, estimate = line.split()
            answers[-1].left_out = int(mixing), int(loops), float(estimate)
        else:
            answers[-1].outcomes.append(line.strip())
    return answers


def is_deadlock(outcome):
    return "deadlock:" in outcome


def run(program, mode, texts, options=(), timeout_s=30):
    """One Answer per scenario. If a batch fails, each is run by itself to find out which."""
    with tempfile.NamedTemporaryFile("w", suffix=".scn", encoding="ascii") as file:
        file.write("---\n".join(texts))
        file.flush()
        error = ""
        try:
            done = subprocess.run(
                [program, "--mode", mode, *options, file.name],
                text=True,
                capture_output=True,
                timeout=timeout_s,
                check=False,
            )
            answers = read(done.stdout)
            if done.returncode:
                error = f"exit code {done.returncode}: {done.stderr.strip()[-400:]}"
        except subprocess.TimeoutExpired:
            answers, error = [], f"no end after {timeout_s} s"
    if not error and len(answers) == len(texts):
        for answer, text in zip(answers, texts):
            if any("visits:" in o for o in answer.outcomes):
                lines = sf.parse(text).lines
                answer.outcomes = [visits.canonical(lines, o) for o in answer.outcomes]
        return answers
    if len(texts) > 1:
        return [run(program, mode, [t], options, min(timeout_s, 10))[0] for t in texts]
    answer = answers[0] if answers else Answer()
    answer.error = error or f"printed {len(answers)} scenarios"
    return [answer]
