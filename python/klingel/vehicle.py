"""Vehicles: load, run, drive step by step."""
from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, Iterable, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _klingel
from ._klingel import Error
from .result import BatchResult, Result
from .toml_text import toml_text

What = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def names(kind: str = "scenarios") -> list[str]:
    """Shipped names: of "vehicles", "scenarios", "tracks", "profiles", "studies" or "estimates"."""
    kinds = ("vehicles", "scenarios", "tracks", "profiles", "studies", "estimates")
    if kind not in kinds:
        raise Error(f"there are names of {', '.join(kinds)}, found '{kind}'")
    return _klingel.list_data(kind)


def load(what: What, *, track: Union[str, Mapping[str, Any], None] = None,
         speed: Optional[float] = None, position: Optional[float] = None,
         step: Optional[float] = None, duration: Optional[float] = None,
         interval: Optional[float] = None, friction: Optional[float] = None,
         law: Optional[str] = None, integrator: Optional[str] = None,
         wheel_profile: Union[str, "os.PathLike[str]", None] = None,
         rail_profile: Union[str, "os.PathLike[str]", None] = None,
         parameters: Optional[Mapping[str, Union[float, str]]] = None,
         channels: Union[str, Sequence[str], None] = None, backend: str = "automatic") -> "Vehicle":
    """Reads a vehicle or scenario, derives its equations and compiles them.

    what        a shipped name, a file, the folder of a vehicle, a case of a study ("study.toml#17"), or a
                dict with the contents of a file. A dict with a table "scenario" is a scenario, and its "vehicle" and "track" may
                be dicts, too; any other dict is a vehicle.
    track ...   replace what the scenario says, as the options of ``klingel run`` do.
    parameters  numbers or formulas by full name; unlike those of Vehicle.run they may change what is
                derived.
    channels    patterns of what is recorded: "N.*", ["Q.*", "Y.*"], "all"
    backend     "automatic", "jit", "cc" or "interpreter": how kernels run, with the same bits
    """
    changes = _klingel.Changes()
    with tempfile.TemporaryDirectory(prefix="klingel_") as folder:
        name = _written(what, Path(folder))
        if isinstance(track, Mapping):
            changes.track = str(_write(Path(folder) / "track.toml", track))
        elif track is not None:
            changes.track = os.fspath(track)
        changes.law = law or ""
        changes.integrator = integrator or ""
        changes.wheel_profile = os.fspath(wheel_profile or "")
        changes.rail_profile = os.fspath(rail_profile or "")
        changes.speed, changes.position, changes.step = speed, position, step
        changes.duration, changes.interval, changes.friction = duration, interval, friction
        changes.channels = _patterns(channels)
        for key, value in (parameters or {}).items():
            changes.set(key, value if isinstance(value, str) else repr(float(value)))
        try:
            return Vehicle(_klingel.load(name, changes, backend))
        except Error as error:
            # what was written for a dict has no place that the caller knows
            raise Error(str(error).replace(folder + os.sep, "dict: ")) from None


def run(what: What, *, inputs: Optional[Mapping[str, float]] = None, state: Optional[str] = None,
        **options: Any) -> Result:
    """Runs a vehicle or scenario: what ``klingel run`` does, bit for bit, with arrays instead of files.

    ``inputs`` are held at their values; ``state`` is a text of Simulation.save. All other options are
    those of load().
    """
    return load(what, **options).run(inputs=inputs, state=state)


def run_batch(what: Union[What, "Vehicle"], cases: Any, *, threads: int = 1,
              run_channels: Union[str, Sequence[str], None] = None, **options: Any) -> BatchResult:
    """Many runs of one vehicle with different values, side by side on the lanes of the processor.

    See Vehicle.run_batch for ``cases``; other options are those of load().
    """
    vehicle = what if isinstance(what, Vehicle) else load(what, **options)
    return vehicle.run_batch(cases, threads=threads, channels=run_channels)


class SmallMotions(NamedTuple):
    """Modes, sorted by frequency: eigenvalues in 1/s and shapes (modes x coordinates), both complex."""
    eigenvalues: np.ndarray
    shapes: np.ndarray

    @property
    def frequency(self) -> np.ndarray:
        """Hz."""
        return np.abs(self.eigenvalues.imag) / (2 * np.pi)

    @property
    def damping(self) -> np.ndarray:
        """Ratio; negative where a motion grows."""
        return -self.eigenvalues.real / np.abs(self.eigenvalues)


