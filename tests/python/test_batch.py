"""Many runs at once give the bits of single ones."""
import unittest

import numpy as np

import klingel


class Batches(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.vehicle = klingel.load("bogie", duration=0.5)
        cls.cases = [{"speed": 20.0}, {"speed": 30.0, "friction": 0.15}, {"parameters": {"g": 9.7}},
                     {"inputs": {"front.torque": 800.0}}, {"position": 3.0}]

    def test_every_case_is_a_run(self):
        batch = self.vehicle.run_batch(self.cases)
        self.assertEqual(batch.values.shape[0], 5)
        for i, case in enumerate(self.cases):
            alone = self.vehicle.run(**case)
            np.testing.assert_array_equal(batch.case(i).values, alone.values)
            for key in ("assessment", "energy", "max_Q", "end", "events"):
                self.assertEqual(batch.summaries[i][key], alone.summary[key], (i, key))

    def test_threads_change_nothing(self):
        one, two = (self.vehicle.run_batch(self.cases, threads=n) for n in (1, 2))
        np.testing.assert_array_equal(one.values, two.values)

    def test_arrays_of_cases(self):
        batch = klingel.run_batch(self.vehicle, {"speed": [20.0, 25.0], "g": [9.81, 9.7]})
        self.assertEqual(len(batch), 2)
        self.assertEqual(batch["speed"].shape, (2, 51))
        np.testing.assert_array_equal(
            batch.case(1).values, self.vehicle.run(speed=25, parameters={"g": 9.7}).values)

    def test_a_case_that_cannot_start_is_a_row_with_its_reason(self):
        batch = self.vehicle.run_batch({"position": [0.0, 1e6]})
        self.assertEqual(list(batch.completed), [True, False])
        self.assertTrue(batch.messages[1])
        self.assertTrue(np.all(np.isnan(batch.values[1])))
        self.assertFalse(np.any(np.isnan(batch["t"][0])))

    def test_wrong_cases(self):
        with self.assertRaisesRegex(klingel.Error, "equally long"):
            self.vehicle.run_batch({"speed": [1, 2], "friction": [0.1]})
        with self.assertRaisesRegex(klingel.Error, "found 'sped'"):
            self.vehicle.run_batch([{"sped": 1}])
        with self.assertRaisesRegex(klingel.Error, "at least one case"):
            self.vehicle.run_batch([])
        with self.assertRaisesRegex(klingel.Error, "no parameter 'nothing'"):
            self.vehicle.run_batch({"nothing": [1.0]})


class Environments(unittest.TestCase):
    def make(self, **options):
        return klingel.Environment("wheelset", observations=["speed", "body.y"], interval=0.01,
                                   duration=0.1, **options)

    def test_an_episode(self):
        environment = self.make(reward=lambda s, o, a: -abs(o[1]), limits=(-100, 100))
        observation, info = environment.reset(seed=1, options={"speed": 12.0})
        self.assertAlmostEqual(observation[0], 12.0, places=2)
        self.assertEqual(info["time"], 0)
        steps = 0
        while True:
            action = environment.action_space.sample()
            self.assertTrue(environment.action_space.contains(action))
            observation, reward, terminated, truncated, info = environment.step(action)
            self.assertEqual(observation.shape, environment.observation_space.shape)
            self.assertLessEqual(reward, 0)
            steps += 1
            if terminated or truncated:
                break
        self.assertEqual(steps, 10)
        self.assertFalse(terminated)

    def test_it_repeats(self):
        environment = self.make()
        ends = []
        for _ in range(2):
            environment.reset()
            for _ in range(5):
                observation = environment.step([20.0])[0]
            ends.append(observation)
        np.testing.assert_array_equal(*ends)

    def test_options_are_of_one_episode(self):
        environment = self.make()

        def end(**options):
            environment.reset(options=options)
            return [environment.step([200.0])[0][0] for _ in range(8)][-1]
        plain = end()
        self.assertNotEqual(end(friction=0.01), plain)
        self.assertEqual(end(), plain)
        self.assertNotEqual(end(parameters={"m": 2500.0}), plain)
        self.assertEqual(end(), plain)

    def test_done_ends_it(self):
        environment = self.make(done=lambda s, o, a: s.time > 0.025)
        environment.reset()
        self.assertEqual([environment.step([0.0])[2] for _ in range(3)], [False, False, True])

    def test_mistakes(self):
        with self.assertRaisesRegex(klingel.Error, "no input 'torqe'.*torque"):
            self.make(actions=["torqe"])
        environment = self.make()
        with self.assertRaisesRegex(klingel.Error, "found 'sped'"):
            environment.reset(options={"sped": 1})
        with self.assertRaisesRegex(klingel.Error, "an action has 1 numbers"):
            environment.step([1.0, 2.0])
