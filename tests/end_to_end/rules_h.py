# SPDX-License-Identifier: BSD-3-Clause
"""The rows of include/isp/rules.h, as the tests want them."""

import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "include", "isp"))
import rules as table  # noqa: E402


def rules():
    """{rule: severity}, in the order of the file."""
    return {rule.id: rule.severity.upper() for rule in table.rules()}


def of_severity(severity):
    return {rule for rule, its in rules().items() if its == severity}