class CriticalSpeed(NamedTuple):
    """speed in m/s, None if no oscillation begins to grow; its frequency in Hz; whether one grows at the
    lowest speed already; dV/dp by parameter."""
    speed: Optional[float]
    frequency: float
    grows_from_the_first: bool
    derivatives: dict[str, float]


class Vehicle:
    """A compiled vehicle on its track. Made by load()."""

    def __init__(self, compiled: Any):
        self._v = compiled
        # of the compiled vehicle, before runs give them other values
        self._parameters: dict[str, float] = compiled.parameters
        self._inputs: dict[str, float] = compiled.inputs

    name = property(lambda self: self._v.name, doc="Name of the vehicle.")
    about = property(lambda self: self._v.about, doc="One line about it.")
    scenario = property(lambda self: self._v.scenario, doc="Name of the scenario.")
    track = property(lambda self: self._v.track, doc="Name of the track.")
    step = property(lambda self: self._v.step, doc="Time step, s.")
    duration = property(lambda self: self._v.duration, doc="Duration of a run, s.")
    warnings = property(lambda self: self._v.warnings, doc="Doubts about the files.")
    parameters = property(lambda self: dict(self._parameters),
                          doc="Parameters by full name, as they were loaded; runs with others do not change them.")
    inputs = property(lambda self: dict(self._inputs), doc="Inputs by name, with their first values.")
    coordinates = property(lambda self: self._v.coordinates, doc="Names of the coordinates.")
    wheels = property(lambda self: self._v.wheels, doc="Names of the wheels.")

    @property
    def channels(self) -> dict[str, tuple[str, str]]:
        """All channels: name -> (unit, what it is)."""
        return {name: (unit, about) for name, unit, about in self._v.channels}

    def run(self, *, parameters: Optional[Mapping[str, float]] = None,
            inputs: Optional[Mapping[str, float]] = None, friction: Optional[float] = None,
            speed: Optional[float] = None, position: Optional[float] = None,
            duration: Optional[float] = None, interval: Optional[float] = None,
            channels: Union[str, Sequence[str], None] = None, state: Optional[str] = None) -> Result:
        """A whole run from the start of the scenario, or from a saved state. Nothing is compiled again."""
        case = self._case(dict(parameters=parameters, inputs=inputs, friction=friction, speed=speed,
                               position=position))
        recording, summary = self._v.run(case, state, duration, interval, _patterns(channels))
        return Result(recording.values, recording.channels, json.loads(summary))

    simulate = run

    def run_batch(self, cases: Any, *, threads: int = 1,
                  channels: Union[str, Sequence[str], None] = None,
                  duration: Optional[float] = None, interval: Optional[float] = None,
                  balance: bool = True) -> BatchResult:
        """Many runs side by side; each gives the bits of Vehicle.run with the same values.

        cases    a list of dicts with the arguments of run() (parameters, inputs, friction, speed,
                 position), or a dict of equally long arrays, where every other name is a parameter:
                 ``{"speed": [10, 20, 30], "c_yaw": [1e5, 2e5, 3e5]}``
        threads  each has a vehicle of its own, which takes a second to compile
        balance  False: without the balance of energy, which takes long on lanes
        """
        if threads < 1:
            raise Error(f"at least one thread is needed, found {threads}")
        list_of = [self._case(c) for c in _case_dicts(cases)]
        if not list_of:
            raise Error("a batch needs at least one case")
        found, values, summaries = self._v.run_batch(list_of, duration, interval,
                                                     _patterns(channels), threads, balance)
        return BatchResult(values, found, [json.loads(s) for s in summaries])

    def simulation(self) -> "Simulation":
        """A vehicle of this kind to be driven step by step."""
        return Simulation(self)

    def report(self, path: Union[str, "os.PathLike[str]"], *,
               parameters: Optional[Mapping[str, float]] = None,
               inputs: Optional[Mapping[str, float]] = None, friction: Optional[float] = None,
               speed: Optional[float] = None, position: Optional[float] = None,
               duration: Optional[float] = None) -> Result:
        """Runs, and writes the page that ``klingel run --report`` writes; the result has all channels."""
        case = self._case(dict(parameters=parameters, inputs=inputs, friction=friction, speed=speed,
                               position=position))
        recording, summary = self._v.report(case, duration, os.fspath(path))
        return Result(recording.values, recording.channels, json.loads(summary))

    def small_motions(self, speed: Optional[float] = None, *, friction: Optional[float] = None,
                      parameters: Optional[Mapping[str, float]] = None) -> SmallMotions:
        """Modes of the vehicle that runs on straight track at a speed, with dampers and creep forces:
        what ``klingel modes`` prints."""
        return SmallMotions(*_klingel.small_motions(self._v, speed, _pairs(parameters), friction))

    def critical_speed(self, *, friction: Optional[float] = None, largest: float = 200.0,
                       parameters: Optional[Mapping[str, float]] = None,
                       derivatives: Sequence[str] = ()) -> CriticalSpeed:
        """The lowest speed at which an oscillation grows, as ``klingel modes --critical`` finds it.

        ``derivatives`` are names of parameters: dV/dp of each comes from the eigenvectors. It does not
        count what is derived when files are read (loads of the wheels); give lengths and masses to load().
        """
        speed, frequency, first, by = _klingel.critical_speed(self._v, _pairs(parameters), friction,
                                                              largest, list(derivatives))
        return CriticalSpeed(speed, frequency, first, dict(zip(derivatives, by)))

    def curving(self, radius: float, *, speed: Optional[float] = None, cant_deficiency: float = 0.0,
                friction: Optional[float] = None,
                parameters: Optional[Mapping[str, float]] = None) -> dict[str, Any]:
        """A steady curve, as ``klingel curving`` solves it: attack, y_rel and sumY by wheelset, Y, Q, YQ and
        Tgamma by wheel (in the order of ``wheels``), forward and cant. m, N, rad; left curves positive."""
        return _klingel.curving(self._v, radius, speed, cant_deficiency, _pairs(parameters), friction)

    def modes(self) -> tuple[np.ndarray, np.ndarray]:
        """Natural frequencies in Hz and shapes (modes x coordinates) about the start, without dampers
        and creep forces. Negative: a motion that runs away; 0: one that is free."""
        return self._v.modes()

    def _case(self, values: Mapping[str, Any]) -> Any:
        known = {"parameters", "inputs", "friction", "speed", "position"}
        for key in values:
            if key not in known:
                raise Error(f"a case has {', '.join(sorted(known))}, found '{key}'")
        return self._v.case(_pairs(values.get("parameters")), _pairs(values.get("inputs")),
                            *(None if values.get(key) is None else _number(key, values[key])
                              for key in ("friction", "speed", "position")))

    def __repr__(self) -> str:
        return f"<klingel.Vehicle {self.name}: scenario '{self.scenario}', track '{self.track}'>"


