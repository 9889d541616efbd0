#!/usr/bin/env python3
"""SAT solvers on the questions of unwindings: the own solver, CaDiCaL (through the Python package python-sat) and Z3.

    cargo build --release -p unwind --example clauses && cargo build --release -p sat --example dimacs
    python3 contrib/sat/compare.py write --questions FOLDER --count 200 FILE.c …
    python3 contrib/sat/compare.py solve --questions FOLDER --z3 z3 --limit 5 > answers.jsonl
    python3 contrib/sat/compare.py table answers.jsonl

`write` unwinds C programs for a few iterations and for more, and keeps the questions that have at least so many clauses (`--least`); programs in another
dialect or too large for an unwinding are left out. `solve` gives every question to every solver with a limit of processor time. The own solver
also writes a proof, and checks it; what it takes is told without the check. Reading the question is not counted, except for Z3, which does both in one.
"""

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import time

ITERATIONS = [2, 8, 24]
WRITING = 10


def limited(seconds):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    return limit


def said(command, seconds):
    """What a command says, and its processor time."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                               preexec_fn=limited(seconds))
    text = process.stdout.read().decode("utf-8", "replace")
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return text, used.ru_utime + used.ru_stime


def write(arguments):
    os.makedirs(arguments.questions, exist_ok=True)
    written = 0
    # All programs with few iterations come first, so that many programs have a question.
    for iterations in ITERATIONS:
        for program in arguments.programs:
            if written == arguments.count:
                return
            name = re.sub(r"\W+", "_", os.path.splitext(os.path.join(*program.split(os.sep)[-2:]))[0])
            path = os.path.join(arguments.questions, f"{name}-{iterations}.cnf")
            with open(program, encoding="utf-8", errors="replace") as file:
                checked = ["unreach-call"] if "reach_error" in file.read() else []
            said([arguments.clauses, str(iterations), program, path] + checked, WRITING)
            if not os.path.exists(path):
                continue
            with open(path, encoding="utf-8") as file:
                header = file.readline().split()
            if len(header) != 4 or int(header[3]) < arguments.least:
                os.remove(path)
                continue
            written += 1
            print(path, header[3], flush=True)


def by_pysat(name, path):
    """Runs in a process of its own."""
    from pysat.formula import CNF
    from pysat.solvers import Solver
    question = CNF(from_file=path)
    begin = time.process_time()
    with Solver(name=name, bootstrap_with=question.clauses) as solver:
        answer = solver.solve()
        print("Sat" if answer else "Unsat", time.process_time() - begin)


def answer(arguments, solver, path):
    """The answer and the processor time; nothing and the limit if there is none."""
    if solver == "own":
        text, _ = said([arguments.own, path], 3 * arguments.limit)
        found = re.search(r" (Sat|Unsat) \d+ conflicts ([\d.]+) s", text)
        made = (found.group(1), float(found.group(2))) if found else None
    elif solver == "z3":
        text, seconds = said([arguments.z3, "-dimacs", path], arguments.limit)
        found = re.search(r"(?m)^s? ?(UNSATISFIABLE|SATISFIABLE|unsat|sat)\b", text)
        made = ("Unsat" if found.group(1).lower().startswith("uns") else "Sat", seconds) if found else None
    else:
        text, _ = said([sys.executable, __file__, "pysat", solver, path], 4 * arguments.limit)
        found = re.search(r"(Sat|Unsat) ([\d.e-]+)", text)
        made = (found.group(1), float(found.group(2))) if found else None
    if made is None or made[1] > arguments.limit:
        return {"answer": "", "seconds": arguments.limit}
    return {"answer": made[0], "seconds": round(made[1], 4)}


def solve(arguments):
    for name in sorted(os.listdir(arguments.questions)):
        path = os.path.join(arguments.questions, name)
        made = {solver: answer(arguments, solver, path) for solver in arguments.solvers.split(",")}
        print(json.dumps({"question": name, **made}), flush=True)


def table(path):
    with open(path, encoding="utf-8") as file:
        answers = [json.loads(text) for text in file]
    solvers = [key for key in answers[0] if key != "question"]
    print("| solver | decided | satisfiable | not | together, undecided ones as the limit | fastest by 10 % |")
    print("|---|---|---|---|---|---|")
    for solver in solvers:
        given = [made[solver] for made in answers]
        others = [min(made[other]["seconds"] for other in solvers if other != solver) for made in answers]
        ahead = sum(1 for mine, other in zip(given, others) if mine["answer"] and mine["seconds"] < 0.9 * other)
        count = [sum(1 for made in given if made["answer"] == answer) for answer in ("Sat", "Unsat")]
        print(f"| {solver} | {sum(count)} of {len(given)} | {count[0]} | {count[1]} | {sum(made['seconds'] for made in given):.1f} s | {ahead} |")
    differ = [made["question"] for made in answers if len({made[solver]["answer"] for solver in solvers} - {""}) > 1]
    print(f"\ndifferent answers: {differ}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    writing = verbs.add_parser("write")
    writing.add_argument("--questions", required=True)
    writing.add_argument("--clauses", default="target/release/examples/clauses")
    writing.add_argument("--count", type=int, default=200)
    writing.add_argument("--least", type=int, default=2000)
    writing.add_argument("programs", nargs="+")
    solving = verbs.add_parser("solve")
    solving.add_argument("--questions", required=True)
    solving.add_argument("--own", default="target/release/examples/dimacs")
    solving.add_argument("--z3", default="z3")
    solving.add_argument("--solvers", default="own,cadical195,z3")
    solving.add_argument("--limit", type=int, default=5)
    verbs.add_parser("table").add_argument("answers")
    inner = verbs.add_parser("pysat")
    inner.add_argument("name")
    inner.add_argument("path")
    arguments = parser.parse_args()
    if arguments.verb == "write":
        write(arguments)
    elif arguments.verb == "solve":
        solve(arguments)
    elif arguments.verb == "table":
        table(arguments.answers)
    else:
        by_pysat(arguments.name, arguments.path)


if __name__ == "__main__":
    sys.exit(main())
