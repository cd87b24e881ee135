"""Studies: many runs with different values, and what is measured of them."""
from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Mapping, Optional, Union

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


def run_study(what: Union[str, "os.PathLike[str]", Mapping[str, Any]], *, out: Optional[str] = None,
              threads: Optional[int] = None, lanes: int = 4, backend: str = "automatic") -> StudyResult:
    """Runs a study: a file, a shipped name, or a dict with the contents of a file.

    ``out`` is the folder of its journal, from which a call that was stopped goes on; without it there is
    none to go on from. ``klingel study`` does the same and writes tables.
    """
    threads = threads or os.cpu_count() or 1
    with tempfile.TemporaryDirectory(prefix="klingel_") as folder:
        name = os.fspath(what) if not isinstance(what, Mapping) else str(Path(folder) / "study.toml")
        if isinstance(what, Mapping):
            Path(name).write_text(toml_text(what), encoding="utf-8")
        try:
            return StudyResult(*_klingel.run_study(name, out or os.path.join(folder, "results"), threads, lanes,
                                                   backend))
        except Error as error:
            raise Error(str(error).replace(folder + os.sep, "dict: ")) from None
