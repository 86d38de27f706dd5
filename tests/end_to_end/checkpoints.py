#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Which programs go on from checkpoints, by what they do after the first choice, and why others do not.

Usage: checkpoints.py ISP PROGRAM
"""
import os
import re
import subprocess
import sys
import unittest

LIMIT_S = 60
isp, program = "", ""


class Checkpoints(unittest.TestCase):
    def explore(self, what, **more):
        """(runs continued from a checkpoint, why there are none, or None)"""
        done = subprocess.run(
            [isp, "-v", "--merge=off", "-n", "4", program, what],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
            check=False,
            env={**os.environ, **more},
        )
        self.assertIn("no error in 6 interleavings, all explored", done.stderr)
        self.assertNotIn("isp: note:", done.stderr)
        why = re.search("no checkpoints: rank 0: (.*)", done.stderr)
        return int(re.search(r"(\d+) continued", done.stderr)[1]), why and why[1]

    def test_a_file_is_read(self):
        """That isp looks again at what the program shares finds nothing of isp's own."""
        for more in ({}, {"ISP_FORK_ONLY": "1"}):
            continued, why = self.explore("reads", **more)
            self.assertGreaterEqual(continued, 4)
            self.assertIsNone(why)

    def test_a_file_is_closed(self):
        """... and is open again, where it was, for the next interleaving."""
        for more in ({}, {"ISP_FORK_ONLY": "1"}):
            continued, why = self.explore("closes", **more)
            self.assertGreaterEqual(continued, 5)
            self.assertIsNone(why)

    def test_memory_is_shared(self):
        """... with other interleavings, if they came from one checkpoint."""
        continued, why = self.explore("shares")
        self.assertLessEqual(continued, 1)
        self.assertEqual(why, "it has shared memory of its own")


if __name__ == "__main__":
    isp, program = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
