#!/bin/sh
# Runs a program on a display that a window manager has taken over: the manager starts it when it is ready.
# Usage: with_window_manager.sh OPENBOX PROGRAM [ARGUMENT]
openbox=$1 program=$2 argument=${3-} status=$(mktemp)
export openbox program argument status
"$openbox" --startup "sh -c '\"\$program\" \$argument; echo \$? > \"\$status\"; \"\$openbox\" --exit'"
ended=$(cat "$status")
rm -f "$status"
exit "${ended:-1}"
