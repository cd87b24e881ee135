"""Klingel: railway vehicles from their equations to their motion.

>>> import klingel
>>> r = klingel.run("coach_300m")
>>> max(r["Q.front.front.left"])        # N, an array by channel name

Vehicles and scenarios are shipped names, files or dicts. Units are SI, angles radians. Wrong input is
a klingel.Error that says what was expected. Long calls release the interpreter and obey Ctrl-C.

load, run, run_batch       vehicles, whole runs, many runs side by side
run_study, optimise        study files: what varies, what is measured, what is best
Lineariser, estimate       derivatives of the step; Kalman filters from estimate files
Vehicle, Simulation        parameters and runs of one; step by step with inputs
Environment                reset() and step() as gymnasium has them
contact, conicity, creep   wheel and rail
symbolic                   expressions, mechanisms, equations, compiled functions
plot                       pictures, where matplotlib is installed
"""
from ._klingel import Error, version as __version__
from .environment import Box, Environment
from .estimation import EstimateResult, Linear, Lineariser, estimate
from .result import BatchResult, Result
from .study import Optimum, StudyResult, optimise, run_study
from .vehicle import CriticalSpeed, Simulation, SmallMotions, Vehicle, load, names, run, run_batch
from .wheel_rail import conicity, contact, creep, kalker, profile
from . import plot, symbolic

__all__ = [
    "BatchResult", "Box", "CriticalSpeed", "Environment", "Error", "EstimateResult", "Linear", "Lineariser",
    "Optimum", "Result", "Simulation", "SmallMotions", "StudyResult", "Vehicle", "conicity", "contact",
    "creep", "estimate", "kalker", "load", "names", "optimise", "plot", "profile", "run", "run_batch",
    "run_study", "symbolic",
]
