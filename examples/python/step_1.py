"""Tutorial, step 1: expressions, atoms, derivatives. See docs/tutorial.md."""
import math

from klingel import symbolic as ks

# symbols live in a graph: a name, a role, a nominal value
graph = ks.Graph()
m, l = graph.parameter("m", 2.0), graph.parameter("l", 0.5)
theta = graph.coordinate("theta", 0.3, 1.5)  # theta, dtheta, ddtheta

# operators make atoms
height = l * (1 - ks.cos(theta.q))
print("height =", height)
assert height == (1 - ks.cos(theta.q)) * l, "l*x and x*l are the same atom"

# derivatives by a symbol, and by time
slope, rise = height.diff(theta.q), height.dt()
print("slope  =", slope)
print("rise   =", rise)

# a larger expression keeps what it shares
kinetic = m * rise * rise / 2
potential = m * 9.81 * height
energy = kinetic + potential
print("\n" + ks.listing([("energy", energy), ("rise", rise)]), end="")

# numbers: the nominal values, and how many operations they need
print(f"\nenergy = {float(energy):.6f} J with {ks.count([energy, rise])} operations")
assert abs(rise.value - 0.5 * math.sin(0.3) * 1.5) < 1e-12, "rise is l sin(theta) dtheta"
