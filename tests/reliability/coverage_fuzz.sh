#!/usr/bin/env bash
# usage: coverage_fuzz.sh SOURCE FOLDER SECONDS
# Fuzz targets by clang's libFuzzer, which looks for inputs that reach new code; each runs so many
# seconds from the committed corpus. Without clang it is skipped.
set -euo pipefail
readonly source=$1 folder=$2 seconds=$3
command -v clang++ >/dev/null || { echo 'SKIPPED: no clang++'; exit 77; }
echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' >"$folder/try.cpp"
clang++ -fsanitize=fuzzer,address "$folder/try.cpp" -o "$folder/try" 2>"$folder/try.log" ||
  { echo 'SKIPPED: clang++ has no libFuzzer'; exit 77; }
cmake -S "$source" -B "$folder/build" -G Ninja -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
  -DCMAKE_BUILD_TYPE=Debug -DKLINGEL_TESTS=ON -DKLINGEL_LIBFUZZER=ON -DKLINGEL_UNITY=ON >"$folder/configure.log"
targets=()
for file in "$source"/tests/fuzz/*_fuzz.cpp; do
  name=$(basename "$file" _fuzz.cpp)
  targets+=("fuzz_$name")
done
cmake --build "$folder/build" --parallel "$(nproc)" --target "${targets[@]}" >"$folder/build.log" || {
  tail -n 40 "$folder/build.log"
  exit 1
}
for target in "${targets[@]}"; do
  name=${target#fuzz_}
  # new inputs go to the first folder; those of the repository are read only
  mkdir -p "$folder/found/$name"
  corpus=("$folder/found/$name")
  [[ -d $source/tests/fuzz/corpus/$name ]] && corpus+=("$source/tests/fuzz/corpus/$name")
  "$folder/build/tests/$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=4096 -seed=1 \
    -artifact_prefix="$folder/$name-" "${corpus[@]}" >"$folder/$name.log" 2>&1 || {
    tail -n 60 "$folder/$name.log"
    exit 1
  }
  printf '%-12s %s\n' "$name" "$(grep -E 'DONE|Done' "$folder/$name.log" | tail -1)"
done
