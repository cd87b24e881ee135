"""The module in a process: threads, Ctrl-C, memory, errors."""
import gc
import os
import signal
import tempfile
import threading
import time
import unittest

import numpy as np

import klingel
from support import python, resident_bytes, slow


class Threads(unittest.TestCase):
    def test_two_threads_with_two_vehicles(self):
        wanted = {name: klingel.run(name, duration=0.5).values for name in ("wheelset", "bogie")}
        found = {}

        def work(name):
            found[name] = [klingel.run(name, duration=0.5).values for _ in range(3)]

        threads = [threading.Thread(target=work, args=(name,)) for name in wanted]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        for name, values in wanted.items():
            for again in found[name]:
                np.testing.assert_array_equal(values, again)

    def test_others_go_on_while_a_run_runs(self):
        vehicle = klingel.load("bogie", track="straight", speed=1.0)
        thread = threading.Thread(target=lambda: vehicle.run(duration=5))
        rounds = 0
        thread.start()
        while thread.is_alive():
            rounds += 1
        self.assertGreater(rounds, 100)  # with the lock held it would hardly be one

    def test_one_vehicle_in_two_threads_is_refused(self):
        vehicle = klingel.load("bogie", speed=1.0)
        problems, begun = [], threading.Event()

        def work():
            begun.set()
            try:
                vehicle.run(duration=5)
            except klingel.Error as error:
                problems.append(str(error))

        thread = threading.Thread(target=work)
        thread.start()
        begun.wait()
        while thread.is_alive() and not problems:
            try:
                vehicle.run(duration=5)
            except klingel.Error as error:
                problems.append(str(error))
        thread.join()
        self.assertTrue(problems)
        self.assertIn("in use by another thread", problems[0])


class Interrupts(unittest.TestCase):
    def interrupted(self, call):
        process = python("import klingel\nv = klingel.load('bogie', speed=1.0, duration=1000)\n"
                         f"s = v.simulation(); s.start(); print('ready', flush=True)\n{call}")
        self.assertEqual(process.stdout.readline(), "ready\n")
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertIn("KeyboardInterrupt", errors)
        self.assertNotEqual(process.returncode, 0)

    def test_a_run(self):
        self.interrupted("v.run()")

    def test_a_simulation(self):
        self.interrupted("s.run()")

    def test_a_batch(self):
        self.interrupted("v.run_batch({'speed': [0.5] * 20})")

    def test_a_batch_on_threads(self):
        self.interrupted("v.run_batch({'speed': [0.5] * 5}, threads=3)")  # the third has the longest way

    def test_a_mechanism(self):
        self.interrupted("from klingel import symbolic as ks; m = ks.Model('p'); q = m.coordinate('q', 0.5)\n"
                         "b = m.rotation('b', m.ground, 'y', q.q); p = m.point('p', m.origin, m.vector(b, 0, 0, -1))\n"
                         "m.body('p', p, b, 1.0); ks.Mechanism(m).simulate(1e5, interval=0.1)")

    def test_an_optimisation(self):
        self.interrupted("klingel.optimise({'study': {'run': 'bogie'}, "
                         "'vary': [{'name': 'k_primary_x', 'log': [4e6, 60e6]}], "
                         "'measure': [{'name': 'v', 'modes': 'critical_speed'}], "
                         "'optimise': {'maximise': 'v', 'method': 'isres', 'evaluations': 100000}}, threads=1)")

    def test_a_study_without_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            self.interrupted("klingel.run_study({'study': {'run': 'bogie', 'samples': 100000}, "
                             "'vary': [{'name': 'k_primary_x', 'log': [4e6, 60e6]}], "
                             f"'measure': [{{'name': 'v', 'modes': 'critical_speed'}}]}}, out='{folder}', threads=1)")
            with open(os.path.join(folder, "cases.journal"), encoding="utf-8") as file:
                self.assertLess(len(file.readlines()), 50)  # it asks between cases, however long they take


