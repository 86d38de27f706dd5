# SPDX-License-Identifier: BSD-3-Clause
# Recipe for Spack. In the folder that has the release tarball (`./dev dist` makes it):
#
#     spack repo create isp-repo isp-repo && spack repo add ./isp-repo
#     mkdir -p isp-repo/packages/isp && cp .../packaging/spack/package.py isp-repo/packages/isp/
#     spack install --no-checksum isp
#
# (A recipe that lies in the tarball cannot name the tarball's checksum.) tests/package/recipes.py compares it
# with meson.build.
import os

from spack.package import *


class Isp(MesonPackage):
    """Runs an unmodified MPI program in every interleaving that MPI allows, and reports deadlocks, leaks and
    misuse with their call sites and with a command that replays each."""

    manual_download = True
    url = f"file://{os.getcwd()}/isp-0.1.0.tar.gz"
    license("BSD-3-Clause")

    version("0.1.0")

    depends_on("c", type="build")
    depends_on("meson@1.0.0:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("python@3.9:", type="build")
    depends_on("scdoc", type="build")
    depends_on("esbuild", type="build")  # of the system, as an external, if Spack has no recipe for it
    # esbuild is needed in PATH as well (the page of --html): Spack has no package of it, Debian and npm have.

    depends_on("mpich@4.0:", type=("build", "link", "run"))
    depends_on("libevent@2.1:")
    depends_on("jansson@2.13:")
    depends_on("sqlite@3.37:")
    depends_on("zlib")
    depends_on("elfutils@0.188:")
    depends_on("libedit@3.1:")
    depends_on("uthash")
    depends_on("xxhash")
    depends_on("cadical")

    depends_on("gdb", type="run")  # the debugger

    conflicts("platform=darwin", msg="isp preloads its profiler into ELF programs")
    conflicts("platform=windows", msg="isp preloads its profiler into ELF programs")

    def meson_args(self):
        return ["-Dtests=false"]
