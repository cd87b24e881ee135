#!/bin/sh
# python.sh PYTHON FOLDER: `pip install` of the source folder into a new environment, without network,
# and a run with what was installed. 77: skipped, a package of Debian is missing.
set -eu
python=$1 folder=$2
source=$(cd "$(dirname "$0")/../../.." && pwd)
if ! "$python" -c 'import venv, setuptools, wheel, pip' 2>/dev/null; then
  echo "SKIPPED: needs python3-venv, python3-pip, python3-setuptools and python3-wheel"
  exit 77
fi
rm -rf "$folder"
"$python" -m venv --system-site-packages "$folder"
"$folder/bin/pip" install --quiet --no-index --no-build-isolation --no-deps "$source"
cd "$folder"
env -u PYTHONPATH bin/python - "$folder" <<'END'
import os, sys, klingel
assert klingel.__file__.startswith(sys.argv[1]), klingel.__file__
result = klingel.run("coach_300m", duration=0.1)
assert len(result["Q.front.front.left"]) == 11
assert klingel.names("vehicles"), "shipped data are there"
data = os.path.join(os.path.dirname(klingel.__file__), "data")
shipped = {"vehicles", "tracks", "scenarios", "profiles", "studies", "estimates"}
assert set(os.listdir(data)) == shipped, os.listdir(data)
print("installed", klingel.__file__)
END
