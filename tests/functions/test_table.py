#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The table of MPI functions against the installed mpi.h, and against itself.

A function that the table does not know must be named by the check, and refused
by what is built; a row that mpi.h has no function for must be named, too. And
what communicates must never be of class local, or isp would let it pass without
a word.

Usage: test_table.py GENERATE_PY CC INCLUDE_DIR LIBRARY_DIR TABLE...
"""
import importlib.util
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
GENERATE, CC, INCLUDE, LIBRARIES, *TABLES = sys.argv[1:]
sys.dont_write_bytecode = True  # nothing is left in the source tree
spec = importlib.util.spec_from_file_location("generate", GENERATE)
generate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(generate)


def run(*arguments, tables=()):
    command = [sys.executable, GENERATE, "--cc", CC, "--include", INCLUDE, *arguments, *TABLES, *tables]
    return subprocess.run(command, text=True, capture_output=True, check=False)


class AgainstHeader(unittest.TestCase):
    unknown = os.path.join(HERE, "unknown.h")

    def test_every_function_has_its_row(self):
        result = run("--check")
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def assert_names(self, result, *names):
        self.assertEqual(result.returncode, 1)
        for name in names:
            self.assertRegex(result.stderr, rf"(?m)^{name}: ")
        self.assertEqual(len(result.stderr.splitlines()), len(names), result.stderr)

    def test_an_unknown_function_is_named(self):
        self.assert_names(
            run("--check", "--header", self.unknown), "MPI_Frobnicate", "MPI_Frobnicate_c", "MPIX_Frobtime"
        )

    def test_an_unknown_function_is_refused_by_name(self):
        with tempfile.TemporaryDirectory() as directory:
            text = {}
            for name in ("wrappers.c", "functions.c", "entries.inc"):
                output = os.path.join(directory, name)
                result = run("--make", name, "--output", output, "--header", self.unknown)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                with open(output, encoding="utf-8") as f:
                    text[name] = f.read()
        for function in ("MPI_Frobnicate", "MPI_Frobnicate_c", "MPIX_Frobtime"):
            with self.subTest(function=function):
                self.assertIn(f"prof_unsupported(ISP_FN_{function}, PROF_SITE);", text["wrappers.c"])
                self.assertIn(f'"{function}"', text["functions.c"])
                self.assertIn(f"wrapped {function}\n", text["entries.inc"])

    def test_a_row_without_function_is_named(self):
        self.assert_names(run("--check", tables=[os.path.join(HERE, "vanished.tbl")]), "MPI_Vanished")


class AgainstLibraries(unittest.TestCase):
    """What programs can call without mpi.h: Fortran and C++ through their bindings, all through the
    library."""

    rows = generate.read_table(TABLES)

    @staticmethod
    def symbols(library, kinds):
        """names of MPI's symbols, without the P of the profiling interface"""
        text = subprocess.run(
            ["nm", "-D", os.path.join(LIBRARIES, library)], text=True, capture_output=True, check=True
        ).stdout
        names = [line.split("@")[0].split() for line in text.splitlines()]
        return {
            name[-1].removeprefix("P")
            for name in names
            if name[-2] in kinds and name[-1].removeprefix("P").startswith(("MPI_", "MPIX_"))
        }

    def test_what_the_library_has_is_in_the_table(self):
        functions = self.symbols("libmpich.so", "TW")
        self.assertGreater(len(functions), 400)
        self.assertEqual(functions - set(self.rows), set())

    def test_what_the_bindings_call_is_in_the_table(self):
        functions = self.symbols("libmpich.so", "TW")
        for binding, least in (("libmpichfort.so", 400), ("libmpichcxx.so", 200)):
            with self.subTest(binding=binding):
                called = self.symbols(binding, "U") & functions  # not the variables
                self.assertGreater(len(called), least)
                self.assertEqual(called - set(self.rows), set())


class AgainstItself(unittest.TestCase):
    rows = generate.read_table(TABLES)

    def test_what_communicates_is_not_local(self):
        for row in self.rows.values():
            if row.klass != "local" or row.name.startswith("MPI_T_"):
                continue
            for a in row.arguments:
                made = a.kind in ("request", "message", "win", "file", "session") and a.direction not in (
                    "in",
                )
                made |= a.kind == "comm" and a.direction != "in" and row.name != "MPI_Comm_get_parent"
                with self.subTest(function=row.name, argument=a.name):
                    self.assertFalse(made)
                    self.assertNotIn(a.kind, ("root", "tag"))

    def test_a_collective_names_its_communicator_window_or_file(self):
        for row in self.rows.values():
            if row.klass == "collective":
                with self.subTest(function=row.name):
                    scopes = [row.argument_of_kind(kind) for kind in ("comm", "win", "file")]
                    self.assertEqual(scopes.count(None), 2)

    def test_a_twin_is_of_its_bases_class(self):
        for row in self.rows.values():
            if row.base:
                with self.subTest(function=row.name):
                    self.assertEqual(row.klass, row.base.klass)
                    self.assertEqual(row.name, row.base.name + "_c")

    def test_the_table_for_users_names_each_function_and_its_limit(self):
        with tempfile.TemporaryDirectory() as directory:
            table = os.path.join(directory, "x.tbl")
            with open(table, "w", encoding="utf-8") as f:
                f.write(
                    "chapter: Example\n"
                    "limit one: one at a time\n"
                    "MPI_Frob call comm:comm twin limit=one  # a comment\n"
                    "MPI_Plain local comm:comm\n"
                )
            text = generate.functions_md(generate.read_table([table]), {})
        self.assertIn("| one | one at a time | `MPI_Frob` (`_c`) |\n", text)
        self.assertIn("| `MPI_Frob` (`_c`) | call | one |\n", text)
        self.assertIn("| `MPI_Plain` | local |  |\n", text)

    def test_the_table_for_users_is_up_to_date(self):
        with open(os.path.join(HERE, "..", "..", "docs", "functions.md"), encoding="utf-8") as f:
            current = f.read() == generate.functions_md(self.rows, {})
        self.assertTrue(current, "after `ninja -C build`: cp build/docs/functions.md docs/")

    def test_every_function_is_in_the_table_for_users(self):
        text = generate.functions_md(self.rows, {})
        for row in self.rows.values():
            name = row.name.removesuffix("_c") if row.base else row.name
            with self.subTest(function=row.name):
                self.assertIn(f"| `{name}`", text)

    def test_a_row_without_class_or_with_an_unknown_limit_is_refused(self):
        with tempfile.TemporaryDirectory() as directory:
            for line in ("MPI_Frob", "MPI_Frob comm:comm", "MPI_Frob local limit=none"):
                table = os.path.join(directory, "x.tbl")
                with open(table, "w", encoding="utf-8") as f:
                    f.write(f"chapter: Example\n{line}\n")
                with self.subTest(line=line), self.assertRaisesRegex(generate.TableError, "x.tbl:2: "):
                    generate.read_table([table])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-v"])
