#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""bundle.py ESBUILD SOURCE_FOLDER OUT.c OUT.html: the page of --html, made of viewer/src.

OUT.html is the page without data, OUT.c the same as C arrays: what comes before
`<!-- isp-data -->` and what comes after it.
"""
import subprocess
import sys
from pathlib import Path

MARK = "<!-- isp-data -->"


def bundle(esbuild, *arguments):
    command = [esbuild, *arguments, "--minify", "--charset=utf8", "--target=es2020", "--log-level=warning"]
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, encoding="utf-8")
    if done.returncode:
        sys.exit(done.returncode)
    return done.stdout.strip()


def array(name, data):
    lines = [",".join(map(str, data[i : i + 64])) + ",\n" for i in range(0, len(data), 64)]
    return (
        f"const unsigned char isp_viewer_{name}[] = {{\n{''.join(lines)}}};\n"
        f"const size_t isp_viewer_{name}_size = {len(data)};\n"
    )


def main():
    esbuild, source, c_file, page_file = sys.argv[1:]
    style = bundle(esbuild, f"{source}/style.css")
    script = bundle(esbuild, f"{source}/main.ts", "--bundle", "--format=iife")
    for text, end in (style, "</style"), (script, "</script"):
        if end in text.lower() or "<!--" in text:
            sys.exit(f"bundle.py: the bundle has {end} or <!-- in it, which a page cannot hold")
    page = Path(source, "page.html").read_text("utf-8").replace("@style@", style).replace("@script@", script)
    head, tail = page.split(MARK)
    Path(page_file).write_text(page, "utf-8")
    Path(c_file).write_text(
        '#include "report/page/viewer.h"\n\n' + array("head", head.encode()) + array("tail", tail.encode()),
        "utf-8",
    )


main()
