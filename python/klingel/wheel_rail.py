"""Wheel and rail: profiles, contact, conicity, creep. SI units: m, N, Pa, rad."""
from __future__ import annotations

from typing import Any, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _klingel

Sides = Union[str, tuple[str, str]]


class Profile(NamedTuple):
    """A profile as it is used: y outwards and z downwards from its origin, m."""
    kind: str
    y: np.ndarray
    z: np.ndarray


class Conicity(NamedTuple):
    """Equivalent conicity by amplitude, with the difference of rolling radii it was made from."""
    amplitude: np.ndarray
    tan_gamma: np.ndarray
    wavelength: np.ndarray
    y: np.ndarray
    delta_r: np.ndarray


class CreepForces(NamedTuple):
    """Force on the wheel along and across the rail, N, and moment about the normal, N m."""
    fx: np.ndarray
    fy: np.ndarray
    mz: np.ndarray


class Kalker(NamedTuple):
    """Kalker's coefficients of the linear theory."""
    c11: float
    c22: float
    c23: float
    c33: float


def profile(name: str, points: int = 500) -> Profile:
    """A wheel or rail profile by name ("S1002", "60E1:1:40") or file, as so many points."""
    return Profile(*_klingel.profile(name, points))


def contact(wheel: Sides, rail: Sides, y: Any = 0.0, *, yaw: float = 0.0, roll: Optional[float] = None,
            flange_back: float = 1.360, gauge: float = 1.435, gauge_depth: float = 0.014,
            radius: float = 0.460, inclination: float = 0.0, load: Optional[float] = None,
            E: float = 210e9, poisson: float = 0.28) -> Any:
    """Where a wheelset touches its rails at lateral displacements y (to the left, m).

    A dict with y, yaw, roll and for "left" and "right" wheel_y, rail_y, angle, rolling_radius, lift;
    under load (N on each wheel) also the patches. With an array of y, a list of such dicts.
    ``wheel`` and ``rail`` are names or files, or two of them: (left, right). Without roll it is found so
    that both wheels touch.
    """
    wheels = _wheels(wheel, rail, flange_back, gauge, gauge_depth, radius, inclination, load, E, poisson)
    if np.ndim(y) == 0:
        return wheels.at(float(y), yaw, roll)
    return [wheels.at(float(value), yaw, roll) for value in np.asarray(y)]


def conicity(wheel: Sides, rail: Sides, amplitude: Any = 0.003, *, base: float = 1.5,
             roll: Optional[float] = 0.0, flange_back: float = 1.360, gauge: float = 1.435,
             gauge_depth: float = 0.014, radius: float = 0.460, inclination: float = 0.0,
             load: Optional[float] = None, E: float = 210e9, poisson: float = 0.28) -> Conicity:
    """Equivalent conicity by EN 15302 for amplitudes in m. ``base`` is the distance of the contact circles."""
    wheels = _wheels(wheel, rail, flange_back, gauge, gauge_depth, radius, inclination, load, E, poisson)
    amplitudes = np.atleast_1d(np.asarray(amplitude, dtype=float))
    return Conicity(amplitudes, *wheels.conicity(list(amplitudes), base, roll))


def creep(a: float, b: float, N: float, xi_x: Any = 0.0, xi_y: Any = 0.0, spin: Any = 0.0, *,
          law: str = "fastsim", mu: float = 0.3, G: float = 82.677e9, poisson: float = 0.27,
          interpolation: str = "smooth", slices: int = 10) -> CreepForces:
    """Creep force on a wheel: semi-axes a, b in m, normal force N, creepages as numbers or arrays.

    Laws: "linear", "she", "polach", "fastsim".
    """
    x, y, s = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (xi_x, xi_y, spin)))
    forces = _klingel.creep(law, a, b, N, mu, G, poisson, interpolation, slices,
                            x.ravel().tolist(), y.ravel().tolist(), s.ravel().tolist())
    shaped = [f.reshape(x.shape) for f in forces]
    fx, fy, mz = (f if f.ndim else float(f) for f in shaped)  # type: Any, Any, Any
    return CreepForces(fx, fy, mz)


def kalker(a_over_b: float, poisson: float = 0.27) -> Kalker:
    """Kalker's coefficients of an ellipse with this ratio of semi-axes."""
    return Kalker(*_klingel.kalker(a_over_b, poisson))


def _wheels(wheel: Sides, rail: Sides, *others: Any) -> Any:
    def both(name: Sides) -> Sequence[str]:
        return [name, name] if isinstance(name, str) else list(name)
    return _klingel.Wheels(both(wheel), both(rail), *others)
