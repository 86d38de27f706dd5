#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the documents repeat of isp's lists, from the tables that are these lists.

include/isp/rules.h has the rules, scheduler/run/formats.h the reports. A document says in a line of its own
where a list stands. Those that are read where they lie have it between

    <!-- list: NAME (docs/lists.py writes it) -->
    <!-- end of list -->

and those that are installed only, manual pages and the completion of bash, have `@list: NAME@`, for which the
build puts it in.

usage: lists.py                compares the documents with the tables; says which row is missing, and ends
                               with 1
       lists.py --write        writes the lists into the documents
       lists.py --fill FILE    FILE with its lists, on stdout
       lists.py --show NAME    one list, on stdout
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:0] = [os.path.join(ROOT, "include", "isp")]
import rules as rule_table  # noqa: E402

KEPT = re.compile(r"(^<!-- list: ([\w-]+) .*-->\n)(.*?)(^<!-- end of list -->$)", re.M | re.S)
FILLED = re.compile(r"^@list: ([\w-]+)@$", re.M)
FOLDERS = (".", "docs", "docs/rules")


def sentence(text):
    return text[0].upper() + text[1:] + "."


# ---- rules ----


def rule_rows():
    """docs/rules/README.md"""
    yield "| rule | severity | |"
    yield "|---|---|---|"
    for rule in rule_table.rules():
        yield f"| [{rule.id}]({rule.id}.md) | {rule.severity} | {rule.brief} |"


def test_cases():
    """docs/ci.md: what --junit makes of them"""
    yield "| test case | rules |"
    yield "|---|---|"
    for group, name in rule_table.groups().items():
        ids = ", ".join(f"`{rule.id}`" for rule in rule_table.rules() if rule.group == group)
        if name:
            yield (
                f"| {name} | "
                f'{ids}{", and an exploration that is incomplete" if group == "EXPLORATION" else ""} |'
            )


def rules_of_manual():
    """isp(1)"""
    for severity, title in (
        ("error", "Errors:"),
        ("warning", "Warnings:"),
        ("note", "Notes (shown with *-v*):"),
    ):
        yield from (title, "")
        for rule in rule_table.rules():
            if rule.severity == severity:
                yield from (f"*{rule.id}*", "\t" + sentence(rule.brief).replace("_", "\\_"), "")


def rule_words():
    """The completion of bash"""
    yield from sorted(rule.id for rule in rule_table.rules())


# ---- reports ----


def reports():
    """{option: variable}, from scheduler/run/formats.h"""
    text = read(os.path.join(ROOT, "scheduler", "run", "formats.h"))
    return {
        "--" + option: "ISP_" + name
        for name, option in re.findall(r'X\((\w+), \w+, "([\w-]+)", (?:true|false)\)', text)
    }


def report_synopsis():
    """isp-report(1)"""
    yield "*isp report* _TRACE_ " + " ".join(f"[*{option}* _FILE_]" for option in reports())


def report_values():
    """The completion of bash: what is between the parentheses of an array"""
    yield "    " + " ".join(f"[{option}]=%file" for option in reports())


def report_words():
    yield f'_isp_reports="{" ".join(reports())}"'


def report_sources():
    """scheduler/report/meson.build: each report has a file with the name of its option"""
    for option in reports():
        name = option[2:].replace("-", "_") + ".c"
        if not os.path.exists(os.path.join(ROOT, "scheduler", "report", name)):
            why = f"there is a report {option} in scheduler/run/formats.h, and no scheduler/report/{name}"
            sys.exit(f"{why} that writes it")
        yield name


LISTS = {
    "report-sources": report_sources,
    "report-synopsis": report_synopsis,
    "report-values": report_values,
    "report-words": report_words,
    "rules": rule_rows,
    "test-cases": test_cases,
    "rules-of-manual": rules_of_manual,
    "rule-words": rule_words,
}


# ---- documents ----


def made(name, path):
    if name not in LISTS:
        sys.exit(f'{path}: there is no list {name}; docs/lists.py has {", ".join(LISTS)}')
    return "\n".join(LISTS[name]()) + "\n"


def read(path):
    with open(path, encoding="utf-8") as stream:
        return stream.read()


def fill(path):
    """The text of a document that is installed only."""
    return FILLED.sub(lambda found: made(found[1], path).rstrip("\n"), read(path))


def written(path, text):
    """The text of a document with its lists as they should be."""
    return KEPT.sub(lambda found: found[1] + made(found[2], path) + found[4], text)


def documents():
    """(path, text) of those that have a list in them."""
    for folder in FOLDERS:
        for name in sorted(os.listdir(os.path.join(ROOT, folder))):
            path = os.path.normpath(os.path.join(folder, name))
            text = read(os.path.join(ROOT, path)) if name.endswith(".md") else ""
            if "<!-- list: " in text:
                yield path, text


def differences(path, text):
    """One line for each row that is not as it should be."""
    blocks = list(KEPT.finditer(text))
    if len(blocks) != text.count("<!-- list: "):
        yield f"{path}: a list has no end, or no reason in its first line"
    for block in blocks:
        found, wanted = block[3].splitlines(), made(block[2], path).splitlines()
        yield from (f"{path}: missing: {row}" for row in wanted if row not in found)
        yield from (f"{path}: not in the table: {row}" for row in found if row not in wanted)
        if sorted(found) == sorted(wanted) and found != wanted:
            yield f"{path}: the rows of {block[2]} are in another order than the table"


def compare():
    failed = False
    for path, text in documents():
        why = list(differences(path, text))
        failed |= bool(why)
        print("\n".join(f"FAIL {line}" for line in why) or f"ok {path}")
    if failed:
        print("To put this right: docs/lists.py --write")
    return failed


def write():
    for path, text in documents():
        new = written(path, text)
        if new != text:
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as stream:
                stream.write(new)
            print(f"wrote {path}")
    return 0


def main(arguments):
    if arguments[:1] == ["--fill"] and len(arguments) == 2:
        sys.stdout.write(fill(arguments[1]))
        return 0
    if arguments[:1] == ["--show"] and len(arguments) == 2:
        sys.stdout.write(made(arguments[1], "--show"))
        return 0
    if arguments not in ([], ["--write"]):
        sys.exit(__doc__)
    return write() if arguments else compare()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
