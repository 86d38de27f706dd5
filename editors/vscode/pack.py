#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the types of the extension, bundles it, and packs it with vsce.

usage: pack.py ROOT MODULES VSIX

MODULES: node_modules with what package-lock.json names (`./dev editors` installs it). Needs tsc and esbuild.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile


def names_in_sources(source):
    text = ""
    for name in os.listdir(os.path.join(source, "src")):
        with open(os.path.join(source, "src", name), encoding="utf-8") as file:
            text += file.read()
    return set(re.findall(r"'(isp\.\w+)'", text))


def check_names(source, manifest):
    """What package.json offers is there, and the other way round."""
    contributes = manifest["contributes"]
    offered = {command["command"] for command in contributes["commands"]}
    offered |= {view["id"] for view in contributes["views"]["debug"]}
    used = {
        entry.get("command")
        for entries in contributes["menus"].values()
        for entry in entries
        if "command" in entry
    }
    found = names_in_sources(source) - {"isp.rank", "isp.event"}  # kinds of items in views
    if not used <= offered:
        sys.exit(f"pack: menus have commands that are not there: {sorted(used - offered)}")
    if offered != found:
        sys.exit(f"pack: package.json and src/ differ: {sorted(offered ^ found)}")


def main(root, modules, vsix):
    modules = os.path.abspath(modules)
    source = os.path.join(root, "editors", "vscode")
    with open(os.path.join(source, "package.json"), encoding="utf-8") as file:
        manifest = json.load(file)
    check_names(source, manifest)
    types = os.path.join(modules, "@types")
    subprocess.run(["tsc", "-p", source, "--typeRoots", types], check=True)
    with tempfile.TemporaryDirectory() as stage:
        shutil.copy(os.path.join(root, "LICENSE"), os.path.join(stage, "LICENSE.txt"))
        shutil.copy(os.path.join(source, "README.md"), stage)
        del manifest["devDependencies"]
        with open(os.path.join(stage, "package.json"), "w", encoding="utf-8") as file:
            json.dump(manifest, file, indent=2)
        entry = os.path.join(source, "src", "extension.ts")
        options = ["--bundle", "--platform=node", "--target=node16", "--external:vscode"]
        out = os.path.join(stage, "extension.js")
        subprocess.run(["esbuild", entry, *options, "--log-level=warning", f"--outfile={out}"], check=True)
        vsce = os.path.join(modules, "@vscode", "vsce", "vsce")
        words = ["package", "--no-dependencies", "--allow-missing-repository", "--out", os.path.abspath(vsix)]
        subprocess.run(["node", vsce, *words], cwd=stage, check=True, stdin=subprocess.DEVNULL)


if __name__ == "__main__":
    main(*sys.argv[1:])
