#!/bin/sh
# Starts blockloom-cli with the libraries beside it. Needs nothing but a shell and GLIBC 2.36.
trap 'exit 130' INT TERM # as the program does; until it takes them itself
self=$0
if link=$(readlink -f "$0" 2>/dev/null); then self=$link; fi
case $self in */*) here=${self%/*} ;; *) here=. ;; esac
here=$(cd "$here" && pwd) || exit 3

# What the server's Vulkan drivers load too is taken from the server where it is there: theirs may need it newer.
system=/usr/lib/x86_64-linux-gnu:/lib/x86_64-linux-gnu:/usr/lib64:/lib64
LD_LIBRARY_PATH=$here/lib:${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$system:$here/lib/fallback
FONTCONFIG_FILE=${FONTCONFIG_FILE:-$here/share/fonts.conf}
export LD_LIBRARY_PATH FONTCONFIG_FILE
exec "$here/bin/blockloom-cli" "$@"
