"""Pictures of results. Needs matplotlib (Debian: python3-matplotlib), which nothing else does."""
from __future__ import annotations

from typing import Any, Optional

from ._klingel import Error
from .result import Result


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


def save(path: str) -> None:
    """Writes the present picture into a file."""
    pyplot = _pyplot()
    pyplot.tight_layout()
    pyplot.savefig(path)
    pyplot.close()
