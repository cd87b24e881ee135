"""Tutorial, step 5: a closed loop and how it is assembled. See docs/tutorial.md."""
import math

import klingel
from klingel import symbolic as ks

model = ks.Model("engine")
phi, psi, x = model.coordinate("phi", 1.0, 20.0), model.coordinate("psi"), model.coordinate("x")
r, l = model.parameter("r", 0.1), model.parameter("l", 0.3)
ground, O = model.ground, model.origin

# a tree: crank and rod on one branch, the piston on another
crank = model.rotation("crank", ground, "y", -phi.q)
rod = model.rotation("rod", ground, "y", psi.q)
A = model.point("A", O, model.vector(crank, r, 0, 0))
B = model.point("B", A, model.vector(rod, l, 0, 0))
P = model.point("P", O, model.vector(ground, x.q, 0, 0))
model.body("crank", O, crank, 1.0, inertia=model.inertia(crank, 0.002, 0.004, 0.002))
model.body("rod", A, rod, 0.5, model.vector(rod, l / 2, 0, 0), model.inertia(rod, 0, 0.004, 0.004))
model.body("piston", P, ground, 0.4)

# the loop: the end of the rod is the pin of the piston, in the plane normal to y
model.coincide("pin", B, P, ground, normal="y")

# assembly: the crank stays where it is and as fast as it is, the rest follows
mechanism = ks.Mechanism(model)
print(f"before: largest gap {mechanism.largest_phi:.3f} m")
freedom, redundant = mechanism.assemble(hold=["phi", "dphi"])
print(f"after:  degrees of freedom {freedom}, redundant constraints {redundant}")
for name, value in mechanism.coordinates.items():
    print(f"  {name:<3} = {value:8.5f}   d{name:<3} = {mechanism.rates['d' + name]:8.5f}")
by_geometry = 0.1 * math.cos(1) + math.sqrt(0.09 - 0.01 * math.sin(1) ** 2)
assert abs(mechanism.coordinates["x"] - by_geometry) < 1e-9, "the piston is where triangles say"

# forces of the constraints, by their multipliers
ddq, lambda_ = mechanism.accelerations()
print(f"\nthe pin pushes the piston with {-lambda_[0]:.3f} N along x")
assert abs(-lambda_[0] - 0.4 * ddq[2]) < 1e-9, "nothing else accelerates the piston"

# a rod that is too short
mechanism.parameters["l"] = 0.05
try:
    mechanism.assemble(hold=["phi", "dphi"])
except klingel.Error as error:
    print(f"\n{error}")
