#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What isp takes, what its manual says and what the completion of bash offers are the same.

usage: manual.py ROOT (the source folder)
"""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(sys.argv[1], "docs"))
import lists  # noqa: E402

# The words of these options are lists of their own in scheduler/options/settings.c.
WORDS = {"--buffering": "bufferings", "--on-error": "on_errors", "--memory": "memories"}
# isp's own tasks of an array job; not for users.
INTERNAL = {"--slurm-task", "ISP_SLURM_TASK"}

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


def block(text, begin):
    """What is between the braces of a definition that begins so."""
    return text.split(begin, 1)[1].split("\n};", 1)[0]


def options_of(source):
    """({option: whether it has a value}, {option: variable}) of scheduler/options/options.c and settings.c"""
    rows = re.findall(
        r'\{"([\w-]+)", (?:\'(.)\'|\w+), (NULL|"[^"]*"), 0,',
        source.split("argp_options[]", 1)[1].split("{0}};", 1)[0],
    )
    options = {}
    for long, short, value in rows:
        for option in ["--" + long] + (["-" + short] if short else []):
            options[option] = value != "NULL"
    options["-np"] = True
    settings = re.findall(r'\{[\w\']+, "(-[\w-]+)", "(ISP_\w+)",', block(source, "settings[] = {"))
    options.update(dict.fromkeys(lists.reports(), True))
    return options, {**dict(settings), **lists.reports()}


def manual_options(page):
    """({option}, {variable}) of the lines of OPTIONS that describe one"""
    lines = re.findall(r"^(\*-.*)$", page.split("# OPTIONS", 1)[1].split("\n# ", 1)[0], re.M)
    return {o for line in lines for o in re.findall(r"(?<![\w-])(--?[a-z][\w-]*)", line.split("[ISP")[0])}, {
        v for line in lines for v in re.findall(r"\[(ISP_\w+)", line)
    }


def completion(root):
    """The tables of the completion, as bash has them."""
    script = r"""source "$0"; for o in "${!_isp_values[@]}"; do printf '%s\t%s\n' "$o" "${_isp_values[$o]}"; done
        echo; echo $_isp_flags; echo $_isp_search; echo $_isp_reports; echo $_isp_subcommands"""
    with tempfile.NamedTemporaryFile("w", suffix=".bash") as file:
        file.write(filled(root, "packaging", "bash-completion", "isp"))
        file.flush()
        text = subprocess.run(
            ["bash", "-c", script, file.name], stdout=subprocess.PIPE, text=True, check=True
        ).stdout
    values, lists = text.split("\n\n", 1)
    return dict(line.split("\t") for line in values.splitlines()), [
        line.split() for line in lists.splitlines()
    ]


def main(root):
    source = "".join(
        read(root, "scheduler", "options", name) for name in ("options.c", "settings.c", "settings.h")
    )
    page = filled(root, "docs", "isp.1.scd")
    options, variables = options_of(source)
    public = set(options) - INTERNAL
    described, in_brackets = manual_options(page)
    check("options in isp(1)", described, public)
    check("variables in isp(1)", in_brackets, set(variables.values()) - INTERNAL)
    check("options of --help exist", help_options(source) - set(options), set())
    check(
        "variables in the documents exist",
        documented_names(root) - set(variables.values()) - names_in_sources(root),
        set(),
    )

    values, (flags, search, reports, subcommands) = completion(root)
    table = read(root, "scheduler", "main.c").split("commands[] = {", 1)[1].split("};", 1)[0]
    check("completion: subcommands", subcommands, ["replay", *re.findall(r'"(\w+)"', table)])
    synopsis = page.split("# SYNOPSIS", 1)[1].split("\n# ", 1)[0]
    check("subcommands in isp(1)", re.findall(r"^\*isp (\w+)\*", synopsis, re.M), subcommands)
    asked = {
        name for folder in ("scheduler", "profiler") for name in variables_asked(os.path.join(root, folder))
    }
    check("variables that are read, in isp(1)", asked - set(re.findall(r"\bISP_\w+", page)), set())
    check("completion: options", [*values, *flags], public)
    check("completion: which have a value", values, {o for o in public if options[o]})
    for option, name in WORDS.items():
        words = re.findall(r'"(\w+)"', re.search(rf"{name}\[\] = \{{(.*?)\}};", source, re.S).group(1))
        check(f"completion: words of {option}", values[option].split(), words)
    check("completion: not for isp replay", search, not_for_replay(source, options))
    check("completion: reports", reports, lists.reports())
    schema = json.loads(read(root, "docs", "result.schema.json"))
    fields = (
        set(schema["properties"])
        | set(schema["$defs"]["finding"]["properties"])
        | set(schema["$defs"]["site"]["properties"])
    )
    check(
        "fields in isp-json(5)", fields - set(re.findall(r"`(\w+)`", read(root, "docs", "result.md"))), set()
    )
    return 1 if failed else 0


def help_options(source):
    """The options that begin a line of `isp --help`."""
    lines = re.findall(r'^    "  (-.*)\\n"', source.split("help[] =", 1)[1].split(";\n", 1)[0], re.M)
    found = {
        o
        for line in lines
        for o in re.findall(r"(?:^|[ ,])(--?[a-z][\w-]*)", re.split(r"  +(?=[a-z])", line)[0])
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


def not_for_replay(source, options):
    """Options that sched_setting_is_for_replay refuses, under all their names, and --explain, which runs
    nothing."""
    keys = set(
        re.findall(
            r"s->key != (\w+|'.')", source.split("bool sched_setting_is_for_replay", 1)[1].split("}", 1)[0]
        )
    )
    order = re.findall(r"\w+", re.search(r"enum \{\s+(KEY_BUFFERING.*?)\}", source, re.S).group(1))
    keys |= set(order[order.index("KEY_INTERLEAVINGS") : order.index("KEY_SEED") + 1])
    found = {"--explain"}
    for long, key in re.findall(r'\{"([\w-]+)", (\'.\'|\w+),', source.split("argp_options[]", 1)[1]):
        if key in keys:
            found |= {"--" + long} | ({"-" + key[1]} if key.startswith("'") else set())
    return found - INTERNAL


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
