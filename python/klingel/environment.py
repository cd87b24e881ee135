"""A vehicle as an environment for learning and control, shaped as gymnasium's without needing it."""
from __future__ import annotations

from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from ._klingel import Error
from .vehicle import Simulation, Vehicle, What, load


class Box:
    """Numbers between bounds: what gymnasium.spaces.Box is, as far as it is needed here."""

    def __init__(self, low: Any, high: Any, shape: tuple[int, ...], seed: Optional[int] = None):
        self.low = np.broadcast_to(np.asarray(low, dtype=float), shape)
        self.high = np.broadcast_to(np.asarray(high, dtype=float), shape)
        self.shape = shape
        self.dtype = np.dtype(float)
        self._random = np.random.default_rng(seed)

    def contains(self, x: Any) -> bool:
        """Whether x has this shape and lies within the bounds."""
        x = np.asarray(x, dtype=float)
        return x.shape == self.shape and bool(np.all(x >= self.low) and np.all(x <= self.high))

    def seed(self, seed: Optional[int] = None) -> None:
        """Begins another series of samples."""
        self._random = np.random.default_rng(seed)

    def sample(self) -> np.ndarray:
        """A point within the bounds; a normal number where they are infinite."""
        finite = np.isfinite(self.low) & np.isfinite(self.high)
        low, high = np.where(finite, self.low, 0), np.where(finite, self.high, 1)
        return np.where(finite, self._random.uniform(low, high), self._random.normal(size=self.shape))

    def __repr__(self) -> str:
        return f"Box(shape={self.shape})"


class Environment:
    """reset() and step(action) of a vehicle.

    what          vehicle or scenario, as load() takes it
    actions       names of inputs that an action sets; all if none are named
    observations  channels that are observed
    interval      s between decisions; inputs are held in between
    reward        function of (simulation, observation, action); 0 without one
    done          function of the same that ends an episode; never without one
    limits        least and largest value of each action by input name, or one pair for all

    An episode is truncated at the end of the scenario and terminated by ``done`` or by a failed step
    (``info["failure"]``).
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, what: Union[What, Vehicle], *, observations: Sequence[str],
                 actions: Optional[Sequence[str]] = None, interval: float = 0.01,
                 reward: Optional[Callable[[Simulation, np.ndarray, np.ndarray], float]] = None,
                 done: Optional[Callable[[Simulation, np.ndarray, np.ndarray], bool]] = None,
                 limits: Union[tuple[float, float], Mapping[str, tuple[float, float]], None] = None,
                 **options: Any):
        self.vehicle = what if isinstance(what, Vehicle) else load(what, **options)
        self.simulation = self.vehicle.simulation()
        self.actions = list(self.vehicle.inputs) if actions is None else list(actions)
        self.observations = list(observations)
        if not self.observations:
            raise Error("an environment needs at least one observation: the name of a channel")
        for name in self.actions:
            self.simulation.set_input(name, self.vehicle.inputs.get(name, 0.0))
        self._reward, self._done = reward, done
        self._changed = False  # whether the last episode had a friction or parameters of its own
        self._steps = max(1, round(interval / self.vehicle.step))
        self.interval = self._steps * self.vehicle.step
        self.action_space = Box(*self._bounds(limits), (len(self.actions),))
        self.observation_space = Box(-np.inf, np.inf, (len(self.observations),))
        self.simulation.values(self.observations)  # unknown channels are refused now

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[Mapping[str, Any]] = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Starts again; options: position, speed, friction, and parameters by name, for this episode."""
        options = dict(options or {})
        if seed is not None:
            self.action_space.seed(seed)
        if self._changed:
            self.simulation = self.vehicle.simulation()
        self._changed = "parameters" in options or "friction" in options
        for name, value in options.pop("parameters", {}).items():
            self.simulation.set_parameter(name, value)
        if "friction" in options:
            self.simulation.set_friction(options.pop("friction"))
        for name in self.actions:
            self.simulation.set_input(name, self.vehicle.inputs[name])
        position, speed = options.pop("position", None), options.pop("speed", None)
        if options:
            raise Error("options are position, speed, friction and parameters, found "
                        + ", ".join(f"'{o}'" for o in options))
        self.simulation.start(position, speed)
        return self._observe(), {"time": self.simulation.time}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """observation, reward, terminated, truncated, info"""
        action = np.atleast_1d(np.asarray(action, dtype=float))
        if action.shape != self.action_space.shape:
            raise Error(f"an action has {len(self.actions)} numbers, found {action.shape}")
        for name, value in zip(self.actions, action):
            self.simulation.set_input(name, float(value))
        done = self.simulation._s.steps(self._steps, False)
        observation = self._observe()
        reward = float(self._reward(self.simulation, observation, action)) if self._reward else 0.0
        info: dict[str, Any] = {"time": self.simulation.time}
        terminated = bool(self._done(self.simulation, observation, action)) if self._done else False
        if done < self._steps:
            terminated, info["failure"] = True, self.simulation.failure
        return observation, reward, terminated, bool(self.simulation.finished), info

    def close(self) -> None:
        """Nothing to do; for code that expects it."""

    def _observe(self) -> np.ndarray:
        return self.simulation.values(self.observations)

    def _bounds(self, limits: Any) -> tuple[Any, Any]:
        if limits is None:
            return -np.inf, np.inf
        if isinstance(limits, Mapping):
            pairs = [limits.get(name, (-np.inf, np.inf)) for name in self.actions]
            return [p[0] for p in pairs], [p[1] for p in pairs]
        return limits
