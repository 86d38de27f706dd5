#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Requests without what they need, in the wrong order, or that are none; frames that are no frames; tokens
that are wrong: one response or one line says what to do, and what can go on goes on.

usage: refusals.py ISP PROGRAM
"""
import json
import os
import sys
import tempfile
import unittest

from client import Client

isp, program = "", ""

BEFORE_LAUNCH = [
    ({"program": "/nowhere/app"}, "/nowhere/app"),
    ({"program": ""}, "program: the path"),
    ({}, "program: the path"),
    ({"program": "PROGRAM", "n": 0}, "n: how many ranks"),
    ({"program": "PROGRAM", "n": "3"}, "n: how many ranks"),
    ({"program": "PROGRAM", "n": 1 << 40}, "n: how many ranks"),
    ({"program": "PROGRAM", "args": "x"}, "args: a list of texts"),
    ({"program": "PROGRAM", "args": [1]}, "args: a list of texts"),
    ({"program": "PROGRAM", "choices": "x"}, "--choices"),
    ({"program": "PROGRAM", "choices": [0, "x"]}, "choices: a text"),
    ({"program": "PROGRAM", "options": ["--nosuch"]}, "--nosuch"),
    ({"program": "PROGRAM", "options": ["--help"]}, ""),
    ({"program": "PROGRAM", "cwd": "/nowhere"}, "/nowhere cannot be entered"),
    ({"program": "PROGRAM", "env": []}, "env: an object"),
    ({"program": "PROGRAM", "env": {"A=B": "x"}}, "env: names without ="),
    ({"program": "PROGRAM", "n": 3, "choices": "7"}, "is not an interleaving"),
    ({"result": "/nowhere.json"}, "/nowhere.json"),
    ({"result": "PROGRAM"}, "is no result of isp"),
    ({"result": 1}, "result: a file"),
    ({"result": "PROGRAM", "finding": -1}, "finding: which one"),
]

IN_SESSION = [
    ("launch", {"program": "x"}, "begun already"),
    ("initialize", {}, "initialize comes once"),
    ("configurationDone", {}, "comes once"),
    ("nosuch", {}, "no request of this name"),
    ("stackTrace", {}, "threadId: a number from 1 to 3"),
    ("stackTrace", {"threadId": 4}, "threadId: a number from 1 to 3"),
    ("next", {"threadId": 0}, "threadId"),
    ("stepBack", {"threadId": "1"}, "threadId"),
    ("scopes", {"frameId": 99999999}, "frameId"),
    ("variables", {"variablesReference": 77}, "variablesReference"),
    ("setVariable", {"variablesReference": 77, "name": "x", "value": "1"}, "variablesReference"),
    ("setVariable", {}, "name and value"),
    ("evaluate", {}, "expression: a text"),
    ("evaluate", {"expression": "nosuch"}, 'No symbol "nosuch"'),
    ("evaluate", {"expression": ":focus 9", "context": "repl"}, "focus on which rank"),
    ("setBreakpoints", {}, "source.path"),
    ("setBreakpoints", {"source": {"path": "a"}, "breakpoints": 3}, "breakpoints: a list"),
    ("setFunctionBreakpoints", {"breakpoints": [{}] * 1001}, "breakpoints: a list"),
    ("setExceptionBreakpoints", {}, "filters: a list"),
    ("dataBreakpointInfo", {}, "name: a variable"),
    ("gotoTargets", {"line": 3}, "source.path and line"),
    ("goto", {"threadId": 1, "targetId": 5}, "targetId"),
    ("exceptionInfo", {"threadId": 1}, "has not stopped for an exception"),
    ("isp/follow", {"threadId": 9}, "threadId"),
    ("isp/goto", {}, "to: start, end"),
    ("isp/why", {}, "expression: a text"),
    ("isp/choose", {}, "choice: a number"),
]

FRAMES = {
    b"Content-Length: 99999999999\r\n\r\n": "Content-Length",
    b"Content-Length: 20000000\r\n\r\n": "16 MiB",
    b"Content-Length: -1\r\n\r\n": "Content-Length",
    b"Content-Length: x\r\n\r\n{}": "Content-Length",
    b"Nothing: 1\r\n\r\n{}": "Content-Length",
    b"\r\n\r\n\r\n\r\n": "Content-Length",
    b"x" * 10000: "Content-Length",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n": "Content-Length",
}


def filled(arguments):
    return {name: program if value == "PROGRAM" else value for name, value in arguments.items()}


class Refusals(unittest.TestCase):
    def test_launch(self):
        """Each is refused, and afterwards a right one is taken."""
        with Client(isp) as c:
            c.refuses("launch", "initialize comes first", program=program)
            c.greet()
            c.refuses("threads", "launch or attach comes first")
            for arguments, text in BEFORE_LAUNCH:
                c.refuses("launch", text, **filled(arguments))
            c.does("launch", program=program, n=3, noDebug=True)
            c.event("initialized")
            c.does("configurationDone")
            self.assertEqual(c.event("exited"), {"exitCode": 0})
            c.event("terminated")
            c.refuses("threads", "the session has ended")

    def test_session(self):
        with Client(isp) as c:
            c.begin(program, n=3, stopOnEntry=True)
            self.assertEqual(c.moves("configurationDone")["reason"], "entry")
            for command, arguments, text in IN_SESSION:
                with self.subTest(command=command, arguments=arguments):
                    c.refuses(command, text, **arguments)
            wrong = [{"line": 0}, {"line": "x"}, {"line": 99999}, {"line": 1, "hitCondition": "often"}, 7]
            answer = c.does("setBreakpoints", source={"path": "subject.c"}, breakpoints=wrong)
            self.assertEqual([b["verified"] for b in answer["breakpoints"]], [False] * 5)
            self.assertTrue(all("message" in b for b in answer["breakpoints"]))
            answer = c.does("setDataBreakpoints", breakpoints=[{"dataId": "0:0:3:x"}, {}])
            self.assertEqual([b["verified"] for b in answer["breakpoints"]], [False] * 2)
            self.assertIsNone(c.does("dataBreakpointInfo", name="nosuch")["dataId"])
            self.assertEqual(len(c.does("threads")["threads"]), 3)

    def test_messages(self):
        """What is JSON but no request is answered; what is no JSON, too."""
        with Client(isp) as c:
            for text in ["[1]", "{", "\xff\xff", "", '{"a": "\\u0000"}', "[" * 5000]:
                c.put(text)
                self.assertFalse(c.response(0)["success"])
            for message in [{}, {"seq": 7}, {"seq": 8, "type": "event", "command": "next"}]:
                c.put(json.dumps(message))
                answer = c.response(message.get("seq", 0))
                self.assertIn("a request has seq", answer["message"])
            c.put(json.dumps({"seq": 9, "type": "request", "command": "initialize", "arguments": 3}))
            self.assertIn("arguments: an object", c.response(9)["message"])
            c.greet()

    def test_frames(self):
        for data, text in FRAMES.items():
            with self.subTest(data=data[:40]), Client(isp) as c:
                c.raw(data)
                code, lines = c.ends()
                self.assertEqual((code, len(lines)), (2, 1), lines)
                self.assertIn(text, lines[0])

    def test_pieces(self):
        """A frame may come byte by byte, with another header, and two at once."""
        with Client(isp) as c:
            text = json.dumps({"seq": 1, "type": "request", "command": "initialize", "arguments": {}})
            for byte in f"X: y\r\ncontent-length: {len(text)}\r\n\r\n{text}".encode():
                c.raw(bytes([byte]))
            self.assertTrue(c.response(1)["success"])
            text = json.dumps({"seq": 2, "type": "request", "command": "threads"})
            c.raw(f"Content-Length: {len(text)}\r\n\r\n{text}".encode() * 2)
            self.assertFalse(c.response(2)["success"])
            self.assertFalse(c.response(2)["success"])

    def test_too_many(self):
        """They wait while ranks move: not for ever more of them."""
        with tempfile.NamedTemporaryFile(delete=False) as file, Client(isp) as c:
            c.begin(program, n=3, args=[file.name], stopOnEntry=True)
            os.unlink(file.name)  # now rank 0 computes
            c.moves("configurationDone")
            text = json.dumps({"seq": 1, "type": "request", "command": "threads", "arguments": {}})
            c.does("continue", threadId=1)
            c.event("output", lambda body: body["output"] == "[0] spins\n")
            c.raw(f"Content-Length: {len(text)}\r\n\r\n{text}".encode() * 3000)
            code, lines = c.ends()
            self.assertEqual((code, len(lines)), (2, 1), lines)
            self.assertIn("too many requests", lines[0])

    def test_token(self):
        """Who has a wrong one is refused, and somebody else may come."""
        with Client(isp, port=True) as c:
            for arguments in [
                {},
                {"token": ""},
                {"token": 3},
                {"token": c.token[:-1]},
                {"token": c.token + "0"},
            ]:
                c.greet()
                c.refuses("launch", "token: the one", program=program, **arguments)
                c.connect()
            c.raw(b"GET / HTTP/1.1\r\n\r\n")
            c.connect()
            c.begin(program, n=3, token=c.token, noDebug=True)
            c.does("configurationDone")
            c.event("terminated")

    def test_words(self):
        for words in [["--port"], ["--port", "x"], ["--port=70000"], ["--nosuch"], ["x"]]:
            c = Client(isp)
            c.words = [isp, "dap", *words]
            with self.subTest(words=words), c:
                code, lines = c.ends()
                self.assertEqual((code, len(lines)), (2, 1), lines)
                self.assertIn("--port N", lines[0])


if __name__ == "__main__":
    isp, program = map(os.path.abspath, sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
