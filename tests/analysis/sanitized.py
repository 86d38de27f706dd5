#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""isp itself under ASan, UBSan and LeakSanitizer, on programs of the umpire-suite.

Usage: sanitized.py ISP CC

ISP is built with -fsanitize=address,undefined (build-asan); libisp.so beside it is not, since it is preloaded
into programs that have no sanitizer. Every case must end with an exit code of isp's own, and no process of it
may have written what a sanitizer says: an error, or a leak at its end. First a program that leaks shows that
this machine lets LeakSanitizer look.
"""
import glob
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import reports  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SUITE = f"{ROOT}/umpire-suite"
LEAK = (
    "#include <stdlib.h>\nint main(void) { char *volatile lost = malloc(24); lost = 0; return lost != 0; }\n"
)
# program, ranks, options
CASES = (
    ("any_src-can-deadlock9", 4, ["-j", "2"]),
    ("any_src-can-deadlock10", 3, ["--stacks"]),
    ("collective-misorder", 2, []),
    ("comm-dup-no-free", 2, ["-v"]),
    ("change-send-buffer", 2, ["--no-checkpoints"]),
    ("no-error-waitany-any_src2", 3, ["--sample=3"]),
    ("probe-any_src-can-deadlock", 3, ["--mix=1"]),
    ("test-deadlock", 2, []),
    ("type-no-free-exchange", 2, []),
    ("isend-unsafe", 2, ["--buffering=auto"]),
    ("persistent-deadlock", 2, ["--tcp=127.0.0.1:0"]),
    ("no-init", 2, []),
)


class Sanitized:
    """Runs isp in a folder of its own, and knows what sanitizers wrote there."""

    def __init__(self, isp, folder):
        self.isp, self.folder, self.failed = isp, folder, 0
        logs = f"log_path={folder}/said"
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("ISP_")}
        self.env |= {
            "ASAN_OPTIONS": f"detect_leaks=1:exitcode=66:{logs}",
            "UBSAN_OPTIONS": f"halt_on_error=1:print_stacktrace=1:exitcode=66:{logs}",
            "LSAN_OPTIONS": f"exitcode=66:{logs}",
        }

    def run(self, words):
        return subprocess.run(
            words,
            cwd=self.folder,
            env=self.env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def said(self):
        """What sanitizers have written since it was asked last."""
        text = ""
        for path in glob.glob(f"{self.folder}/said.*"):
            with open(path, encoding="utf-8", errors="replace") as file:
                text += file.read()
            os.unlink(path)
        return text

    def case(self, name, *words, codes=(0, 1, 3)):
        done = self.run([self.isp, *words])
        text = self.said()
        ok = done.returncode in codes and not text
        self.failed += not ok
        print(
            f"{'ok' if ok else 'FAIL'} {name}"
            + (
                ""
                if ok
                else (
                    f": exit code {done.returncode}\n{self.isp} "
                    f"{' '.join(words)}\n{text[:6000]}{done.stderr[-1500:]}"
                )
            ),
            flush=True,
        )


def leaks_are_seen(sanitized, cc):
    with open(f"{sanitized.folder}/leak.c", "w", encoding="utf-8") as file:
        file.write(LEAK)
    subprocess.run(
        [*cc.split(), "-fsanitize=address", "-O0", "-o", "leak", "leak.c"], cwd=sanitized.folder, check=True
    )
    sanitized.run(["./leak"])
    ok = "LeakSanitizer" in (text := sanitized.said()) and "24 byte" in text
    sanitized.failed += not ok
    print(
        f"{'ok' if ok else 'FAIL'} a leak of 24 bytes is seen"
        + ("" if ok else f": LeakSanitizer cannot look at processes here?\n{text}")
    )


def main():
    isp, cc = os.path.abspath(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory(prefix="isp-sanitized-") as folder:
        sanitized = Sanitized(isp, folder)
        leaks_are_seen(sanitized, cc)
        formats = reports.names(isp)
        for name, ranks, options in CASES:
            subprocess.run(
                ["mpicc", "-g", "-O0", "-w", "-o", name, f"{SUITE}/{name}.c"], cwd=folder, check=True
            )
            files = [f"--{report}={name}.{report}" for report in formats]
            trace = [f"--trace={name}.trace"] if "--sample=3" not in options else []
            sanitized.case(
                " ".join([name, *options]), "-n", str(ranks), *options, *files, *trace, f"./{name}"
            )
        first = CASES[0][0]
        sanitized.case(
            "report", "report", f"{first}.trace", *[f"--{report}=again.{report}" for report in formats]
        )
        sanitized.case("replay", "replay", "-n", "4", "--choices", "0", f"./{first}")
        sanitized.case("save", "-n", "4", "--save=state", "--max-interleavings=1", f"./{first}")
        sanitized.case("resume", "--resume=state", "-j", "2")
        sanitized.case("explain", "explain", "deadlock")
        sanitized.case("doctor", "doctor")
        sanitized.case("suppressions", "-n", "4", "--gen-suppressions", f"./{first}")
        sanitized.case("a damaged trace", "report", f"./{first}", "--json=x", codes=(2,))
        sanitized.case("a bad option", "-n", "4", "--nonsense", f"./{first}", codes=(2,))
        return 1 if sanitized.failed else 0


sys.exit(main())
