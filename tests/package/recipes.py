#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The recipes of distributions have the dependencies, versions and options of meson.build: that for Spack, a
Python program that is run here with Spack's names, and debian/.

usage: recipes.py ROOT (the source folder)
"""
import ast
import os
import re
import sys
import types

# What a dependency of meson.build is called: in Spack, in Debian.
NAMES = {
    "mpich": ("mpich", "libmpich-dev"),
    "libevent_core": ("libevent", "libevent-dev"),
    "jansson": ("jansson", "libjansson-dev"),
    "sqlite3": ("sqlite", "libsqlite3-dev"),
    "libdw": ("elfutils", "libdw-dev"),
    "libedit": ("libedit", "libedit-dev"),
    "zlib": ("zlib", "zlib1g-dev"),
    "uthash.h": ("uthash", "uthash-dev"),
    "xxhash.h": ("xxhash", "libxxhash-dev"),
    "cadical": ("cadical", "libcadical-dev"),
}
SPACK, DEBIAN = 0, 1
# The compiler's own, and what only tests need.
NOT_OURS = {"openmp", "cmocka", "dl", "threads"}


def load(path):
    """{dependency: (version, types)}, {option: value} and the class, by running the recipe with Spack's
    directives counted."""
    calls = []

    def directive(name):
        return lambda *args, **keywords: calls.append((name, args, keywords))

    module = types.ModuleType("spack.package")
    module.MesonPackage = type("MesonPackage", (), {})
    for name in ("license", "version", "depends_on", "conflicts", "maintainers", "variant"):
        setattr(module, name, directive(name))
    module.__all__ = [name for name in vars(module) if not name.startswith("_")]
    sys.modules["spack"], sys.modules["spack.package"] = types.ModuleType("spack"), module
    scope = {}
    with open(path, encoding="utf-8") as stream:
        exec(compile(stream.read(), path, "exec"), scope)
    return calls, scope["Isp"]


def meson_dependencies(text):
    """{name: least version or None} of the dependencies in a meson.build"""
    found = {
        name: version
        for name, version in re.findall(r"= dependency\('([\w-]+)'(?:[^)\n]*version: *'>=([\d.]+)')?", text)
    }
    for headers in re.findall(r"foreach header : (\['uthash.*?\])", text):
        found.update({header: "" for header in ast.literal_eval(headers)})
    for library in re.findall(r"find_library\('(\w+)', has_headers", text):
        found[library] = ""
    return {name: version for name, version in found.items() if name not in NOT_OURS}


def read(root, *path):
    with open(os.path.join(root, *path), encoding="utf-8") as stream:
        return stream.read()


failed = False


def check(name, found, expected):
    global failed
    failed |= found != expected
    print(f"ok {name}" if found == expected else f"FAIL {name}: {found} instead of {expected}")


def check_debian(root, dependencies, meson_version, version):
    field = re.search(r"^Build-Depends:(.*?)^\S", read(root, "debian", "control"), re.M | re.S).group(1)
    packages = {
        name.partition(":")[0]: least
        for name, least in re.findall(r"([\w.+:-]+)(?: \(>= ([\d.]+)\))?(?:,|\Z)", field.strip())
    }
    tools = {name: packages.pop(name, None) for name in ("meson", "pkg-config", "python3", "scdoc")}
    packages.pop("debhelper-compat", None)
    has_openmpi = packages.pop("libopenmpi-dev", None) is not None
    check("Debian: Open MPI", has_openmpi, "'ompi-c'" in read(root, "adapters", "meson.build"))
    has_esbuild = packages.pop("esbuild", None) is not None
    check("Debian: libraries", packages, {NAMES[name][DEBIAN]: least for name, least in dependencies.items()})
    recommended = re.search(r"^Recommends: (.*)$", read(root, "debian", "control"), re.M).group(1)
    check("Debian: recommended", recommended.split(", "), ["gdb", "libmpich-dev"])
    check("Debian: tools", tools, {"meson": meson_version, "pkg-config": "", "python3": "", "scdoc": ""})
    check("Debian: the page's bundler", has_esbuild, uses_esbuild(root))
    check(
        "Debian: version", re.match(r"isp \(([\d.]+)-", read(root, "debian", "changelog")).group(1), version
    )


def uses_esbuild(root):
    folders = ["."] + [name for name in os.listdir(root) if not name.startswith("build")]
    return any(
        "esbuild" in read(root, name, "meson.build")
        for name in folders
        if os.path.exists(os.path.join(root, name, "meson.build"))
    )


def main(root):
    meson = read(root, "meson.build")
    dependencies = meson_dependencies(meson)
    needed = re.search(r"meson_version: '>=([\d.]+)'", meson).group(1)
    version = re.search(r"  version: '([\d.]+)'", meson).group(1)
    calls, recipe = load(os.path.join(root, "packaging", "spack", "package.py"))
    linked, tools, started = {}, set(), set()
    for name, args, keywords in calls:
        if name == "depends_on":
            package, _, least = args[0].partition("@")
            if keywords.get("type") == "build":
                tools.add(args[0])
            elif keywords.get("type") == "run":
                started.add(package)
            else:
                linked[package] = least.rstrip(":")
    check("Spack: programs that isp starts", started, {"gdb"})
    check("Spack: libraries", linked, {NAMES[name][SPACK]: least for name, least in dependencies.items()})
    check(
        "Spack: tools",
        tools,
        {"c", f"meson@{needed}:", "pkgconfig", "python@3.9:", "scdoc"}
        | ({"esbuild"} if uses_esbuild(root) else set()),
    )
    check("Spack: version", [args[0] for name, args, _ in calls if name == "version"], [version])
    check("Spack: the tarball's name", recipe.url.rsplit("/", 1)[1], f"isp-{version}.tar.gz")
    given = {re.match(r"-D(\w+)=", word).group(1) for word in recipe().meson_args()}
    check(
        "Spack: options exist",
        given - set(re.findall(r"^option\('(\w+)'", read(root, "meson_options.txt"), re.M)),
        set(),
    )
    check_debian(root, dependencies, needed, version)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
