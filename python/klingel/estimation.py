"""Derivatives of the time step, and Kalman filters from estimate files (docs/estimation.md)."""
from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Optional, Sequence, Union

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

    def __init__(self, what: Union[str, "os.PathLike[str]"], states: Sequence[str] = (), given: Sequence[str] = (),
                 channels: Sequence[str] = (), backend: str = "automatic"):
        self._of = _klingel.Lineariser(os.fspath(what), list(states), list(given), list(channels), backend)

    @property
    def states(self) -> list[str]:
        """Names of the columns of A."""
        return self._of.states

    @property
    def given(self) -> list[str]:
        """Names of the columns of B."""
        return self._of.given

    @property
    def channels(self) -> list[str]:
        """Names of the rows of C."""
        return self._of.channels

    def linearise(self, state: Optional[str] = None) -> Linear:
        """Of the step from a state as Simulation.save() gives it; without one from where the last
        call was, first from the start of the scenario."""
        J, x, y, one_sided, across = self._of.linearise(state)
        n = len(x)
        return Linear(J[:n, :n], J[:n, n:], J[n:, :n], J[n:, n:], x, y, one_sided, across)


@dataclass
class EstimateResult:
    """summary: numbers of all runs as in `klingel estimate --json`; columns: arrays of the first run
    by name, "t", NAME, NAME.true, NAME.sigma and more."""
    summary: dict[str, Any]
    columns: dict[str, np.ndarray]

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.columns:
            raise _klingel.Error(f"there is no column '{name}'; there are: {', '.join(self.columns)}")
        return self.columns[name]


def estimate(file: Union[str, "os.PathLike[str]"], duration: Optional[float] = None, runs: Optional[int] = None,
             method: str = "", backend: str = "automatic") -> EstimateResult:
    """Runs an estimate file: a shipped name or a path. Ctrl-C ends it between two runs."""
    text, columns = _klingel.run_estimate(os.fspath(file), duration, runs, method, backend)
    return EstimateResult(json.loads(text), columns)
