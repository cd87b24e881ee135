"""Studies: the same bits whoever runs them, after any number of kills."""
import csv
import json
import os
import pty
import random
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

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


def numbers_in(journal):
    """Cases in a journal, as texts."""
    if not os.path.exists(journal):
        return []
    with open(journal, encoding="utf-8") as file:
        return [line.split("\t")[0] for line in file if "\t" in line and line[0].isdigit()]


def kill(arguments, journal, times, cases):
    """Runs a command of so many cases and kills it again and again: while it starts, and at work, a random
    time after some cases came into the journal."""
    seed = random.Random(5)
    grown = 0
    for k in range(times):
        before = len(numbers_in(journal))
        process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wanted = before + seed.randint(1, max(1, 2 * cases // (times + 2)))
        while k % 5 and process.poll() is None and len(numbers_in(journal)) < wanted:
            time.sleep(0.002)
        time.sleep(seed.uniform(0.0, 0.03 if k % 5 else 0.3))
        process.send_signal(signal.SIGKILL)
        process.wait()
        grown += before < len(numbers_in(journal)) < cases
    return grown


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

    def test_every_case_is_a_scenario_with_the_same_bits(self):
        self.write("""
[study]
run = "wheelset"
duration = 0.2
samples = 2
[parameters]
m = 1300.0
[[vary]]
name = "input.torque"
values = [0.0, 100.0]
[[vary]]
name = "I_spin"
uniform = [80.0, 120.0]
[[vary]]
name = "position"
values = [0.0, 5.0]
[[vary]]
name = "interval"
values = [0.01, 0.02]
when = { position = 5.0 }
[[vary]]
name = "step"
values = [0.001, 0.0005]
with = "interval"
[[measure]]
name = "Q"
summary = "max_Q.wheelset.left"
[[measure]]
name = "v"
formula = "last(speed)"
""")
        rows = list(csv.DictReader(self.results("a").splitlines()))
        self.assertEqual(len(rows), 12)
        for i in (0, 4, 7, 11):
            run = klingel.run(f"{self.file}#{i}")
            self.assertEqual(float(rows[i]["Q"]), run.summary["max_Q"]["wheelset.left"])
            self.assertEqual(float(rows[i]["v"]), run["speed"][-1])

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

    def test_a_folder_of_python_is_that_of_the_command(self):
        klingel.run_study(self.file, out=self.out("p"))
        self.assertIn("cases.csv", klingel_program("study", "merge", self.out("p")))
        with open(self.file, "a", encoding="utf-8") as file:
            file.write("most = 1e6\n")
        with self.assertRaisesRegex(klingel.Error, "the study was changed(.|\n)*most = 1e6"):
            klingel.run_study(self.file, out=self.out("p"))
        self.assertEqual(len(klingel.run_study(self.file, out=self.out("p"), force=True)), 15)

    def test_a_failed_case_is_a_row_with_its_reason(self):
        self.write(STUDY.format(samples=1).replace('name = "speed"\nvalues = [20.0, 30.0, 40.0]',
                                                   'name = "position"\nvalues = [0.0, 1e6]'))
        rows = list(csv.DictReader(self.results("a").splitlines()))
        self.assertEqual([r["end"] for r in rows], ["completed", "failed"])
        self.assertTrue(rows[1]["message"])
        self.assertEqual(rows[1]["max_Q"], "nan")

    def assert_refused(self, text, changes):
        for change, pattern in changes:
            self.write(text.replace(*change))
            self.assertIn(pattern, self.refusal())

    def test_mistakes(self):
        text = STUDY.format(samples=2)
        self.assert_refused(text, (
                (("peak(y_rel.wheelset)", "peak(y_rel.wheelst)"), "did you mean 'y_rel.wheelset'"),
                (("peak(y_rel.wheelset)", "y_rel.wheelset"), "make one number of it"),
                (("max_Q.wheelset.left", "max_Q.wheelset.lef"), "did you mean 'wheelset.left'"),
                (('name = "friction"', 'name = "fricton"'), "did you mean 'friction'"),
                (('run = "wheelset_suspended"', 'run = "wheelst"'), "did you mean 'wheelset'"),
                (("values = [20.0, 30.0, 40.0]", "values = []"), "the list is empty")))
        self.write(text)
        self.assertIn("1/8 to 8/8", self.refusal("--shard", "0/3"))
        self.assertIn("1, 4 or 8", self.refusal("--lanes", "3"))
        self.results("r")
        self.write(text.replace("40.0", "50.0"))
        refusal = self.refusal()
        self.assertIn("the study was changed", refusal)
        self.assertIn("values = [20.0, 30.0, 50.0]", refusal)
        self.assertIn("50.0", self.results("r", "--force"))

    def test_other_mistakes(self):
        self.assert_refused(STUDY.format(samples=2), (
                (('name = "speed"', 'name = "k_yw"'), "did you mean 'k_y' or 'k_yaw'"),
                (('name = "speed"', 'name = "input.torqe"'), "has no input 'torqe'"),
                (("[20.0, 30.0, 40.0]", "[20.0, inf]"), "finite"),
                (("[20.0, 30.0, 40.0]", '["fast"]'), 'found the text "fast"'),
                (("samples = 2", "samples = 0"), "samples = 100"),
                (("peak(y_rel", "pek(y_rel"), "did you mean 'peak'"),
                (('summary = "max_Q', 'sumary = "max_Q'), "expected one of summary"),
                (("values = [20.0, 30.0, 40.0]", "from = 1.0\nto = 2.0\ncount = 0"), "from 1 to 1000000")))
        self.assertFalse(os.path.exists(self.out("r")))  # nothing is begun

    def test_measures_that_are_not_finite_are_kept_and_counted(self):
        self.write(STUDY.format(samples=2).replace(
            'formula = "peak(y_rel.wheelset)"',
            'formula = "1 / (30 - mean(first(speed)))"\nmost = 10.0').replace("duration = 0.3", "duration = 0.01"))
        rows = list(csv.DictReader(self.results("a", "--hdf5", "--json", self.out("json")).splitlines()))
        self.assertEqual([r["end"] for r in rows], ["completed"] * 6)
        self.assertEqual([r["peak_y"] for r in rows if r["speed"] == "30.0"], ["inf", "inf"])
        with open(self.out("json"), encoding="utf-8") as file:
            found = json.load(file)["measures"]["peak_y"]
        self.assertEqual((found["finite"], found["violations"]), (4, 2))
        self.assertEqual(found["largest"], 0.1)
        self.assertEqual(self.results("a"), self.results("b"))  # also when it is read from the journal

    def test_a_changed_vehicle_is_refused(self):
        vehicle = os.path.join(self.folder.name, "mine.toml")
        with open(vehicle, "w", encoding="utf-8") as file:
            file.write('extends = "wheelset_suspended"\n[vehicle]\nname = "mine"\n')
        self.write(STUDY.format(samples=1).replace("wheelset_suspended", "mine.toml"))
        self.results("r")
        with open(vehicle, "a", encoding="utf-8") as file:
            file.write("[parameters]\nk_y = 1e6\n")
        refusal = self.refusal()
        self.assertIn("files were changed", refusal)
        self.assertIn("mine.toml", refusal)

    def killed(self, times):
        """Kills a study so many times; results as of one that was left in peace."""
        wanted = self.results("peace")
        cases = wanted.count("\n") - 1
        journal = os.path.join(self.out("k"), "cases.journal")
        at_work = kill(["study", self.file, "--out", self.out("k")], journal, times, cases)
        self.assertGreaterEqual(at_work, times // 2)
        self.assertEqual(self.results("k"), wanted)
        numbers = numbers_in(journal)
        self.assertEqual(len(numbers), len(set(numbers)))  # every case exactly once
        self.assertEqual(len(numbers), cases)

    def test_three_kills(self):
        self.write(STUDY.format(samples=30))
        self.killed(3)

    @slow
    def test_thirty_kills(self):
        self.write(STUDY.format(samples=100))
        self.killed(30)

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
        # what is lost of the journal is run again, and nothing else
        journal = os.path.join(self.out("m"), "cases.journal")
        with open(journal, encoding="utf-8") as file:
            lines = file.readlines()
        with open(journal, "w", encoding="utf-8") as file:
            file.writelines(lines[:7] + [lines[7][:20]])
        done = subprocess.run([*mpirun, self.file, "--out", self.out("m"), "--hdf5"], capture_output=True, text=True)
        self.assertIn("10 run now", done.stdout)
        self.assertIn("5 found", done.stdout)
        with open(os.path.join(self.out("m"), "cases.csv"), encoding="utf-8") as file:
            self.assertEqual(file.read(), wanted)
        self.assertIn("cases.h5", os.listdir(self.out("m")))
        done = subprocess.run([*mpirun, "--help"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout.count("usage:")), (0, 1))
        done = subprocess.run([*mpirun, "nothing.toml"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count("there is no study 'nothing.toml'"), 1)

    @slow
    def test_mpi_with_one_process_needs_no_mpirun(self):
        program = os.path.join(os.path.dirname(PROGRAM), "klingel-study-mpi")
        if not os.path.exists(program):
            self.skipTest("klingel-study-mpi is not built: no OpenMPI")
        wanted = self.results("a")
        done = subprocess.run([program, self.file, "--out", self.out("m")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.out("m"), "cases.csv"), encoding="utf-8") as file:
            self.assertEqual(file.read(), wanted)

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
        # what is known can be looked at, and does not look whole
        known = len(numbers_in(journal))
        self.assertEqual(sorted(os.listdir(self.out("i"))), sorted(
            ["cases.journal", "inputs.txt", "study.toml"] + (["cases_so_far.csv", "page.html"] if known else [])))
        if known:
            with open(os.path.join(self.out("i"), "cases_so_far.csv"), encoding="utf-8") as file:
                self.assertEqual(file.read().count("\n"), known + 1)
            with open(os.path.join(self.out("i"), "page.html"), encoding="utf-8") as file:
                self.assertIn(f"Not finished: {known} of 900 cases", file.read())
        self.assertEqual(self.results("i").count("\n"), 901)
        self.assertNotIn("cases_so_far.csv", os.listdir(self.out("i")))

    def test_a_terminal_shows_a_bar_with_rate_and_time_left(self):
        self.write(STUDY.format(samples=200))
        terminal, end = pty.openpty()
        process = subprocess.Popen([PROGRAM, "study", self.file, "--out", self.out("b"), "--lanes", "1"],
                                   stdout=subprocess.DEVNULL, stderr=end)
        os.close(end)
        shown = b""
        while True:
            try:
                shown += os.read(terminal, 4096)
            except OSError:  # the other side is closed
                break
        process.wait()
        os.close(terminal)
        self.assertRegex(shown.decode(), r"\r\[=+>? *\] +\d+ %  \d+ of 600 cases, [0-9.e+]+ per second, \d+ s left")
        self.assertTrue(shown.endswith(b"\r\x1b[K"))  # and clears it

    def test_the_first_failure_is_told(self):
        self.write(STUDY.format(samples=2).replace('name = "speed"\nvalues = [20.0, 30.0, 40.0]',
                                                   'name = "position"\nvalues = [0.0, 1e6]'))
        said = klingel_program("study", self.file, "--out", self.out("a"), "--hdf5")
        self.assertRegex(said, r"case 2 failed: .*\nand 1 others")

    def test_files_of_other_commands_are_named(self):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write('[wear]\nmileage = 1000.0\n')
        self.assertIn("this is a file of 'klingel wear'", self.refusal())
        self.write(STUDY.format(samples=1))
        done = subprocess.run([PROGRAM, "wear", self.file, "--out", self.out("w")], capture_output=True, text=True)
        self.assertIn("this is a file of 'klingel study'", done.stderr)
        done = subprocess.run([PROGRAM, "study", self.folder.name], capture_output=True, text=True)
        self.assertIn("is a folder, and a study is a file", done.stderr)


OPTIMISATION = """
[study]
name = "best"
run = "wheelset_suspended"
duration = 0.2
speed = 30.0

[[vary]]
name = "k_y"
log = [5e4, 5e6]
[[vary]]
name = "friction"
uniform = [0.1, 0.5]

[[measure]]
name = "wave"
formula = "rms(y_rel.wheelset)"

[optimise]
minimise = "wave"
method = "isres"
population = 15
evaluations = {evaluations}
"""


class Optimisations(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = os.path.join(self.folder.name, "best.toml")
        self.write(150)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, evaluations):
        with open(self.file, "w", encoding="utf-8") as file:
            file.write(OPTIMISATION.format(evaluations=evaluations))

    def begun(self, name):
        """A process that optimises, and the folder it writes."""
        out = os.path.join(self.folder.name, name)
        return subprocess.Popen([PROGRAM, "optimise", self.file, "--out", out], stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True), out

    def results(self, name):
        process, out = self.begun(name)
        _, errors = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 0, errors)
        texts = []
        for file in ("evaluations.csv", "best.toml"):
            with open(os.path.join(out, file), encoding="utf-8") as opened:
                texts.append(opened.read())
        return texts

    def killed(self, times):
        wanted = self.results("peace")
        cases = wanted[0].count("\n") - 1
        out = os.path.join(self.folder.name, "k")
        journal = os.path.join(out, "evaluations.journal")
        at_work = kill(["optimise", self.file, "--out", out], journal, times, cases)
        self.assertGreaterEqual(at_work, times // 2)
        self.assertEqual(self.results("k"), wanted)
        numbers = numbers_in(journal)
        self.assertEqual(len(numbers), len(set(numbers)))  # every case exactly once
        self.assertEqual(len(numbers), cases)

    def test_three_kills(self):
        self.killed(3)

    @slow
    def test_thirty_kills(self):
        self.write(600)
        self.killed(30)

    def test_ctrl_c_leaves_a_valid_history(self):
        self.write(3000)
        process, out = self.begun("i")
        for _ in range(600):  # until it is at work
            if len(numbers_in(os.path.join(out, "evaluations.journal"))) > 30:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        said, errors = process.communicate(timeout=60)
        if process.returncode == 0:
            self.skipTest("the machine is too fast")
        self.assertEqual(process.returncode, 130, errors)
        self.assertIn("the same command goes on", said)
        with open(os.path.join(out, "evaluations.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertGreaterEqual(len(rows), 15)
        self.assertLessEqual(len(rows), len(numbers_in(os.path.join(out, "evaluations.journal"))))
        self.assertTrue(os.path.exists(os.path.join(out, "page.html")))

    def test_one_that_was_changed_is_refused(self):
        self.write(20)
        self.results("r")
        self.write(30)
        process, out = self.begun("r")
        _, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 2)
        self.assertIn("evaluations = 30", errors)
        klingel_program("optimise", self.file, "--out", out, "--force")


class Served(unittest.TestCase):
    """klingel view on the folder of a study."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        file = os.path.join(self.folder.name, "study.toml")
        with open(file, "w", encoding="utf-8") as opened:
            opened.write(STUDY.format(samples=1).replace("duration = 0.3", "duration = 0.05"))
        self.out = os.path.join(self.folder.name, "out")
        klingel_program("study", file, "--out", self.out)

    def tearDown(self):
        self.folder.cleanup()

    def served(self, *arguments):
        process = subprocess.Popen([PROGRAM, "view", self.out, "--port", "0", *arguments],
                                   stdout=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.terminate)
        return process.stdout.readline().split()[-1]

    def get(self, address, **headers):
        try:
            with urllib.request.urlopen(urllib.request.Request(address, headers=headers), timeout=60) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def test_a_case_runs_with_its_report(self):
        url = self.served()
        status, page = self.get(url)
        self.assertEqual(status, 200)
        self.assertIn('"served": true', page)
        status, report = self.get(url + "case/2")
        self.assertEqual(status, 200, report)
        self.assertIn("</html>", report)
        # the run is that of the table
        with open(os.path.join(self.out, "case_2", "summary.json"), encoding="utf-8") as file:
            found = json.load(file)["max_Q"]["wheelset.left"]
        with open(os.path.join(self.out, "cases.csv"), encoding="utf-8") as file:
            self.assertEqual(float(list(csv.DictReader(file))[2]["max_Q"]), found)

    def test_only_cases_of_this_study(self):
        url = self.served()
        status, said = self.get(url + "case/3")
        self.assertEqual((status, "the cases 0 to 2" in said), (422, True), said)
        for what in ("", "-1", "1%20--out", "../../etc", "1;ls", "0x1", "9" * 30):
            status, said = self.get(url + "case/" + what)
            self.assertEqual((status, "is not the number of a case" in said), (422, True), (what, said))
        self.assertEqual(self.get(url + "cases.csv")[0], 404)
        self.assertEqual(self.get(url + "case/1", Host="evil.example")[0], 403)
        self.assertEqual(self.get(url + "case/1", **{"Sec-Fetch-Site": "cross-site"})[0], 403)
        self.assertEqual([f for f in os.listdir(self.out) if f.startswith("case_")], [])

    def test_a_study_without_a_page_says_so(self):
        os.remove(os.path.join(self.out, "page.html"))
        done = subprocess.run([PROGRAM, "view", self.out, "--port", "0"], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, "is not finished" in done.stderr), (2, True), done.stderr)

    def test_others_need_the_key(self):
        url = self.served("--bind", "0.0.0.0").replace("0.0.0.0", "127.0.0.1")
        address, key = url.split("?")
        self.assertEqual(self.get(address + "case/1")[0], 403)
        self.assertEqual(self.get(address + "case/1?" + key)[0], 200)
