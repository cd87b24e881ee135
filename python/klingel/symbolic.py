"""Expressions, mechanisms and their equations; compiled functions of numpy arrays.

>>> from klingel import symbolic as ks
>>> m = ks.Model("pendulum")
>>> theta = m.coordinate("theta", 0.5)
>>> l, mass = m.parameter("l", 1.0), m.parameter("mass", 2.0)
>>> rod = m.rotation("rod", m.ground, "y", theta.q)
>>> bob = m.point("bob", m.origin, m.vector(rod, 0, 0, -l))
>>> m.body("bob", bob, rod, mass)
>>> m.set_gravity(m.vector(m.ground, 0, 0, -9.81))
>>> m.equations().delta_q[0]
"""
from __future__ import annotations

from typing import Any, Iterable, Mapping, Optional, Sequence

import numpy as np

from . import _klingel
from ._klingel import (Base, Coordinate, Equations, Error, Expr, Graph, Model, Point, Tensor, Vector,
                       acceleration, acos, angular_acceleration, angular_velocity, asin, atan2, cos,
                       count, exp, jacobian, listing, log, maximum, minimum, position, sign, sin, solve,
                       sqrt, tan, velocity)
from .result import Result

__all__ = [
    "Base", "Coordinate", "Equations", "Expr", "Function", "Graph", "Mechanism", "Model", "Point",
    "Tensor", "Vector", "acceleration", "acos", "angular_acceleration", "angular_velocity", "asin",
    "atan2", "cos", "count", "exp", "function", "jacobian", "latex", "listing", "log", "maximum",
    "minimum", "position", "sign", "sin", "solve", "sqrt", "tan", "velocity",
]


def latex(value: Any) -> str:
    """LaTeX of an expression, of a list (a column) or of a list of rows (a matrix)."""
    if isinstance(value, Expr):
        return value.latex
    rows = [row if isinstance(row, (list, tuple)) else [row] for row in value]
    text = r" \\ ".join(" & ".join(x.latex for x in row) for row in rows)
    return r"\begin{bmatrix} " + text + r" \end{bmatrix}"


def _vector_latex(self: Vector) -> str:
    return f"${latex([self.x, self.y, self.z])}_{{\\text{{{self.base.name}}}}}$"


def _equations_latex(self: Equations) -> str:
    """M ddq = delta, with the constraints' forces where there are any."""
    left = latex(self.M_qq) + " " + latex(self.ddq)
    if self.phi:
        left += " + " + latex(self.dphi_dq) + r"^T \lambda"
    return f"${left} = {latex(self.delta_q)}$"


# notebooks show them as formulas
Vector._repr_latex_ = _vector_latex  # type: ignore[method-assign,assignment]
Equations._repr_latex_ = _equations_latex  # type: ignore[method-assign,assignment]


class Function:
    """A compiled function of numpy arrays. Made by function().

    Arguments broadcast against each other; the shape of a result is theirs, followed by that of the
    expressions. Symbols that are no arguments have their nominal values, or those given by name:
    ``f(theta, m=3.0)``.
    """

    def __init__(self, symbols: Sequence[Expr], results: Any, name: str, backend: str):
        flat, self.shape = _flattened(results)
        self._f = _klingel.CompiledFunction(list(symbols), flat, name, backend)
        self.arguments = [s.name for s in symbols]
        #: symbols that are no arguments, with their values
        self.parameters = dict(zip(self._f.others(), self._f.nominal()))

    def __call__(self, *values: Any, **parameters: float) -> Any:
        if len(values) != len(self.arguments):
            raise Error(f"the function takes {len(self.arguments)} arguments ({', '.join(self.arguments)}), "
                        f"found {len(values)}")
        for name in parameters:
            if name not in self.parameters:
                raise Error(f"the function has no parameter '{name}'; there are: "
                            + (", ".join(self.parameters) or "none"))
        others = [float({**self.parameters, **parameters}[n]) for n in self.parameters]
        arrays = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in values)) if values else []
        shape = arrays[0].shape if arrays else ()
        rows = (np.stack([a.ravel() for a in arrays], axis=1) if arrays else np.empty((1, 0)))
        result = self._f.rows(rows, others).reshape(shape + self.shape)
        return result if result.ndim else float(result)

    def c(self) -> dict[str, str]:
        """The function as C11: file names and their texts."""
        return self._f.c()


def function(symbols: Sequence[Expr], results: Any, name: str = "f", backend: str = "automatic") -> Function:
    """Compiles an expression, or nested lists of expressions, as a function of symbols."""
    return Function(symbols, results, name, backend)


class _Values(Mapping):
    """Named numbers of a mechanism: get and set."""

    def __init__(self, names: list[str], get: Any, set_: Any):
        self._names, self._get, self._set = names, get, set_

    def __getitem__(self, name: str) -> float:
        return self._get(name)

    def __setitem__(self, name: str, value: float) -> None:
        self._set(name, float(value))

    def __iter__(self) -> Any:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))


class Mechanism:
    """A model with numbers: a state, parameters and inputs; assembly, accelerations, motion.

    ``coordinates``, ``rates``, ``parameters`` and ``inputs`` are numbers by name that can be set.
    """

    def __init__(self, model: Model, backend: str = "automatic"):
        m = self._m = _klingel.Mechanism(model, backend)
        self.coordinates = _Values(m.coordinate_names, m.coordinate, m.set_coordinate)
        self.rates = _Values(m.rate_names, m.rate, m.set_rate)
        self.parameters = _Values(m.parameter_names, m.parameter, m.set_parameter)
        self.inputs = _Values(m.input_names, m.input, m.set_input)

    @property
    def time(self) -> float:
        """Simulated time, s."""
        return self._m.time

    @property
    def energy(self) -> tuple[float, float]:
        """Kinetic and potential energy, J."""
        return self._m.energy()

    @property
    def largest_phi(self) -> float:
        """How far the constraints are from being met."""
        return self._m.largest_phi()

    def assemble(self, hold: Iterable[str] = ()) -> tuple[int, int]:
        """Closes the loops; coordinates and rates that are named stay. Degrees of freedom and redundant
        constraints. An Error if the loops cannot be closed."""
        rates = set(self.rates)
        names = list(hold)
        freedom, redundant, _ = self._m.assemble([n for n in names if n not in rates],
                                                 [n for n in names if n in rates])
        return freedom, redundant

    def accelerations(self) -> tuple[np.ndarray, np.ndarray]:
        """ddq, and lambda of the constraints; -dphi_dq^T lambda acts on the mechanism."""
        return self._m.accelerations()

    def simulate(self, duration: float, *, step: float = 1e-3, interval: float = 0.01,
                 method: str = "rk4", outputs: Optional[Sequence[str]] = None) -> Result:
        """Moves the mechanism on; methods: semi_implicit_euler, rk4, implicit_midpoint, dopri5."""
        names, rows, failure = self._m.simulate(
            duration, step, interval, method,
            list(self._m.output_names if outputs is None else outputs))
        channels = []
        for name in names:
            word, _, unit = name.partition(" [")
            channels.append((word, unit.rstrip("]"), ""))
        return Result(np.ascontiguousarray(rows.T), channels, failure=failure)


def _flattened(results: Any) -> tuple[list[Expr], tuple[int, ...]]:
    if isinstance(results, Expr):
        return [results], ()
    parts = [_flattened(r) for r in results]
    shapes = {shape for _, shape in parts}
    if len(shapes) > 1:
        raise Error("lists of expressions must be equally long")
    inner = shapes.pop() if shapes else ()
    return [x for flat, _ in parts for x in flat], (len(parts),) + inner
