"""Pictures of results. Needs matplotlib (Debian: python3-matplotlib), which nothing else does."""
from __future__ import annotations

from typing import Any, Optional

import numpy as np

from ._klingel import Error
from .result import Result
from .study import Optimum, StudyResult


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as pyplot
    except ImportError:
        raise Error("klingel.plot needs matplotlib; Debian: apt-get install python3-matplotlib") from None
    return pyplot


def channels(result: Result, *names: str, x: str = "t", axes: Optional[Any] = None) -> Any:
    """Draws channels over another one, time by default; the axes that were drawn on."""
    if not names:
        raise Error("name at least one channel to be drawn")
    axes = axes if axes is not None else _pyplot().subplots()[1]
    for name in names:
        axes.plot(result[x], result[name], label=name)
    units = sorted({result.units[name] for name in names})
    axes.set_xlabel(f"{x} ({result.units[x]})" if result.units[x] else x)
    axes.set_ylabel(", ".join(units))
    axes.grid(True, alpha=0.3)
    if len(names) > 1:
        axes.legend()
    return axes


def study(result: StudyResult, x: str, y: str, colour: Optional[str] = None, axes: Optional[Any] = None) -> Any:
    """Draws two columns of a study over each other, a point per case, coloured by a third one."""
    axes = axes if axes is not None else _pyplot().subplots()[1]
    points = axes.scatter(result[x], result[y], c=None if colour is None else result[colour], s=18)
    if colour is not None:
        axes.figure.colorbar(points, ax=axes, label=colour)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(True, alpha=0.3)
    return axes


def heat_map(result: StudyResult, x: str, y: str, value: str, axes: Optional[Any] = None) -> Any:
    """Draws the mean of a column over two others, whose different values are the cells."""
    pyplot = _pyplot()
    axes = axes if axes is not None else pyplot.subplots()[1]
    across, i = np.unique(np.asarray(result[x]), return_inverse=True)
    up, k = np.unique(np.asarray(result[y]), return_inverse=True)
    total, count = np.zeros((len(up), len(across))), np.zeros((len(up), len(across)))
    finite = np.isfinite(result[value])
    np.add.at(total, (k[finite], i[finite]), result[value][finite])
    np.add.at(count, (k[finite], i[finite]), 1)
    with np.errstate(invalid="ignore"):
        picture = axes.imshow(total / count, origin="lower", aspect="auto")
    axes.set_xticks(range(len(across)), [f"{v:g}" if not isinstance(v, str) else v for v in across])
    axes.set_yticks(range(len(up)), [f"{v:g}" if not isinstance(v, str) else v for v in up])
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.figure.colorbar(picture, ax=axes, label=value)
    return axes


def front(optimum: Optimum, x: str, y: str, axes: Optional[Any] = None) -> Any:
    """Draws two measures of an optimisation: all evaluations, and the points that were found."""
    axes = axes if axes is not None else _pyplot().subplots()[1]
    axes.plot(optimum.evaluations[x], optimum.evaluations[y], ".", alpha=0.4, label="evaluations")
    axes.plot(*optimum.front(x, y), "o-", label="front")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(True, alpha=0.3)
    axes.legend()
    return axes


def save(path: str) -> None:
    """Writes the present picture into a file."""
    pyplot = _pyplot()
    pyplot.tight_layout()
    pyplot.savefig(path)
    pyplot.close()
