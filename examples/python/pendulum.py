"""The pendulum's equations: derived, printed as LaTeX and C, compiled, and integrated on arrays.

    PYTHONPATH=build/python /usr/bin/python3 examples/python/pendulum.py [picture.svg]
"""
import sys

import numpy as np

from klingel import symbolic as ks

model = ks.Model("pendulum")
theta = model.coordinate("theta", 0.5)
l, m = model.parameter("l", 1.0), model.parameter("m", 2.0)
rod = model.rotation("rod", model.ground, "y", theta.q)
bob = model.point("bob", model.origin, model.vector(rod, 0, 0, -l))
model.body("bob", bob, rod, m)
model.set_gravity(model.vector(model.ground, 0, 0, -9.81))

e = model.equations()
ddtheta = ks.solve(e.M_qq, e.delta_q)[0]
print("LaTeX: M =", ks.latex(e.M_qq), " delta =", ks.latex(e.delta_q))
print("C:     ddtheta =", ddtheta)

# a thousand pendulums at once: the compiled function takes arrays
f = ks.function([theta.q, theta.dq], ddtheta)
start = np.linspace(0.01, 3.0, 1000)
angle, rate, h = start.copy(), np.zeros_like(start), 1e-3
period = np.full_like(start, np.nan)
for i in range(10000):
    before = rate.copy()
    rate += h * f(angle, rate)  # semi-implicit Euler keeps the energy in the mean
    angle += h * rate
    back = np.isnan(period) & (before > 0) & (rate <= 0)  # it came back to its highest point
    period[back] = h * (i + before[back] / (before[back] - rate[back]) + 0.5)
print(f"period of small waves {period[0]:.4f} s, 2 pi sqrt(l/g) = {2 * np.pi / np.sqrt(9.81):.4f} s; "
      f"of {start[-1]:.0f} rad {period[-1]:.4f} s")

if len(sys.argv) > 1:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "klingel"
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(7, 3))
    ax.plot(start[::5], period[::5])
    ax.set_xlabel("amplitude (rad)")
    ax.set_ylabel("period (s)")
    ax.grid(True, alpha=0.3)
    figure.tight_layout()
    figure.savefig(sys.argv[1], metadata={"Date": None})
