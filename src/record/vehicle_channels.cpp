#include "record/vehicle_channels.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

namespace klingel::record {
namespace {

struct Entry {
  const char* name;
  const char* unit;
  const char* about;
  bool of_step;
  double (*value)(const Sample&, std::size_t);
};

constexpr bool state = false, step = true;

const step::PointResult& tread(const Sample& s, std::size_t i) { return s.simulator.tread()[i]; }
const step::PointResult& flange(const Sample& s, std::size_t i) { return s.simulator.flange()[i]; }

template <int k>
double xi(const Sample& s, std::size_t i) {
  return creepages(tread(s, i), s.simulator.data().law.V_floor)[k];
}
template <int k>
double xi_flange(const Sample& s, std::size_t i) {
  return creepages(flange(s, i), s.simulator.data().law.V_floor)[k];
}
template <int k>
double s_tread(const Sample& s, std::size_t i) {
  return s.simulator.state().tread[i].s[k];
}
template <int k>
double s_flange(const Sample& s, std::size_t i) {
  return s.simulator.state().flange[i].s[k];
}
template <int k>
double f_tread(const Sample& s, std::size_t i) {
  return tread(s, i).f[k];
}
template <int k>
double f_flange(const Sample& s, std::size_t i) {
  return flange(s, i).f[k];
}

using Index = std::size_t;

constexpr Entry of_wheels[] = {
    {"N", "N", "normal force at the tread", step,
     [](const Sample& s, Index i) { return tread(s, i).N; }},
    {"Nf", "N", "normal force at the flange", step,
     [](const Sample& s, Index i) { return flange(s, i).N; }},
    {"Y", "N", "lateral force of the rail on the wheel in the track frame, left positive", step,
     [](const Sample& s, Index i) { return s.forces.wheel(i).Y; }},
    {"Q", "N", "vertical force of the rail on the wheel in the track frame, up positive", step,
     [](const Sample& s, Index i) { return s.forces.wheel(i).Q; }},
    {"YQ", "1",
     "Y/Q, positive if the wheel is pushed to the middle of the track; nan if Q is below 1 kN",
     step, [](const Sample& s, Index i) { return s.forces.wheel(i).YQ; }},
    {"Tgamma", "N", "energy lost per metre, |fx xi_x| + |fy xi_y|, tread and flange", step,
     [](const Sample& s, Index i) { return s.forces.wheel(i).T_gamma; }},
    {"fx", "N", "longitudinal creep force on the wheel, tread", step, f_tread<0>},
    {"fy", "N", "lateral creep force on the wheel, tread", step, f_tread<1>},
    {"mz", "Nm", "spin moment on the wheel, tread", step, f_tread<2>},
    {"xi_x", "1", "longitudinal creepage, tread", step, xi<0>},
    {"xi_y", "1", "lateral creepage, tread", step, xi<1>},
    {"spin", "1/m", "spin creepage, tread", step, xi<2>},
    {"saturation", "1", "creep force divided by the linear creep force, tread", step,
     [](const Sample& s, Index i) { return tread(s, i).saturation; }},
    {"angle", "rad", "contact angle, tread", step,
     [](const Sample& s, Index i) { return tread(s, i).angle; }},
    {"a", "m", "semi-axis of the contact patch along the rail, tread", step,
     [](const Sample& s, Index i) { return tread(s, i).a; }},
    {"b", "m", "semi-axis of the contact patch across the rail, tread", step,
     [](const Sample& s, Index i) { return tread(s, i).b; }},
    {"gap", "m", "distance of wheel and rail at the tread, negative: overlap", step,
     [](const Sample& s, Index i) { return tread(s, i).gap; }},
    {"u_w", "m", "place of the tread point on the wheel's profile", state, s_tread<1>},
    {"u_r", "m", "place of the tread point on the rail's profile", state, s_tread<3>},
    {"s_r", "m", "place of the tread point along the rail", state, s_tread<2>},
    {"fxf", "N", "longitudinal creep force on the wheel, flange", step, f_flange<0>},
    {"fyf", "N", "lateral creep force on the wheel, flange", step, f_flange<1>},
    {"mzf", "Nm", "spin moment on the wheel, flange", step, f_flange<2>},
    {"xi_xf", "1", "longitudinal creepage, flange", step, xi_flange<0>},
    {"xi_yf", "1", "lateral creepage, flange", step, xi_flange<1>},
    {"spinf", "1/m", "spin creepage, flange", step, xi_flange<2>},
    {"saturationf", "1", "creep force divided by the linear creep force, flange", step,
     [](const Sample& s, Index i) { return flange(s, i).saturation; }},
    {"anglef", "rad", "contact angle, flange", step,
     [](const Sample& s, Index i) { return flange(s, i).angle; }},
    {"gap_f", "m", "distance of wheel and rail at the flange, 0 if no point is near", step,
     [](const Sample& s, Index i) { return flange(s, i).gap; }},
    {"u_wf", "m", "place of the flange point on the wheel's profile", state, s_flange<1>},
    {"u_rf", "m", "place of the flange point on the rail's profile", state, s_flange<3>},
};

constexpr Entry of_wheelsets[] = {
    {"y_rel", "m", "place across the track, left positive, 0.5 m below the axle", state,
     [](const Sample& s, Index k) { return s.forces.wheelset(k).y_rel; }},
    {"yaw_rel", "rad", "yaw of the axle against the track, left positive", state,
     [](const Sample& s, Index k) { return s.forces.wheelset(k).yaw_rel; }},
    {"sumY", "N", "sum of Y of the wheelset's wheels", step,
     [](const Sample& s, Index k) { return s.forces.wheelset(k).sum_Y; }},
};

// Of track that gives way; x: y, z_left, z_right of the wheelset.
template <int k>
double rail_at(const Sample& s, std::size_t i) {
  const step::WheelData& wheel = s.simulator.data().wheels[i];
  const double* x = &s.simulator.state().track[6 * wheel.wheelset];
  return k == 0 ? x[0] : x[wheel.side == profile::Side::left ? 1 : 2];
}

constexpr Entry of_rails[] = {
    {"rail_y", "m", "displacement of the rail at the wheel, left positive, of track that gives way",
     state, rail_at<0>},
    {"rail_z", "m", "displacement of the rail at the wheel, up positive, of track that gives way",
     state, rail_at<1>},
};

constexpr Entry of_coordinates[] = {
    {"q", "m or rad", "coordinate", state,
     [](const Sample& s, Index i) { return s.simulator.state().q[i]; }},
    {"dq", "m/s or rad/s", "rate of the coordinate", state,
     [](const Sample& s, Index i) { return s.simulator.state().dq[i]; }},
};

constexpr Entry of_inputs[] = {
    {"u", "N or Nm", "input of the vehicle", step,
     [](const Sample& s, Index i) { return s.simulator.input(i); }},
};

constexpr Entry of_body[] = {
    {"body.x", "m", "place of the vehicle's body", state, nullptr},
    {"body.y", "m", "place of the vehicle's body, left positive", state, nullptr},
    {"body.z", "m", "height of the vehicle's body", state, nullptr},
    {"body.roll", "rad", "angle of the vehicle's body about x", state, nullptr},
    {"body.pitch", "rad", "angle of the vehicle's body about y", state, nullptr},
    {"body.yaw", "rad", "angle of the vehicle's body about z", state, nullptr},
};

// Against the track at the vehicle.
double yaw_against_track(const Sample& s, std::size_t i) {
  const double yaw = s.simulator.state().q[*s.body[i]] - s.place.frame().heading;
  return std::remainder(yaw, 2 * std::numbers::pi);
}
double roll_against_track(const Sample& s, std::size_t i) {
  return s.simulator.state().q[*s.body[i]] - s.place.frame().cant;
}
constexpr std::size_t roll_of_body = 3, yaw_of_body = 5;

constexpr Entry of_body_on_track[] = {
    {"body_rel.yaw", "rad", "yaw of the vehicle's body against the track", state,
     yaw_against_track},
    {"body_rel.roll", "rad", "roll of the vehicle's body against the canted track", state,
     roll_against_track},
};

constexpr Entry of_vehicle[] = {
    {"s", "m", "abscissa of the track at the vehicle", state,
     [](const Sample& s, Index) { return s.place.s(); }},
    {"curvature", "1/m", "curvature of the track at the vehicle, left positive", state,
     [](const Sample& s, Index) { return s.place.frame().curvature; }},
    {"cant", "rad", "cant angle of the track at the vehicle, left rail high positive", state,
     [](const Sample& s, Index) { return s.place.frame().cant; }},
};

constexpr Entry of_run[] = {
    {"energy.kinetic", "J", "kinetic energy", state,
     [](const Sample& s, Index) { return s.simulator.evaluate("energy")[0]; }},
    {"energy.potential", "J", "potential energy", state,
     [](const Sample& s, Index) { return s.simulator.evaluate("energy")[1]; }},
    {"energy.contacts", "J", "energy stored in elastic contacts, if the balance is computed", state,
     [](const Sample& s, Index) { return s.simulator.balance().contacts; }},
    {"energy.inputs", "J", "work of inputs so far, if the balance is computed", state,
     [](const Sample& s, Index) { return s.simulator.balance().inputs; }},
    {"energy.dampers", "J", "work of dampers so far, never positive, if the balance is computed",
     state, [](const Sample& s, Index) { return s.simulator.balance().dampers; }},
    {"energy.creep", "J", "work of creep forces so far, never positive, if the balance is computed",
     state, [](const Sample& s, Index) { return s.simulator.balance().creep; }},
    {"energy.normal", "J", "work of normal forces so far, if the balance is computed", state,
     [](const Sample& s, Index) { return s.simulator.balance().normal; }},
    {"energy.impacts", "J",
     "energy lost so far where rigid wheels hit their rails, never positive, if the balance is "
     "computed",
     state, [](const Sample& s, Index) { return s.simulator.balance().impacts; }},
    {"energy.track", "J", "work of moving rails on the wheels so far, if the balance is computed",
     state, [](const Sample& s, Index) { return s.simulator.balance().track; }},
    {"energy.error", "J", "error of the energy balance, if it is computed", state,
     [](const Sample& s, Index) { return s.simulator.balance().error(); }},
    {"newton_q", "1", "corrections of q in the step", step,
     [](const Sample& s, Index) { return static_cast<double>(s.simulator.newton_q()); }},
    {"newton_s", "1", "maximum number of corrections of s of a wheel in the step", step,
     [](const Sample& s, Index) { return static_cast<double>(s.simulator.newton_s()); }},
    {"phi", "m", "maximum residual of the constraints after the step", step,
     [](const Sample& s, Index) { return s.simulator.largest_phi(); }},
};

// What the kernels of the vehicle compute, by the first word of the name.
constexpr Entry of_elements[] = {
    {"force", "N", "force of an element", state, nullptr},
    {"stroke", "m", "deflection of an element", state, nullptr},
    {"rate", "m/s", "rate of the deflection", state, nullptr},
    {"moment", "Nm", "moment of an element", state, nullptr},
    {"turn", "rad", "turn of an element", state, nullptr},
    {"turn_rate", "rad/s", "rate of the turn", state, nullptr},
    {"output", "SI", "output of the vehicle file", state, nullptr},
    {"sensor", "SI", "sensor of the vehicle file", state, nullptr},
};

double measured(const Sample& s, std::size_t i) { return s.simulator.measured(i); }
double felt(const Sample& s, std::size_t i) { return s.simulator.felt(i); }

double body_value(const Sample& s, std::size_t i) { return s.simulator.state().q[*s.body[i]]; }

double speed(const Sample& s, std::size_t) {
  const std::vector<double>& dq = s.simulator.state().dq;
  return std::hypot(dq[*s.body[0]], dq[*s.body[1]]);
}

void add(std::vector<VehicleChannel>& list, std::span<const Entry> entries,
         const std::vector<std::string>& parts) {
  for (const Entry& e : entries) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      list.push_back(
          {{std::string(e.name) + "." + parts[i], e.unit, e.about}, e.of_step, e.value, i});
    }
  }
}

}  // namespace

