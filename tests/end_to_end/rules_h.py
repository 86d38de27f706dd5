# SPDX-License-Identifier: BSD-3-Clause
"""The rows of include/isp/rules.h."""

import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def rules():
    """{rule: severity}, in the order of the file."""
    with open(os.path.join(ROOT, "include/isp/rules.h"), encoding="utf-8") as stream:
        return dict(re.findall(r'X\(\w+, "([a-z-]+)", ([A-Z]+)\)', stream.read()))


def of_severity(severity):
    return {rule for rule, its in rules().items() if its == severity}
