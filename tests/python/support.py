"""What the tests share: the program to compare with, and processes of their own."""
import csv
import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.environ["KLINGEL_PROGRAM"]



def slow(test):
    """Marks a test of tier 2, which takes more than some seconds; slow.py runs those."""
    test.is_slow = True
    return unittest.skipUnless(os.environ.get("KLINGEL_SLOW"), "slow: slow.py runs it")(test)


def klingel_program(*arguments):
    """What the command line prints."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise AssertionError(f"klingel {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def csv_of_run(*arguments):
    """Columns of results.csv, with all digits, and the text of summary.json."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        klingel_program("run", *arguments, "--out", out, "--csv")
        with open(os.path.join(out, "results.csv"), encoding="utf-8") as file:
            rows = list(csv.reader(line for line in file if not line.startswith("#")))
        with open(os.path.join(out, "summary.json"), encoding="utf-8") as file:
            summary = file.read()
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}, summary


def python(code, **options):
    """Starts another interpreter."""
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, **options)


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
