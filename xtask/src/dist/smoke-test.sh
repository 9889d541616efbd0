#!/bin/sh
# Runs the programs of the folder `smoke-test`, and compares the exit codes with the expected ones.
here=$(cd "$(dirname "$0")" && pwd) || exit 1
failed=0
expect() {
    "$here/unreach" verify --timeout 60 "$here/smoke-test/$2" > /dev/null
    code=$?
    if [ "$code" -ne "$1" ]; then
        echo "$2: exit code $code instead of $1" >&2
        failed=1
    fi
}
expect 0 safe.c
expect 1 unsafe.c
expect 0 safe.bpl
expect 1 unsafe.svlib
[ "$failed" -eq 0 ] && echo "smoke test passed: $("$here/unreach" --version)"
exit "$failed"
