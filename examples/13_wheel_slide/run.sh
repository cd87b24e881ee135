#!/bin/sh
# The whole example: run.sh KLINGEL FOLDER [--udp]
# Writes without.csv, with.csv and wheel_slide.svg into FOLDER. The locomotive and the controller take turns
# (--lockstep), so that it is quick and always the same; leave --lockstep out to have it in time with the clock.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
klingel=$1
folder=$2
mkdir -p "$folder"
signals="--outputs speed --outputs s --outputs dq.*.spin --outputs Tgamma.*"
vehicle="$klingel realtime $here/scenario.toml $signals --wet 40:240:0.08 --lockstep --end stop --seconds 60"
set -f # the patterns are klingel's
$klingel realtime "$here/scenario.toml" $signals --header "$folder/vehicle.h"
${CC:-cc} -std=c11 -Wall -Wextra -Wpedantic -Werror -O1 -I"$folder" "$here/controller.c" -o "$folder/controller" -lm

run() { # NAME [--unprotected]
  name=klingel_slide_$$
  if [ "${udp:-}" ]; then
    : >"$folder/$1.txt"
    $vehicle --udp 0 --record "$folder/$1.csv" >"$folder/$1.txt" &
    port=
    while [ -z "$port" ]; do # it says which one it has
      sleep 0.1
      kill -0 $! || exit 1
      port=$(sed -n 's/^listens at .*://p' "$folder/$1.txt")
    done
    python3 "$here/controller.py" "$folder/vehicle.h" $port ${2:-}
  else
    $vehicle --shm $name --record "$folder/$1.csv" >"$folder/$1.txt" &
    "$folder/controller" $name ${2:-}
  fi
  wait $!
}
if [ "${3:-}" = --udp ]; then udp=1; fi
run without --unprotected
run with
python3 "$here/compare.py" "$folder/without.csv" "$folder/with.csv" "$folder/wheel_slide.svg"
