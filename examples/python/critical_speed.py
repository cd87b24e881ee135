"""Critical speed of a bogie: runs side by side at many speeds, then closer ones.

    PYTHONPATH=build/python /usr/bin/python3 examples/python/critical_speed.py [picture.svg]

The bogie starts 2 mm off centre on straight track. Below its critical speed the wave dies out, above it
grows until the flanges stop it.
"""
import sys

import numpy as np

import klingel


def amplitude(batch, seconds):
    """Largest displacement of the front wheelset in the last seconds of each case, m."""
    time, y = batch["t"][0], batch["y_rel.front"]
    return np.nanmax(np.abs(y[:, time > time[-1] - seconds]), axis=1)


bogie = klingel.load("bogie")
low, high = 20.0, 100.0
while high - low > 0.5:
    speeds = np.linspace(low, high, 8)
    batch = bogie.run_batch({"speed": speeds}, duration=8.0, channels=["t", "y_rel.*"])
    hunting = amplitude(batch, 1.0) > 0.0005
    first = int(np.argmax(hunting))
    if not hunting.any() or first == 0:
        sys.exit(f"no critical speed between {low:g} and {high:g} m/s")
    low, high = speeds[first - 1], speeds[first]
    print(f"between {low:6.2f} and {high:6.2f} m/s")

if len(sys.argv) > 1:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "klingel"
    import matplotlib.pyplot as plt

    speeds = np.array([low - 10, low + 10])
    batch = bogie.run_batch({"speed": speeds}, duration=8.0, channels=["t", "y_rel.*"])
    figure, axes = plt.subplots(2, 1, sharex=True, figsize=(7, 4.2))
    for case, (speed, ax) in enumerate(zip(speeds, axes)):
        result = batch.case(case)
        ax.plot(result["t"][::2], 1e3 * result["y_rel.front"][::2], linewidth=0.8)
        ax.set_title(f"{speed:.1f} m/s", fontsize=10)
        ax.set_ylabel("y (mm)")
        ax.grid(True, alpha=0.3)
    axes[1].set_xlabel("t (s)")
    figure.tight_layout()
    figure.savefig(sys.argv[1], metadata={"Date": None})
