#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""embed.py PAGE.html OUT.c: the page as C arrays, what comes before `<!-- isp-data -->` and what comes after it."""
import sys
from pathlib import Path

MARK = b"<!-- isp-data -->"


def array(name: str, data: bytes) -> str:
    numbers = ",".join(map(str, data)) or "0"
    return f"const unsigned char isp_viewer_{name}[] = {{{numbers}}};\nconst size_t isp_viewer_{name}_size = {len(data)};\n"


def main() -> None:
    page, out = sys.argv[1:]
    parts = Path(page).read_bytes().split(MARK)
    if len(parts) != 2:
        sys.exit(f"{page}: {MARK.decode()} must stand in it once")
    Path(out).write_text('#include "report/page/viewer.h"\n' + array("head", parts[0]) + array("tail", parts[1]))


main()
