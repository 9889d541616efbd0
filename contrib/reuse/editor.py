#!/usr/bin/env python3
"""How long an editor waits after an edit: the language server, programs and edits, times with a proof that is reused.

    python3 contrib/reuse/editor.py --unreach target/release/unreach --bench FOLDER --programs 40 --seed 11

FOLDER has `dev.csv` and `tasks/`. The programs are those whose size is nearest to the median of all tasks, Boogie and C in turn. Each is opened and verified; then come
edits of each kind of `measure.py` that leave it a program, each followed by a save. Measured are the time until the front end has spoken, and until the verdict is there; and the processor time
of the server in between, which does not depend on what else the machine does.
Before every edit the server gets the program as it was, so that it knows no other version.
"""

import argparse
import csv
import json
import os
import queue
import random
import statistics
import subprocess
import sys
import threading
import time

from measure import KINDS, edited


class Server:
    """A language server with a client that waits for its messages."""

    def __init__(self, program):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.messages = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        self.send({"id": 1, "method": "initialize", "params": {
            "capabilities": {}, "initializationOptions": {"status": True, "timeout": 20}}})
        self.wait(lambda message: message.get("id") == 1)
        self.notify("initialized", {})

    def read(self):
        stream = self.process.stdout
        while True:
            length = 0
            while (header := stream.readline().strip()) != b"":
                length = int(header.split(b":")[1])
            if length == 0:
                return
            text = stream.read(length)
            if len(text) < length:
                # The server was ended in the middle of a message.
                return
            self.messages.put((time.monotonic(), json.loads(text)))

    def send(self, message):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def notify(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def wait(self, wanted, patience=60):
        """When a message came, and the message; nothing if it does not come."""
        end = time.monotonic() + patience
        while (left := end - time.monotonic()) > 0:
            try:
                at, message = self.messages.get(timeout=left)
            except queue.Empty:
                return None
            if wanted(message):
                return at, message
        return None

    def status(self, uri, version):
        def known(message):
            about = message.get("params") or {}
            return (message.get("method") == "unreach/status" and about["uri"] == uri and about["version"] == version
                    and about["state"] not in ("new", "stale", "running"))
        return self.wait(known)

    def processor(self):
        """The processor time of the server so far, in seconds: the clock of another process, as Linux numbers it."""
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def change(self, uri, version, text):
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": text}]})

    def save(self, uri):
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})


def programs(arguments, chance):
    """Programs of about the median size, Boogie and C in turn."""
    with open(os.path.join(arguments.bench, "dev.csv"), encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table) if row["property"] == "reach" and row["checked"] != "doubtful"]
    sized = {}
    for row in rows:
        path = os.path.join(arguments.bench, "tasks", row["path"])
        try:
            with open(path, encoding="utf-8") as file:
                sized[path] = file.read()
        except UnicodeDecodeError:
            continue
    median = statistics.median(len(text) for text in sized.values())
    near = sorted(sized, key=lambda path: (abs(len(sized[path]) - median), path))
    for suffixes in ((".bpl",), (".c", ".i")):
        some = [path for path in near if path.endswith(suffixes)][:2 * arguments.programs]
        chance.shuffle(some)
        yield from ((path, sized[path]) for path in some[:arguments.programs // 2])


def measure(arguments):
    chance = random.Random(arguments.seed)
    fronts, answers, worked, slow = [], [], [], []
    sizes = []
    for path, text in programs(arguments, chance):
        language = "boogie" if path.endswith(".bpl") else "c"
        for kind in KINDS:
            new = edited(kind, language, text, chance)
            if new is None or new == text:
                continue
            server = Server(arguments.unreach)
            uri = "file:///program." + ("bpl" if language == "boogie" else "c")
            server.notify("textDocument/didOpen", {"textDocument": {
                "uri": uri, "languageId": language, "version": 1, "text": text}})
            first = server.status(uri, 1)
            if first is not None and first[1]["params"]["state"] in ("proven", "fails"):
                # What comes after the first failure is told later; the edit would cancel it.
                time.sleep(0.3)
                begun, before = time.monotonic(), server.processor()
                server.change(uri, 2, new)
                front = server.wait(lambda message: message.get("method") == "textDocument/publishDiagnostics"
                                    and message["params"].get("version") == 2)
                server.save(uri)
                answer = server.status(uri, 2)
                work = server.processor() - before
                if front and answer and answer[1]["params"]["state"] == first[1]["params"]["state"]:
                    fronts.append(front[0] - begun)
                    answers.append(answer[0] - begun)
                    worked.append(work)
                    sizes.append(len(text))
                    slow.append((work, answers[-1], os.path.basename(path), kind, answer[1]["params"]["verdict"]))
            server.process.kill()
            server.process.wait()
    def quantiles(times):
        times = sorted(1000 * one for one in times)
        return [f"{times[min(len(times) - 1, int(len(times) * part))]:.0f} ms" for part in (0.5, 0.9, 0.95, 1.0)]
    print(f"{len(answers)} edits of programs with {min(sizes)} to {max(sizes)} bytes, the verdict stays")
    print("| after an edit | median | 90 % | 95 % | slowest |\n|---|---|---|---|---|")
    print("| the front end has spoken | " + " | ".join(quantiles(fronts)) + " |")
    print("| the verdict is there | " + " | ".join(quantiles(answers)) + " |")
    print("| processor time of it | " + " | ".join(quantiles(worked)) + " |")
    print(f"within 100 ms: {sum(one <= 0.1 for one in answers)} of {len(answers)}, in processor time {sum(one <= 0.1 for one in worked)}")
    for work, seconds, name, kind, verdict in sorted(slow, reverse=True)[:12]:
        print(f"  {1000 * work:.0f} ms of the processor, {1000 * seconds:.0f} ms on the wall: {kind} of {name}, {verdict}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unreach", default="target/release/unreach")
    parser.add_argument("--bench", required=True)
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    measure(parser.parse_args())


if __name__ == "__main__":
    sys.exit(main())
