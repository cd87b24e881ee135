"""Tutorial, step 4: springs, dampers, inputs and the balance of power. See docs/tutorial.md."""
from klingel import symbolic as ks

# a cart on a spring and a damper, pushed by an input; a pendulum hangs on it
model = ks.Model("crane")
x, theta = model.coordinate("x", 0.3, 0.8), model.coordinate("theta", 0.5, -1.2)
M, m = model.parameter("M", 4.0), model.parameter("m", 1.5)  # kg
l, g = model.parameter("l", 0.9), model.parameter("g", 9.81)
k, c = model.parameter("k", 50.0), model.parameter("c", 3.0)  # N/m, N s/m
push = model.input("push", 7.0)                               # N
ground = model.ground

cart = model.point("cart", model.origin, model.vector(ground, x.q, 0, 0))
rope = model.rotation("rope", ground, "y", theta.q)
load = model.point("load", cart, model.vector(rope, 0, 0, -l))
model.body("cart", cart, ground, M)
model.body("load", load, rope, m)
model.set_gravity(model.vector(ground, 0, 0, -g))

# force elements: equal and opposite actions, and the energy they store
model.isotropic_spring("spring", model.origin, cart, k, c, ground)
model.applied_force("push", push * model.axis(ground, "x"), cart)
model.torsion_spring("hinge", ground, rope, model.axis(rope, "y"), theta.q, 0, 0.2)

e = model.equations()
for col in range(2):
    for row in range(2):
        print(f"M_{row + 1}{col + 1}    = {e.M_qq[row][col]}")
for i in range(2):
    print(f"delta_{i + 1} = {e.delta_q[i]}")

# accelerations in atoms: the linear system solved once, symbolically
ddq = ks.solve(e.M_qq, e.delta_q)

# what the input gives and the dampers take is what the energy gains
energy = e.kinetic_energy + e.potential_energy
gain = energy.dt().subs([(x.ddq, ddq[0]), (theta.ddq, ddq[1])]).value
given, taken = 7.0 * 0.8, 3.0 * 0.8**2 + 0.2 * 1.2**2
print(f"\nenergy {energy.value:.6f} J, changing by {gain:.6f} W = {given:.3f} W given - {taken:.3f} W taken")
assert abs(gain - (given - taken)) < 1e-9, "power balance"
