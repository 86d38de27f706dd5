# SPDX-License-Identifier: BSD-3-Clause
"""isp dap with a client of our own: requests in, responses and events out.

    with Client(isp) as c:
        c.begin(program, n=3)                 # up to the response to launch
        c.does("threads")                     # the body of a response that is a success
        c.refuses("threads", "comes first")   # the message of one that is none
        c.event("stopped")                    # the body of the next such event

Whatever it has started is gone at the end; else it fails.
"""
import json
import os
import queue
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
from marks import marked, new_mark, setting  # noqa: E402

LIMIT_S = 60


class Failed(Exception):
    """What was expected is not so."""


def until(look, limit_s=10):
    """Polls, since there is no event for processes of others."""
    end = time.monotonic() + limit_s
    while not (found := look()) and time.monotonic() < end:
        time.sleep(0.01)
    return found


def read_messages(stream, into):
    """Until its end, or what is no message: then None, or the text."""
    while head := stream.readline():
        if not head.startswith(b"Content-Length: ") or stream.readline() != b"\r\n":
            into.put(head.decode(errors="replace"))
            return
        into.put(json.loads(stream.read(int(head.split()[1]))))
    into.put(None)


class Client:
    """port: it connects to `isp dap --port 0` instead of using standard streams."""

    def __init__(self, isp, port=False, environment=()):
        self.words, self.mark, self.port = [isp, "dap"] + (["--port", "0"] if port else []), new_mark(), port
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("ISP_")}
        self.environment |= setting(self.mark) | dict(environment)
        self.temporary = tempfile.mkdtemp(prefix="dap-")
        self.environment["TMPDIR"] = self.temporary
        self.messages = queue.SimpleQueue()
        self.events, self.responses, self.seq = [], {}, 0
        self.token = None

    def __enter__(self):
        self.process = subprocess.Popen(
            self.words,
            env=self.environment,
            cwd=self.temporary,
            start_new_session=True,
            stdin=subprocess.DEVNULL if self.port else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        if self.port:
            self.line = self.process.stderr.readline().decode()
            self.number, self.token = int(self.line.split(":")[3].split(",")[0]), self.line.split()[-1]
            self.connect()
        else:
            self.out = self.process.stdin
            self.listen(self.process.stdout)
        return self

    def listen(self, stream):
        self.messages = queue.SimpleQueue()
        threading.Thread(target=read_messages, args=(stream, self.messages), daemon=True).start()

    def connect(self):
        """Another connection; the one before is closed."""
        if self.token and hasattr(self, "socket"):
            self.close()
        self.socket = socket.create_connection(("127.0.0.1", self.number))
        self.out = self.socket.makefile("wb")
        self.listen(self.socket.makefile("rb"))

    def __exit__(self, kind, *_):
        if kind:
            for pid in marked(self.mark):
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        else:
            self.close()
            self.ends()
            self.check_left()
        self.process.wait()
        for stream in self.process.stdout, self.process.stderr:
            stream.close()
        shutil.rmtree(self.temporary, ignore_errors=True)

    def check_left(self):
        if not until(lambda: not marked(self.mark)):
            raise Failed(f"processes are left: {marked(self.mark)}")
        if not until(lambda: not os.listdir(self.temporary)):
            raise Failed(f"files are left: {os.listdir(self.temporary)}")

    def close(self):
        try:
            self.out.close()
            if self.port:
                self.socket.shutdown(socket.SHUT_RDWR)
                self.socket.close()
        except OSError:
            pass  # it has gone before

    def ends(self):
        """(exit code, lines of stderr)"""
        code = self.process.wait(LIMIT_S)
        return code, self.process.stderr.read().decode(errors="replace").splitlines()

    # ---- messages ----

    def raw(self, data):
        try:
            self.out.write(data)
            self.out.flush()
        except OSError:
            pass  # what is read says so

    def put(self, text):
        data = text.encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(data) + data)

    def send(self, command, **arguments):
        self.seq += 1
        message = {"seq": self.seq, "type": "request", "command": command, "arguments": arguments}
        self.put(json.dumps(message))
        return self.seq

    def take(self):
        try:
            message = self.messages.get(timeout=LIMIT_S)
        except queue.Empty:
            raise Failed(f"nothing within {LIMIT_S} s; events: {self.events}") from None
        if not isinstance(message, dict):
            raise Failed(f"it has ended: {message}; events: {self.events}")
        return message

    def hear(self):
        message = self.take()
        if message["type"] == "event":
            self.events.append(message)
        else:
            self.responses[message["request_seq"]] = message

    def response(self, seq):
        while seq not in self.responses:
            self.hear()
        return self.responses.pop(seq)

    def does(self, command, **arguments):
        answer = self.response(self.send(command, **arguments))
        if not answer["success"]:
            raise Failed(f"{command} {arguments}: {answer}")
        return answer.get("body")

    def refuses(self, command, text, **arguments):
        answer = self.response(self.send(command, **arguments))
        if answer["success"] or text not in answer["message"] or "\n" in answer["message"]:
            raise Failed(f"{command} {arguments}: {answer}, not {text!r}")

    def event(self, name, which=lambda body: True):
        while True:
            for i, event in enumerate(self.events):
                if event["event"] == name and which(event.get("body")):
                    return self.events.pop(i).get("body")
            self.hear()

    # ---- sessions ----

    def greet(self, **more):
        return self.does("initialize", adapterID="isp", **more)

    def begin(self, program, **arguments):
        self.greet()
        self.does("launch", program=program, **arguments)
        self.event("initialized")

    def moves(self, command, **arguments):
        """Until it has stopped."""
        self.does(command, **arguments)
        return self.event("stopped")
