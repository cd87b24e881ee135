# Completes command lines as bash does on Tab. PROGRAM is klingel, SCRIPT its completion.
set -u
source "$SCRIPT"

# complete_line WORDS...: the last word is completed; prints the answers in one line
complete_line() {
  COMP_WORDS=("$PROGRAM" "$@")
  COMP_CWORD=$#
  COMPREPLY=()
  _klingel
  echo "${COMPREPLY[*]-}"
}
# expect ANSWERS WORDS...
expect() {
  local wanted=$1 found
  shift
  found=$(complete_line "$@")
  if [[ $found != "$wanted" ]]; then
    echo "klingel $*: expected '$wanted', found '$found'"
    exit 1
  fi
}

cd "$(dirname "$SCRIPT")" || exit 1 # a folder without files that begin with these letters
expect "growth" gr
expect "--speed" run --sp
expect "coach_air coach_sensors coach_150m coach_300m" run coach_
expect "manchester1 manchester1_full manchester1_yaw" run manchester1
expect "curve_1000 curve_150 curve_300" run coach_300m --track curve_
expect "polach" run --law pol
expect "S1002" profile S1
expect "60E1" contact --rail 60
expect "channels" help chann
expect "tracks" list tr
