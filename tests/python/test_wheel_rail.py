"""Wheel and rail: the numbers of the command line in SI units."""
import csv
import io
import json
import unittest

import numpy as np

import klingel
from support import klingel_program


class WheelAndRail(unittest.TestCase):
    def test_contact(self):
        text = klingel_program("contact", "--wheel", "S1002", "--rail", "60E1:1:40", "--y=-4:4:4", "--csv")
        rows = list(csv.DictReader(io.StringIO(text)))
        contacts = klingel.contact("S1002", "60E1:1:40", 1e-3 * np.array([-4, 0, 4]))
        for i, contact in enumerate(contacts):
            for row in rows[2 * i:2 * i + 2]:
                side = contact[row["side"]]
                self.assertAlmostEqual(1e3 * side["wheel_y"], float(row["wheel_u"]), places=4)
                self.assertAlmostEqual(1e3 * side["rolling_radius"], float(row["rolling_radius"]), places=4)

    def test_contact_under_load(self):
        contact = klingel.contact("S1002", "60E1:1:40", 0.0, load=60e3)
        self.assertGreater(contact["left"]["approach"], 1e-5)
        self.assertAlmostEqual(sum(p["N"] for p in contact["left"]["patches"]), 60e3, delta=1e3)

    def test_conicity(self):
        text = klingel_program("conicity", "--wheel", "S1002", "--rail", "60E1:1:40", "--amplitude", "2:4:1",
                               "--csv")
        wanted = [float(row["tan_gamma"]) for row in csv.DictReader(io.StringIO(text))]
        found = klingel.conicity("S1002", "60E1:1:40", [0.002, 0.003, 0.004])
        np.testing.assert_allclose(found.tan_gamma, wanted, atol=1e-6)

    def test_creep(self):
        wanted = json.loads(klingel_program("creep", "--a", 6, "--b", 4, "--normal", 80000, "--xi-x", 0.001,
                                            "--xi-y", 0.0005, "--json"))
        found = klingel.creep(6e-3, 4e-3, 80e3, 0.001, 0.0005)
        self.assertAlmostEqual(found.fx, wanted["fx"], delta=1e-9 * abs(wanted["fx"]))
        self.assertAlmostEqual(found.fy, wanted["fy"], delta=1e-9 * abs(wanted["fy"]))
        self.assertEqual(klingel.creep(6e-3, 4e-3, 80e3, np.linspace(0, 0.01, 7)).fx.shape, (7,))
        self.assertAlmostEqual(klingel.kalker(1.5).c11, wanted["c11"], places=9)

    def test_profiles(self):
        wheel = klingel.profile("S1002", 100)
        self.assertEqual(wheel.kind, "wheel")
        self.assertEqual(len(wheel.y), 100)

    def test_mistakes(self):
        with self.assertRaisesRegex(klingel.Error, "S1002"):
            klingel.contact("S1003", "60E1:1:40")
        with self.assertRaisesRegex(klingel.Error, "does not touch"):
            klingel.contact("S1002", "60E1:1:40", 0.3)
        with self.assertRaisesRegex(klingel.Error, "positive"):
            klingel.creep(-1, 1, 1)
