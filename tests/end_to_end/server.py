#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a server remembers from one interleaving to the next isp cannot take back: the verdict says so. Where
nobody answers, nothing was found.

Usage: server.py ISP PROGRAM (tests/programs/asks_server)
"""
import os
import socket
import subprocess
import sys
import tempfile
import threading

LIMIT_S = 60


def serve(listener):
    asked = 0
    while True:
        try:
            connection, _ = listener.accept()
        except OSError:  # it is over
            return
        connection.sendall(bytes([min(asked, 6)]))
        connection.close()
        asked += 1


def explored(isp, program, path):
    done = subprocess.run(
        [isp, "-n", "3", program, path],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT_S,
        check=False,
    )
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def main():
    isp, program = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="isp-server-") as folder:
        path = os.path.join(folder, "socket")
        code, text = explored(isp, program, path)
        assert code == 0 and "all explored" in text, text
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(path)
            listener.listen()
            threading.Thread(target=serve, args=[listener], daemon=True).start()
            code, text = explored(isp, program, path)
            listener.shutdown(socket.SHUT_RDWR)
        assert code == 3 and f"depends on server {path}, which those before it have left" in text, text
    print("ok")


if __name__ == "__main__":
    main()
