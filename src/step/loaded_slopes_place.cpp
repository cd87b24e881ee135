// Place and motion of four wheels against their rails, with derivatives: LoadedSet::evaluate() once
// more.
#include "step/loaded_dual.hpp"

namespace klingel::step {

using namespace slopes;

template <class By>
void LoadedSlopes::place(const Motion& at, Wheels<By>& to) {
  using Place = typename By::Place;
  using Move = typename By::Move;
  const PackVector e_y = triple_at(at.pose + 6);
  const PackVector r_O = step::add(triple_at(at.pose), y_w_, e_y);

  // the foot, as LoadedSet finds it
  constexpr int most = 8;
  constexpr double close = 1e-8;
  s_r_ = at.s_r;
  RailSlopes rail = rails_.slopes_at(s_r_);
  Pack y0, z0, D;
  for (int i = 0;; ++i) {
    const auto of = [](const spline::Vector3<Dual<1>>& v) {
      return PackVector{v.x.v, v.y.v, v.z.v};
    };
    to.axes = {of(rail.axes.x), of(rail.axes.y), of(rail.axes.z)};
    const PackVector d = r_O - of(rail.origin);
    y0 = dot(to.axes.y, d), z0 = dot(to.axes.z, d);
    D = rail.v.v + difference_of_products(rail.k.y.v, z0, rail.k.z.v, y0);
    const Pack ahead = dot(to.axes.x, d);
    const Mask off = base::magnitude(ahead) > splat(close);
    if (i == most || (base::bits(off) & occupied_) == 0) break;
    s_r_ = base::select(off, s_r_ + ahead / D, s_r_);
    rail = rails_.slopes_at(s_r_);
  }
  const PackAxes& axes = to.axes;

  // along the rail all that the frame has changes; ds_r = 1/D per length
  const Pack per = 1 / D;
  const auto along_rail = [&](const Dual<1>& x) { return Place(x.v, By::along, per * x.d[0]); };
  const Triple<Place> k = {along_rail(rail.k.x), along_rail(rail.k.y), along_rail(rail.k.z)};
  const Triple<Place> dk = {along_rail(rail.dk.x), along_rail(rail.dk.y), along_rail(rail.dk.z)};
  const Place v = along_rail(rail.v), dv = along_rail(rail.dv);
  to.turned = per * value(k);
  const PackVector& turned = to.turned;
  Place y(y0, By::along, turned.x * z0), z(z0, By::along, -turned.x * y0);
  y.d[By::y] = splat(1), z.d[By::z] = splat(1);
  to.e = fixed<Place>(axes.in(e_y), turned);
  const Pack per_e = 1 / to.e.y.v;
  to.e.x.d[By::e_t] = to.e.z.d[By::e_n] = splat(1);
  to.e.y.d[By::e_t] = -to.e.x.v * per_e, to.e.y.d[By::e_n] = -to.e.z.v * per_e;
  const Triple<Place>& e = to.e;
  to.r = y_w_ * e;
  to.per_D = reciprocal(v + difference_of_products(k.y, z, k.z, y));
  const Place& per_D = to.per_D;

  // motion   [eq:place]
  to.v_C = fixed<Move>(axes.in(triple_at(at.twist)), turned);
  Triple<Move> w = fixed<Move>(axes.in(triple_at(at.twist + 3)), turned);
  to.v_C.x.d[By::v] = to.v_C.y.d[By::v + 1] = to.v_C.z.d[By::v + 2] = splat(1);
  w.x.d[By::w] = w.y.d[By::w + 1] = w.z.d[By::w + 2] = splat(1);
  const Move spin(at.twist[6], By::spin);
  to.w_total = {multiply_add(spin, e.x, w.x), multiply_add(spin, e.y, w.y),
                multiply_add(spin, e.z, w.z)};
  const Triple<Move> w_r = cross(w, to.r), v_O = to.v_C + w_r;
  to.v_along = v_O.x;
  to.ds_r = v_O.x * per_D;
  const Move& ds_r = to.ds_r;
  to.turn = ds_r * k;
  const Triple<Move>& turn = to.turn;
  const Move dy = multiply_add(turn.x, z, v_O.y), dz = subtract_product(turn.x, y, v_O.z);
  const Triple<Move> w_rel = w - turn;
  to.de = cross(w_rel, e);

  // accelerations at ddq = 0
  const Triple<Place> dv_C = fixed<Place>(axes.in(triple_at(at.bias)), turned),
                      dw = fixed<Place>(axes.in(triple_at(at.bias + 3)), turned);
  to.a_C = dv_C - cross(turn, to.v_C);
  to.dw_total = dw + spin * cross(w, e) - cross(turn, to.w_total);
  const Triple<Move> a_O = dv_C + cross(dw, to.r) + cross(w, w_r) - cross(turn, v_O);
  const Move dD = multiply_add(ds_r, dv + difference_of_products(dk.y, z, dk.z, y),
                               difference_of_products(k.y, dz, k.z, dy));
  const Move dds_r = subtract_product(ds_r, dD, a_O.x) * per_D;
  const Triple<Move> dturn = dds_r * k + (ds_r * ds_r) * dk;
  to.ddx[0] = a_O.y + sum_of_products(dturn.x, z, turn.x, dz);
  to.ddx[1] = a_O.z - sum_of_products(dturn.x, y, turn.x, dy);
  const Triple<Move> dw_rel = dw - cross(turn, w) - dturn;
  to.ddx[2] = difference_of_products(dw_rel.x, e.y, dw_rel.y, e.x) +
              difference_of_products(w_rel.x, to.de.y, w_rel.y, to.de.x);
  to.ddx[3] = difference_of_products(dw_rel.y, e.z, dw_rel.z, e.y) +
              difference_of_products(w_rel.y, to.de.z, w_rel.z, to.de.y);

  // rows of dx by (v_C, w): what ds_r takes from forces along the rail
  to.along[0] = per_D * k.x * z;
  to.along[1] = -(per_D * k.x * y);
  to.along[2] = -(per_D * difference_of_products(k.x, e.y, k.y, e.x));
  to.along[3] = -(per_D * difference_of_products(k.y, e.z, k.z, e.y));

  // against rails that have moved, and the motion at t+h
  to.y = y - shift_y_, to.z = z - shift_z_;
  to.dx[0] = dy - shift_dy_, to.dx[1] = dz - shift_dz_;
  to.dx[2] = to.de.z, to.dx[3] = to.de.x;
  to.rail_dz = Move(shift_dz_);
  const Triple<Place> v_end = fixed<Place>(axes.in(triple_at(at.end)), turned);
  to.w_end = fixed<Place>(axes.in(triple_at(at.end + 3)), turned);
  const Triple<Place> v_O_end = v_end + cross(to.w_end, to.r);
  const Place ds_end = v_O_end.x * per_D;
  const Triple<Place> turn_end = ds_end * k, w_rel_end = to.w_end - turn_end;
  to.dx_end[0] = multiply_add(turn_end.x, z, v_O_end.y) - shift_dy_;
  to.dx_end[1] = subtract_product(turn_end.x, y, v_O_end.z) - shift_dz_;
  to.dx_end[2] = difference_of_products(w_rel_end.x, e.y, w_rel_end.y, e.x);
  to.dx_end[3] = difference_of_products(w_rel_end.y, e.z, w_rel_end.z, e.y);
  to.v_end = {v_end.x, v_end.y, v_end.z - shift_dz_};
  if constexpr (By::rails) {
    to.y.d[By::rail_y] = to.z.d[By::rail_z] = splat(-1);
    to.dx[0].d[By::rail_dy] = to.dx[1].d[By::rail_dz] = splat(-1);
    to.dx_end[0].d[By::rail_dy] = to.dx_end[1].d[By::rail_dz] = splat(-1);
    to.v_end.z.d[By::rail_dz] = splat(-1);
    to.rail_dz.d[By::rail_dz] = splat(1);
  }

  to.rho = side_ * e.z;
  to.tau = r0_ * (e.x * e.x);
  to.eta = side_ * to.y + r0_ * to.rho;
  to.height = to.z + r0_ * (0.5 * (to.rho * to.rho) - 1);
}

template void LoadedSlopes::place(const Motion&, Wheels<Variables<false>>&);
template void LoadedSlopes::place(const Motion&, Wheels<Variables<true>>&);

}  // namespace klingel::step
