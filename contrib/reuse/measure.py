#!/usr/bin/env python3
"""What `--reuse` saves: pairs of programs and edits, processor time with and without.

    python3 contrib/reuse/measure.py --unreach target/release/unreach --bench FOLDER --pairs 200 --seed 11 > pairs.jsonl
    python3 contrib/reuse/measure.py --table pairs.jsonl

FOLDER has `dev.csv`, `tasks/` and `properties/`. Tasks are taken in a random order; each gets one of six kinds of edit in turn, which
must leave it a program. A pair counts if the program has a verdict before the edit, without and with `--reuse`. Four runs: the program without and with
`--reuse` into an empty folder, the edited program without `--reuse` and with that folder.
"""

import argparse
import csv
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

KINDS = ["comment", "rename", "moved", "constant", "statement", "procedure"]


def renamed(language, text, chance):
    """Another name for a variable."""
    declared = {
        "boogie": r"\bvar\s+(?:\{[^}]*\}\s*)*([A-Za-z_]\w*)\b",
        "c": r"\b(?:int|unsigned|long|char|short|unsigned int)\s+([A-Za-z_]\w*)\s*(?:;|=|,)",
    }[language]
    names = sorted({name for name in re.findall(declared, text) if len(name) < 40 and not name.startswith("__")})
    if not names:
        return None
    name = chance.choice(names)
    return re.sub(r"(?<![\w#.~!$'])" + re.escape(name) + r"(?![\w#.~!$'])", name + "_renamed", text)


def moved(language, text):
    """Procedures in another order, or everything some lines down."""
    if language == "boogie":
        parts = re.split(r"(?m)^(?=(?:procedure|implementation)\b)", text)
        if len(parts) > 2:
            return parts[0] + "".join(part.rstrip("\n") + "\n" for part in parts[2:] + parts[1:2])
    return "\n" * 7 + text


def other_constant(text, chance):
    """A number that is one larger."""
    def counts(match):
        line = text[text.rfind("\n", 0, match.start()) + 1:match.start()].lstrip()
        return not line.startswith(("#", "//", "*", "extern", "typedef"))
    numbers = [match for match in re.finditer(r"(?<![\w.#\"'])(\d+)(?![\w.\"'])", text) if counts(match)]
    if not numbers:
        return None
    number = chance.choice(numbers)
    return text[:number.start()] + str(int(number.group(1)) + 1) + text[number.end():]


def more_statements(language, text):
    """A variable that gets a value where the program begins."""
    if language == "boogie":
        begin = re.search(r"(?ms)^(?:procedure|implementation)\b[^{;]*?\{(\s*(?:var\b[^;]*;\s*)*)", text)
        if not begin:
            return None
        return text[:begin.start(1)] + " var added__: int;" + begin.group(1) + " added__ := 3; " + text[begin.end(1):]
    begin = re.search(r"\bmain\s*\([^)]*\)\s*\{", text)
    return begin and text[:begin.end()] + " int added__ = 3; added__ = added__ + 1; " + text[begin.end():]


def edited(kind, language, text, chance):
    """The text after an edit; nothing if it cannot be edited like that."""
    if kind == "comment":
        lines = text.split("\n")
        at = chance.randrange(len(lines) + 1) if language == "boogie" else 0
        return "\n".join(["// a new comment", ""] + lines[:at] + ["// another"] + lines[at:])
    if kind == "rename":
        return renamed(language, text, chance)
    if kind == "moved":
        return moved(language, text)
    if kind == "constant":
        return other_constant(text, chance)
    if kind == "statement":
        return more_statements(language, text)
    if language == "boogie":
        return text + "\nprocedure added__(a: int) returns (b: int) { b := a + 1; assert b > a; }\n"
    return text + "\nstatic int added__(int a) { if (a > 5) return 1; return a + 1; }\n"


