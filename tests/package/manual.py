#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What isp takes, what its documents say and what the completion of bash offers are the same, where they are
not made from one table (docs/lists.py).

usage: manual.py ROOT (the source folder)
"""
import json
import os
import re
import sys

sys.path.insert(0, os.path.join(sys.argv[1], "docs"))
import lists  # noqa: E402

failed = False


def check(name, found, expected):
    global failed
    found, expected = set(found), set(expected)
    if found == expected:
        print(f"ok {name}")
        return
    failed = True
    print(f"FAIL {name}: missing {sorted(expected - found)}, too many {sorted(found - expected)}")


def read(root, *path):
    with open(os.path.join(root, *path), encoding="utf-8") as stream:
        return stream.read()


def filled(root, *path):
    """With the lists that the build puts in."""
    return lists.fill(os.path.join(root, *path))


def main(root):
    page = filled(root, "docs", "isp.1.scd")
    check_options(root, page, lists.option_table.options())
    check_subcommands(root, page)
    check_result(root)
    return 1 if failed else 0


def check_options(root, page, options):
    variables = {o.variable for o in options if o.variable}
    names = {name for option in options for name in option.names}
    check("options of --help exist", help_options(options) - names, set())
    check("lines of --help in 80 columns", [o.help for o in options if len(help_line(o)) > 80], [])
    known = variables | names_in_sources(root)
    check("variables in the documents exist", documented_names(root) - known, set())
    folders = (os.path.join(root, folder) for folder in ("scheduler", "profiler"))
    asked = {name for folder in folders for name in variables_asked(folder)}
    check("variables that are read, in isp(1)", asked - set(re.findall(r"\bISP_\w+", page)), set())


def check_subcommands(root, page):
    completion = filled(root, "packaging", "bash-completion", "isp")
    subcommands = re.search(r'^_isp_subcommands="(.*)"', completion, re.M)[1].split()
    table = read(root, "scheduler", "main.c").split("commands[] = {", 1)[1].split("};", 1)[0]
    check("completion: subcommands", subcommands, ["replay", *re.findall(r'"(\w+)"', table)])
    near = read(root, "scheduler", "options", "nearest.c").split("commands[] = {", 1)[1].split("};", 1)[0]
    check("subcommands that are guessed", re.findall(r'"(\w+)"', near), [*subcommands, "help"])
    synopsis = page.split("# SYNOPSIS", 1)[1].split("\n# ", 1)[0]
    check("subcommands in isp(1)", re.findall(r"^\*isp (\w+)\*", synopsis, re.M), subcommands)


def check_result(root):
    schema = json.loads(read(root, "docs", "result.schema.json"))
    fields = {
        *schema["properties"],
        *(f for name in ("finding", "site") for f in schema["$defs"][name]["properties"]),
    }
    described = set(re.findall(r"`(\w+)`", read(root, "docs", "result.md")))
    check("fields in isp-json(5)", fields - described, set())


def help_line(option):
    """As scheduler/options/help.c prints it."""
    text, left = option.help or "", f"{option.name} {option.value or ''}"
    return f"  {text}" if text.startswith("-") else f"  {left:<20} {text}"


def help_options(options):
    """The options that begin a line of `isp --help`."""
    found = {
        o
        for option in options
        if option.help
        for o in re.findall(
            r"(?:^|[ ,])(--?[a-z][\w-]*)", re.split(r"  +(?=[a-z])", help_line(option)[2:])[0]
        )
    }
    assert {"-n", "-np", "--json", "-q"} <= found, found
    return found


def documented_names(root):
    """Whatever looks like a variable of ours in README.md and docs/."""
    pages = [
        os.path.join("docs", name)
        for name in os.listdir(os.path.join(root, "docs"))
        if name.endswith((".md", ".scd"))
    ]
    return {
        name
        for page in [*pages, "README.md"]
        for name in re.findall(r"\bISP_[A-Z_]*[A-Z]\b", read(root, page))
    }


def variables_asked(folder):
    for path, _, files in os.walk(folder):
        for name in files:
            if name.endswith(".c"):
                yield from re.findall(r'getenv\("(ISP_\w+)"\)', read(path, name))


def names_in_sources(root):
    """Other names of ours: macros, what ranks and isp-cc are told by variables."""
    found = set()
    for folder in "include", "profiler", "scheduler", "compilers", "tests", "bench":
        for path, _, files in os.walk(os.path.join(root, folder)):
            for name in files:
                if name.endswith((".h", ".c", ".sh", ".py")) or folder == "compilers":
                    found |= set(re.findall(r"\bISP_[A-Z_]*[A-Z]\b", read(path, name)))
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
