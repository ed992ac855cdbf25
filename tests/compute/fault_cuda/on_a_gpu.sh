#!/usr/bin/env bash
# Replays with faults put before the driver of a real GPU (docs/compute.md#faults-on-a-real-gpu), run by hand:
#   on_a_gpu.sh BLOCKLOOM_CLI FOLDER DRIVER
# FOLDER has the libcuda.so.1 of the target fault_cuda, DRIVER is the path of the real libcuda.so.1. Each line says how a
# replay ended; it must end with the serial run's digest, or with status 4, and in time. Anything else is WRONG, and ends this with 1.
# PARTS, by default "driver code auto", are what is run; COLD_REPEAT, by default 400, is how often a range is replayed while code is compiled.
set -uo pipefail
if [ $# -ne 3 ]; then sed -n '3,6s/^# *//p' "$0" >&2; exit 2; fi
cli=$(realpath "$1")
export LD_LIBRARY_PATH FAULT_CUDA_DRIVER XDG_CACHE_HOME XDG_CONFIG_HOME FAULT_CUDA=
LD_LIBRARY_PATH=$(realpath "$2")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
FAULT_CUDA_DRIVER=$(realpath "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
XDG_CONFIG_HOME=$work/none
XDG_CACHE_HOME=$work/cache
for name in $(compgen -e BLOCKLOOM_); do unset "$name"; done
device=(--backend cuda)
repeat=1
wrong=0
most_seconds=120
parts=" ${PARTS-driver code auto} "
cold_repeat=${COLD_REPEAT:-400}

fail() { echo "on_a_gpu.sh: $*" >&2; exit 1; }
# From the document of a run.
digest_in() { grep -o '"state_digest": *"[0-9a-f]*"' "$1" | grep -o '[0-9a-f]\{64\}'; }
ran_in() { tr -d ' \n' <"$1" | grep -o "\"ran\":{\"device\":[0-9]*,\"host\":[0-9]*" | tr -c '0-9\n' ' ' |
  awk '{ device += $1; host += $2 } END { printf "%d %d", device, host }'; }
# How executions left the device, of all blocks: "fault:600 compiling:4".
ejected_in() { tr -d ' \n' <"$1" | sed 's/"device_code":.*//' | grep -o '"ejected":{[^}]*}' | sed 's/^"ejected"://' |
  grep -o '"[a-z_]*":[0-9]*' | tr -d '"' | awk -F: '{ n[$1] += $2 } END { for (c in n) printf " %s:%d", c, n[c] }'; }

# replay CACHE NAME [FAULTS]: one line. The cache is a copy of CACHE ("warm": code for the device is there), or empty.
replay() {
  local out=$work/out.json err=$work/err.txt said status ran="- -" verdict='no digest' begin=$SECONDS took backend injected
  if [ "$1" != as_it_is ]; then rm -rf "$work/cache"; fi
  if [ -d "$work/$1" ]; then cp -a "$work/$1" "$work/cache"; fi
  FAULT_CUDA=${3-} timeout 120 "$cli" replay "$work/blocks" --empty-state --no-keep --strategy predict --hybrid off \
    --repeat "$repeat" "${device[@]}" --json >"$out" 2>"$err"
  status=$?
  took=$((SECONDS - begin))
  if [ "$status" -eq 0 ]; then
    ran=$(ran_in "$out")
    if [ "$(digest_in "$out")" = "$serial" ]; then verdict='equal digest'; else verdict='OTHER DIGEST'; fi
  fi
  said=$(grep -E '^blockloom-cli: (warning|error)' "$err" | grep -vE 'contract .* (compiled|loaded) in' | head -n 1)
  if [ -z "$said" ]; then said=$(tr -d '\n' <"$out" | grep -o '"refusal": *"[^"]*"' | head -n 1); fi
  backend=$(grep -o '"backend": *"[a-z]*"' "$out" | cut -d '"' -f 4)
  injected=$(sed -n 's/^FAULT_CUDA: //p' "$err" | head -n 1)
  printf '%-35s exit %d, %s, %3d s, injected: %s, on %s: device %s host %s, left:%s | %s\n' "$2" "$status" "$verdict" \
    "$took" "${injected:--}" "${backend:--}" "${ran% *}" "${ran#* }" "$(ejected_in "$out")" \
    "${said#blockloom-cli: }"
  case "$status $verdict" in
    '0 equal digest' | '4 no digest') ;;
    *) echo "WRONG: $2"; wrong=1; head -n 20 "$err" ;;
  esac
  if [ "$took" -gt "$most_seconds" ]; then
    echo "WRONG: $2: more than $most_seconds s"; wrong=1
    grep '^FAULT_CUDA waited' "$err"
  fi
}

