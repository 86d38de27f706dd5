#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the documents repeat of isp's lists, from the tables that are these lists.

include/isp/rules.h has the rules, scheduler/run/options.def the options. A document says in a line of its own
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
sys.path[:0] = [os.path.join(ROOT, "include", "isp"), os.path.join(ROOT, "scheduler", "run")]
import options as option_table  # noqa: E402
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


# ---- options ----


def public():
    return [option for option in option_table.options() if "Internal" not in option.remarks]


def underlined(value):
    return re.sub(r"[A-Za-z][\w:|]*", r"_\g<0>_", value)


def heading(option):
    """The line of an option in isp(1): *-j* _K_, *--jobs*=_K_ [ISP_JOBS]"""
    value = underlined(option.value or "")
    names = f"*{option.name}*" + (f"={value}" if value else "")
    if option.letter:
        names = f'{", ".join(f"*{name}*" for name in option.names[:-1])} {value}'.strip() + f", {names}"
    return names + (f" [{option.setting}]" if option.setting else "")


def options_of_manual():
    """isp(1)"""
    shared = ""
    for option in public():
        head = shared + option.remarks.get("Heading", heading(option))
        shared = f"{head}, " if option.text == ["With the next."] else ""
        if not shared:
            yield from (head, *("\t" + line for line in option.text), "")


def table_of_options():
    yield "| option | |"
    yield "|---|---|"
    for option in public():
        text = option.remarks.get("Table", "")
        words = "=" + "\\|".join(option.words) if option.words and not option.letter else ""
        words = words or (" " + option.value if option.value else "")
        if text:
            yield f"| {text} |" if " | " in text else f"| `{option.letter or option.name}{words}` | {text} |"


def searching_options():
    """isp-replay(1): what it does not take"""
    names = [o.letter or o.name for o in public() if "replay" not in o.commands and o.variable]
    yield "(" + ", ".join(f"*{name}*" for name in names) + ")."


def report_synopsis():
    """isp-report(1)"""
    yield "*isp report* _TRACE_ " + " ".join(f"[*{o.name}* _FILE_]" for o in public() if o.is_report)


def option_values():
    """The completion of bash: what is between the parentheses of an array, option to kind of value"""
    kinds = {"FILE": "%file", "CMD": "%command", "RULE": "%rule"}
    for option in public():
        value = f'"{" ".join(option.words)}"' if option.words else kinds.get(option.value, "%any")
        if option.value:
            yield "    " + " ".join(f"[{name}]={value}" for name in option.names)


def command_options():
    """The completion of bash: the same, command to options"""
    for command in dict.fromkeys(command for option in public() for command in option.commands):
        names = [name for option in public() if command in option.commands for name in option.names]
        yield f'    [{command}]="{" ".join(names)}"'


def report_sources():
    """scheduler/report/meson.build: each report has a file with the name of its option"""
    for option in (o.name for o in public() if o.is_report):
        name = option[2:].replace("-", "_") + ".c"
        if not os.path.exists(os.path.join(ROOT, "scheduler", "report", name)):
            why = f"there is a report {option} in scheduler/run/options.def, and no scheduler/report/{name}"
            sys.exit(f"{why} that writes it")
        yield name


def debug_commands():
    """isp-debug(1): the table of scheduler/debug/console/commands.c"""
    table = read(os.path.join(ROOT, "scheduler/debug/console/commands.c")).split(
        "sched_console_commands[] = {", 1
    )[1]
    for row in re.findall(r"\{(\".*?),\s*sched_do_\w+\}", table.split("};", 1)[0], re.S):
        _, usage, *words = re.findall(r'"((?:[^"\\]|\\.)*)"', row)
        yield f"*{manual_words(usage)}*"
        yield f"\t{manual_words(''.join(words))}"
        yield ""


def manual_words(text):
    """Text of C for scdoc"""
    return re.sub(r"([*_\[\]<|~\\])", r"\\\1", text)


LISTS = {
    "debug-commands": debug_commands,
    "command-options": command_options,
    "option-values": option_values,
    "options-of-manual": options_of_manual,
    "option-table": table_of_options,
    "report-sources": report_sources,
    "report-synopsis": report_synopsis,
    "rules": rule_rows,
    "searching-options": searching_options,
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