class Simulation:
    """One vehicle, step by step. For one thread at a time.

    >>> s = klingel.load("wheelset").simulation()
    >>> s.start(speed=10)
    >>> while not s.finished:
    ...     s.set_input("torque", -1000 * s["q.yaw"])
    ...     s.step()
    """

    def __init__(self, vehicle: Union[Vehicle, What]):
        self.vehicle = vehicle if isinstance(vehicle, Vehicle) else load(vehicle)
        self._s = _klingel.Simulation(self.vehicle._v)
        self._channels: dict[str, int] = {}
        self._inputs: dict[str, int] = {}

    time = property(lambda self: self._s.time, doc="Simulated time, s.")
    finished = property(lambda self: self._s.finished, doc="Whether the duration is reached.")
    failure = property(lambda self: self._s.failure, doc="Why the last step failed.")
    parameters = property(lambda self: self._s.parameters, doc="Values of the parameters by name.")
    inputs = property(lambda self: self._s.inputs, doc="Values of the inputs by name.")

    def start(self, position: Optional[float] = None, speed: Optional[float] = None) -> None:
        """Puts the vehicle at the start of its scenario, or at another place and speed; again, too."""
        self._s.start(position, speed)

    def step(self, count: int = 1) -> None:
        """So many time steps. An Error if one fails; the state is then the last good one."""
        if count < 0:
            raise Error(f"expected a number of steps, found {count}")
        if self._s.steps(count, False) < count:
            raise Error(self._s.failure)

    def run(self) -> None:
        """Steps to the end of the scenario. An Error if a step fails."""
        self._s.steps(0, True)
        if not self._s.finished:
            raise Error(self._s.failure)

    def __getitem__(self, channel: str) -> float:
        """The value of a channel now; forces are those of the last step."""
        return self._s.value(self._channel(channel))

    def values(self, channels: Iterable[str], out: Optional[np.ndarray] = None) -> np.ndarray:
        """Values of several channels, into an array of yours (of float64, without gaps) or a new one."""
        indices = [self._channel(c) for c in channels]
        if out is None:
            out = np.empty(len(indices))
        elif out.dtype != np.float64 or not out.flags.c_contiguous:
            raise Error(f"'out' must be an array of float64 without gaps, found one of {out.dtype}")
        self._s.values_into(indices, out)
        return out

    def set_input(self, name: str, value: float) -> None:
        """Holds an input at a value; all others follow the scenario."""
        index = self._inputs.get(name)
        if index is None:
            index = self._inputs[name] = self._s.input(name)
        self._s.set_input(index, value)

    def release_input(self, name: str) -> None:
        """Lets an input follow the scenario again."""
        self._s.release_input(name)

    def set_parameter(self, name: str, value: float) -> None:
        """Takes effect at the next start or step."""
        self._s.set_parameter(name, value)

    def set_friction(self, mu: float, wheel: Optional[str] = None) -> None:
        """Friction coefficient of one wheel, or of all."""
        self._s.set_friction(mu, wheel)

    def save(self) -> str:
        """The state as text, from which a run goes on bit for bit; parameters are not part of it."""
        return self._s.save()

    def restore(self, state: str) -> None:
        """Back to a saved state."""
        self._s.restore(state)

    def record(self, channels: Union[str, Sequence[str], None] = None, interval: float = 0) -> None:
        """Records from now on; call it before the first step."""
        self._s.record(_patterns(channels), interval)

    def recorded(self) -> Result:
        """What was recorded so far."""
        recording = self._s.recorded()
        return Result(recording.values, recording.channels, failure=self._s.failure)

    def _channel(self, name: str) -> int:
        index = self._channels.get(name)
        if index is None:
            index = self._channels[name] = self._s.channel(name)
        return index


