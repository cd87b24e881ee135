"""Studies: the same bits whoever runs them, after any number of kills."""
import csv
import json
import os
import random
import signal
import subprocess
import tempfile
import time
import unittest

import klingel
from support import PROGRAM, klingel_program, slow

STUDY = """
[study]
name = "test"
run = "wheelset_suspended"
duration = 0.3
samples = {samples}
seed = 3

[[vary]]
name = "speed"
values = [20.0, 30.0, 40.0]

[[vary]]
name = "friction"
uniform = [0.1, 0.5]

[[measure]]
name = "peak_y"
formula = "peak(y_rel.wheelset)"

[[measure]]
name = "max_Q"
summary = "max_Q.wheelset.left"
"""


class Studies(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = os.path.join(self.folder.name, "study.toml")
        self.write(STUDY.format(samples=5))

    def tearDown(self):
        self.folder.cleanup()

    def write(self, text):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(text)

    def out(self, name):
        return os.path.join(self.folder.name, name)

    def results(self, name, *arguments):
        """cases.csv of a study that was run into a folder of that name."""
        klingel_program("study", self.file, "--out", self.out(name), *arguments)
        with open(os.path.join(self.out(name), "cases.csv"), encoding="utf-8") as file:
            return file.read()

    def refusal(self, *arguments):
        done = subprocess.run([PROGRAM, "study", self.file, "--out", self.out("r"), *arguments],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        return done.stderr

    def test_cases_are_runs(self):
        rows = list(csv.DictReader(self.results("a").splitlines()))
        self.assertEqual(len(rows), 15)
        vehicle = klingel.load("wheelset_suspended", duration=0.3)
        for row in rows[::4]:
            run = vehicle.run(speed=float(row["speed"]), friction=float(row["friction"]))
            self.assertEqual(float(row["peak_y"]), max(abs(run["y_rel.wheelset"])))
            self.assertEqual(float(row["max_Q"]), run.summary["max_Q"]["wheelset.left"])

    def test_distribution_changes_nothing(self):
        wanted = self.results("a")
        self.assertEqual(self.results("b", "--threads", 1, "--lanes", 1), wanted)
        self.assertEqual(self.results("c", "--threads", 2, "--lanes", 8), wanted)
        for part in (1, 2, 3):
            klingel_program("study", self.file, "--out", self.out("d"), "--shard", f"{part}/3")
        klingel_program("study", "merge", self.out("d"), "--hdf5")
        with open(os.path.join(self.out("d"), "cases.csv"), encoding="utf-8") as file:
            self.assertEqual(file.read(), wanted)

    def test_the_summary(self):
        summary = self.out("summary.json")
        self.results("a", "--json", summary)
        with open(summary, encoding="utf-8") as file:
            found = json.load(file)
        self.assertEqual((found["cases"], found["failed"], found["complete"]), (15, 0, True))
        self.assertGreater(found["cases_per_s"], 0)
        self.assertGreater(found["seconds"], 0)

    def test_parameters_that_change_loads_are_compiled(self):
        self.write(STUDY.format(samples=1).replace('name = "speed"\nvalues = [20.0, 30.0, 40.0]',
                                                   'name = "m"\nvalues = [1500.0, 1813.0]'))
        rows = list(csv.DictReader(self.results("a").splitlines()))
        for row in rows:
            run = klingel.run("wheelset_suspended", duration=0.3, parameters={"m": float(row["m"])},
                              friction=float(row["friction"]))
            self.assertEqual(float(row["max_Q"]), run.summary["max_Q"]["wheelset.left"])

    def test_from_python(self):
        rows = list(csv.DictReader(self.results("a").splitlines()))
        study = klingel.run_study(self.file, out=self.out("p"))
        self.assertEqual(len(study), 15)
        for name in ("speed", "friction", "peak_y", "max_Q"):
            self.assertEqual(list(study[name]), [float(r[name]) for r in rows])
        self.assertFalse(study.failed.any())
        dicts = {"study": {"run": "wheelset", "duration": 0.1},
                 "vary": [{"name": "law", "values": ["she", "polach"]}],
                 "measure": [{"name": "v", "formula": "last(speed)"}]}
        self.assertEqual(klingel.run_study(dicts)["law"], ["she", "polach"])
        with self.assertRaisesRegex(klingel.Error, "no parameter 'lw'"):
            klingel.run_study({**dicts, "vary": [{"name": "lw", "values": [1.0]}]})

    def test_a_failed_case_is_a_row_with_its_reason(self):
        self.write(STUDY.format(samples=1).replace('name = "speed"\nvalues = [20.0, 30.0, 40.0]',
                                                   'name = "position"\nvalues = [0.0, 1e6]'))
        rows = list(csv.DictReader(self.results("a").splitlines()))
        self.assertEqual([r["end"] for r in rows], ["completed", "failed"])
        self.assertTrue(rows[1]["message"])
        self.assertEqual(rows[1]["max_Q"], "nan")

    def test_mistakes(self):
        text = STUDY.format(samples=2)
        for change, pattern in (
                (("peak(y_rel.wheelset)", "peak(y_rel.wheelst)"), "did you mean 'y_rel.wheelset'"),
                (("peak(y_rel.wheelset)", "y_rel.wheelset"), "make one number of it"),
                (("max_Q.wheelset.left", "max_Q.wheelset.lef"), "did you mean 'wheelset.left'"),
                (('name = "friction"', 'name = "fricton"'), "did you mean 'friction'"),
                (('run = "wheelset_suspended"', 'run = "wheelst"'), "did you mean 'wheelset'"),
                (("values = [20.0, 30.0, 40.0]", "values = []"), "the list is empty")):
            self.write(text.replace(*change))
            self.assertIn(pattern, self.refusal())
        self.write(text)
        self.assertIn("1/8 to 8/8", self.refusal("--shard", "0/3"))
        self.assertIn("1, 4 or 8", self.refusal("--lanes", "3"))
        self.results("r")
        self.write(text.replace("40.0", "50.0"))
        refusal = self.refusal()
        self.assertIn("the study was changed", refusal)
        self.assertIn("values = [20.0, 30.0, 50.0]", refusal)
        self.assertIn("50.0", self.results("r", "--force"))

    def killed(self, times, pause):
        """Kills a study so many times; results as of one that was left in peace."""
        wanted = self.results("peace")
        seed = random.Random(5)
        for _ in range(times):
            process = subprocess.Popen([PROGRAM, "study", self.file, "--out", self.out("k")],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(seed.uniform(0.05, pause))
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.assertEqual(self.results("k"), wanted)
        with open(os.path.join(self.out("k"), "cases.journal"), encoding="utf-8") as file:
            numbers = [line.split("\t")[0] for line in file if "\t" in line and line[0].isdigit()]
        self.assertEqual(len(numbers), len(set(numbers)))  # every case exactly once

    def test_three_kills(self):
        self.write(STUDY.format(samples=30))
        self.killed(3, 0.8)

    @slow
    def test_thirty_kills(self):
        self.write(STUDY.format(samples=100))
        self.killed(30, 1.2)

    @slow
    def test_mpi_changes_nothing(self):
        program = os.path.join(os.path.dirname(PROGRAM), "klingel-study-mpi")
        if not os.path.exists(program):
            self.skipTest("klingel-study-mpi is not built: no OpenMPI")
        wanted = self.results("a")
        mpirun = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3", program]
        for _ in range(2):  # the second time nothing is left to do
            done = subprocess.run([*mpirun, self.file, "--out", self.out("m")], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(os.path.join(self.out("m"), "cases.csv"), encoding="utf-8") as file:
                self.assertEqual(file.read(), wanted)
        done = subprocess.run([*mpirun, "nothing.toml"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("there is no study 'nothing.toml'"), 1)

    def test_ctrl_c_leaves_a_valid_journal(self):
        self.write(STUDY.format(samples=300))
        process = subprocess.Popen([PROGRAM, "study", self.file, "--out", self.out("i")],
                                   stdout=subprocess.PIPE, text=True)
        journal = os.path.join(self.out("i"), "cases.journal")
        for _ in range(600):  # until it is at work
            if os.path.exists(journal) and os.path.getsize(journal) > 0:
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
        if process.returncode == 0:
            self.skipTest("the machine is too fast")
        self.assertEqual(process.returncode, 130)
        self.assertIn("cases are left", said)
