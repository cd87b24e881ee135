"""Studies: many runs with different values, and what is measured of them."""
from __future__ import annotations

import csv
import json
import os
import tempfile
from pathlib import Path
from typing import Any, Callable, Mapping, Optional, Union

import numpy as np

from . import _klingel
from ._klingel import Error
from .toml_text import toml_text


class StudyResult:
    """Varied values and measures of all cases by name, one entry per case."""

    def __init__(self, variations: list[tuple[str, Any]], measures: list[tuple[str, np.ndarray]],
                 ends: list[str], messages: list[str]):
        #: names of what varies, and of what is measured
        self.variations, self.measures = [v[0] for v in variations], [m[0] for m in measures]
        #: how each case ended, and what is to be said about it
        self.ends, self.messages = ends, messages
        self._columns = dict(measures + variations)

    @property
    def failed(self) -> np.ndarray:
        """Which cases failed."""
        return np.array([end == "failed" for end in self.ends])

    def __getitem__(self, name: str) -> Any:
        if name not in self._columns:
            raise Error(f"there is no column '{name}'; there are: {', '.join(self._columns)}")
        return self._columns[name]

    def keys(self) -> list[str]:
        """Names of all columns."""
        return list(self._columns)

    def __len__(self) -> int:
        """Number of cases."""
        return len(self.ends)

    def __repr__(self) -> str:
        return f"<klingel.StudyResult: {len(self)} cases, measures {', '.join(self.measures)}>"


class Optimum:
    """What an optimisation found: ``points`` with values and measures, one or a front, and all evaluations."""

    def __init__(self, evaluations: str, summary: dict[str, Any], vehicles: list[str]):
        #: optimum.json of ``klingel optimise``
        self.summary = summary
        #: a dict with "values" and "measures" by name for every point
        self.points: list[dict[str, dict[str, float]]] = summary["points"]
        #: vehicle files of these points, as texts
        self.vehicles = vehicles
        rows = list(csv.DictReader(evaluations.splitlines()))
        #: columns of evaluations.csv
        self.evaluations: dict[str, Any] = {
            name: [row[name] for row in rows] if name == "end" else np.array([float(row[name]) for row in rows])
            for name in (rows[0] if rows else {})}

    @property
    def best(self) -> dict[str, float]:
        """Values of the first point."""
        return self.points[0]["values"]

    def front(self, *measures: str) -> tuple[np.ndarray, ...]:
        """Measures of all points, an array each."""
        for name in measures:
            if name not in self.points[0]["measures"]:
                raise Error(f"there is no measure '{name}'; there are: {', '.join(self.points[0]['measures'])}")
        return tuple(np.array([p["measures"][name] for p in self.points]) for name in measures)

    def __repr__(self) -> str:
        return f"<klingel.Optimum: {len(self.points)} points, {self.summary['cases']} cases>"


def optimise(what: Union[str, "os.PathLike[str]", Mapping[str, Any]], *,
             out: Union[str, "os.PathLike[str]", None] = None, force: bool = False,
             threads: Optional[int] = None, lanes: int = 4, backend: str = "automatic") -> Optimum:
    """What ``klingel optimise`` does with a study file, a shipped name, or a dict with the contents of a file.

    ``out`` is the folder of its journal, from which a call that was stopped goes on; ``force`` begins again.
    """
    count = _threads(threads)
    return _with_file(what, lambda name, folder: _optimum(*_klingel.run_optimise(
        name, os.fspath(out) if out else "", force, count, lanes, backend)))


def _threads(wanted: Optional[int]) -> int:
    if wanted is not None and wanted < 1:
        raise Error(f"at least one thread is needed, found {wanted}")
    return wanted or os.cpu_count() or 1


def _optimum(evaluations: str, summary: str, vehicles: list[str]) -> Optimum:
    return Optimum(evaluations, json.loads(summary), vehicles)


def _with_file(what: Union[str, "os.PathLike[str]", Mapping[str, Any]], call: Callable[[str, str], Any]) -> Any:
    """Calls with the name of a study file and a folder that is there as long; a dict becomes a file in it."""
    with tempfile.TemporaryDirectory(prefix="klingel_") as folder:
        name = os.fspath(what) if not isinstance(what, Mapping) else str(Path(folder) / "study.toml")
        if isinstance(what, Mapping):
            Path(name).write_text(toml_text(what), encoding="utf-8")
        try:
            return call(name, folder)
        except Error as error:
            raise Error(str(error).replace(folder + os.sep, "dict: ")) from None


def run_study(what: Union[str, "os.PathLike[str]", Mapping[str, Any]], *,
              out: Union[str, "os.PathLike[str]", None] = None, force: bool = False,
              threads: Optional[int] = None, lanes: int = 4, backend: str = "automatic") -> StudyResult:
    """Runs a study: a file, a shipped name, or a dict with the contents of a file.

    ``out`` is the folder of its journal, from which a call that was stopped goes on; without it there is
    none to go on from. A study that was changed meanwhile is refused; ``force`` begins again. ``klingel
    study`` does the same with the same folder, and writes tables.
    """
    count = _threads(threads)
    return _with_file(what, lambda name, folder: StudyResult(*_klingel.run_study(
        name, os.fspath(out) if out else os.path.join(folder, "results"), force, count, lanes, backend)))
