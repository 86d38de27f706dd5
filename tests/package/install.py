#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""An isp that was installed into a folder: all its files are there, and it works from there.

usage: install.py BUILD           what `meson install` puts into a folder (DESTDIR)
       install.py --package DEB   what the Debian package has

`installed(BUILD)` is for other tests: the folder, with bin/ in it.
"""
import glob
import gzip
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

FILES = """bin/isp bin/isp-cc bin/isp-cxx bin/isp-fort include/isp.h
    lib/**/isp/libisp.so lib/**/isp/libisp.a lib/**/isp/libisp-dynamic.a lib/**/isp/libisp-static.a lib/**/isp/libisp-udev.a lib/**/isp/libtsan.a lib/**/pkgconfig/isp.pc
    share/man/man1/isp.1* share/man/man1/isp-cc.1* share/man/man1/isp-cxx.1* share/man/man1/isp-fort.1*
    share/man/man1/isp-dap.1* share/man/man1/isp-debug.1* share/man/man1/isp-replay.1* share/man/man1/isp-report.1* share/man/man5/isp-json.5* share/man/man5/isp-trace.5* share/man/man5/isp-suppressions.5*
    share/man/man3/isp_loop_begin.3* share/man/man3/isp_loop_end.3*
    share/man/man3/isp_ignore.3* share/man/man3/isp_unignore.3*
    share/bash-completion/completions/isp
    share/doc/isp/README.md share/doc/isp/docs/tutorial.md share/doc/isp/docs/images/rounds.png share/doc/isp/docs/faq.md
    share/doc/isp/docs/editors.md
    share/doc/isp/docs/comparison.md share/doc/isp/docs/result.schema.json share/doc/isp/docs/rules/deadlock.md share/doc/isp/examples/rounds.c""".split()

# Uses the mark of isp.h, and says which profiler is in it.
MARKED = r"""#include <isp.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        printf("preloaded: %s\n", getenv("LD_PRELOAD") ? getenv("LD_PRELOAD") : "");
    isp_loop_begin();
    for (int i = 1; rank == 0 && i < size; i++)
        MPI_Recv(NULL, 0, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    isp_loop_end();
    if (rank != 0)
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
"""


def run(*command, expect=0, **keywords):
    """stdout and stderr of a command; an exception if it does not end with this code"""
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
        **keywords,
    )
    if done.returncode != expect:
        raise AssertionError(
            f"{' '.join(command)} ended with {done.returncode}, not {expect}:\n{done.stdout}"
        )
    return done.stdout


def installed(build, folder):
    """Installs into this folder; the prefix in it."""
    run("meson", "install", "-C", build, "--no-rebuild", "--destdir", folder)
    (found,) = glob.glob(os.path.join(glob.escape(folder), "**", "bin", "isp"), recursive=True)
    return os.path.dirname(os.path.dirname(found))


class Install:
    def __init__(self, folder, prefix):
        self.folder, self.prefix = folder, prefix
        self.isp = os.path.join(prefix, "bin", "isp")
        self.work = os.path.join(folder, "work")
        os.mkdir(self.work)

    def test_files(self):
        missing = [name for name in FILES if not glob.glob(os.path.join(self.prefix, name), recursive=True)]
        assert not missing, f"not installed: {' '.join(missing)}"

    def test_documents_refer_to_what_is_there(self):
        """The folders are those of the sources, which are not all installed: a link may lead to these, but
        documents must be there."""
        folder = os.path.join(self.prefix, "share", "doc", "isp")
        dead = []
        for page in glob.glob(os.path.join(folder, "**", "*.md"), recursive=True):
            with open(page, encoding="utf-8") as stream:
                links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", stream.read())
            for link in links:
                path = os.path.relpath(os.path.join(os.path.dirname(page), link), folder)
                is_document = path.startswith(("docs/", "examples/")) and not path.endswith(".scd")
                if not os.path.exists(os.path.join(folder if is_document else ROOT, path)):
                    dead.append(f"{os.path.relpath(page, folder)}: {link}")
        assert not dead, f"links that lead nowhere: {', '.join(dead)}"

    def test_finds_the_deadlock(self):
        run("mpicc", "-g", "-o", "primes", os.path.join(ROOT, "examples", "primes.c"), cwd=self.work)
        text = run(self.isp, "-n", "3", "./primes", expect=1, cwd=self.work)
        assert "[deadlock]" in text, text

    def test_doctor(self):
        text = subprocess.run(
            [self.isp, "doctor"],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=120,
            check=False,
        ).stdout
        assert "two ranks met" in text, text

    def test_explains(self):
        assert "deadlock" in run(self.isp, "--explain", "deadlock")

    def pkg_config(self, *words):
        """As for a package that was not moved here but is below another root."""
        (pc,) = glob.glob(os.path.join(self.prefix, "lib", "**", "pkgconfig"), recursive=True)
        root = self.folder if self.prefix.startswith(os.path.join(self.folder, "")) else "/"
        environment = {
            **os.environ,
            "PKG_CONFIG_PATH": pc,
            "PKG_CONFIG_SYSROOT_DIR": root,
            "PKG_CONFIG_ALLOW_SYSTEM_CFLAGS": "1",
        }
        return run("pkg-config", *words, "isp", env=environment).split()

    def test_pkg_config(self):
        assert self.pkg_config("--libs-only-l") == [], "isp.h needs no library"
        with open(os.path.join(self.work, "marked.c"), "w", encoding="utf-8") as stream:
            stream.write(MARKED)
        run("mpicc", "-g", "-o", "marked", "marked.c", *self.pkg_config("--cflags"), cwd=self.work)
        text = run(self.isp, "-n", "4", "./marked", expect=3, cwd=self.work)
        assert "in 1 of about 6 interleavings" in text, text
        where = re.search(r"preloaded: (\S+)", text).group(1)
        assert where.startswith(os.path.realpath(self.prefix)) and where.endswith("/isp/libisp.so"), where

    def test_isp_cc(self):
        run(
            os.path.join(self.prefix, "bin", "isp-cc"),
            "-g",
            "-o",
            "linked",
            os.path.join(ROOT, "examples", "primes.c"),
            cwd=self.work,
        )
        assert "[deadlock]" in run(self.isp, "-n", "3", "./linked", expect=1, cwd=self.work)

    def test_manual(self):
        for page in glob.glob(os.path.join(self.prefix, "share", "man", "man*", "*")):
            with (gzip.open if page.endswith(".gz") else open)(page, "rt", encoding="utf-8") as stream:
                warnings = run("groff", "-man", "-ww", "-z", "-Tutf8", "-", input=stream.read())
            assert not warnings, f"{page}: {warnings}"


def main(arguments):
    with tempfile.TemporaryDirectory(prefix="isp-install-") as folder:
        if arguments[0] == "--package":
            run("dpkg-deb", "-x", os.path.abspath(arguments[1]), folder)
            prefix = os.path.join(folder, "usr")
        else:
            prefix = installed(arguments[0], folder)
        install, failed = Install(folder, prefix), False
        for name in sorted(name for name in dir(Install) if name.startswith("test_")):
            try:
                getattr(install, name)()
                print(f"ok {name[5:]}")
            except AssertionError as error:
                print(f"FAIL {name[5:]}\n{error}")
                failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
