#!/usr/bin/env bash
# Verifies the programs that UNREACH_PATHS names, folders with everything in them, and writes a SARIF file for each.
# Fails if a program cannot be used, or violates a property and UNREACH_FAIL is `true`.
set -u
export PATH="$HOME/.cargo/bin:$PATH"
mkdir -p "$UNREACH_SARIF"
read -r -a options <<< "$UNREACH_OPTIONS"
read -r -a paths <<< "$UNREACH_PATHS"
bad=0
number=0
while IFS= read -r program; do
    number=$((number + 1))
    echo "::group::$program"
    unreach verify --timeout "$UNREACH_TIMEOUT" --sarif "$UNREACH_SARIF/$number.sarif" "${options[@]}" "$program"
    code=$?
    echo "::endgroup::"
    case "$code" in
        0) ;;
        1) [ "$UNREACH_FAIL" = true ] && bad=1 ;;
        2) echo "::notice file=$program::not decided" ;;
        *) echo "::error file=$program::exit code $code"; bad=1 ;;
    esac
done < <(find "${paths[@]}" -type f \( -name '*.c' -o -name '*.i' -o -name '*.bpl' \) | sort)
if [ "$number" -eq 0 ]; then
    echo "::error::no program found in: $UNREACH_PATHS"
    bad=1
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
    echo "sarif=$UNREACH_SARIF" >> "$GITHUB_OUTPUT"
fi
exit "$bad"
