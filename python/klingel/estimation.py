"""Derivatives of the time step, and Kalman filters from estimate files (docs/estimation.md)."""
from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from . import _klingel


@dataclass
class Linear:
    """x(t+h) = F(x, v), y(t+h) = G(x, v) and their derivatives.

    one_sided: columns whose difference has one side because the other goes another way (a wheel
    lifts, a flange touches); across: columns with no side that goes the step's way.
    """
    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    x: np.ndarray
    y: np.ndarray
    one_sided: int
    across: int


class Lineariser:
    """Derivatives of the step of a vehicle.

    >>> step = klingel.Lineariser("coach_sensors", ["q.*", "dq.*"], ["p.c_yaw_front"], ["Q.*"])
    >>> step.linearise().A.shape
    (84, 84)

    Names are patterns: states "q.*", "dq.*", "z.*" (none: all), given "u.NAME", "p.NAME",
    "friction.all", "lateral.WHEELSET" and more, channels as in results.
    """

    def __init__(self, what, states=(), given=(), channels=(), backend="automatic"):
        self._of = _klingel.Lineariser(str(what), list(states), list(given), list(channels), backend)

    @property
    def states(self):
        return self._of.states

    @property
    def given(self):
        return self._of.given

    @property
    def channels(self):
        return self._of.channels

    def linearise(self, state=None) -> Linear:
        """Of the step from a state as Simulation.save() gives it; without one from where the last
        call was, first from the start of the scenario."""
        J, x, y, one_sided, across = self._of.linearise(state)
        n = len(x)
        return Linear(J[:n, :n], J[:n, n:], J[n:, :n], J[n:, n:], x, y, one_sided, across)


@dataclass
class EstimateResult:
    """summary: numbers of all runs as in `klingel estimate --json`; columns: arrays of the first run
    by name, "t", NAME, NAME.true, NAME.sigma and more."""
    summary: dict
    columns: dict

    def __getitem__(self, name):
        return self.columns[name]


def estimate(file, duration=None, runs=None, method="", backend="automatic") -> EstimateResult:
    """Runs an estimate file: a shipped name or a path."""
    text, columns = _klingel.run_estimate(str(file), duration, runs, method, backend)
    return EstimateResult(json.loads(text), columns)
