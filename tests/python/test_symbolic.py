"""Expressions, equations, functions of arrays; the examples."""
import glob
import math
import os
import re
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import klingel
from klingel import symbolic as ks
from support import slow

SOURCE = os.environ["KLINGEL_SOURCE"]


class Expressions(unittest.TestCase):
    def setUp(self):
        self.g = ks.Graph()
        self.x, self.y = self.g.parameter("x", 0.5), self.g.parameter("y", 2.0)

    def test_operators(self):
        x, y = self.x, self.y
        for mine, wanted in ((x + y, 2.5), (1 + x, 1.5), (x - 1, -0.5), (1 - x, 0.5), (3 * x, 1.5), (x / y, 0.25),
                             (1 / y, 0.5), (x**2, 0.25), (2**x, math.sqrt(2)), (-x, -0.5), (abs(-x), 0.5),
                             (ks.atan2(x, y), math.atan2(0.5, 2)), (ks.maximum(x, y), 2.0)):
            self.assertAlmostEqual(mine.value, wanted)
        self.assertEqual(x * y, y * x)
        self.assertEqual(len({x * y, y * x}), 1)
        self.assertEqual((x * y).symbols, [x, y])

    def test_they_print(self):
        alpha = self.g.parameter("alpha", 1.0)
        self.assertEqual(str(2 * ks.sin(alpha)), "2.0*sin(alpha)")
        self.assertEqual((2 * ks.sin(alpha))._repr_latex_(), r"$2 \, \sin\left(\alpha\right)$")
        self.assertIn("bmatrix", ks.latex([[self.x, self.y], [self.y, self.x]]))

    def test_derivatives(self):
        e = self.x**3 * self.y
        self.assertAlmostEqual(e.diff(self.x).value, 3 * 0.25 * 2)
        rows = ks.jacobian([e, self.x], [self.x, self.y])
        self.assertAlmostEqual(rows[0][1].value, 0.125)
        self.assertEqual(rows[1][1].value, 0)
        self.assertAlmostEqual(e.subs([(self.x, 2.0)]).value, 16)

    def test_functions_take_arrays(self):
        f = ks.function([self.x], [[ks.sin(self.x), self.x * self.y]])
        values = np.linspace(0, 1, 12).reshape(3, 4)
        result = f(values)
        self.assertEqual(result.shape, (3, 4, 1, 2))
        np.testing.assert_allclose(result[..., 0, 0], np.sin(values), rtol=1e-15)
        np.testing.assert_array_equal(result[..., 0, 1], values * 2)
        np.testing.assert_array_equal(f(values, y=3.0)[..., 0, 1], values * 3)
        np.testing.assert_array_equal(f(values)[..., 0, 1], values * 2)
        g = ks.function([self.x, self.y], self.x + self.y)
        self.assertEqual(g(1, 2), 3.0)
        np.testing.assert_array_equal(g([1, 2], [[1], [2]]), [[2, 3], [3, 4]])
        self.assertIn("f.c", f.c())

    def test_mistakes(self):
        other = ks.Graph().parameter("z", 1.0)
        with self.assertRaises(klingel.Error):
            self.x + other
        with self.assertRaisesRegex(klingel.Error, "not a symbol"):
            ks.function([self.x + 1], self.x)
        with self.assertRaisesRegex(klingel.Error, "takes 1 arguments"):
            ks.function([self.x], self.x)(1, 2)
        with self.assertRaisesRegex(klingel.Error, "no parameter 'q'"):
            ks.function([self.x], self.x)(1, q=2)
        with self.assertRaises(klingel.Error):
            self.g.parameter("x", 1.0)
        with self.assertRaises(klingel.Error):
            self.g["w"]

    def test_expressions_keep_their_graph(self):
        e = ks.sin(ks.Graph().parameter("x", 1.0))
        self.assertAlmostEqual((e + 1).value, math.sin(1) + 1)


