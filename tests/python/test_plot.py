"""Pictures: what is drawn is what was asked for. Skipped where matplotlib is not installed."""
import importlib.util
import os
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np

import klingel

HAS_MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None
if HAS_MATPLOTLIB:
    import matplotlib
    matplotlib.use("Agg")


class Missing(unittest.TestCase):
    def test_without_matplotlib_it_says_what_to_install(self):
        result = klingel.run("wheelset", duration=0.02)
        with mock.patch.dict(sys.modules, {"matplotlib": None, "matplotlib.pyplot": None}):
            with self.assertRaisesRegex(klingel.Error, "python3-matplotlib"):
                result.plot("speed")


@unittest.skipUnless(HAS_MATPLOTLIB, "matplotlib is not installed (python3-matplotlib)")
class Pictures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.study = klingel.run_study({
            "study": {"run": "wheelset", "duration": 0.05},
            "vary": [{"name": "speed", "values": [8.0, 10.0, 12.0]}, {"name": "law", "values": ["she", "polach"]}],
            "measure": [{"name": "v", "formula": "last(speed)"}]})

    def tearDown(self):
        matplotlib.pyplot.close("all")

    def test_channels(self):
        result = klingel.run("wheelset", duration=0.05)
        axes = result.plot("Q.wheelset.left", "Q.wheelset.right")
        self.assertEqual(axes.get_xlabel(), "t (s)")
        self.assertEqual(axes.get_ylabel(), "N")
        for line, name in zip(axes.lines, ("Q.wheelset.left", "Q.wheelset.right")):
            np.testing.assert_array_equal(line.get_ydata(), result[name])
            self.assertEqual(line.get_label(), name)
        self.assertIs(klingel.plot.channels(result, "speed", axes=axes), axes)
        with self.assertRaisesRegex(klingel.Error, "at least one channel"):
            result.plot()

    def test_a_study(self):
        axes = klingel.plot.study(self.study, "speed", "v", colour="v")
        np.testing.assert_array_equal(axes.collections[0].get_offsets()[:, 0], self.study["speed"])
        np.testing.assert_array_equal(axes.collections[0].get_offsets()[:, 1], self.study["v"])

    def test_a_heat_map_has_a_cell_for_each_pair(self):
        axes = klingel.plot.heat_map(self.study, "speed", "law", "v")
        cells = axes.images[0].get_array()
        self.assertEqual(cells.shape, (2, 3))
        self.assertEqual([t.get_text() for t in axes.get_yticklabels()], ["polach", "she"])
        self.assertEqual(cells[1, 0], self.study["v"][0])

    def test_a_front(self):
        found = klingel.Optimum("evaluation,end,a,b\n0,completed,1,2\n1,completed,3,4\n",
                                {"points": [{"values": {}, "measures": {"a": 3.0, "b": 4.0}}], "cases": 2}, [""])
        axes = klingel.plot.front(found, "a", "b")
        np.testing.assert_array_equal(axes.lines[0].get_xdata(), [1, 3])
        np.testing.assert_array_equal(axes.lines[1].get_ydata(), [4])

    def test_it_is_saved(self):
        klingel.plot.study(self.study, "speed", "v")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "p.svg")
            klingel.plot.save(path)
            with open(path, encoding="utf-8") as file:
                self.assertIn("<svg", file.read())


if __name__ == "__main__":
    unittest.main()
