# SPDX-License-Identifier: BSD-3-Clause
"""The rows of rules.h, for what is not C: generators, documents, tests."""
import collections
import os
import re
import sys

RULES_H = os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules.h")
STRING = r'(NULL|"(?:[^"\\]|\\.)*")'
ROW = re.compile(rf'X\((\w+), "([a-z-]+)", ([A-Z]+), ([A-Z]+), {STRING}, {STRING}\)')
GROUP = re.compile(rf"X\((\w+), {STRING}\)")

# severity is in small letters, group the name in C.
Rule = collections.namedtuple("Rule", "name id severity group brief told")


def text_of(string):
    return None if string == "NULL" else string[1:-1].replace('\\"', '"').replace("\\\\", "\\")


def lines_of(macro):
    """The body of a list of rules.h, in one line."""
    with open(RULES_H, encoding="utf-8") as stream:
        body = re.search(rf"^#define {macro}\(X\)((?:.*\\\n)*.*)$", stream.read(), re.M)[1]
    return " ".join(body.replace("\\\n", " ").split())


def rules():
    """All of them, in the order of the file."""
    body = lines_of("ISP_RULES")
    found = [
        Rule(name, rule, severity.lower(), group, text_of(brief), text_of(told))
        for name, rule, severity, group, brief, told in ROW.findall(body)
    ]
    if len(found) != body.count("X("):
        sys.exit(
            f'{RULES_H}: {body.count("X(")} rows begin, and {len(found)} are as the comment above them says'
        )
    return found


def groups():
    """{name: test case, or None}, in the order of the file."""
    return {name: text_of(test_case) for name, test_case in GROUP.findall(lines_of("ISP_RULE_GROUPS"))}
