"""Tutorial, step 3: two trees, and where things are and how they move. See docs/tutorial.md."""
import math

import klingel
from klingel import symbolic as ks


def show(what, u):
    print(f"{what:<9}= ({u.x}, {u.y}, {u.z}) in {u.base.name}")


model = ks.Model("double_pendulum")
q1, q2 = model.coordinate("q1", 0.4, 1.0), model.coordinate("q2", 0.9, -2.0)
l1, l2 = model.parameter("l1", 1.0), model.parameter("l2", 0.7)
ground, O = model.ground, model.origin

# bases hang on bases, points hang on points by vectors in any base
first = model.rotation("first", ground, "y", q1.q)
second = model.rotation("second", first, "y", q2.q)
A = model.point("A", O, model.vector(first, 0, 0, -l1))
B = model.point("B", A, model.vector(second, 0, 0, -l2))
model.body("A", A, first, model.parameter("m1", 1.0))
model.body("B", B, second, model.parameter("m2", 0.8))

# of anything with respect to anything: position, angular velocity, velocity
show("r_AB", ks.position(A, B))
show("r_AB", ks.position(A, B).in_base(first))
show("w_second", ks.angular_velocity(ground, second))
show("v_B", ks.velocity(O, ground, B))
show("v_B_first", ks.velocity(A, first, B))

# the velocity is the rate of the position
r_OB = ks.position(O, B).in_base(ground)
v_OB = ks.velocity(O, ground, B).in_base(ground)
assert abs(v_OB.x.value - r_OB.x.dt().value) < 1e-12, "v is dr/dt in x"
assert abs(v_OB.z.value - r_OB.z.dt().value) < 1e-12, "v is dr/dt in z"

# vectors of different bases meet in the cheaper one
total = ks.position(O, A) + ks.position(A, B)
print(f"\n|r_OB|^2 = {total.dot(total).value:.6f}, summed in base '{total.base.name}'")
assert abs(total.dot(total).value - (1 + 0.49 + 2 * 0.7 * math.cos(0.9))) < 1e-12, "law of cosines"

# wrong input is an exception that says what was found
try:
    ks.position(A, ks.Model("other").origin)
except klingel.Error as error:
    print(f"\n{error}")
