# SPDX-License-Identifier: BSD-3-Clause
"""The rows of options.def, for what is not C: documents, completion, tests."""

import os
import re
import sys

OPTIONS_DEF = os.path.join(os.path.dirname(os.path.abspath(__file__)), "options.def")
ROW = re.compile(r"(?:^/\*((?:(?!\*/).)*)\*/\n)?^(OPTION|REPORT|ACTION)\((.*?)\)\n$", re.M | re.S)
ARGUMENT = re.compile(r'(?:"(?:[^"\\]|\\.)*"|\{[^{}]*\}|[^,"{}])+')
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
REMARK = re.compile(r"^(Table|Heading|Internal): ", re.M)


def strings(text):
    return [string.replace('\\"', '"') for string in STRING.findall(text)]


def first(text):
    return (strings(text) or [None])[0]


class Option:
    """name is --buffering, names has its letter as well; value what the manual calls its value, or None;
    commands those that take it: isp, replay, report; variable None if it has none, setting as isp(1) shows
    it; text its lines in isp(1), remarks what is below them, by its key."""

    def __init__(self, comment, macro, arguments):
        arguments = [argument.strip() for argument in arguments]
        fixed = [argument for argument in arguments if not argument.startswith(".")]
        named = dict(argument[1:].split(" = ", 1) for argument in arguments if argument.startswith("."))
        self.is_report = macro == "REPORT"
        self.commands = fixed[0].lower().split(" | ") + ["report"] * self.is_report
        self.name = "--" + first(fixed[1])
        self.value = "FILE" if self.is_report else first(fixed[2])
        self.letter = first(named.get("letter", ""))
        self.names = [self.letter] * bool(self.letter) + ["-np"] * (self.letter == "-n") + [self.name]
        self.words = strings(named.get("words", ""))
        self.help = first(named.get("help", ""))
        own = first(named.get("variable", "")) or variable_of(self.name)
        self.variable = own if macro != "ACTION" else None
        self.setting = self.variable
        if self.variable and not self.value:
            self.setting += "=1" if fixed[3] == "bool" else "=_level_"
        if "instead" in named:
            self.setting = variable_of(first(named["instead"])) + "=0"
        lines = re.sub(r"^ \*(?: |$)", "", comment, flags=re.M).strip()
        text, *remarks = REMARK.split(lines)
        self.text = text.strip().split("\n")
        self.remarks = {key: " ".join(told.split()) for key, told in zip(remarks[::2], remarks[1::2])}


def variable_of(name):
    return "ISP_" + name[2:].upper().replace("-", "_")


def options():
    """All of them, in the order of the file."""
    with open(OPTIONS_DEF, encoding="utf-8") as stream:
        source = stream.read().split("#endif\n\n", 1)[1]
    rows = ROW.findall(source)
    for comment, _, arguments in rows:
        if not comment.strip():
            sys.exit(f"{OPTIONS_DEF}: {arguments.split(chr(10))[0]}: no comment above it says what it does")
    begun = len(re.findall(r"^(?:OPTION|REPORT|ACTION)\(", source, re.M))
    if len(rows) != begun:
        sys.exit(f"{OPTIONS_DEF}: {begun} rows begin, and {len(rows)} are as the comment above them says")
    return [Option(comment, macro, ARGUMENT.findall(arguments)) for comment, macro, arguments in rows]
