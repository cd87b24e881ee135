"""Tutorial, step 2: a pendulum from a base, a body and gravity. See docs/tutorial.md."""
import math

from klingel import symbolic as ks

model = ks.Model("pendulum")
theta = model.coordinate("theta", 0.3, 1.5)
c = model.parameter("c", 0.25)  # m, pivot to centre of mass
m = model.parameter("m", 2.0)   # kg
J = model.parameter("J", 0.04)  # kg m^2, across the rod, about its centre of mass
g = model.parameter("g", 9.81)  # m/s^2

# x to the right, z up; a positive angle about y takes the hanging rod to the left
rod = model.rotation("rod", model.ground, "y", theta.q)
to_G = model.vector(rod, 0, 0, -c)
model.body("rod", model.origin, rod, m, to_G, model.inertia(rod, J, J, 0))
model.set_gravity(model.vector(model.ground, 0, 0, -g))

# M_qq ddq = delta_q
e = model.equations()
M, delta = e.M_qq[0][0], e.delta_q[0]
print("M     =", M)
print("delta =", delta)
print("T     =", e.kinetic_energy)
print("V     =", e.potential_energy)
assert abs(M.value - (0.04 + 2 * 0.25**2)) < 1e-12, "M is J + m c^2"
assert abs(delta.value + 2 * 9.81 * 0.25 * math.sin(0.3)) < 1e-12, "delta is -m g c sin(theta)"

# data that no real body can have are doubted, not refused
model.body("strange", model.origin, rod, m, to_G, model.inertia(rod, J, J, 3 * J))
for warning in model.warnings:
    print("\nwarning:", warning)
assert len(model.warnings) == 1, "an impossible inertia is warned about"
