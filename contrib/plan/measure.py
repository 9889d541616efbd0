#!/usr/bin/env python3
"""How much the plan loses against its best member: processor time and memory of the plan, and of every engine alone.

    python3 contrib/plan/measure.py --unreach target/release/unreach --bench FOLDER --tasks 60 --seed 5 > plan.jsonl
    python3 contrib/plan/measure.py --unreach target/release/unreach --bench FOLDER --again plan.jsonl > now.jsonl
    python3 contrib/plan/measure.py --table plan.jsonl
    python3 contrib/plan/measure.py --table now.jsonl --before plan.jsonl

FOLDER has `dev.csv`, `tasks/` and `properties/`. Tasks are taken in a random order until so many were solved by the plan. Then every engine
has the same question alone, with a limit of twice the time of the plan: who takes longer is not the best. `--again` measures the plan only, on the
tasks of an earlier measurement, whose engines stay as they were. Every figure is the least of several runs (`--runs`).
A task meets the bar if the plan takes at most 1.5 times the processor time of its best member and 50 ms, and at most twice its memory.
"""

import argparse
import csv
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile

ENGINES = ["search", "bounded", "trace-abstraction", "abstract-interpretation", "guessing", "quantified", "leaping", "horn", "kojak"]
FACTOR, MORE = 1.5, 0.05
MEMORY = 2


def run(command):
    """First word of the answer, processor time in seconds, memory in megabytes, and the engine that gave the answer."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode("utf-8", "replace")
    answer = re.search(r"(?m)^(TRUE|FALSE)\b", text)
    engine = re.search(r"(?m)^([a-z-]+):$", text)
    return {
        "answer": answer.group(1) if answer else "", "engine": engine.group(1) if engine else "",
        "cpu": round(used.ru_utime + used.ru_stime, 4), "mb": used.ru_maxrss // 1024,
    }


def least(command, runs):
    """The quickest of several runs with the same answer; the first one if it has none."""
    first = run(command)
    others = [run(command) for _ in range(runs - 1)] if first["answer"] else []
    return min([first] + [other for other in others if other["answer"] == first["answer"]], key=lambda made: made["cpu"])


def command(arguments, row, engine, seconds):
    path = os.path.join(arguments.bench, "tasks", row["path"])
    words = [arguments.unreach, "verify", "--stats", "--timeout", f"{seconds:.2f}", path]
    words += ["--spec", os.path.join(arguments.bench, "properties", row["property_file"])] if row["property_file"] else []
    definition = os.path.splitext(path)[0] + ".yml"
    if row["language"] == "c" and os.path.exists(definition):
        with open(definition, encoding="utf-8") as file:
            model = re.search(r"data_model:\s*(\w+)", file.read())
        words += ["--data-model", model.group(1) if model else "ILP32"]
    return words + (["--engine", engine] if engine else [])


def rows(arguments):
    with open(os.path.join(arguments.bench, "dev.csv"), encoding="utf-8") as table:
        known = [row for row in csv.DictReader(table) if row["property"] == "reach" and row["checked"] != "doubtful"]
    return [row for row in known if arguments.language in (None, row["language"])]


def measure(arguments):
    chosen = rows(arguments)
    random.Random(arguments.seed).shuffle(chosen)
    solved = 0
    for row in chosen:
        if solved == arguments.tasks:
            break
        plan = least(command(arguments, row, None, arguments.timeout), arguments.runs)
        if not plan["answer"]:
            continue
        solved += 1
        # The clock is that on the wall, which goes faster than processor time on a busy machine.
        limit = 2 * plan["cpu"] + 1
        alone = {}
        for engine in ENGINES:
            made = least(command(arguments, row, engine, limit), arguments.runs)
            if made["answer"] == plan["answer"]:
                alone[engine] = made
            elif made["answer"]:
                print(f"other verdict: {row['id']} {engine}", file=sys.stderr)
        print(json.dumps({"id": row["id"], "plan": plan, "alone": alone}), flush=True)


def again(arguments):
    known = {row["id"]: row for row in rows(arguments)}
    for old in read(arguments.again):
        if old["id"] in known:
            plan = least(command(arguments, known[old["id"]], None, arguments.timeout), arguments.runs)
            print(json.dumps({**old, "plan": plan}), flush=True)


def read(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(text) for text in file]


def best(task):
    """The engine that takes least alone, with the time that it takes."""
    return min(((made["cpu"], name) for name, made in task["alone"].items()), default=(None, ""))


def show(path, before):
    tasks = read(path)
    old = {task["id"]: task["plan"]["cpu"] for task in read(before)} if before else {}
    decided = [task for task in tasks if task["plan"]["answer"] and task["alone"]]
    late = [task for task in decided if task["plan"]["cpu"] > FACTOR * best(task)[0] + MORE]
    large = [task for task in decided if task["plan"]["mb"] > MEMORY * task["alone"][best(task)[1]]["mb"]]
    print("| task | best alone | | plan | by | ratio | loses |" + (" plan before |" if old else ""))
    print("|---|---|---|---|---|---|---|" + ("---|" if old else ""))
    for task in sorted(late, key=lambda task: best(task)[0] - task["plan"]["cpu"]):
        (cpu, name), plan = best(task), task["plan"]
        line = f"| {task['id']} | {name} | {cpu:.2f} s | {plan['cpu']:.2f} s | {plan['engine']} | {plan['cpu'] / cpu:.1f} | {plan['cpu'] - cpu:.2f} s |"
        print(line + (f" {old.get(task['id'], 0):.2f} s |" if old else ""))
    times = sorted(task["plan"]["cpu"] for task in decided)
    ratios = sorted(task["plan"]["cpu"] / best(task)[0] for task in decided)
    print(f"\n{len(tasks)} tasks, {sum(1 for task in tasks if not task['plan']['answer'])} not solved by the plan, "
          f"{sum(1 for task in tasks if task['plan']['answer'] and not task['alone'])} solved by no engine alone in that time")
    print(f"within {FACTOR} times the best and {1000 * MORE:.0f} ms: {len(decided) - len(late)} of {len(decided)}; "
          f"within {MEMORY} times its memory: {len(decided) - len(large)} of {len(decided)}")
    print(f"plan: median {statistics.median(times):.3f} s, sum {sum(times):.1f} s; best member: "
          f"median {statistics.median(best(task)[0] for task in decided):.3f} s, sum {sum(best(task)[0] for task in decided):.1f} s; "
          f"ratio: median {statistics.median(ratios):.2f}, largest {ratios[-1]:.1f}")
    counts = [f"{name} {sum(1 for task in decided if best(task)[1] == name)}" for name in ENGINES]
    print(f"who is best alone: {', '.join(counts)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--unreach", default="target/release/unreach")
    parser.add_argument("--bench")
    parser.add_argument("--tasks", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=10)
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--language", choices=["c", "bpl"])
    parser.add_argument("--again", metavar="FILE", help="measure the plan only, on the tasks that were measured before")
    parser.add_argument("--table", metavar="FILE", help="print a table of what was measured before")
    parser.add_argument("--before", metavar="FILE", help="put the plan of an older measurement beside the table")
    arguments = parser.parse_args()
    if arguments.table:
        show(arguments.table, arguments.before)
    elif arguments.again and arguments.bench:
        again(arguments)
    elif arguments.bench:
        measure(arguments)
    else:
        parser.error("--bench or --table is missing")


if __name__ == "__main__":
    sys.exit(main())
