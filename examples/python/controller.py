"""A controller in the loop: traction on slippery rails.

    PYTHONPATH=build/python /usr/bin/python3 examples/python/controller.py [picture.svg]

The driver asks for more torque than wet rails can carry. Without control the wheels spin; a controller in
Python, asked every 10 ms, takes torque away as soon as the creepage exceeds 1 %.
"""
import sys

import numpy as np

import klingel

WANTED = 9000.0  # N m on each wheelset
LIMIT = 0.01     # creepage


class SlipControl:
    """Proportional and integral action on the creepage, never more than what the driver asks for."""

    def __init__(self, interval):
        self.interval, self.integral = interval, 0.0

    def __call__(self, creepage):
        excess = creepage - LIMIT
        self.integral = float(np.clip(self.integral + 4e6 * excess * self.interval, 0.0, WANTED))
        return float(np.clip(WANTED - self.integral - 3e5 * max(excess, 0.0), 0.0, WANTED))


def drive(controlled):
    """Time, torque, creepage and speed over one run."""
    environment = klingel.Environment("bogie", observations=["xi_x.front.right", "xi_x.rear.right", "speed"],
                                      actions=["front.torque", "rear.torque"], interval=0.01,
                                      friction=0.06, speed=10.0, duration=6.0)
    control = [SlipControl(environment.interval) for _ in range(2)]
    observation, info = environment.reset()
    rows = []
    while True:
        creepage = np.abs(observation[:2])
        torque = [c(xi) for c, xi in zip(control, creepage)] if controlled else [WANTED, WANTED]
        observation, _, terminated, truncated, info = environment.step(torque)
        rows.append([info["time"], torque[0], abs(observation[0]), observation[2]])
        if terminated or truncated:
            return np.array(rows).T


runs = {"without control": drive(False), "with control": drive(True)}
for name, (time, torque, creepage, speed) in runs.items():
    print(f"{name:<16} creepage {100 * creepage[-1]:8.2f} %, torque {torque[-1]:7.0f} N m, "
          f"speed {speed[-1]:.3f} m/s")

if len(sys.argv) > 1:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "klingel"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 1, sharex=True, figsize=(7, 4.2))
    for name, (time, torque, creepage, speed) in runs.items():
        axes[0].semilogy(time, 100 * np.maximum(creepage, 1e-5), label=name)
        axes[1].plot(time, 1e-3 * torque, label=name)
    axes[0].set_ylabel("creepage (%)")
    axes[1].set_ylabel("torque (kN m)")
    axes[1].set_xlabel("t (s)")
    for ax in axes:
        ax.grid(True, alpha=0.3)
        ax.legend()
    figure.tight_layout()
    figure.savefig(sys.argv[1], metadata={"Date": None})