void follow(start::TrackPlace& place, step::Simulator& simulator, const BodyCoordinates& body) {
  if (body[0] && body[1]) {
    const std::vector<double>& q = simulator.state().q;
    place.follow({q[*body[0]], q[*body[1]], 0});
  } else if (!simulator.data().wheelsets.empty()) {
    const std::span<const double> pose = simulator.pose(0);
    place.follow({pose[0], pose[1], pose[2]});
  }
}

std::vector<VehicleChannel> vehicle_channels(const step::Simulator& simulator,
                                             const BodyCoordinates& body) {
  std::vector<VehicleChannel> list;
  const auto one = [&](const Entry& e, auto value, std::size_t index) {
    list.push_back({{e.name, e.unit, e.about}, e.of_step, value, index});
  };
  list.push_back({{"t", "s", "time"}, state, [](const Sample& s, Index) { return s.t; }, 0});
  for (std::size_t i = 0; i < body.size(); ++i)
    if (body[i]) one(of_body[i], body_value, i);
  if (body[yaw_of_body]) one(of_body_on_track[0], of_body_on_track[0].value, yaw_of_body);
  if (body[roll_of_body]) one(of_body_on_track[1], of_body_on_track[1].value, roll_of_body);
  if (body[0] && body[1])
    list.push_back({{"speed", "m/s", "speed of the vehicle's body in plan"}, state, speed, 0});
  for (const Entry& e : of_vehicle) one(e, e.value, 0);

  std::vector<std::string> wheels;
  for (const step::WheelData& w : simulator.data().wheels) wheels.push_back(w.name);
  add(list, of_wheelsets, simulator.data().wheelsets);
  add(list, of_wheels, wheels);
  if (simulator.description()->track_states > 0) add(list, of_rails, wheels);
  add(list, of_coordinates, simulator.coordinate_names());
  add(list, of_inputs, simulator.input_names());
  for (const Entry& e : of_run) one(e, e.value, 0);
  std::size_t at_t = 0, of_step = 0;
  for (const step::MeasureData& m : simulator.data().measures)
    list.push_back(
        {{m.name, m.unit, m.about}, m.felt, m.felt ? felt : measured, m.felt ? of_step++ : at_t++});
  return list;
}

