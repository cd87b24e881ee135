// Profiles, contact, conicity and creep for Python. SI units, unlike the command line.
#include <cmath>
#include <memory>

#include "contact/loaded_row.hpp"
#include "contact/radius_difference.hpp"
#include "contact/wheelset.hpp"
#include "creep/creep_law.hpp"
#include "creep/kalker.hpp"
#include "profile/named_profile.hpp"
#include "python/bind.hpp"

namespace klingel::python {
namespace {

using contact::Wheelset;
using profile::ProfileKind;
using profile::Side;

// A wheelset on straight track, rigid or under load.
struct Wheels {
  Wheels(const std::array<std::string, 2>& wheel, const std::array<std::string, 2>& rail,
         const contact::WheelsetPlacement& placement, std::optional<double> load, double E,
         double poisson) {
    set.sides_differ = wheel[0] != wheel[1] || rail[0] != rail[1];
    const auto profiles = [&](std::size_t side) -> contact::SideProfiles {
      return {profile::profile(wheel[side], ProfileKind::wheel),
              profile::profile(rail[side], ProfileKind::rail)};
    };
    set.left = profiles(0);
    set.right = profiles(1);
    set.geometry = std::make_unique<contact::WheelsetGeometry>(set.left, set.right, placement);
    if (!load) return;
    if (!(*load > 0) || !(*load <= 1e6))
      base::fail("load {}: expected the vertical force on one wheel in N, above 0 and up to 1e6",
                 *load);
    loaded = std::make_unique<contact::LoadedWheelset>(*set.geometry, set.left, set.right, *load,
                                                       contact::HertzTable(E, poisson));
  }

