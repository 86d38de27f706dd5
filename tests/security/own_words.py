#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What isp says of itself stays one line, whatever the names are in it; and what a forged trace says steers
no report.

Usage: own_words.py ISP PROGRAM
"""
import json
import os
import resource
import sqlite3
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import reports  # noqa: E402

ISP, PROGRAM = map(os.path.abspath, sys.argv[1:3])
EVIL = "a\n::error::b\x1b[31m\r\x07c"
FEW, MANY = 2000, 16000
FORMATS = reports.names(ISP)


def run(*words, **environment):
    return subprocess.run(
        [ISP, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        env=os.environ | environment,
        check=False,
    )


def check_lines(text, about):
    for line in text.split("\n"):
        assert not line.lstrip().startswith("::"), (about, text)
        assert all(c >= " " or c == "\t" for c in line), (about, text)


def check_messages(folder):
    path = os.path.join(folder, EVIL)
    os.mkdir(path)
    script = os.path.join(path, EVIL)
    with open(script, "w", encoding="utf-8") as f:
        f.write("#!/bin/sh\nexit 3\n")
    os.chmod(script, 0o755)
    missing = os.path.join(path, "missing", EVIL)
    program = ["-n", "2", "--", PROGRAM, "two"]
    words = [
        ["--" + EVIL],
        ["--buffering", EVIL, *program],
        ["--mpiexec", EVIL, *program],
        ["--mpiexec", "'" + EVIL, *program],
        ["--json", missing, *program],
        ["--html", missing, *program],
        ["--trace", missing, *program],
        ["--save", missing, *program],
        ["--resume", missing],
        ["--suppressions", missing, *program],
        ["--tcp", EVIL, *program],
        ["-n", EVIL, *program],
        ["-n", "2", "--", missing],
        ["-n", "2", "--", script],
        ["-n", "2", "--", path],
        ["report", missing],
        ["report", "--" + EVIL],
        ["report", missing, EVIL],
        ["explain", EVIL],
        ["doctor", "--" + EVIL],
        ["doctor", missing],
        ["--loop", EVIL, *program],
        ["replay", "-n", "2", "--choices", EVIL, "--", PROGRAM],
    ]
    for each in words:
        done = run(*each)
        check_lines(done.stderr, each)
        check_lines(done.stdout, each)
        assert done.stderr or done.stdout, each
    done = run("-n", "2", "--", PROGRAM, "two", TMPDIR=missing)
    check_lines(done.stderr, "TMPDIR")
    out = os.path.join(folder, "junit")
    run("--junit", out, "-n", "2", "--", script)
    xml.etree.ElementTree.parse(out)


def forge(trace, change):
    db = sqlite3.connect(trace)
    result = json.loads(db.execute("SELECT value FROM meta WHERE key = 'result'").fetchone()[0])
    change(result)
    db.execute("UPDATE meta SET value = ? WHERE key = 'result'", (json.dumps(result),))
    db.commit()
    db.close()


def new_trace(folder):
    trace = os.path.join(folder, "trace")
    run("-q", "--trace", trace, "-n", "3", "--", PROGRAM, "deadlock")
    return trace


def report(trace, *words):
    return run("report", trace, *words)


def check_refused(folder):
    for key, value in (
        ("rule", EVIL),
        ("rule", 'deadlock"><'),
        ("rule", "x" * 100),
        ("rule", ""),
        ("severity", EVIL),
        ("severity", "fatal"),
    ):
        trace = new_trace(folder)
        forge(trace, lambda r, k=key, v=value: r["findings"][0].update({k: v}))
        for format in FORMATS:
            done = report(trace, "--" + format, os.path.join(folder, "out"))
            assert done.returncode == 2 and "the trace is damaged" in done.stderr, (key, value, format, done)
    trace = new_trace(folder)
    forge(trace, lambda r: r["findings"][0].update(rule="rule-of-tomorrow"))
    assert report(trace, "--junit", os.path.join(folder, "out")).returncode == 0


def poison(value):
    """Every text that a finding has, but for those that are looked at."""
    if isinstance(value, dict):
        return {k: v if k in ("rule", "severity", "interleaving") else poison(v) for k, v in value.items()}
    if isinstance(value, list):
        return [poison(v) for v in value]
    return EVIL if isinstance(value, str) else value


def check_poisoned(folder):
    trace = new_trace(folder)

    def change(result):
        result["findings"] = [poison(f) for f in result["findings"]]
        result["incomplete_because"] = EVIL
        result["command"] = [EVIL, EVIL]

    forge(trace, change)
    for format in FORMATS:
        out = os.path.join(folder, "out." + format)
        done = report(trace, "--" + format, out)
        check_lines(done.stderr, format)
        with open(out, encoding="utf-8") as f:
            text = f.read()
        if format == "junit":
            xml.etree.ElementTree.fromstring(text)
        if format in ("json", "sarif"):
            json.loads(text)
        assert "\x1b" not in text and "\x07" not in text and "\r" not in text, format
        assert format == "html" or "\\u001b" not in text, format


def many(first, n):
    """Findings at as many places."""
    kept = ("rule", "severity", "story", "ranks", "count", "replay", "interleaving")
    return [
        {k: first[k] for k in kept if k in first}
        | {"message": f"finding {i}", "sites": [first["sites"][0] | {"line": i + 1, "function": f"f{i}"}]}
        for i in range(n)
    ]


def took_s(folder, format, n):
    """Of processor time, whatever else the machine does."""
    trace = new_trace(folder)
    forge(trace, lambda result: result.update(findings=many(result["findings"][0], n)))
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = report(trace, "--" + format, os.path.join(folder, "out"))
    took = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    assert done.returncode == 0, (format, done)
    return took


def check_many(folder):
    """Eight times as many findings take eight times as long; 64 times, if each was compared with all
    others."""
    for format in FORMATS:
        few_s, many_s = (took_s(folder, format, n) for n in (FEW, MANY))
        assert many_s < 30 * few_s, (format, few_s, many_s)


def main():
    with tempfile.TemporaryDirectory(prefix="isp-words-") as folder:
        for check in (check_messages, check_refused, check_poisoned, check_many):
            own = os.path.join(folder, check.__name__)
            os.mkdir(own)
            check(own)
    print("own words: ok")


if __name__ == "__main__":
    main()
