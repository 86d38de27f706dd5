#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A newer MPI, with a function that the table does not know: what is built must refuse it by name.

The newer MPI is a copy of the installed header with one more prototype, found as usual, by
pkg-config. So this is what meson and ninja do for a user, not only what generate.py does.

Usage: test_newer_mpi.py MESON SOURCE
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MESON, SOURCE = sys.argv[1:]
TARGETS = ["include/wrappers.c", "include/functions.c"]


def run(command, **options):
    return subprocess.run(
        command, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options
    )


def pkg_config(*arguments):
    return run(["pkg-config", *arguments, "mpich"]).stdout.strip()


class NewerMpi(unittest.TestCase):
    def made_with(self, build):
        """For each target: whether it knows the new function."""
        done = run(["ninja", "-C", build, *TARGETS])
        self.assertEqual(done.returncode, 0, done.stdout)
        return ["MPI_Frobnicate" in (build / name).read_text(encoding="utf-8") for name in TARGETS]

    def test_a_new_function_is_refused_by_name(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            headers, build = folder / "headers", folder / "build"
            shutil.copytree(pkg_config("--variable=includedir"), headers)
            described = Path(pkg_config("--variable=pcfiledir"), "mpich.pc").read_text(encoding="utf-8")
            (folder / "mpich.pc").write_text(
                re.sub(r"(?m)^includedir=.*", f"includedir={headers}", described), encoding="utf-8"
            )
            mpi_h = headers / "mpi.h"
            original = mpi_h.read_text(encoding="utf-8")
            mpi_h.write_text(original + "\nint MPI_Frobnicate(MPI_Comm comm, int root);\n", encoding="utf-8")
            done = run(
                [MESON, "setup", "-Dtests=false", build, SOURCE], env={**os.environ, "PKG_CONFIG_PATH": name}
            )
            self.assertEqual(done.returncode, 0, done.stdout)

            self.assertEqual(self.made_with(build), [True, True])
            mpi_h.write_text(original, encoding="utf-8")  # what is made follows the header
            self.assertEqual(self.made_with(build), [False, False])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