class Mechanisms(unittest.TestCase):
    def pendulum(self):
        m = ks.Model("pendulum")
        theta = m.coordinate("theta", 0.1)
        rod = m.rotation("rod", m.ground, "y", theta.q)
        bob = m.point("bob", m.origin, m.vector(rod, 0, 0, -m.parameter("l", 1.0)))
        m.body("bob", bob, rod, 2.0)
        m.set_gravity(m.vector(m.ground, 0, 0, -9.81))
        return m

    def test_a_pendulum_swings(self):
        mechanism = ks.Mechanism(self.pendulum())
        r = mechanism.simulate(2.0061, step=1e-3, method="dopri5")
        self.assertAlmostEqual(r["theta"][-1], 0.1, places=4)
        self.assertEqual(r.units["kinetic_energy"], "J")
        mechanism.coordinates["theta"] = 0.2
        self.assertEqual(dict(mechanism.coordinates), {"theta": 0.2})
        self.assertAlmostEqual(mechanism.accelerations()[0][0], -9.81 * math.sin(0.2))

    def test_they_print(self):
        m = self.pendulum()
        v = m.vector(m.base("rod"), 0, 1, 0) * m.parameter("k", 2.0)
        self.assertEqual(repr(v), "(0.0, k, 0.0) in 'rod'")
        self.assertEqual(v._repr_latex_(), r"$\begin{bmatrix} 0 \\ k \\ 0 \end{bmatrix}_{\text{rod}}$")
        text = m.equations()._repr_latex_()
        self.assertRegex(text, r"bmatrix.*\\ddot.*theta.*= .*\\sin")
        self.assertNotIn("lambda", text)

    def test_c_files(self):
        self.assertIn("pendulum.c", self.pendulum().c_files())

    def test_mistakes(self):
        m = self.pendulum()
        with self.assertRaisesRegex(klingel.Error, "an axis is"):
            m.rotation("b", m.ground, "w", 0.1)
        with self.assertRaises(klingel.Error):
            m.point("nothing")
        with self.assertRaises(klingel.Error):
            ks.Mechanism(m).coordinates["thta"]


def printed_by(name, *arguments):
    done = subprocess.run([sys.executable, os.path.join(SOURCE, "examples", "python", name), *arguments],
                          capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise AssertionError(f"{name}: {done.stderr}")
    return done.stdout


class Examples(unittest.TestCase):
    def test_the_tutorial_prints_what_its_page_shows(self):
        with open(os.path.join(SOURCE, "docs", "tutorial.md"), encoding="utf-8") as file:
            chapters = re.split(r"^## Step (\d)", file.read(), flags=re.M)[1:]
        for number, chapter in zip(chapters[::2], chapters[1::2]):
            shown = set(line for block in re.findall(r"```text\n(.*?)```", chapter, flags=re.S)
                        for line in block.splitlines() if "=" in line)
            mine = set(printed_by(f"step_{number}.py").splitlines())
            if number not in ("1", "6"):  # these print less
                self.assertEqual(shown - mine, set(), f"step {number}")

    @slow
    def test_scripts_run(self):
        self.assertIn("between", printed_by("critical_speed.py"))
        self.assertRegex(printed_by("controller.py"), r"with control +creepage +1\.0")
        self.assertIn("period of small waves", printed_by("pendulum.py"))

    @slow
    def test_the_page_about_python_is_true(self):
        with open(os.path.join(SOURCE, "docs", "python.md"), encoding="utf-8") as file:
            blocks = re.findall(r"```python\n(.*?)```", file.read(), flags=re.S)
        self.assertGreater(len(blocks), 5)
        names = {}
        before = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)  # one of them writes a file
            try:
                for block in blocks:
                    plain = re.sub(r"^(r|klingel)\.plot.*$", "", block, flags=re.M)
                    exec(compile(plain, "docs/python.md", "exec"), names)
            finally:
                os.chdir(before)
        self.assertEqual(names["b"].values.shape[0], 40)

    def test_every_example_is_listed(self):
        with open(os.path.join(SOURCE, "docs", "python.md"), encoding="utf-8") as file:
            text = file.read()
        for path in glob.glob(os.path.join(SOURCE, "examples", "python", "*.py")):
            name = os.path.basename(path)
            if not name.startswith("step_"):
                self.assertIn(name, text)
