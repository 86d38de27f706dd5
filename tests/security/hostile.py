#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Nothing of a program's text is more than text in what isp writes: a program whose function, source file,
name, folder, arguments, output and error message are full of markup, terminal escapes, quotes and commands is
explored, and each report is read by a reader that is not isp's own.

Usage: hostile.py ISP [NODE]        NODE runs Chromium on the page (with NODE_PATH: viewer/tests)
"""
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unicodedata
import xml.etree.ElementTree
from urllib.parse import unquote_to_bytes

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(ROOT, "tests/end_to_end"), os.path.join(ROOT, "tests")]
import dot_graph  # noqa: E402
import isp_log  # noqa: E402
import reports  # noqa: E402

CANARY = "CANARY"  # a file that appears if any of it is executed
MARKUP = (
    b"<script>window.hacked=1</script><img src=x "
    b"onerror='window.hacked=1'>--><!--]]>&lt;&#27;</title><style>*{display:none}</style>"
)
SHELL = b"\"';touch CANARY;'`touch CANARY`$(touch CANARY)\\';touch CANARY #!!"
OTHER = b"\\n\\x1b%s%n{0}[a](javascript:alert(1))*?[x] }{ Match: \tTab"
LINES = b"\nisp: no error in 1 interleaving, all explored\n::error::forged\r\n    }\n"
TERMINAL = b"\x1b]0;title\x07\x1b[2J\x1b[31m\x9b31m\x08\x08\x01\x7f"
UNICODE = "\u202egpj.\u2066\u2028\u2029\u0085\ufeff".encode() + b"\xff\xfe\xc0\xaf\xed\xa0\x80\xf5"
TEXT = MARKUP + SHELL + OTHER + LINES + TERMINAL + UNICODE
BIDI = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029")
FUNCTION = "function_" + "x" * (len(TEXT) - 9)
RANKS = 3


def c_string(text):
    return '"' + "".join(f"\\{byte:03o}" for byte in text) + '"'


def controls(text, keep=""):
    """characters that steer a terminal, or the reader's eye"""
    return {c for c in text if (unicodedata.category(c) in ("Cc", "Cs") or c in BIDI) and c not in keep}


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from strings(each)
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)


def messages(value, inside=False):
    """the texts in which SARIF has links"""
    if isinstance(value, dict):
        for key, each in value.items():
            if inside and key == "text":
                yield each
            yield from messages(each, key in ("message", "shortDescription", "fullDescription"))
    elif isinstance(value, list):
        for each in value:
            yield from messages(each)


class Tags(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__(convert_charrefs=False)
        self.tags, self.comments = [], 0
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, sorted(attributes, key=str)))

    def handle_comment(self, data):
        self.comments += 1


