#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The pages docs/rules/RULE.md: checks what they look like; run.py compiles and runs the programs in them.

A page has the title `# RULE (severity)`, what the rule means, and the sections below in this order. The two C
programs of a page become the entries docs/rules/RULE (must show exactly this rule, at the marked line) and
docs/rules/RULE_ok (must be silent).

usage: pages.py
"""

import glob
import os
import re
import subprocess
import sys

import rules_h

FOLDER = "docs/rules"
ROOT = rules_h.ROOT
SECTIONS = ["Wrong", "Right", "Why", "How to fix it", "How to suppress it"]
INDEX = "README"


def page_names():
    return sorted(
        os.path.splitext(os.path.basename(path))[0] for path in glob.glob(os.path.join(ROOT, FOLDER, "*.md"))
    )


def sections(rule):
    """(title line, text before the first section, {section: text}, the sections' names in order) of a page"""
    with open(os.path.join(ROOT, FOLDER, rule + ".md"), encoding="utf-8") as stream:
        head, *parts = re.split(r"^## +(.*)$", stream.read(), flags=re.M)
    title, _, intro = head.partition("\n")
    return title, intro.strip(), dict(zip(parts[::2], parts[1::2])), parts[::2]


def program(text):
    """The C program in a section, or None."""
    found = re.findall(r"^```c\n(.*?)^```$", text, re.M | re.S)
    return found[0] if len(found) == 1 else None


def extract(build):
    """Writes the programs of all pages below the build folder; (name of the entry, source) of each."""
    folder = os.path.join(os.path.abspath(build), FOLDER)
    os.makedirs(folder, exist_ok=True)
    written = []
    for rule in page_names():
        if rule == INDEX:
            continue
        _, _, parts, _ = sections(rule)
        for section, name in ("Wrong", rule), ("Right", rule + "_ok"):
            text = program(parts.get(section, ""))
            if text is None:
                continue  # main() says so
            source = os.path.join(folder, name + ".c")
            with open(source, "w", encoding="utf-8") as stream:
                stream.write(text)
            written.append((f"{FOLDER}/{name}", source))
    return written


def compile_program(source):
    """None, or what the compiler complains of."""
    # MPICH marks the array that MPI_STATUSES_IGNORE stands for as one that has entries.
    done = subprocess.run(
        [
            "mpicc",
            "-g",
            "-O0",
            "-Wall",
            "-Werror",
            "-Wno-stringop-overflow",
            source,
            "-o",
            os.path.splitext(source)[0],
        ],
        capture_output=True,
        text=True,
    )
    return None if done.returncode == 0 else f"mpicc -Wall: {done.stderr.strip()}"


# ---- what a page looks like ----


def faults(rule, severity):
    """What is wrong with the page of a rule, one line each."""
    title, intro, parts, names = sections(rule)
    wanted = f"# {rule} ({severity.lower()})"
    if title != wanted:
        yield f"its title is {title!r}, not {wanted!r}"
    if len(intro) < 40:
        yield "it does not say what the rule means"
    if names != SECTIONS:
        yield f"its sections are {names}, not {SECTIONS}"
        return
    for section in "Wrong", "Right":
        if program(parts[section]) is None:
            yield f"{section} must have exactly one program, between ```c and ```"
    marked = set(re.findall(r"/\* @([a-z-]+)\?? \*/", parts["Wrong"]))
    if marked != {rule}:
        yield f"its wrong program marks {sorted(marked)}"
    if "/* @" in parts["Right"]:
        yield "its right program marks a line"
    if "MPI-4.0" not in parts["Why"] and "not in the MPI standard" not in parts["Why"]:
        yield "Why names no section of MPI-4.0 (or says: not in the MPI standard)"
    for section in SECTIONS[2:]:
        if not parts[section].strip():
            yield f"{section} is empty"


def main():
    rules, failed = rules_h.rules(), 0
    for rule in sorted(set(rules) | set(page_names()) - {INDEX}):
        if rule not in rules:
            why = ["include/isp/rules.h has no such rule"]
        elif not os.path.exists(os.path.join(ROOT, FOLDER, rule + ".md")):
            why = ["the rule has no page: write it as the others there are (docs/HACKING.md: Add a rule)"]
        else:
            why = list(faults(rule, rules[rule]))
        failed += bool(why)
        print(f"FAIL {FOLDER}/{rule}.md: {'; '.join(why)}" if why else f"ok {FOLDER}/{rule}.md")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
