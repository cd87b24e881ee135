"""Tutorial, step 6: motion, and C for others. See docs/tutorial.md."""
import numpy as np

from klingel import symbolic as ks

# the four-bar linkage of the article: three links with relative angles, closed by a fourth joint
m = ks.Model("four_bar")
angles = [m.coordinate("theta1", -1.2, 2.0), m.coordinate("theta2", 0.9), m.coordinate("theta3", 1.2)]
m.set_gravity(m.vector(m.ground, 0, 0, -m.parameter("g", 9.81)))
links = [(0.4, 1.0, 0.2, 0.01, 0.06), (1.0, 2.0, 0.5, 0.02, 0.7), (0.8, 1.5, 0.4, -0.01, 0.35)]
base, point, points = m.ground, m.origin, []
for i, ((length, mass, x, z, Iyy), angle) in enumerate(zip(links, angles), start=1):
    base = m.rotation(f"b{i}", base, "y", angle.q)
    l, M = m.parameter(f"l{i}", length), m.parameter(f"m{i}", mass)
    X, Z, I = m.parameter(f"cg{i}x", x), m.parameter(f"cg{i}z", z), m.parameter(f"I{i}yy", Iyy)
    # plane links: what is not about y does not matter, but keeps the tensors those of real bodies
    xx, zz = M * (Z * Z), M * (X * X)
    inertia = m.inertia(base, I / 2 + xx / 2 - zz / 2, I, I / 2 - xx / 2 + zz / 2, 0, -(M * (X * Z)), 0)
    m.body(f"link{i}", point, base, M, m.vector(base, X, 0, Z), inertia, about_point=True)
    point = m.point("ABC"[i - 1], point, m.vector(base, l, 0, 0))
D = m.point("D", m.origin, m.vector(m.ground, m.parameter("l4", 1.0), 0, 0))
m.coincide("joint", point, D, m.ground, normal="y")

# something more to know about it
m.output("speed_B", [ks.velocity(m.origin, m.ground, m.point("B")).norm()])

# C for others
files = m.c_files()
print("C:", ", ".join(sorted(files)))

# motion
mechanism = ks.Mechanism(m)
mechanism.assemble(hold=["theta1", "dtheta1"])
r = mechanism.simulate(2.0, step=1e-3, interval=0.01, method="rk4")
energy = r["kinetic_energy"] + r["potential_energy"]
print(f"\n{'t':>5} {'theta1':>9} {'speed_B':>9} {'energy':>10} {'gap':>8}")
for i in range(0, len(r["t"]), 40):
    gap = "< 1e-11" if r["largest_phi"][i] < 1e-11 else "open"
    print(f"{r['t'][i]:5.2f} {r['theta1'][i]:9.6f} {r['speed_B'][i]:9.6f} {energy[i]:10.6f} {gap:>8}")
assert np.allclose(energy, energy[0], rtol=1e-8), "energy is kept"
assert max(r["largest_phi"]) < 1e-10, "the loop stays closed"
