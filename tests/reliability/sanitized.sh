#!/usr/bin/env bash
# usage: sanitized.sh PROGRAM FOLDER
# Runs commands of a program that was built with sanitizers, small but of every kind: vehicles with
# all contact models and integrators, results in every format, studies and estimates on threads, the
# real-time loop, the live view. Any complaint of a sanitizer fails.
set -uo pipefail
program=$1
work=$2
rm -rf "$work"
mkdir -p "$work"
cd "$work" || exit 2

# HDF5 keeps what it has until the program ends; leaks of our own would still be seen
printf 'leak:libhdf5\n' >leaks
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1
export LSAN_OPTIONS=suppressions=$PWD/leaks:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1

failed=0
complain() {
  failed=1
  printf 'FAILED %s\n' "$1"
  sed 's/^/    /' "$2" | head -n 60
}
# a sanitizer has complained in this file
has_complaint() { grep -qE 'Sanitizer|runtime error:' "$1"; }

# try CODE ARGUMENTS...: the program ends with this code and no complaint
count=0
try() {
  local wanted=$1 code=0 log
  shift
  log=$((++count)).log
  timeout 600 "$program" "$@" >"$log" 2>&1 </dev/null || code=$?
  if [[ $code != "$wanted" ]] || has_complaint "$log"; then
    complain "$* (code $code, expected $wanted)" "$log"
  fi
}

cat >friction.toml <<'TEXT'
[study]
name = "friction"
run = "wheelset_suspended"
duration = 0.2
[[vary]]
name = "friction"
values = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
[[measure]]
name = "N"
formula = "max(N.wheelset.left)"
TEXT
cat >critical.toml <<'TEXT'
[study]
name = "critical"
run = "bogie"
[[vary]]
name = "friction"
values = [0.2, 0.3, 0.4]
[[measure]]
name = "critical_speed"
modes = "critical_speed"
TEXT

try 0 run manchester1 --track random_straight --duration 0.3 --out coach --csv --hdf5 --mat --svg --report --save-every 0.1
try 0 run manchester1 --track random_straight --duration 0.1 --state coach/at_0.1000s.state
try 0 run feve3000_corrected --duration 0.3 --out locomotive --csv
try 0 run feve3000_corrected --duration 0.05 --backend interpreter
try 0 run coach_air --duration 0.1
try 0 run wagon_y25 --duration 0.1
try 0 run train --duration 0.05
for law in linear polach fastsim; do try 0 run wheelset_suspended --duration 0.1 --law $law; done
for integrator in trapezoidal reference; do try 0 run wheelset --duration 0.02 --integrator $integrator; done
try 0 run wheelset --speed 60 --track straight --duration 60
try 3 run coach_300m --step 0.05
try 2 run coach_30m
try 2 run coach_300m --friction nan
try 0 check coach_300m
try 0 report coach
try 0 compare coach locomotive --channels 'speed'
try 2 assess coach
try 0 run manchester1 --track straight --speed 60 --duration 4 --out straight
try 0 assess straight
try 0 modes bogie --speed 20
try 0 curving manchester1 --radius 500
try 0 conicity --wheel S1002 --rail 60E1:1:40
try 0 contact --wheel S1002 --rail 60E1:1:40 --y -8:8:1 --load 60
try 0 track curve_300
try 0 creep --a 6 --b 4 --normal 80000 --xi-x 0.001
try 0 study friction.toml --threads 2 --out friction
try 0 study critical.toml --threads 2 --out critical
try 0 estimate coach_forces --duration 0.02 --runs 2 --threads 2 --out estimate
try 0 realtime wheelset --seconds 0.3 --priority 0
try 0 realtime wheelset --seconds 0.3 --priority 0 --udp 0 --record rows.csv

# the live view: the page, its stream for a second, and the end
"$program" view wheelset_suspended --port 0 >view.log 2>&1 </dev/null &
view=$!
port=
for _ in $(seq 600); do
  port=$(sed -nE 's|.*http://[^ ]*:([0-9]+)/.*|\1|p' view.log | head -n 1)
  [[ -n $port ]] && break
  kill -0 $view 2>/dev/null || break
  sleep 0.1
done
if [[ -z $port ]]; then
  complain "view said no address" view.log
else
  ask() {
    exec 3<>"/dev/tcp/127.0.0.1/$port" &&
      printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1:%s\r\nConnection: %s\r\n%s\r\n' "$1" "$port" "$2" "$3" >&3
  }
  for _ in 1 2 3; do
    ask / close '' && timeout 5 head -c 2000 <&3 >page.txt
    exec 3>&-
    grep -q '200 OK' page.txt || complain "view gave no page" page.txt
  done
  ask /live Upgrade $'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' &&
    timeout 2 cat <&3 >stream.bin
  exec 3>&-
  kill -TERM $view
fi
wait $view
code=$?
if [[ $code != 0 ]] || has_complaint view.log; then complain "view (code $code)" view.log; fi

((failed)) || printf '%d commands and a live view, no complaint\n' "$count"
exit $failed