class Memory(unittest.TestCase):
    def growth(self, make, cycles):
        for _ in range(cycles // 5):  # until caches are filled
            make()
        gc.collect()
        before = resident_bytes()
        for _ in range(cycles):
            make()
        gc.collect()
        return resident_bytes() - before

    def test_simulations_come_and_go(self):
        vehicle = klingel.load("wheelset", duration=0.01)
        self.assertLess(self.growth(lambda: vehicle.simulation().start(), 1000), 4e6)

    @slow
    def test_runs_come_and_go(self):
        vehicle = klingel.load("wheelset", duration=0.01)
        self.assertLess(self.growth(vehicle.run, 200), 4e6)

    @slow
    def test_vehicles_come_and_go(self):
        self.assertLess(self.growth(lambda: klingel.load("wheelset"), 1000), 8e6)

    def test_graphs_and_functions_come_and_go(self):
        def make():
            from klingel import symbolic as ks
            g = ks.Graph()
            x = g.parameter("x", 1.0)
            ks.function([x], [ks.sin(x) * i for i in range(10)])(np.arange(3.0))
        self.assertLess(self.growth(make, 300), 4e6)


class Errors(unittest.TestCase):
    def check(self, pattern, call):
        with self.assertRaisesRegex(klingel.Error, pattern):
            call()

    def test_messages_are_those_of_the_command_line(self):
        self.check("no vehicle or scenario 'coach_300'; did you mean 'coach_300m'",
                   lambda: klingel.run("coach_300"))
        self.check("no track 'curv_300'", lambda: klingel.load("bogie", track="curv_300"))
        self.check("speed.*must be finite", lambda: klingel.load("bogie", speed=float("nan")))
        self.check("friction.*found -1", lambda: klingel.load("bogie", friction=-1.0))
        self.check("law", lambda: klingel.load("bogie", law="kalker"))
        self.check("back end|backend", lambda: klingel.load("bogie", backend="fortran"))
        self.check("no parameter", lambda: klingel.load("bogie").run(parameters={"nothing": 1.0}))
        self.check("no channel", lambda: klingel.load("bogie", channels="nothing.*").run())
        self.check("names of vehicles", lambda: klingel.names("cars"))

    def test_wrong_values_are_told_with_their_name(self):
        vehicle = klingel.load("wheelset", duration=0.1)
        simulation = vehicle.simulation()
        simulation.start()
        nan = float("nan")
        study = {"study": {"run": "bogie"}, "vary": [{"name": "g", "values": [9.8]}],
                 "measure": [{"name": "v", "modes": "critical_speed"}]}
        for pattern, call in (
                ("'speed' must be a number, found 'fast'", lambda: vehicle.run(speed="fast")),
                ("speed.*must be finite", lambda: vehicle.run(speed=nan)),
                ("the input 'torque' is nan", lambda: vehicle.run(inputs={"torque": nan})),
                ("the input 'torque' is nan", lambda: simulation.set_input("torque", nan)),
                ("'m' must be a number, found None", lambda: vehicle.run(parameters={"m": None})),
                ("with m = -1.*must not be negative", lambda: vehicle.run(parameters={"m": -1.0})),
                ("with m = -1.*must not be negative", lambda: vehicle.critical_speed(parameters={"m": -1.0})),
                ("a list of dicts, or a dict of arrays", lambda: vehicle.run_batch(3)),
                ("a list of dicts, or a dict of arrays", lambda: vehicle.run_batch([3])),
                ("expected a number of steps, found -1", lambda: simulation.step(-1)),
                ("interval is -1", lambda: simulation.record(interval=-1)),
                ("float64 without gaps", lambda: simulation.values(["t"], out=np.zeros(1, dtype=np.float32))),
                ("float64 without gaps", lambda: simulation.values(["t", "t"], out=np.zeros(4)[::2])),
                ("at least 2", lambda: klingel.profile("S1002", 1)),
                ("1, 4 or 8 lanes, found 3", lambda: klingel.run_study(study, lanes=3)),
                ("at least one thread", lambda: klingel.run_study(study, threads=-1)),
                ("what is to be optimised", lambda: klingel.optimise("coach_curves"))):
            self.check(pattern, call)

    def test_they_are_value_errors(self):
        self.assertTrue(issubclass(klingel.Error, ValueError))

    def test_a_failed_step_keeps_the_last_good_state(self):
        simulation = klingel.load("wheelset", duration=2).simulation()
        simulation.start(speed=10)
        simulation.step(10)
        simulation.set_input("torque", 1e12)
        with self.assertRaises(klingel.Error) as caught:
            simulation.step(1000)
        self.assertTrue(str(caught.exception))
        self.assertEqual(str(caught.exception), simulation.failure)
        self.assertTrue(np.isfinite(simulation["speed"]))
