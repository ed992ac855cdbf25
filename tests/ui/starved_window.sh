#!/bin/bash
# The window under limits of address space: it draws the demo, or says what was refused and leaves
# with its status; no signal, no hang. Needs a display.
# Usage: starved_window.sh PROGRAM KIB...
program=$1
shift
wrong=0
for limit in "$@"; do
    home=$(mktemp -d)
    export HOME=$home XDG_RUNTIME_DIR=$home XDG_CONFIG_HOME=$home/config XDG_DATA_HOME=$home/data
    (
        ulimit -c 0
        ulimit -v "$limit"
        exec "$program" --screenshot "$home/picture.png" demo
    ) > "$home/out" 2> "$home/err"
    status=$?
    words=$(grep '^blockloom: ' "$home/err" | tail -1)
    verdict=right
    case $status in
        0) [ -s "$home/picture.png" ] || verdict="no picture" ;;
        3 | 5) [ -n "$words" ] || verdict="no word of what was refused" ;;
        *) verdict="neither drawn nor refused" ;;
    esac
    echo "$limit KiB: status $status, $verdict: $words"
    [ "$verdict" = right ] || wrong=1
    rm -rf "$home"
done
exit $wrong
