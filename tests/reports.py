# SPDX-License-Identifier: BSD-3-Clause
"""The reports that isp can write, as it says itself: no test has a list of them, or forgets a new one."""

import re
import subprocess


def names(isp):
    """["json", "sarif", ...]: each is the option --NAME FILE, of isp and of isp report."""
    said = subprocess.run([isp, "report", "--help"], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"\[--([\w-]+) FILE\]", said)
    assert found, f"isp report --help names no report: {said}"
    return found
