"""Derivatives of the step and estimates from Python."""
import unittest

import numpy as np

import klingel


class Linearise(unittest.TestCase):
    def test_derivatives_tell_the_next_state(self):
        step = klingel.Lineariser("wheelset_suspended", ["q.*", "dq.*"], ["friction.all"], ["Q.*"])
        n = len(step.states)
        linear = step.linearise()
        self.assertEqual(linear.A.shape, (n, n))
        self.assertEqual(linear.B.shape, (n, 1))
        self.assertEqual(linear.C.shape, (len(step.channels), n))
        self.assertEqual(linear.across, 0)
        # a coordinate moves by h/2 (1 + its own factor) of its rate: the mid-point rule
        h = 1e-3
        i, j = step.states.index("q.y"), step.states.index("dq.y")
        self.assertAlmostEqual(linear.A[i, j], h / 2 * (1 + linear.A[j, j]), delta=1e-8)
        self.assertTrue(np.isfinite(linear.A).all())

    def test_wrong_names_are_errors(self):
        with self.assertRaisesRegex(klingel.Error, "q.y"):
            klingel.Lineariser("wheelset_suspended", ["q.yy"])


class Estimate(unittest.TestCase):
    def test_a_file_runs(self):
        r = klingel.estimate("rail_friction", duration=0.1)
        self.assertEqual(r.summary["runs"][0]["failure"], "")
        self.assertEqual(len(r["t"]), len(r["friction.all"]))

    def test_wrong_files_are_errors(self):
        with self.assertRaises(klingel.Error):
            klingel.estimate("no_such_estimate")


if __name__ == "__main__":
    unittest.main()
