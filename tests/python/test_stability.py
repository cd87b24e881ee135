"""Small motions, critical speeds, curves, and studies and optimisations of them: as the command line has them."""
import csv
import json
import os
import subprocess
import tempfile
import unittest

import klingel
import numpy as np
from support import PROGRAM, klingel_program


class Stability(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.bogie = klingel.load("bogie")

    def test_modes_are_those_of_the_command(self):
        rows = list(csv.DictReader(klingel_program("modes", "bogie", "--speed", 40, "--csv").splitlines()))
        found = self.bogie.small_motions(40)
        self.assertEqual(len(rows), len(found.eigenvalues))
        for row, value, damping in zip(rows, found.eigenvalues, found.damping):
            self.assertAlmostEqual(float(row["re"]), value.real, delta=1e-6 * abs(value) + 1e-9)
            self.assertAlmostEqual(float(row["im"]), value.imag, delta=1e-6 * abs(value) + 1e-9)
            self.assertAlmostEqual(float(row["damping"]), damping, places=6)
        self.assertEqual(found.shapes.shape, (len(rows), len(self.bogie.coordinates)))

    def test_critical_speed_and_its_derivative(self):
        theirs = json.loads(klingel_program("modes", "bogie", "--critical", "--json"))
        mine = self.bogie.critical_speed(derivatives=["k_primary_x"])
        self.assertEqual(mine.speed, theirs["critical_speed"])
        self.assertFalse(mine.grows_from_the_first)
        k = self.bogie.parameters["k_primary_x"]
        up, down = (self.bogie.critical_speed(parameters={"k_primary_x": k * f}).speed for f in (1.001, 0.999))
        self.assertAlmostEqual(mine.derivatives["k_primary_x"] / ((up - down) / (0.002 * k)), 1, places=3)

    def test_curves(self):
        out = klingel_program("curving", "bogie", "--radius", 500, "--speed", 15, "--cant-deficiency", 50, "--csv")
        row = list(csv.DictReader(out.splitlines()))[0]
        mine = self.bogie.curving(500, speed=15, cant_deficiency=0.05)
        for i, wheel in enumerate(self.bogie.wheels):
            self.assertAlmostEqual(float(row[f"YQ.{wheel}"]), mine["YQ"][i], places=5)
        with self.assertRaisesRegex(klingel.Error, "at least 20 m"):
            self.bogie.curving(10, speed=15)

    def test_reports(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "r.html")
            r = self.bogie.report(path, duration=0.2)
            self.assertIn("Q.front.left", r)
            with open(path, encoding="utf-8") as file:
                self.assertIn("<html", file.read(2000))


STUDY = {"study": {"name": "s", "run": "bogie", "speed": 15.0},
         "curve": {"radius": 500.0},
         "vary": [{"name": "k_primary_x", "values": [8e6, 31.391e6]}, {"name": "friction", "values": [0.2, 0.4]}],
         "measure": [{"name": "v", "modes": "critical_speed"}, {"name": "wear", "curve": "sum(Tgamma)"},
                     {"name": "damping", "modes": "damping", "speed": 40.0},
                     {"name": "conicity", "conicity": 0.003}]}


class StudiesWithoutRuns(unittest.TestCase):
    def test_measures_are_what_the_functions_find(self):
        s = klingel.run_study(STUDY)
        bogie = klingel.load("bogie")
        for i in range(4):
            p, mu = {"k_primary_x": s["k_primary_x"][i]}, s["friction"][i]
            self.assertEqual(s["v"][i], bogie.critical_speed(parameters=p, friction=mu).speed)
            curve = bogie.curving(500, speed=15, parameters=p, friction=mu)
            self.assertEqual(s["wear"][i], sum(curve["Tgamma"]))
            m = bogie.small_motions(40, parameters=p, friction=mu)
            k = np.argmax(np.where(m.eigenvalues.imag > 0.3, m.eigenvalues.real, -np.inf))
            self.assertAlmostEqual(s["damping"][i], m.damping[k], delta=1e-12)
        self.assertEqual(len(set(s["conicity"])), 1)

    def test_threads_change_nothing(self):
        a, b = klingel.run_study(STUDY, threads=1), klingel.run_study(STUDY, threads=2)
        for name in ("v", "wear", "damping"):
            self.assertEqual(list(a[name]), list(b[name]))

    def test_profiles_seeds_and_conditions(self):
        s = klingel.run_study({
            "study": {"run": "wheelset_suspended", "track": "random_straight", "duration": 1.0},
            "vary": [{"name": "wheel_profile", "values": ["S1002", "cone:0.1"]}, {"name": "seed", "values": [1, 2]},
                     {"name": "friction", "values": [0.2, 0.4], "when": {"seed": 2}}],
            "measure": [{"name": "y", "formula": "rms(y_rel.wheelset)"}]})
        self.assertEqual(len(s), 6)
        self.assertEqual(len(set(s["y"])), 6)
        self.assertEqual(int(np.isnan(s["friction"]).sum()), 2)

    def test_a_case_is_a_scenario(self):
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "s.toml")
            with open(file, "w", encoding="utf-8") as f:
                f.write('[study]\nrun = "wheelset_suspended"\nduration = 0.3\n[[vary]]\nname = "speed"\n'
                        'values = [20.0, 30.0]\n[[vary]]\nname = "k_y"\nvalues = [2e5, 3e5]\n'
                        '[[measure]]\nname = "m"\nformula = "peak(y_rel.wheelset)"\n')
            out, run = os.path.join(folder, "o"), os.path.join(folder, "r")
            klingel_program("study", file, "--out", out)
            with open(os.path.join(out, "cases.csv"), encoding="utf-8") as f:
                row = list(csv.DictReader(f))[3]
            klingel_program("run", file + "#3", "--out", run, "--csv")
            with open(os.path.join(run, "results.csv"), encoding="utf-8") as f:
                rows = list(csv.DictReader(line for line in f if not line.startswith("#")))
            self.assertEqual(max(abs(float(r["y_rel.wheelset"])) for r in rows), float(row["m"]))
            done = subprocess.run([PROGRAM, "run", file + "#4"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn("has the cases 0 to 3", done.stderr)
            with open(os.path.join(out, "page.html"), encoding="utf-8") as f:
                self.assertIn('"name": "k_y"', f.read())

    def test_values_are_checked_as_set_checks_them(self):
        wrong = {**STUDY, "vary": [{"name": "m_wheelset", "values": [1813.0, -5.0]}]}
        with self.assertRaisesRegex(klingel.Error, "'mass' must not be negative, found -5"):
            klingel.run_study(wrong)
        with self.assertRaisesRegex(klingel.Error, "speed"):
            klingel.run_study({**STUDY, "vary": [{"name": "speed", "values": [10.0, -1e9]}]})

    def test_mistakes(self):
        def refusal(**changes):
            with self.assertRaises(klingel.Error) as found:
                klingel.run_study({**STUDY, **changes})
            return str(found.exception)
        self.assertIn("did you mean 'Y' or 'YQ'", refusal(measure=[{"name": "m", "curve": "max(YP)"}]))
        self.assertIn("did you mean 'curve.radius'", refusal(vary=[{"name": "curve.radus", "values": [1.0]}]))
        self.assertIn("did you mean", refusal(vary=[{"name": "track.gage", "values": [1.0]}]))


class Optimisation(unittest.TestCase):
    def test_the_best_vehicle(self):
        what = {"study": {"name": "o", "run": "bogie"},
                "vary": [{"name": "k_primary_x", "log": [4e6, 60e6]}, {"name": "k_primary_y", "log": [1e6, 10e6]}],
                "measure": [{"name": "v", "modes": "critical_speed"}],
                "optimise": {"maximise": "v", "method": "slsqp", "evaluations": 15}}
        found = klingel.optimise(what)
        nominal = klingel.load("bogie").critical_speed().speed
        best = found.points[0]
        self.assertGreater(best["measures"]["v"], nominal)
        self.assertGreater(found.summary["gradients_from_eigenvectors"], 0)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "best.toml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(found.vehicles[0])
            self.assertEqual(klingel.load(path).critical_speed().speed, best["measures"]["v"])

    def test_a_journal_keeps_what_was_evaluated(self):
        what = {"study": {"name": "o", "run": "bogie"},
                "vary": [{"name": "k_primary_x", "log": [4e6, 60e6]}],
                "measure": [{"name": "v", "modes": "critical_speed"}],
                "optimise": {"maximise": "v", "method": "cobyla", "evaluations": 6}}
        with tempfile.TemporaryDirectory() as folder:
            first = klingel.optimise(what, out=folder)
            journal = os.path.join(folder, "evaluations.journal")
            size = os.path.getsize(journal)
            again = klingel.optimise(what, out=folder)
            self.assertEqual(again.points, first.points)
            self.assertEqual(os.path.getsize(journal), size)  # nothing was evaluated twice
            what["optimise"]["evaluations"] = 8
            with self.assertRaisesRegex(klingel.Error, "the study was changed"):
                klingel.optimise(what, out=folder)
            klingel.optimise(what, out=folder, force=True)

    def test_mistakes(self):
        with self.assertRaisesRegex(klingel.Error, "what is to be optimised"):
            klingel.optimise(STUDY)


if __name__ == "__main__":
    unittest.main()