def _patterns(channels: Union[str, Sequence[str], None]) -> list[str]:
    if channels is None:
        return []
    return [channels] if isinstance(channels, str) else list(channels)


def _number(name: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise Error(f"'{name}' must be a number, found {value!r}") from None


def _pairs(values: Optional[Mapping[str, Any]]) -> list[tuple[str, float]]:
    return [(name, _number(name, value)) for name, value in (values or {}).items()]


def _case_dicts(cases: Any) -> list[Mapping[str, Any]]:
    if not isinstance(cases, Mapping):
        list_of = list(cases) if isinstance(cases, Iterable) else [cases]
        if not all(isinstance(case, Mapping) for case in list_of):
            raise Error("cases are a list of dicts, or a dict of arrays")
        return list_of
    columns = {name: np.atleast_1d(np.asarray(values, dtype=float)) for name, values in cases.items()}
    lengths = {name: len(c) for name, c in columns.items()}
    if len(set(lengths.values())) > 1:
        raise Error(f"arrays of cases must be equally long, found {lengths}")
    own = ("friction", "speed", "position")
    return [{**{n: float(c[i]) for n, c in columns.items() if n in own},
             "parameters": {n: float(c[i]) for n, c in columns.items() if n not in own}}
            for i in range(next(iter(lengths.values()), 0))]


def _write(path: Path, table: Mapping[str, Any]) -> Path:
    path.write_text(toml_text(table), encoding="utf-8")
    return path


def _written(what: What, folder: Path) -> str:
    """The name of what is to be loaded; dicts become files in the folder."""
    if not isinstance(what, Mapping):
        return os.fspath(what)
    if "scenario" not in what:
        return str(_write(folder / "vehicle.toml", what))
    scenario = dict(what["scenario"])
    for key in ("vehicle", "track"):
        if isinstance(scenario.get(key), Mapping):
            _write(folder / f"{key}.toml", scenario[key])
            scenario[key] = f"{key}.toml"
    return str(_write(folder / "scenario.toml", {**what, "scenario": scenario}))