# The files of kept code in the cache of the next replay: change COMMAND…, which is given each.
change() {
  local file
  rm -rf "$work/changed" && cp -a "$work/warm" "$work/changed"
  for file in "$work"/changed/blockloom/cuda-*/*; do "$@" "$file"; done
}
damage() { printf 'DAMAGED!' | dd of="$1" bs=1 seek=$(($(stat -c %s "$1") / 2)) conv=notrunc status=none; }
halve() { truncate -s $(($(stat -c %s "$1") / 2)) "$1"; }
clear_file() { truncate -s 0 "$1"; }
# Preceded by a SHA-256 of folder, name and content, as the program's own files are.
seal() {
  printf '%b' "$({ printf '%s/%s' "$(basename "$(dirname "$1")")" "${1##*/}"; cat "$1.content"; } | sha256sum | sed 's/ .*//; s/../\\x&/g')" >"$1"
  cat "$1.content" >>"$1"
  rm "$1.content"
}
other_architecture() { # e_flags of the ELF header
  case $1 in *.cubin) ;; *) return ;; esac
  tail -c +33 "$1" >"$1.content"
  printf '\0\0\0\0' | dd of="$1.content" bs=1 seek=48 conv=notrunc status=none
  seal "$1"
}
other_text() { # whole, but no machine code and no note
  { printf 'This is neither machine code nor a note.\n'; head -c 65536 /dev/zero; } >"$1.content"
  seal "$1"
}
first_over() { # the first of its kind, in place of all others
  local each
  for each in "${1%/*}"/*."${1##*.}"; do break; done
  [ "$each" = "$1" ] || cp "$each" "$1"
}

"$cli" synth independent --blocks 3 --tasks 600 --seed 1 -o "$work/blocks" >/dev/null || fail "no blocks"
"$cli" replay "$work/blocks" --empty-state --no-keep --backend cpu --strategy serial --json >"$work/serial.json" || fail "the serial replay failed"
serial=$(digest_in "$work/serial.json") || fail "the serial replay has no digest"
echo "serial: $serial"

# Faults arrive, and the real driver is behind them.
said=$(FAULT_CUDA=version=10020 "$cli" devices --backend cuda 2>&1)
grep -q 'expected version 11.0 or newer, found 10.2' <<<"$said" || fail "$2/libcuda.so.1 is not what $cli loads"
"$cli" devices --backend cuda >"$work/devices.txt" 2>&1 || fail "no device: $(head -n 1 "$work/devices.txt")"
grep '^cuda ' "$work/devices.txt" | head -n 1

# Until the device runs messages: then its code is kept. DRY_RUN=1 goes on without: over the fake driver.
repeat=$cold_repeat
for attempt in 1 2 3 4; do
  replay as_it_is "none, attempt $attempt"
  read -r there _ <<<"$(ran_in "$work/out.json")"
  [ "${there:-0}" -eq 0 ] || break
done
repeat=1
rm -rf "$work/warm" && cp -a "$work/cache" "$work/warm"
replay warm "none"
read -r there _ <<<"$(ran_in "$work/out.json")"
if [ "${there:-0}" -eq 0 ]; then
  [ -n "${DRY_RUN-}" ] || fail "the device runs no message without a fault"
fi

if [[ $parts = *' driver '* ]]; then
  FAULT_CUDA_DRIVER=/nonexistent replay warm "no driver"
  for fault in cuInit=100 version=10020 hang crash leave cuDeviceGetCount=999 cuCtxCreate_v2=2 cuStreamCreate@2=2 \
    cuMemAlloc_v2=2 cuMemAlloc_v2@5=2 cuMemHostAlloc=2 cuMemHostAlloc@3=2 cuMemGetInfo_v2=999 \
    cuLaunchKernel=701 cuLaunchKernel=1 \
    lost@1 lost@3 damaged@1 damaged@3 \
    cuMemcpyAsync@4=700 cuEventQuery@10=719 cuEventRecord@5=214 cuEventCreate@3=2 cuEventElapsedTime=400; do
    replay warm "$fault" "$fault"
  done
  export BLOCKLOOM_TIMEOUT=2s
  most_seconds=10 # they would take 20
  for fault in hung@1 hung@2 hung@3 stuck@1; do replay warm "$fault, time limit 2 s" "$fault"; done
  most_seconds=120
  unset BLOCKLOOM_TIMEOUT
fi

# Code of the device must be compiled, that of the processor is there.
if [[ $parts = *' code '* ]]; then
  rm -rf "$work/cold" && cp -a "$work/warm" "$work/cold" && rm -rf "$work"/cold/blockloom/cuda-*
  repeat=$cold_repeat
  for fault in cuLinkCreate_v2=2 cuLinkAddData_v2=222 cuLinkComplete=218 cuLinkComplete=719 cuModuleLoadData@1=200; do
    replay cold "$fault, nothing kept" "$fault"
  done
  for fault in cuModuleLoadData=200 cuModuleLoadData=209 cuModuleGetFunction=500; do replay warm "$fault" "$fault"; done

  for what in damage halve clear_file other_architecture other_text first_over; do
    change "$what"
    replay changed "kept code: $what"
  done
  repeat=1
  change true && chmod 0755 "$work"/changed/blockloom/cuda-*
  replay changed "kept code: open to others"
fi

if [[ $parts = *' auto '* ]]; then
  device=(--backend auto)
  replay warm "auto: none" && rm -rf "$work/auto" && cp -a "$work/cache" "$work/auto" # measured
  for fault in cuInit=100 cuCtxCreate_v2=2 cuMemAlloc_v2=2 cuMemcpyAsync@4=700 lost@1 damaged@1; do
    replay warm "auto, measuring: $fault" "$fault"
    replay auto "auto, measured: $fault" "$fault"
  done
  export BLOCKLOOM_TIMEOUT=2s
  most_seconds=15
  replay warm "auto, measuring: hung@1, 2 s" hung@1
  replay auto "auto, measured: hung@1, 2 s" hung@1
fi
[ "$wrong" -eq 0 ] || fail "see the lines WRONG"
echo "all as expected"
