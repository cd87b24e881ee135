"""What runs leave behind: arrays by channel name."""
from __future__ import annotations

import difflib
from typing import Any, Iterator, Mapping, Optional

import numpy as np

from ._klingel import Error


def _unknown(name: str, names: list[str]) -> Error:
    near = difflib.get_close_matches(name, names, 3)
    hint = "; did you mean " + " or ".join(f"'{n}'" for n in near) + "?" if near else ""
    return Error(f"there is no channel '{name}'{hint}")


class Result(Mapping[str, np.ndarray]):
    """Channels over time, by name: ``r["Q.front.front.left"]`` is an array.

    Arrays are views that cannot be written to; take a ``copy()`` to change one. ``r.units`` and
    ``r.about`` say what a channel is, ``r.values`` is all of them (channels x rows) and ``r.summary``
    is the summary.json of the command line as a dict.
    """

    def __init__(self, values: np.ndarray, channels: list[tuple[str, str, str]],
                 summary: Optional[dict[str, Any]] = None, failure: str = ""):
        #: all channels, one per row
        self.values: np.ndarray = values  # type: ignore[assignment]
        #: names in the order of ``values``
        self.channels: list[str] = [c[0] for c in channels]
        #: unit by name
        self.units: dict[str, str] = {c[0]: c[1] for c in channels}
        #: what a channel is, by name
        self.about: dict[str, str] = {c[0]: c[2] for c in channels}
        #: the summary of the run
        self.summary: dict[str, Any] = summary if summary is not None else {}
        self._failure = failure
        self._index = {name: i for i, name in enumerate(self.channels)}

    @property
    def time(self) -> np.ndarray:
        """The channel t, s."""
        return self["t"]

    @property
    def completed(self) -> bool:
        """Whether the run reached its end."""
        return bool(self.summary.get("completed", not self._failure))

    @property
    def message(self) -> str:
        """Why it ended before its time."""
        return self._failure or self.summary.get("message", "")

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self.values[self._index[name]]
        except KeyError:
            raise _unknown(name, self.channels) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.channels)

    def __len__(self) -> int:
        return len(self.channels)

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __repr__(self) -> str:
        what = self.summary.get("scenario", "")
        return f"<klingel.Result {what}: {len(self)} channels, {self.values.shape[1]} rows>"

    def plot(self, *channels: str, **options: Any) -> Any:
        """Draws channels over time; see klingel.plot.channels."""
        from . import plot
        return plot.channels(self, *channels, **options)


class BatchResult:
    """Many runs: ``values`` has the shape cases x channels x time; ``b[name]`` is cases x time.

    A run that ended early has NaN behind its end, one that did not start NaN only; ``messages`` say
    why, ``summaries`` has the summary of each case.
    """

    def __init__(self, values: np.ndarray, channels: list[tuple[str, str, str]],
                 summaries: list[dict[str, Any]]):
        self.values = values
        self.channels: list[str] = [c[0] for c in channels]
        self.units: dict[str, str] = {c[0]: c[1] for c in channels}
        self.about: dict[str, str] = {c[0]: c[2] for c in channels}
        self.summaries = summaries
        self._index = {name: i for i, name in enumerate(self.channels)}

    @property
    def completed(self) -> np.ndarray:
        """Whether each case reached its end."""
        return np.array([bool(s["completed"]) for s in self.summaries])

    @property
    def messages(self) -> list[str]:
        """Why each case ended before its time."""
        return [s["message"] for s in self.summaries]

    def __len__(self) -> int:
        return len(self.summaries)

    def __getitem__(self, name: str) -> np.ndarray:
        try:
            return self.values[:, self._index[name], :]
        except KeyError:
            raise _unknown(name, self.channels) from None

    def case(self, index: int) -> Result:
        """One case as a Result."""
        channels = [(n, self.units[n], self.about[n]) for n in self.channels]
        return Result(self.values[index], channels, self.summaries[index])

    def __repr__(self) -> str:
        shape = " x ".join(str(n) for n in self.values.shape)
        return f"<klingel.BatchResult: cases x channels x rows {shape}>"
