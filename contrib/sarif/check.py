"""Verifies the C programs of folders, and holds the SARIF that is written against the schema of SARIF 2.1.0.

usage: check.py UNREACH SCHEMA FOLDER…

Every program is verified for assertions, memory safety, overflow and termination until there are 50 violations and 20 proofs.
SCHEMA is the schema of OASIS; the crate serde-sarif carries it as src/schema.json. Exit code 1: a file is not valid, or there
are too few of them.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

TERMINATION = "CHECK( init(main()), LTL(F end) )"
WANTED = {"fail": 50, "pass": 20}


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    unreach, schema, *folders = sys.argv[1:]
    validator = jsonschema.Draft7Validator(json.loads(pathlib.Path(schema).read_text()))
    programs = [program for folder in folders for program in sorted(pathlib.Path(folder).rglob("*.c"))]
    found = {"fail": 0, "pass": 0}
    errors = 0
    with tempfile.TemporaryDirectory() as scratch:
        log = pathlib.Path(scratch, "log.sarif")
        termination = pathlib.Path(scratch, "termination.prp")
        termination.write_text(TERMINATION)
        questions = [[], ["--check", "memory,leaks"], ["--check", "overflow"], ["--spec", termination]]
        for program in programs:
            for options in questions:
                log.unlink(missing_ok=True)
                command = [unreach, "verify", "--timeout", "5", "--sarif", log, *options, program]
                subprocess.run(command, capture_output=True, check=False)
                if not log.exists():
                    continue
                content = json.loads(log.read_text())
                for error in validator.iter_errors(content):
                    errors += 1
                    print(f"{program} {options}: {'/'.join(map(str, error.path))}: {error.message}")
                for result in content["runs"][0]["results"]:
                    if result["kind"] in found:
                        found[result["kind"]] += 1
            if all(found[kind] >= wanted for kind, wanted in WANTED.items()):
                break
    print(f"{found['fail']} violations, {found['pass']} proofs, {errors} errors")
    sys.exit(errors > 0 or any(found[kind] < wanted for kind, wanted in WANTED.items()))


main()
