// The article's locomotive as a tree of 30 coordinates, without springs, gears and contact: vehicle
// body, two sliders, two bogies, four wheelsets with axle boxes, two motors. Masses and lengths are
// those of the authors' public example. A motor housing takes its point from the bogie and its base
// from the wheelset: the two trees branch differently. The odd inertias of the authors are kept,
// and warned about.
#include <fmt/format.h>

#include <string>

#include "examples/mechanisms.hpp"

namespace klingel::examples {
namespace {

using namespace mech;

struct Parameters {
  Expr L_body, L_bogie, L_axle_box, L_motor_point, L_motor;
  Expr m_bogie, h_bogie, I_bogie[3];
  Expr m_slider, I_slider[3];
  Expr m_wheelset, I_wheelset, I_spin, I_gear;
  Expr m_axle_box, I_axle_box[3];
  Expr m_motor, I_motor[3], m_rotor, I_rotor, I_rotor_spin;
};

Parameters parameters(Model& m) {
  const auto p = [&m](const char* name, double value) { return m.parameter(name, value); };
  return {p("L_body", 4.75),
          p("L_bogie", 1.0925),
          p("L_axle_box", 0.815),
          p("L_motor_point", 0.3525),
          p("L_motor", 0.396),
          p("m_bogie", 1507.86),
          p("h_bogie", 0.281),
          {p("I_bogie_x", 716.9), p("I_bogie_y", 1738.3), p("I_bogie_z", 2347.3)},
          p("m_slider", 461.0),
          {p("I_slider_x", 216.4), p("I_slider_y", 25.9), p("I_slider_z", 232.1)},
          p("m_wheelset", 1222.0),
          p("I_wheelset", 376.6),
          p("I_spin", 79.6),
          p("I_gear", 6.136481),
          p("m_axle_box", 67.72),
          {p("I_axle_box_x", 0.96), p("I_axle_box_y", 4.57), p("I_axle_box_z", 4.29)},
          p("m_motor", 568.8),
          {p("I_motor_x", 49.3), p("I_motor_y", 139.1), p("I_motor_z", 6.69)},
          p("m_rotor", 568.8),
          p("I_rotor", 17.7),
          p("I_rotor_spin", 1.7)};
}

struct Wheelset {
  sym::Coordinate z, roll, spin;
};

// sign +1: in front of the bogie's centre
void add_wheelset(Model& m, const Parameters& p, const std::string& name, const Wheelset& q,
                  Point bogie, Base bogie_base, int sign, Expr I_spin,
                  const sym::Coordinate* housing, const sym::Coordinate* rotor) {
  const Point centre = m.point(name, bogie, m.vector(bogie_base, sign * p.L_bogie, 0, q.z.q));
  const Base still = m.rotation(name + ".still", bogie_base, axis::x, q.roll.q);  // does not spin
  const Base turning = m.rotation(name, still, axis::y, q.spin.q);
  m.body(name, centre, turning, p.m_wheelset, m.vector(turning, 0, 0, 0),
         m.inertia(turning, p.I_wheelset, I_spin, p.I_wheelset));
  for (const int side : {1, -1}) {
    const std::string box = name + (side > 0 ? ".box_left" : ".box_right");
    const Point at = m.point(box, centre, m.vector(still, 0, side * p.L_axle_box, 0));
    m.body(box, at, still, p.m_axle_box, m.vector(still, 0, 0, 0),
           m.inertia(still, p.I_axle_box[0], p.I_axle_box[1], p.I_axle_box[2]));
  }
  if (housing == nullptr) return;
  // point from the bogie, base from the wheelset
  const Point hung =
      m.point(name + ".motor", bogie, m.vector(bogie_base, sign * p.L_motor_point, 0, 0));
  const Base motor = m.rotation(name + ".motor", still, axis::y, housing->q);
  const Base rotating = m.rotation(name + ".rotor", still, axis::y, rotor->q);
  const Point axle = m.point(name + ".rotor", hung, m.vector(motor, sign * p.L_motor, 0, 0));
  m.body(name + ".motor", hung, motor, p.m_motor, m.vector(motor, 0, 0, 0),
         m.inertia(motor, p.I_motor[0], p.I_motor[1], p.I_motor[2]));
  m.body(name + ".rotor", axle, rotating, p.m_rotor, m.vector(rotating, 0, 0, 0),
         m.inertia(rotating, p.I_rotor, p.I_rotor_spin, p.I_rotor));
}

}  // namespace

void build_locomotive_tree(mech::Model& m) {
  const Parameters p = parameters(m);
  const Expr m_body = m.parameter("m_body", 22608.0);
  const Expr x_body = m.parameter("x_body", -0.1372), z_body = m.parameter("z_body", 3.5);
  const Expr I_body[3] = {m.parameter("I_body_x", 7800.0), m.parameter("I_body_y", 53079.0),
                          m.parameter("I_body_z", 17000.0)};
  m.set_gravity(m.vector(m.ground_base(), 0, 0, -m.parameter("g", 9.8)));

  // coordinates in the order of the authors
  const auto q = [&m](const char* name, double value = 0, double rate = 0) {
    return m.coordinate(name, value, rate);
  };
  const auto x = q("x", 0, 23.7), y = q("y"), z = q("z", 0.74), roll = q("roll"),
             pitch = q("pitch"), yaw = q("yaw");
  const auto rear_yaw = q("rear.yaw"), front_yaw = q("front.yaw");
  const auto rear_z = q("rear.z", -0.124), rear_roll = q("rear.roll"), rear_pitch = q("rear.pitch");
  const auto front_z = q("front.z", -0.130), front_roll = q("front.roll"),
             front_pitch = q("front.pitch");
  Wheelset wheelsets[4];
  const char* names[4] = {"rear.front", "rear.rear", "front.front", "front.rear"};
  for (int i = 0; i < 4; ++i) {
    const std::string n = names[i];
    wheelsets[i] = {m.coordinate(n + ".z", i < 2 ? 0.053 : 0.040), m.coordinate(n + ".roll"),
                    m.coordinate(n + ".spin", 0, 47.4)};
  }
  const sym::Coordinate housings[2] = {q("rear.front.housing"), q("rear.rear.housing")};
  const sym::Coordinate rotors[2] = {q("rear.front.rotor", 0, -201.45),
                                     q("rear.rear.rotor", 0, -201.45)};

  const Base yawed = m.rotation("body.yawed", m.ground_base(), axis::z, yaw.q);
  const Base rolled = m.rotation("body.rolled", yawed, axis::x, roll.q);
  const Base body = m.rotation("body", rolled, axis::y, pitch.q);
  const Point O_body = m.point("body", m.origin(), m.vector(m.ground_base(), x.q, y.q, z.q));
  // as the authors wrote it: about the point, the product of inertia without its mass factor
  const Expr zz = z_body * z_body, xx = x_body * x_body;
  m.body_about_point("body", O_body, body, m_body, m.vector(body, x_body, 0, z_body),
                     m.inertia(body, I_body[0] + m_body * zz, I_body[1] + m_body * (zz + xx),
                               I_body[2] + m_body * xx, 0, -(x_body * z_body), 0));
  for (int i = 0; i < 2; ++i) {
    const bool rear = i == 0;
    const std::string n = rear ? "rear" : "front";
    const Point at =
        m.point(n + ".slider", O_body, m.vector(body, rear ? -p.L_body : p.L_body, 0, 0));
    const Base slider = m.rotation(n + ".slider", body, axis::z, rear ? rear_yaw.q : front_yaw.q);
    m.body(n + ".slider", at, slider, p.m_slider, m.vector(slider, 0, 0, 0),
           m.inertia(slider, p.I_slider[0], p.I_slider[1], p.I_slider[2]));
    const Point frame =
        m.point(n + ".bogie", at, m.vector(slider, 0, 0, rear ? rear_z.q : front_z.q));
    const Base pitched =
        m.rotation(n + ".bogie.pitched", slider, axis::y, rear ? rear_pitch.q : front_pitch.q);
    const Base bogie =
        m.rotation(n + ".bogie", pitched, axis::x, rear ? rear_roll.q : front_roll.q);
    m.body_about_point(n + ".bogie", frame, bogie, p.m_bogie, m.vector(bogie, 0, 0, p.h_bogie),
                       m.inertia(bogie, p.I_bogie[0], p.I_bogie[1], p.I_bogie[2]));
    for (int k = 0; k < 2; ++k) {
      const int w = 2 * i + k;
      add_wheelset(m, p, names[w], wheelsets[w], frame, bogie, k == 0 ? 1 : -1,
                   rear ? p.I_spin + p.I_gear : p.I_spin, rear ? &housings[k] : nullptr,
                   rear ? &rotors[k] : nullptr);
    }
  }
}

}  // namespace klingel::examples
