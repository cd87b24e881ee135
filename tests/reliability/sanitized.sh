#!/usr/bin/env bash
# usage: sanitized.sh SOURCE FOLDER address,undefined|thread
# Builds the whole program with a sanitizer of the compiler and does with it what users do. Any report
# of the sanitizer ends it with exit code 99.
set -euo pipefail
readonly source=$1 folder=$2 sanitizer=$3
export ASAN_OPTIONS=exitcode=99:detect_leaks=1 UBSAN_OPTIONS=exitcode=99:print_stacktrace=1
export TSAN_OPTIONS=exitcode=99:halt_on_error=1:second_deadlock_stack=1

cmake -S "$source" -B "$folder/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG='-O0 -g1' \
  -DCMAKE_CXX_FLAGS_DEBUG='-O0 -g1' -DKLINGEL_SANITIZE="$sanitizer" -DKLINGEL_UNITY=ON >"$folder/configure.log"
cmake --build "$folder/build" --parallel "$(nproc)" --target klingel >"$folder/build.log" || {
  tail -n 40 "$folder/build.log"
  exit 1
}
readonly program=$folder/build/klingel
readonly work=$folder/work
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# expect CODE ARGUMENTS...
expect() {
  local wanted=$1 code=0
  shift
  "$program" "$@" >out 2>err </dev/null || code=$?
  [[ $code == "$wanted" ]] && return 0
  printf 'klingel %s\n    exit code %s, expected %s\n' "$*" "$code" "$wanted"
  tail -n 60 err
  exit 1
}

for vehicle in "$source"/vehicles/*/; do
  name=$(basename "$vehicle")
  expect 0 check "$name"
  expect 0 run "$name" --duration 0.3 --out "$name" --csv --hdf5 --svg --report --save-every 0.1
  expect 0 report "$name"
done
expect 0 run coach_300m --duration 0.2 --backend interpreter --out interpreted
expect 0 run feve3000_corrected --duration 0.05 --integrator trapezoidal
expect 0 run feve3000_corrected --duration 0.05 --integrator reference
states=(manchester1/at_*.state)
expect 0 run manchester1 --state "${states[-1]}" --duration 0.1
expect 2 run manchester1 --state manchester1/results.csv
expect 3 run manchester1 --set m_body=1e-9 --duration 1

cat >study.toml <<'TOML'
[study]
name = "sanitized"
run = "manchester1"
duration = 0.1
[[vary]]
name = "speed"
from = 10
to = 30
count = 9
[[measure]]
name = "Q"
formula = "max(lowpass(Q.front.front.right, 20))"
TOML
expect 0 study study.toml --out study --threads 3 --hdf5
expect 0 study study.toml --out study --threads 3
expect 0 realtime wheelset --seconds 0.5 --priority 0 --udp 0 --record record.csv
expect 0 modes wheelset_suspended --speed 20 --json
expect 0 curving manchester1 --radius 500 --speed 20 --csv
expect 0 limit-cycles wheelset_suspended --speed 20:21:1 --longest 0.5
expect 0 channels manchester1
expect 0 export pendulum --to package --embed
expect 0 example four_bar --duration 0.2
expect 0 eval manchester1 --functions M_qq --json
expect 0 track curve_300
expect 0 profile S1002
expect 0 contact --wheel S1002 --rail 60E1:1:40 --y -4:4:2 --load 60
expect 0 conicity --wheel S1002 --rail 60E1:1:40
expect 0 creep --a 6 --b 4 --normal 80000 --xi-x 0.001

# the server: threads of the loop and of the pages, a page, a stream that is left, SIGINT
"$program" view wheelset --port 0 --rate max >view.out 2>view.err </dev/null &
readonly view=$!
for _ in $(seq 100); do
  grep -q 'http://' view.out && break
  sleep 0.2
done
readonly port=$(grep -o '127.0.0.1:[0-9]*' view.out | head -1 | cut -d: -f2)
for path in / /live /nothing; do
  exec 3<>"/dev/tcp/127.0.0.1/$port"
  printf 'GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' "$path" >&3
  head -c 100 <&3 >/dev/null || true
  exec 3>&-
done
sleep 1
kill -INT "$view"
code=0
wait "$view" || code=$?
if [[ $code != 0 && $code != 130 ]]; then
  printf 'klingel view: exit code %s\n' "$code"
  tail -n 60 view.err
  exit 1
fi
printf 'no report of the sanitizers: %s\n' "$sanitizer"