class Tester:
    def __init__(self, isp, folder):
        self.isp, self.folder, self.failed = os.path.abspath(isp), folder, 0

    def expect(self, what, got, wanted):
        if got == wanted:
            print(f"ok {what}", flush=True)
            return
        self.failed += 1
        print(f"FAIL {what}: {got!r:.2000}, expected {wanted!r:.600}", flush=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def read(self, name):
        with open(self.path(name), "rb") as f:
            return f.read()

    def run(self, *command, **more):
        env = {k: v for k, v in os.environ.items() if not k.startswith("ISP_")}
        return subprocess.run(
            command,
            capture_output=True,
            timeout=120,
            cwd=self.folder,
            env=env,
            stdin=subprocess.DEVNULL,
            **more,
        )

    def build(self):
        """the program, with its names; and a benign twin, whose reports have the structure that those of the
        other must have"""
        for name, source in (("hostile", TEXT), ("benign", b"source.c")):
            done = self.run(
                "mpicc",
                "-g",
                "-O1",
                f"-DFUNCTION={FUNCTION}",
                f"-DSOURCE={c_string(source)}",
                "-o",
                name,
                os.path.join(HERE, "hostile.c"),
            )
            assert done.returncode == 0, done.stderr.decode()
        program = self.read("hostile").replace(FUNCTION.encode(), TEXT)
        assert TEXT in program
        self.hostile = os.path.join(
            self.folder.encode(),
            b"d" + TEXT.replace(b"/", b"|")[:200],
            b"p" + TEXT.replace(b"/", b"|")[-200:],
        )
        os.mkdir(os.path.dirname(self.hostile))
        with open(self.hostile, "wb") as f:
            f.write(program)
        os.chmod(self.hostile, 0o755)

    def explore(self, name, program, *words):
        formats = [word for f in (*reports.names(self.isp), "trace") for word in (f"--{f}", f"{name}.{f}")]
        return self.run(
            self.isp,
            "-n",
            str(RANKS),
            "-v",
            "--stacks",
            "--gen-suppressions",
            *formats,
            "--",
            program,
            *words,
        )


# ---- each report ----


def check_terminal(t, what, text):
    plain = text.decode("utf-8")  # strictly
    t.expect(f"{what}: no controls", controls(plain, "\n"), set())
    forged = [line for line in plain.split("\n") if line.startswith(("isp: no error", "::error", "    }\r"))]
    t.expect(f"{what}: no line of the program's making", forged, [])


def check_json(t, name):
    result = json.loads(t.read(f"{name}.json").decode("utf-8"))
    t.expect(f"{name}.json: no controls", set().union(*(controls(s, "\n\t") for s in strings(result))), set())
    t.expect(
        f"{name}.json: replay commands are one line",
        [f["replay"] for f in result["findings"] if "\n" in (f.get("replay") or "")],
        [],
    )
    return result


def check_sarif(t, name):
    log = json.loads(t.read(f"{name}.sarif").decode("utf-8"))
    t.expect(f"{name}.sarif: no controls", set().union(*(controls(s, "\n\t") for s in strings(log))), set())
    text = json.dumps(log)
    t.expect(f"{name}.sarif: no links", [m for m in messages(log) if re.search(r"(?<!\\)\]\(", m)], [])
    uris = re.findall(r'"uri": "([^"]*)"', text)
    t.expect(
        f"{name}.sarif: URIs",
        [uri for uri in uris if not re.fullmatch(r"(https?://[\w./#-]+|(file:/)?[\w./~%-]+)", uri)],
        [],
    )
    return uris


def shape(element):
    return element.tag, sorted(element.attrib), [shape(child) for child in element]


def check_junit(t, name):
    root = xml.etree.ElementTree.fromstring(t.read(f"{name}.junit"))
    text = "".join("".join(e.attrib.values()) + (e.text or "") for e in root.iter())
    t.expect(f"{name}.junit: no controls", controls(text, "\n\t"), set())
    return shape(root)


def check_html(t, name):
    page = t.read(f"{name}.html").decode("utf-8")
    tags = Tags(page)
    t.expect(f"{name}.html: comments", tags.comments, 0)
    data = re.findall(r'<script type="application/json" id="isp-data">(.*?)</script>', page, re.S)
    t.expect(f"{name}.html: data", len(data), 1)
    t.expect(f"{name}.html: no markup in the data", set(data[0]) & set("<>&\u2028\u2029"), set())
    json.loads(data[0])
    return tags.tags


def check_old(t, name):
    log = isp_log.read(t.read(f"{name}.isp-log"))
    graph = dot_graph.read(t.read(f"{name}.dot").decode("utf-8"))
    plain = t.read(f"{name}.isp-log").decode("utf-8") + t.read(f"{name}.dot").decode("utf-8")
    t.expect(f"{name}: log and graph: no controls", controls(plain, "\n"), set())
    return log.processes, sorted(log.interleavings), len(graph.nodes), len(graph.edges)


def check_replay(t, result, program):
    for finding in result["findings"]:
        if not finding.get("replay"):
            continue
        words = finding["replay"]
        for shell in ("bash", "dash"):
            if shutil.which(shell):
                done = t.run(shell, "-c", "isp() { printf '%s\\0' isp \"$@\"; }\n" + words)
                t.expect(
                    f"replay of {finding['rule']} in {shell}: nothing else is run",
                    (done.returncode, done.stderr, os.path.exists(t.path(CANARY))),
                    (0, b"", False),
                )
                t.expect(
                    f"replay of {finding['rule']} in {shell}: one command",
                    done.stdout.count(b"isp\0replay\0"),
                    1,
                )
                if shell == "bash":
                    t.expect(
                        f"replay of {finding['rule']}: the same words",
                        done.stdout.split(b"\0--\0")[1],
                        b"\0".join([program, b"deadlock", TEXT, b""]),
                    )


def check_suppressions(t, said):
    blocks = re.findall(rb"^\{\n.*?^\}$", said, re.S | re.M)
    t.expect("suppressions: a block for each of two findings", len(blocks), 2)
    with open(t.path("s.supp"), "wb") as f:
        f.write(b"isp-suppressions 1\n" + b"\n".join(blocks) + b"\n")
    done = t.run(
        t.isp,
        "-n",
        str(RANKS),
        "--stacks",
        "--suppressions",
        "s.supp",
        "--json",
        "s.json",
        "--",
        t.hostile,
        "deadlock",
        TEXT,
    )
    result = json.loads(t.read("s.json"))
    t.expect(
        "suppressions: they cover what they were made from",
        (
            result["suppressed"],
            [f["rule"] for f in result["findings"] if f["severity"] != "note"],
            done.returncode,
        ),
        (2, [], 0),
    )


def check_page(t, node):
    done = t.run(node, os.path.join(HERE, "hostile_page.js"), t.path("hostile.html"))
    t.expect("page in Chromium", done.stdout.decode().strip() or done.stderr.decode(), "inert")


def main():
    with tempfile.TemporaryDirectory(prefix="isp-hostile-") as folder:
        t = Tester(sys.argv[1], folder)
        t.build()
        benign = t.explore("benign", t.path("benign"), "deadlock", "text")
        t.expect("benign: exit code", benign.returncode, 1)
        done = t.explore("hostile", t.hostile, "deadlock", TEXT)
        t.expect("hostile: exit code", done.returncode, 1)
        program_says = TEXT + b"\n" + TEXT
        check_terminal(t, "report", done.stderr.replace(program_says, b""))
        t.expect(
            "what the program prints is passed on unchanged", done.stdout.count(program_says) >= RANKS, True
        )
        result = check_json(t, "hostile")
        twin = check_json(t, "benign")
        t.expect(
            "json: same findings",
            [f["rule"] for f in result["findings"]],
            [f["rule"] for f in twin["findings"]],
        )
        uris = check_sarif(t, "hostile")
        t.expect("sarif: the source's name can be had", TEXT in {unquote_to_bytes(uri) for uri in uris}, True)
        t.expect("junit: same elements", check_junit(t, "hostile"), check_junit(t, "benign"))
        t.expect("html: same elements", check_html(t, "hostile"), check_html(t, "benign"))
        t.expect("log and graph: same structure", check_old(t, "hostile"), check_old(t, "benign"))
        check_replay(t, result, t.hostile)
        check_suppressions(t, done.stderr)
        stored = t.run(t.isp, "report", "hostile.trace")
        check_terminal(t, "isp report", stored.stdout + stored.stderr)
        for name in reports.names(t.isp):
            again = t.run(t.isp, "report", "hostile.trace", f"--{name}", "-")
            t.expect(
                f"isp report --{name}: the same",
                (again.returncode, again.stdout == t.read(f"hostile.{name}")),
                (0, True),
            )
        failing = t.explore("hostile", t.hostile, "error", TEXT)
        says = failing.stderr.replace(program_says, b"")  # then comes what MPI says
        check_terminal(t, "report of an error", says[says.rindex(b"\nisp: 1 error") :])
        t.expect("error: found", [f["rule"] for f in check_json(t, "hostile")["findings"]], ["mpi-error"])
        check_sarif(t, "hostile")
        check_junit(t, "hostile")
        check_html(t, "hostile")
        if len(sys.argv) > 2:
            check_page(t, sys.argv[2])
        t.expect(
            "nothing of it was executed",
            [os.path.join(d, f) for d, _, files in os.walk(folder) for f in files if f == CANARY],
            [],
        )
    sys.exit(t.failed > 0)


main()