def run(command):
    """First word of the answer, exit code, processor time, and everything that was said."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (done.stdout.split() or [""])[0], done.returncode, seconds, done.stdout + done.stderr


def measure(arguments):
    chance = random.Random(arguments.seed)
    with open(os.path.join(arguments.bench, "dev.csv"), encoding="utf-8") as table:
        rows = [row for row in csv.DictReader(table) if row["property"] == "reach" and row["checked"] != "doubtful"]
    chance.shuffle(rows)
    folder = tempfile.mkdtemp()
    pairs = 0
    for row in rows:
        if pairs == arguments.pairs:
            break
        path = os.path.join(arguments.bench, "tasks", row["path"])
        suffix = os.path.splitext(path)[1]
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except UnicodeDecodeError:
            continue
        kind, language = KINDS[pairs % len(KINDS)], "boogie" if suffix == ".bpl" else "c"
        if arguments.changes:
            # Numbers are what verdicts depend on; small programs are those where an old proof is most in the way.
            kind = "constant"
            if len(text) > 6000:
                continue
        new = edited(kind, language, text, chance)
        if new is None or new == text:
            continue
        program, known = os.path.join(folder, "program" + suffix), os.path.join(folder, "known")
        shutil.rmtree(known, ignore_errors=True)
        verify = [arguments.unreach, "verify", program, "--timeout", str(arguments.timeout)]
        if row["property_file"]:
            verify += ["--spec", os.path.join(arguments.bench, "properties", row["property_file"])]
        reuse = ["--reuse", known, "--stats"]
        with open(program, "w", encoding="utf-8") as file:
            file.write(text)
        old, code, plain, _ = run(verify)
        if code not in (0, 1) or plain < arguments.least:
            continue
        _, code, kept, _ = run(verify + reuse)
        if code not in (0, 1):
            # A time limit is one of the clock on the wall: on a busy machine a run may miss it that kept it before.
            continue
        with open(program, "w", encoding="utf-8") as file:
            file.write(new)
        answer, code, fresh, _ = run(verify)
        if code == 3 or (arguments.changes and (code == 2 or answer[0] == old[0])):
            continue
        reused, _, again, said = run(verify + reuse)
        engine = re.search(r"(?m)^([a-z-]+):$", said)
        print(json.dumps({
            "path": row["path"], "kind": kind, "old": old, "new": answer, "reused": reused, "plain": plain,
            "store": kept, "fresh": fresh, "reuse": again, "engine": engine.group(1) if engine else "",
        }), flush=True)
        pairs += 1
    shutil.rmtree(folder)


def line(name, pairs):
    if not pairs:
        return
    ratios = sorted(pair["fresh"] / max(pair["reuse"], 1e-4) for pair in pairs)
    fresh, reuse = sum(pair["fresh"] for pair in pairs), sum(pair["reuse"] for pair in pairs)
    print(f"| {name} | {len(pairs)} | {statistics.median(ratios):.1f}× | {ratios[0]:.2f}× | {fresh:.1f} s | {reuse:.1f} s | "
          f"{1000 * statistics.median(pair['fresh'] for pair in pairs):.0f} ms | "
          f"{1000 * statistics.median(pair['reuse'] for pair in pairs):.0f} ms |")


def show(path):
    with open(path, encoding="utf-8") as file:
        pairs = [json.loads(text) for text in file]
    stays = [pair for pair in pairs if pair["old"] == pair["new"]]
    print("| pairs | number | median | least | total without | total with | median without | median with |")
    print("|---|---|---|---|---|---|---|---|")
    line("all", pairs)
    line("the verdict stays", stays)
    line("the verdict changes", [pair for pair in pairs if pair["old"] != pair["new"]])
    for kind in KINDS:
        line(kind, [pair for pair in stays if pair["kind"] == kind])
    for low, high in [(0, 0.03), (0.03, 0.1), (0.1, 1), (1, float("inf"))]:
        line(f"{low} to {high} s without", [pair for pair in stays if low <= pair["fresh"] < high])
    line("TRUE", [pair for pair in stays if pair["new"] == "TRUE"])
    line("FALSE", [pair for pair in stays if pair["new"].startswith("FALSE")])
    other = [pair for pair in pairs if pair["new"] != pair["reused"]]
    print(f"\nother verdicts: {[(pair['path'], pair['kind'], pair['new'], pair['reused']) for pair in other]}")
    print(f"keeping costs: {sum(pair['store'] for pair in pairs) / sum(pair['plain'] for pair in pairs):.2f}×")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unreach", default="target/release/unreach")
    parser.add_argument("--bench")
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--least", type=float, default=0, metavar="SECONDS", help="only programs that take at least so much processor time")
    parser.add_argument("--changes", action="store_true", help="only pairs whose verdict changes: another number in a small program")
    parser.add_argument("--table", metavar="FILE", help="print a table of what was measured before")
    arguments = parser.parse_args()
    if arguments.table:
        show(arguments.table)
    elif arguments.bench:
        measure(arguments)
    else:
        parser.error("--bench or --table is missing")


if __name__ == "__main__":
    sys.exit(main())
