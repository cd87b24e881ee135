#include "step/contact_forces.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace klingel::step {

using base::Pack;

void find_creep(const Description& vehicle, const std::vector<double>& friction, Points& points,
                std::size_t set, const Pack* nu) {
  const ContactLaw& law = vehicle.data.law;
  PointForces& f = points.forces[set];
  const Pack N = base::select(base::mask(f.acts), f.N_t, Pack{});
  const contact::HertzTable::Axes axes =
      vehicle.hertz.axes(f.frame->Kw_x / 2, (f.frame->Kw_y + f.frame->Kr_y) / 2, N, law.B_floor);
  f.a = axes.a, f.b = axes.b;
  const creep::CreepPack out = law.creep({.a = axes.a,
                                          .b = axes.b,
                                          .N = N,
                                          .mu = points.gather(set, friction.data()),
                                          .G = law.G,
                                          .c = vehicle.kalker.at(axes.a, axes.b),
                                          .nu = {nu[0], nu[1], nu[2]},
                                          .V = f.motion->V,
                                          .V_floor = law.V_floor});
  const Pack per_V = 1 / out.V;
  f.C_xx = out.C_xx * per_V, f.C_yy = out.C_yy * per_V;
  f.C_yz = out.C_yz * per_V, f.C_zz = out.C_zz * per_V;
  for (int i = 0; i < 3; ++i) f.f_t[i] = out.f[i];
  f.saturation = out.factor;
}

void renew_creep(const Description& vehicle, const std::vector<double>& friction, Points& points,
                 std::size_t set, unsigned who, const Pack* nu) {
  PointForces& p = points.forces[set];
  constexpr Pack PointForces::*fields[] = {
      &PointForces::C_xx, &PointForces::C_yy, &PointForces::C_yz,      &PointForces::C_zz,
      &PointForces::a,    &PointForces::b,    &PointForces::saturation};
  const unsigned before = p.acts;
  const auto find = [&] {
    p.acts = who;
    find_creep(vehicle, friction, points, set, nu);
    p.acts = before | who;
  };
  if ((before & ~who) == 0) return find();
  // lanes that keep theirs
  Pack kept[std::size(fields)];
  for (std::size_t i = 0; i < std::size(fields); ++i) kept[i] = p.*fields[i];
  find();
  const base::Mask chosen = base::mask(who);
  for (std::size_t i = 0; i < std::size(fields); ++i)
    p.*fields[i] = base::select(chosen, p.*fields[i], kept[i]);
}

void count(Doubt& doubt, unsigned lanes, const Points& points, std::size_t set, double t) {
  if (lanes == 0) return;
  if (doubt.steps++ > 0) return;
  doubt.first = t;
  points.each(set, [&](std::size_t lane, std::size_t i) {
    if ((lanes >> lane & 1) != 0) doubt.wheel = static_cast<std::uint32_t>(i);
  });
}

void add_wrenches(System& system, const Points& points, std::size_t set, unsigned lanes,
                  Pack* wrenches) {
  // four numbers of a lane side by side
  for (std::size_t i = 0; i < wrench_size; i += 4)
    base::transpose(wrenches[i], wrenches[i + 1], wrenches[i + 2], wrenches[i + 3]);
  for (std::size_t lane = 0; lane < ContactSet::lanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    const std::size_t wheelset = points.wheelset(set, lane);
    double *B = system.B(wheelset), *b = system.b(wheelset);
    for (std::size_t i = 0; i < B_size; i += 4)
      base::store(base::load(B + i) + wrenches[i + lane], B + i);
    base::store(base::load(b) + wrenches[B_size + lane], b);
    const Pack& last = wrenches[B_size + 4 + lane];
    b[4] += last[0], b[5] += last[1];
  }
}

void give_wrenches(System& system, const Points& points, const WheelsetGroups& groups,
                   std::size_t group, Pack* wrenches) {
  const std::size_t set = groups[group].front();
  if (!system.puts()) return add_wrenches(system, points, set, points.occupied(set), wrenches);
  // four numbers of each wheelset at a time
  const auto put = [&](std::size_t first, auto to) {
    Pack p = wrenches[first], q = wrenches[first + 1], r = wrenches[first + 2],
         s = wrenches[first + 3];
    base::transpose(p, q, r, s);
    to(0, p), to(1, q), to(2, r), to(3, s);
  };
  double* to[ContactSet::lanes];
  for (std::size_t lane = 0; lane < 4; ++lane) to[lane] = system.B(points.wheelset(set, lane));
  for (std::size_t i = 0; i < B_size; i += 4)
    put(i, [&](int lane, const Pack& row) { base::store(row, to[lane] + i); });
  for (std::size_t lane = 0; lane < 4; ++lane) to[lane] = system.b(points.wheelset(set, lane));
  put(B_size, [&](int lane, const Pack& row) { base::store(row, to[lane]); });
  put(B_size + 4, [&](int lane, const Pack& row) { to[lane][4] = row[0], to[lane][5] = row[1]; });
}

std::vector<std::size_t> wheelsets_in_fours(const Points& points, const WheelsetGroups& groups) {
  constexpr unsigned everyone = (1u << ContactSet::lanes) - 1;
  std::vector<std::size_t> all;
  for (const std::vector<std::size_t>& group : groups) {
    if (points.occupied(group.front()) != everyone) return {};
    for (std::size_t lane = 0; lane < ContactSet::lanes; ++lane)
      all.push_back(points.wheelset(group.front(), lane));
  }
  std::vector<std::size_t> sorted = all;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()
             ? all
             : std::vector<std::size_t>{};
}

void set_normals(System& system, const Points& points, std::size_t set, unsigned lanes,
                 const Pack* W_n) {
  const base::Mask chosen = base::mask(lanes);
  if (Pack* const four = system.W_n_of_four(set)) {
    for (int i = 0; i < 6; ++i) four[i] = base::select(chosen, W_n[i], Pack{});
    return;
  }
  Pack rows[8] = {};
  for (int i = 0; i < 6; ++i) rows[i] = base::select(chosen, W_n[i], Pack{});
  base::transpose(rows[0], rows[1], rows[2], rows[3]);
  base::transpose(rows[4], rows[5], rows[6], rows[7]);
  points.each(set, [&](std::size_t lane, std::size_t wheel) {
    double* to = system.W_n(wheel);
    std::memcpy(to, &rows[lane], sizeof(Pack));
    std::memcpy(to + 4, &rows[4 + lane], 2 * sizeof(double));
  });
}

void note_flanges(StepWork& s, const Points& flange, std::size_t set, const Pack& gap) {
  const unsigned before = base::bits(s.state.flange[set].N > Pack{}),
                 after = base::bits(s.next.flange[set].N > Pack{});
  each_lane((before ^ after) & flange.occupied(set), [&](std::size_t lane) {
    const bool on = (after >> lane & 1) != 0;
    s.log.note(on ? Event::Kind::flange_on : Event::Kind::flange_off, flange.wheel(set, lane),
               gap[lane]);
  });
}

}  // namespace klingel::step
