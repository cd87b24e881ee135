"""Runs are those of the command line, bit for bit."""
import json
import tomllib
import unittest

import numpy as np

import klingel
from support import csv_of_run


class Equality(unittest.TestCase):
    def check(self, result, *arguments):
        columns, summary = csv_of_run(*arguments)
        self.assertEqual(list(result), list(columns))
        for name, column in columns.items():
            np.testing.assert_array_equal(result[name], column, name)
        theirs, mine = json.loads(summary), result.summary
        self.assertEqual(theirs.keys(), mine.keys())
        for key in theirs:
            if "wall" not in key and key != "real_time_factor":  # times of the machine
                self.assertEqual(theirs[key], mine[key], key)

    def test_a_scenario(self):
        self.check(klingel.run("coach_300m"), "coach_300m")

    def test_options(self):
        self.check(klingel.run("bogie", speed=25, duration=1, friction=0.2, law="polach", interval=0.002,
                               channels=["t", "Y.*"], parameters={"g": 9.8}),
                   "bogie", "--speed", 25, "--duration", 1, "--friction", 0.2, "--law", "polach",
                   "--interval", 0.002, "--channels", "t,Y.*", "--set", "g=9.8")

    def test_profiles(self):
        self.check(klingel.run("wheelset_suspended", duration=0.3, wheel_profile="S1002", rail_profile="60E1:1:20"),
                   "wheelset_suspended", "--duration", 0.3, "--wheel-profile", "S1002", "--rail-profile", "60E1:1:20")
        with self.assertRaisesRegex(klingel.Error, "wheel"):
            klingel.load("wheelset", rail_profile="S1002")

    def test_rigid_treads(self):
        self.check(klingel.run("feve3000", duration=0.5), "feve3000", "--duration", 0.5)

    def test_a_vehicle_runs_again_with_the_same_bits(self):
        vehicle = klingel.load("wheelset", duration=1)
        first = vehicle.run()
        other = vehicle.run(speed=5, friction=0.1, parameters={"m": 1500.0}, inputs={"torque": 50.0})
        again = vehicle.run()
        self.assertFalse(np.array_equal(first.values, other.values))
        np.testing.assert_array_equal(first.values, again.values)
        self.assertEqual(other.summary["assessment"]["friction"], 0.1)

    def test_runs_do_not_change_what_was_loaded(self):
        vehicle = klingel.load("wheelset", duration=0.05)
        before = vehicle.parameters, vehicle.inputs
        vehicle.run(parameters={"m": 1500.0}, inputs={"torque": 50.0})
        self.assertEqual((vehicle.parameters, vehicle.inputs), before)
        vehicle.parameters["m"] = 1.0  # a copy
        self.assertEqual(vehicle.parameters, before[0])

    def test_back_ends_agree(self):
        runs = [klingel.run("wheelset", duration=0.2, backend=b).values for b in ("jit", "interpreter")]
        np.testing.assert_array_equal(*runs)


class Arrays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.result = klingel.run("wheelset", duration=0.1)

    def test_columns_are_views_that_outlive_the_result(self):
        column = klingel.run("wheelset", duration=0.1)["t"]
        self.assertIsNotNone(column.base)
        np.testing.assert_allclose(column, np.arange(len(column)) * 0.01, atol=1e-12)
        with self.assertRaises(ValueError):
            column[0] = 1

    def test_units_and_meaning(self):
        self.assertEqual(self.result.units["t"], "s")
        self.assertTrue(self.result.about["speed"])
        self.assertIn("t", self.result)
        self.assertTrue(self.result.completed)

    def test_an_unknown_channel_names_the_nearest(self):
        with self.assertRaisesRegex(klingel.Error, "did you mean .*speed"):
            self.result["sped"]


class Steps(unittest.TestCase):
    def test_stepping_is_running(self):
        vehicle = klingel.load("wheelset", duration=0.5)
        simulation = vehicle.simulation()
        simulation.record()
        simulation.start()
        while not simulation.finished:
            simulation.step()
        np.testing.assert_array_equal(simulation.recorded().values, vehicle.run().values)

    def test_saved_states_go_on_bit_for_bit(self):
        simulation = klingel.load("wheelset", duration=1).simulation()
        simulation.start()
        simulation.step(100)
        state = simulation.save()
        simulation.step(100)
        end = simulation["body.y"]
        simulation.restore(state)
        self.assertAlmostEqual(simulation.time, 0.1)
        simulation.step(100)
        self.assertEqual(simulation["body.y"], end)

    def test_inputs_and_parameters_act(self):
        simulation = klingel.load("wheelset", duration=1).simulation()
        speeds = []
        for torque in (0.0, 500.0):
            simulation.set_input("torque", torque)
            simulation.start(speed=10)
            simulation.step(500)
            speeds.append(simulation["speed"])
        self.assertGreater(speeds[1], speeds[0] + 0.1)
        self.assertEqual(simulation.inputs["torque"], 500.0)
        simulation.set_parameter("m", 2000.0)
        self.assertEqual(simulation.parameters["m"], 2000.0)

    def test_values_into_an_array_of_mine(self):
        simulation = klingel.load("wheelset").simulation()
        simulation.start()
        mine = np.zeros(2)
        self.assertIs(simulation.values(["t", "speed"], out=mine), mine)
        self.assertEqual(mine[1], simulation["speed"])


class Dicts(unittest.TestCase):
    def test_dicts_are_files(self):
        with open(klingel_file("vehicles/wheelset/vehicle.toml"), "rb") as file:
            vehicle = tomllib.load(file)
        with open(klingel_file("vehicles/wheelset/scenario.toml"), "rb") as file:
            scenario = tomllib.load(file)
        scenario["scenario"]["vehicle"] = vehicle
        scenario["scenario"]["duration"] = 0.2
        np.testing.assert_array_equal(klingel.run(scenario).values,
                                      klingel.run("wheelset", duration=0.2).values)

    def test_tracks_may_be_dicts(self):
        track = {"name": "mine", "gauge": 1.435, "rail_profile": "60E1:1:40",
                 "section": [{"kind": "straight", "length": 500.0}]}
        self.assertEqual(klingel.load("wheelset", track=track).track, "mine")

    def test_mistakes_have_a_place(self):
        with self.assertRaisesRegex(klingel.Error, r"dict: vehicle.toml: .*'vehicle' is missing.*vehicel"):
            klingel.load({"vehicel": {"name": "x"}})


def klingel_file(name):
    import os
    return os.path.join(os.environ["KLINGEL_SOURCE"], name)


if __name__ == "__main__":
    unittest.main()
