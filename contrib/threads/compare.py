#!/usr/bin/env python3
"""Random C programs with POSIX threads: what unreach says against all interleavings, and against ThreadSanitizer.

    contrib/threads/compare.py --binary target/release/unreach --count 200 --start 0 [--sanitizer]

A program has two or three threads with two shared integers, two mutexes, a read-write lock, a condition, a barrier and a semaphore. Its interleavings are followed here,
by the words of POSIX and without any code of the verifier: can an assertion fail, can all threads wait, can two threads access one integer at the same moment, one of
them to write it? A thread that waits for a condition may stop doing so for no reason; that all threads wait means that none of them is signalled either.
Prints a line for every answer that differs and a summary; ends with status 1 if there was one.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

MOST_STATES = 60_000


class Thread:
    """The steps of a thread, and its text in C."""

    def __init__(self):
        self.steps = []
        self.text = []
        self.depth = 1

    def line(self, text):
        self.text.append("    " * self.depth + text)

    def step(self, *step):
        self.steps.append(list(step))
        return len(self.steps) - 1


COMPARE = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b}


def access(rng, thread):
    variable = rng.choice("xy")
    kind = rng.randrange(4)
    if kind == 0:
        number = rng.randrange(3)
        thread.line(f"{variable} = {number};")
        thread.step("write", variable, None, number)
    elif kind == 1:
        thread.line(f"{variable} = {variable} + 1;")
        thread.step("read", variable)
        thread.step("write", variable, "register", 1)
    elif kind == 2:
        operator, number = rng.choice(list(COMPARE)), rng.randrange(3)
        thread.line(f"assert({variable} {operator} {number} || {variable} > 1);")
        thread.step("read", variable)
        first = thread.step("branch", operator, number, None)
        over = thread.step("jump", None)
        thread.steps[first][3] = len(thread.steps)
        thread.step("read", variable)
        thread.step("assert", 1)
        thread.steps[over][1] = len(thread.steps)
    else:
        operator, number = rng.choice(list(COMPARE)), rng.randrange(3)
        other = rng.choice("xy")
        thread.line(f"if ({variable} {operator} {number}) {other} = {number};")
        thread.step("read", variable)
        branch = thread.step("branch", operator, number, None)
        thread.step("write", other, None, number)
        thread.steps[branch][3] = len(thread.steps)


def statements(rng, thread, held, count):
    for _ in range(count):
        kind = rng.randrange(12)
        free = [mutex for mutex in "mn" if mutex not in held]
        if kind < 4 or (kind < 8 and not free):
            access(rng, thread)
        elif kind < 6:
            mutex = rng.choice(free)
            thread.line(f"pthread_mutex_lock(&{mutex});")
            thread.step("lock", mutex)
            statements(rng, thread, held + mutex, rng.randrange(1, 3))
            thread.line(f"pthread_mutex_unlock(&{mutex});")
            thread.step("unlock", mutex)
        elif kind == 6:
            mutex = rng.choice(free)
            thread.line(f"if (pthread_mutex_trylock(&{mutex}) == 0) {{")
            tried = thread.step("trylock", mutex, None)
            thread.depth += 1
            statements(rng, thread, held + mutex, 1)
            thread.line(f"pthread_mutex_unlock(&{mutex});")
            thread.step("unlock", mutex)
            thread.depth -= 1
            thread.line("}")
            thread.steps[tried][2] = len(thread.steps)
        elif kind == 7:
            if held:
                access(rng, thread)
                continue
            variable, number = rng.choice("xy"), rng.randrange(3)
            looks = rng.choice(["while", "while", "if"])
            thread.line("pthread_mutex_lock(&m);")
            thread.step("lock", "m")
            head = len(thread.steps)
            thread.line(f"{looks} ({variable} == {number})")
            thread.line("    pthread_cond_wait(&c, &m);")
            thread.step("read", variable)
            branch = thread.step("branch", "==", number, None)
            thread.step("sleep", "m")
            thread.step("wake")
            thread.step("lock", "m")
            if looks == "while":
                thread.step("jump", head)
            thread.steps[branch][3] = len(thread.steps)
            access(rng, thread)
            thread.line("pthread_mutex_unlock(&m);")
            thread.step("unlock", "m")
        elif kind == 8:
            everybody = rng.randrange(2) == 0
            thread.line(f"pthread_cond_{'broadcast' if everybody else 'signal'}(&c);")
            thread.step("signal", everybody)
        elif kind == 9 and not held:
            thread.line("pthread_barrier_wait(&b);")
            thread.step("arrive")
            thread.step("leave")
        elif kind == 10:
            if rng.randrange(2) == 0:
                thread.line("sem_post(&s);")
                thread.step("post")
            else:
                thread.line("sem_wait(&s);")
                thread.step("take")
        elif kind == 11 and "r" not in held:
            writes = rng.randrange(2) == 0
            thread.line(f"pthread_rwlock_{'wr' if writes else 'rd'}lock(&r);")
            thread.step("wrlock" if writes else "rdlock")
            statements(rng, thread, held + "r", 1)
            thread.line("pthread_rwlock_unlock(&r);")
            thread.step("rwunlock")
        else:
            access(rng, thread)


def program(seed):
    rng = random.Random(seed)
    count = rng.choice([2, 2, 3])
    threads = []
    for _ in range(count):
        thread = Thread()
        statements(rng, thread, "", rng.randrange(1, 4))
        threads.append(thread)
    main = Thread()
    for number in range(count):
        main.line(f"pthread_create(&t{number}, 0, thread{number}, 0);")
        main.step("create", number + 1)
    if rng.randrange(3) == 0:
        access(rng, main)
    for number in range(count):
        main.line(f"pthread_join(t{number}, 0);")
        main.step("join", number + 1)
    operator, number = rng.choice(["==", "!=", "<"]), rng.randrange(4)
    main.line(f"assert(x {operator} {number});")
    main.step("read", "x")
    main.step("assert", operator, number)
    parties = rng.choice([2, 2, 3])
    lines = [
        "#include <assert.h>", "#include <pthread.h>", "#include <semaphore.h>", "", "static int x, y;",
        "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;",
        "static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;",
        "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;", "static pthread_barrier_t b;", "static sem_t s;", "",
    ]
    for number, thread in enumerate(threads):
        lines += [f"static void *thread{number}(void *argument)", "{", *thread.text, "    return 0;", "}", ""]
    names = ", ".join(f"t{number}" for number in range(count))
    lines += ["int main(void)", "{", f"    pthread_t {names};", f"    pthread_barrier_init(&b, 0, {parties});",
              "    sem_init(&s, 0, 0);", *main.text, "    return 0;", "}", ""]
    return "\n".join(lines), [main, *threads], parties


def explore(threads, parties, stops):
    """The errors that some interleaving has: a subset of {'asserts', 'deadlock', 'data-race'}; nothing if there are too many states.
    Where `stops`, a failing assertion ends the program; otherwise it is only an expression."""
    codes = [thread.steps for thread in threads]
    # A thread is (place, register, what it sleeps as); a place of None means that it was not started.
    first = ((0, 0, ""),) + ((None, 0, ""),) * (len(codes) - 1)
    # Values of x and y, owners of m and n, readers or -1, how many are at the barrier and its round, the semaphore.
    initial = (first, (0, 0), (None, None), 0, (0, 0), 0)
    seen, pending, found = {initial}, [initial], set()
    while pending:
        state = pending.pop()
        if len(seen) > MOST_STATES:
            return None
        threads_now, values, owners, readers, (arrived, round_), semaphore = state
        goes_on, waits, about = False, False, []
        for number, (place, register, asleep) in enumerate(threads_now):
            if place is None or place >= len(codes[number]):
                continue
            step = codes[number][place]
            kind = step[0]

            def go(place=place + 1, register=register, asleep="", values=values, owners=owners, readers=readers,
                   barrier=(arrived, round_), semaphore=semaphore, others=None, number=number):
                moved = list(others or threads_now)
                moved[number] = (place, register, asleep)
                after = (tuple(moved), values, owners, readers, barrier, semaphore)
                if after not in seen:
                    seen.add(after)
                    pending.append(after)

            def of(name):
                return "xymn".index(name) % 2

            def put(pair, position, value):
                changed = list(pair)
                changed[position] = value
                return tuple(changed)

            able = True
            if kind == "read":
                about.append((number, step[1], False))
                go(register=values[of(step[1])])
            elif kind == "write":
                about.append((number, step[1], True))
                value = step[3] + register if step[2] else step[3]
                go(values=put(values, of(step[1]), value))
            elif kind == "branch":
                go(place=place + 1 if COMPARE[step[1]](register, step[2]) else step[3])
            elif kind == "jump":
                go(place=step[1])
            elif kind == "assert":
                holds = register > step[1] if len(step) == 2 else COMPARE[step[1]](register, step[2])
                if not holds:
                    found.add("asserts")
                if holds or not stops:
                    go()
            elif kind == "create":
                others = list(threads_now)
                others[step[1]] = (0, 0, "")
                go(others=others)
            elif kind == "join":
                other = threads_now[step[1]][0]
                able = other is not None and other >= len(codes[step[1]])
                if able:
                    go()
            elif kind == "lock":
                able = owners[of(step[1])] is None
                if able:
                    go(owners=put(owners, of(step[1]), number))
            elif kind == "trylock":
                if owners[of(step[1])] is None:
                    go(owners=put(owners, of(step[1]), number))
                else:
                    go(place=step[2])
            elif kind == "unlock":
                go(owners=put(owners, of(step[1]), None))
            elif kind == "sleep":
                go(asleep="waits", owners=put(owners, of(step[1]), None))
            elif kind == "wake":
                able = asleep == "signalled"
                go()
            elif kind == "signal":
                sleeping = [other for other, (_, _, how) in enumerate(threads_now) if how == "waits"]
                chosen = [sleeping] if step[1] or not sleeping else [[one] for one in sleeping]
                for awake in chosen:
                    others = list(threads_now)
                    for other in awake:
                        others[other] = (others[other][0], others[other][1], "signalled")
                    go(others=others)
            elif kind == "arrive":
                if arrived + 1 == parties:
                    go(register=-1, barrier=(0, (round_ + 1) % 8))
                else:
                    go(register=round_, barrier=(arrived + 1, round_))
            elif kind == "leave":
                able = register != round_
                if able:
                    go(register=0)
            elif kind == "post":
                go(semaphore=semaphore + 1)
            elif kind == "take":
                able = semaphore > 0
                if able:
                    go(semaphore=semaphore - 1)
            elif kind == "rdlock":
                able = readers >= 0
                if able:
                    go(readers=readers + 1)
            elif kind == "wrlock":
                able = readers == 0
                if able:
                    go(readers=-1)
            elif kind == "rwunlock":
                go(readers=max(readers - 1, 0))
            else:
                raise ValueError(kind)
            goes_on |= able
            waits |= not able
        if waits and not goes_on:
            found.add("deadlock")
        for position, (one, variable, writes) in enumerate(about):
            for other, same, also in about[position + 1:]:
                if variable == same and (writes or also):
                    found.add("data-race")
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binary", default="target/release/unreach")
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--sanitizer", action="store_true", help="also run programs without races under ThreadSanitizer")
    parser.add_argument("--print", action="store_true", help="print the programs and what is true of them only")
    options = parser.parse_args()
    counts = {"right": 0, "unknown": 0, "wrong": 0, "too large": 0, "failing": 0, "sanitized": 0}
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(options.start, options.start + options.count):
            text, threads, parties = program(seed)
            truth, without = explore(threads, parties, True), explore(threads, parties, False)
            truth = None if truth is None or without is None else {"asserts"} & truth | without - {"asserts"}
            if options.print:
                print(text, "//", sorted(truth) if truth is not None else "too large")
                continue
            if truth is None:
                counts["too large"] += 1
                continue
            path = os.path.join(folder, "program.c")
            for check in ["asserts", "deadlock", "data-race"]:
                with open(path, "w") as file:
                    header = "#define assert(condition) ((void)(condition))"
                    file.write(text if check == "asserts" else text.replace("#include <assert.h>", header))
                command = [options.binary, "verify", "-q", "--check", check, "--timeout", str(options.timeout), path]
                answer = subprocess.run(command, capture_output=True, text=True).stdout.strip()
                failure = "FALSE(assert)" if check == "asserts" else f"FALSE(no-{check})"
                expected = failure if check in truth else "TRUE"
                counts["failing"] += check in truth
                if answer.startswith(expected):
                    counts["right"] += 1
                elif answer.startswith("UNKNOWN"):
                    counts["unknown"] += 1
                else:
                    counts["wrong"] += 1
                    print(f"{seed} {check}: {answer or 'nothing'} instead of {expected}", flush=True)
            if options.sanitizer and "data-race" not in truth and "deadlock" not in truth:
                built = os.path.join(folder, "program")
                flags = ["-fsanitize=thread", "-g", "-w", "-pthread"]
                subprocess.run(["gcc", *flags, path, "-o", built], check=True)
                counts["sanitized"] += 1
                for _ in range(3):
                    ran = subprocess.run([built], capture_output=True, text=True, timeout=300)
                    if "data race" in ran.stderr:
                        counts["wrong"] += 1
                        print(f"{seed}: ThreadSanitizer finds a race\n{text}", flush=True)
                        break
    print(counts)
    return 1 if counts["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