Channel described(const std::string& name) {
  if (name == "t") return {name, "s", "time"};
  if (name == "speed") return {name, "m/s", "speed of the vehicle's body in plan"};
  const std::string family = name.substr(0, name.find('.'));
  for (const std::span<const Entry> entries :
       {std::span<const Entry>(of_wheels), std::span<const Entry>(of_rails),
        std::span<const Entry>(of_wheelsets), std::span<const Entry>(of_coordinates),
        std::span<const Entry>(of_inputs), std::span<const Entry>(of_elements)})
    for (const Entry& e : entries)
      if (family != name && family == e.name) return {name, e.unit, e.about};
  for (const std::span<const Entry> entries :
       {std::span<const Entry>(of_body), std::span<const Entry>(of_body_on_track),
        std::span<const Entry>(of_vehicle), std::span<const Entry>(of_run)})
    for (const Entry& e : entries)
      if (name == e.name) return {name, e.unit, e.about};
  return {name, "", ""};
}

std::vector<std::string> default_patterns(const step::Simulator& simulator,
                                          const BodyCoordinates& body) {
  std::vector<std::string> patterns = {"t", "s", "N.*", "Nf.*", "y_rel.*", "Y.*", "Q.*"};
  if (std::any_of(body.begin(), body.end(), [](const auto& c) { return c.has_value(); }))
    patterns.push_back("body.*");
  if (body[0] && body[1]) patterns.push_back("speed");
  for (const char* own : {"output.*", "sensor.*"})
    for (const step::MeasureData& m : simulator.data().measures)
      if (matches(own, m.name) && patterns.back() != own) patterns.emplace_back(own);
  return patterns;
}

}  // namespace klingel::record
