#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What happens while ranks move, and who is killed: pause, cancel, disconnect and the end of the client take
effect while a rank computes, what else comes waits, and nothing is left.

usage: mishaps.py ISP PROGRAM
"""
import os
import signal
import sys
import unittest

from client import Client, until
from marks import marked

isp, program = "", ""


class Computing:
    """Rank 0 computes, in a session that has been told to continue, until `file` is there."""

    def __init__(self, client):
        self.client = client

    def __enter__(self):
        c = self.client.__enter__()
        c.file = os.path.join(c.temporary, "file")
        self.let_go()
        c.begin(program, n=3, args=[c.file], stopOnEntry=True)
        os.unlink(c.file)
        c.moves("configurationDone")
        c.does("continue", threadId=1)
        c.event("output", lambda body: body["output"] == "[0] spins\n")
        c.let_go = self.let_go
        return c

    def let_go(self):
        with open(self.client.file, "w", encoding="utf-8"):
            pass

    def __exit__(self, *how):
        if os.path.exists(self.client.file):
            os.unlink(self.client.file)
        self.client.__exit__(*how)


class Mishaps(unittest.TestCase):
    def names(self, c):
        return {name: pid for pid, name in marked(c.mark).items()}

    def test_pause(self):
        """What comes before it waits, and is answered after it, in order."""
        with Computing(Client(isp)) as c:
            first = c.send("stackTrace", threadId=1)
            second = c.send("threads")
            pause = c.send("pause", threadId=1)
            self.assertTrue(c.response(pause)["success"])
            self.assertNotIn(first, c.responses)
            stop = c.event("stopped")
            self.assertEqual(
                (stop["reason"], stop["threadId"], stop["allThreadsStopped"]), ("pause", 1, True)
            )
            frames = c.response(first)["body"]["stackFrames"]
            self.assertEqual([f["name"] for f in frames], ["spin", "main"])
            self.assertEqual(len(c.response(second)["body"]["threads"]), 3)
            turns = c.does("evaluate", expression="turns", frameId=frames[0]["id"])["result"]
            self.assertGreater(int(turns), 0)
            c.let_go()
            self.assertEqual(c.moves("continue", threadId=1)["reason"], "end")

    def test_cancel(self):
        """Of one that waits: it is not done. Of what is under way (by its progress): it is broken off."""
        with Computing(Client(isp)) as c:
            waiting = c.send("isp/ranks")
            c.send("cancel", requestId=waiting)
            done = c.send("cancel", progressId="isp")
            self.assertTrue(c.response(done)["success"])
            self.assertEqual(c.event("stopped")["reason"], "pause")
            answer = c.response(waiting)
            self.assertEqual((answer["success"], answer["message"]), (False, "cancelled"))
            c.let_go()

    def test_end(self):
        for command in "disconnect", "terminate":
            with self.subTest(command=command), Computing(Client(isp)) as c:
                waiting = c.send("threads")
                self.assertTrue(c.response(c.send(command))["success"])
                if command == "terminate":
                    c.event("terminated")
                    self.assertFalse(c.response(waiting)["success"])
                c.close()
                self.assertEqual(c.ends(), (0, []))

    def test_end_of_recording(self):
        """The program computes when it is recorded: that can be ended, too."""
        with Client(isp) as c:
            c.greet()
            launch = c.send("launch", program=program, n=3, args=["/nowhere"])
            until(lambda: os.path.basename(program)[:15] in self.names(c))
            self.assertTrue(c.response(c.send("disconnect"))["success"])
            self.assertIn("interrupted", c.response(launch)["message"])
            c.close()
            self.assertEqual(c.ends(), (0, []))

    def test_client_gone(self):
        for port in False, True:
            with self.subTest(port=port), Computing(self.with_token(port)) as c:
                c.close()
                code, lines = c.ends()
                self.assertEqual((code, lines), (0, []))

    def with_token(self, port):
        c = Client(isp, port)
        begin = c.begin
        c.begin = (
            lambda *words, **arguments: begin(*words, token=c.token, **arguments)
            if port
            else begin(*words, **arguments)
        )
        return c

    def test_isp_killed(self):
        with Computing(Client(isp)) as c:
            c.process.kill()
            self.assertEqual(c.ends()[0], -signal.SIGKILL)

    def test_gdb_killed(self):
        """The session goes on: another gdb is started for the rank."""
        with Client(isp) as c:
            c.begin(program, n=3, stopOnEntry=True)
            c.moves("configurationDone")
            c.does("stackTrace", threadId=1)
            gdb = self.names(c)["gdb"]
            os.kill(gdb, signal.SIGKILL)
            until(lambda: gdb not in marked(c.mark))
            c.does("threads")
            c.does("isp/goto", to="end")
            c.event("stopped")
            frames = c.does("stackTrace", threadId=1)["stackFrames"]
            self.assertEqual(frames[0]["name"], "main, in MPI_Finalize")

    def test_rank_killed(self):
        with Computing(Client(isp)) as c:
            c.does("pause", threadId=1)
            c.event("stopped")
            os.kill(self.names(c)[os.path.basename(program)[:15]], signal.SIGKILL)
            c.let_go()
            c.does("isp/goto", to="start")
            c.event("stopped")
            self.assertEqual({r["standing"] for r in c.does("isp/ranks")["ranks"]}, {"stands"})

    def test_output(self):
        """Of each rank, in its order; and once, however often it is run."""
        with Client(isp) as c:
            c.begin(program, n=3, stopOnEntry=True)
            c.moves("configurationDone")
            c.moves("next", threadId=1)
            c.moves("stepBack", threadId=1)  # on the way it may run too far
            self.assertEqual([e for e in c.events if e["event"] == "output"], [])
            self.assertEqual(c.moves("continue", threadId=1)["reason"], "end")
            c.moves("isp/goto", to="start")
            self.assertEqual(c.moves("continue", threadId=1)["reason"], "end")
            c.does("terminate")
            c.event("terminated")
            heard = [e["body"] for e in c.events if e["event"] == "output"]
            found = {r: [h["data"]["text"] for h in heard if h["data"]["rank"] == r] for r in range(3)}
            self.assertEqual(found[1], ["begins\n", "ends"])
            self.assertEqual(found[2], ["begins\n", "ends"])
            self.assertEqual(sorted(found[0]), ["begins\n", "ends", "total 30\n"])
            self.assertEqual([h["output"] for h in heard if h["category"] == "stderr"], ["[0] total 30\n"])


if __name__ == "__main__":
    isp, program = map(os.path.abspath, sys.argv[1:3])
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