  Wheelset set;
  std::unique_ptr<contact::LoadedWheelset> loaded;
};

[[noreturn]] void no_contact(double y) {
  base::fail(
      "at y = {} m a wheel does not touch its rail; take a smaller y, or check flange_back "
      "and gauge",
      y);
}

py::dict side_of(const auto& s) {
  py::dict d;
  d["wheel_y"] = s.wheel_y;
  d["rail_y"] = s.rail_y;
  d["angle"] = s.angle;
  d["rolling_radius"] = s.rolling_radius;
  d["lift"] = s.lift;
  return d;
}

py::dict both_sides(const auto& c) {
  py::dict d;
  d["y"] = c.y;
  d["yaw"] = c.yaw;
  d["roll"] = c.roll;
  d["left"] = side_of(c.left);
  d["right"] = side_of(c.right);
  return d;
}

py::list patches_of(const contact::LoadedRow::Wheel& wheel) {
  py::list list;
  for (const contact::Patch& p : wheel.patches) {
    py::dict d;
    d["wheel_y"] = p.u_w;
    d["rail_y"] = p.u_r;
    d["N"] = p.N;
    d["a"] = p.a;
    d["b"] = p.b;
    d["pressure"] = p.pressure;
    list.append(d);
  }
  return list;
}

py::dict contact_at(const Wheels& w, double y, double yaw, std::optional<double> roll) {
  if (!(std::abs(yaw) < 1)) base::fail("yaw {}: expected an angle below 1 rad", yaw);
  if (!w.loaded) {
    const std::optional<contact::WheelsetContact> c =
        without_python([&] { return w.set.geometry->at(y, yaw, roll); });
    if (!c) no_contact(y);
    return both_sides(*c);
  }
  const std::optional<contact::LoadedContact> c =
      without_python([&] { return w.loaded->at(y, yaw, roll); });
  if (!c) no_contact(y);
  const contact::LoadedRow row = contact::loaded_row(*w.loaded, *c);
  py::dict d = both_sides(*c);
  d["left"]["patches"] = patches_of(row.left);
  d["right"]["patches"] = patches_of(row.right);
  d["left"]["approach"] = row.left.approach;
  d["right"]["approach"] = row.right.approach;
  return d;
}

py::tuple conicity(const Wheels& w, const std::vector<double>& amplitudes, double base,
                   std::optional<double> roll) {
  double largest = 0;
  for (const double a : amplitudes) {
    if (!(a > 0)) base::fail("amplitude {}: amplitudes must be positive, in m", a);
    largest = std::max(largest, a);
  }
  const contact::RadiusDifference f = without_python([&] {
    return w.loaded
               ? contact::radius_difference(*w.loaded, w.set.sides_differ, largest, roll)
               : contact::radius_difference(*w.set.geometry, w.set.sides_differ, largest, roll);
  });
  std::vector<double> tan, wavelength;
  for (const double a : amplitudes) {
    const contact::Conicity c =
        contact::equivalent_conicity(f, a, base, w.set.geometry->placement().radius);
    tan.push_back(c.tan_gamma);
    wavelength.push_back(c.wavelength);
  }
  return py::make_tuple(copy_of(tan), copy_of(wavelength), copy_of(f.y), copy_of(f.delta_r));
}

// fx, fy, mz over arrays of creepages of one length.
py::tuple creep(const std::string& law, double a, double b, double N, double mu, double G,
                double poisson, const std::string& interpolation, int slices,
                const std::vector<double>& xi_x, const std::vector<double>& xi_y,
                const std::vector<double>& spin) {
  const auto positive = [](const char* what, double value) {
    if (!(value > 0) || !std::isfinite(value))
      base::fail("{} is {}, expected a positive number", what, value);
  };
  positive("a", a);
  positive("b", b);
  positive("G", G);
  if (!std::isfinite(N)) base::fail("N is {}, expected a number of N", N);
  if (!(mu >= 0) || !std::isfinite(mu))
    base::fail("mu is {}, expected a friction coefficient of at least 0", mu);
  if (interpolation != "smooth" && interpolation != "linear")
    base::fail("interpolation is '{}', expected smooth or linear", interpolation);
  using enum creep::KalkerInterpolation;
  const creep::KalkerTable table(poisson, interpolation == "smooth" ? smooth : linear);
  const creep::CreepModel model = {creep::creep_law(law), {}, creep::Fastsim(slices)};
  creep::CreepInput in;
  in.a = a;
  in.b = b;
  in.N = N;
  in.mu = mu;
  in.G = G;
  in.c = table.at(a, b);
  in.V = 1;  // slip velocities are creepages
  std::array<std::vector<double>, 3> f;
  Interrupt interrupt;
  without_python([&] {
    for (std::size_t i = 0; i < xi_x.size() && !interrupt(); ++i) {
      in.nu[0] = xi_x[i];
      in.nu[1] = xi_y[i];
      in.nu[2] = spin[i];
      for (const double xi : in.nu)
        if (!std::isfinite(xi)) base::fail("a creepage is {}, expected a number", xi);
      const creep::CreepResult r = model(in);
      for (std::size_t k = 0; k < 3; ++k) f[k].push_back(r.f[k]);
    }
  });
  interrupt.raise();
  return py::make_tuple(copy_of(f[0]), copy_of(f[1]), copy_of(f[2]));
}

}  // namespace

void add_wheel_and_rail(py::module_& m) {
  py::class_<Wheels>(m, "Wheels")
      .def(py::init([](const std::array<std::string, 2>& wheel,
                       const std::array<std::string, 2>& rail, double flange_back, double gauge,
                       double gauge_depth, double radius, double inclination,
                       std::optional<double> load, double E, double poisson) {
        contact::WheelsetPlacement p;
        p.flange_back_distance = flange_back;
        p.gauge = gauge;
        p.gauge_depth = gauge_depth;
        p.radius = radius;
        p.inclination = inclination;
        return std::make_unique<Wheels>(wheel, rail, p, load, E, poisson);
      }))
      .def("at", &contact_at)
      .def("conicity", &conicity);
  m.def("creep", &creep);
  m.def("kalker", [](double a_over_b, double poisson) {
    if (!(a_over_b > 0) || !std::isfinite(a_over_b))
      base::fail("a_over_b is {}, expected a positive number", a_over_b);
    const creep::KalkerCoefficients c = creep::KalkerTable(poisson).at(a_over_b, 1);
    return py::make_tuple(c.c11, c.c22, c.c23, c.c33);
  });
  // y, z of a profile as it is used, so many points
  m.def("profile", [](const std::string& name, std::size_t points) {
    if (points < 2) base::fail("points is {}, expected at least 2", points);
    const profile::Profile p = profile::profile(name);
    const double first = p.z.begin(), last = p.z.end();
    std::vector<double> y, z;
    for (std::size_t i = 0; i < points; ++i) {
      y.push_back(first + (last - first) * static_cast<double>(i) /
                              static_cast<double>(std::max<std::size_t>(points, 2) - 1));
      z.push_back(p.z.value(y.back()));
    }
    return py::make_tuple(p.kind == ProfileKind::wheel ? "wheel" : "rail", copy_of(y), copy_of(z));
  });
}

}  // namespace klingel::python
