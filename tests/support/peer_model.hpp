// A tree of the peers (tests/peers/tree.hpp) as a mechanism of ours, and its M and bias as one
// program in stages.
//
// Masses, lengths and inertias are parameters with the tree's values, as a user would have them;
// what is zero is the exact number 0. Equal moments of a body without products are one parameter,
// so that bodies of revolution lose their spin. Sliding joints in a row become one edge of the tree
// of points, turning joints become bases.
#pragma once

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "gen/program.hpp"
#include "mech/equations.hpp"
#include "mech/mass_matrix.hpp"
#include "tests/peers/tree.hpp"

namespace klingel::test {

class PeerModel {
 public:
  PeerModel(const std::string& name, const peers::Tree& tree) : model_(name) {
    const mech::Expr g = model_.parameter("g", tree.g);
    model_.set_gravity(model_.vector(model_.ground_base(), 0, 0, -g));
    for (const peers::Body& body : tree.bodies) add(body);
  }

  mech::Model& model() { return model_; }

 private:
  using Triple = std::array<mech::Expr, 3>;

  struct Frame {
    mech::Point point;
    mech::Base base;
  };

  mech::Expr parameter(const std::string& name, double value) {
    return value == 0 ? model_.number(0) : model_.parameter(name, value);
  }

  Triple parameters(const std::string& name, const peers::Vec3& v) {
    Triple u;
    for (std::size_t i = 0; i < 3; ++i) u[i] = parameter(name + "xyz"[i], v[i]);
    return u;
  }

  // goes along the edge collected so far, if there is one
  void move(Frame& frame, Triple& r, const std::string& name) {
    if (mech::is_zero(r)) return;
    frame.point = model_.point(fmt::format("{}.P{}", name, model_.points().size()), frame.point,
                               model_.vector(frame.base, r[0], r[1], r[2]));
    r.fill(model_.number(0));
  }

  void add(const peers::Body& body) {
    const std::string name = fmt::format("b{}", frames_.size());
    Frame frame = body.parent < 0 ? Frame{model_.origin(), model_.ground_base()}
                                  : frames_[static_cast<std::size_t>(body.parent)];
    Triple r = parameters(name + ".r", body.offset);
    for (const peers::Joint& joint : body.joints) {
      const std::size_t k = model_.coordinates().size();
      const mech::Expr q = model_.coordinate(fmt::format("q{}", k)).q;
      if (joint.kind == peers::Joint::Kind::prismatic) {
        for (std::size_t i = 0; i < 3; ++i) r[i] += joint.axis[i] * q;
      } else {
        move(frame, r, name);
        frame.base = model_.rotation(fmt::format("{}.B{}", name, k), frame.base,
                                     {joint.axis[0], joint.axis[1], joint.axis[2]}, q);
      }
    }
    move(frame, r, name);
    frames_.push_back(frame);
    if (body.mass == 0) return;
    // one after the other: C++ leaves the order of arguments open
    const mech::Expr mass = model_.parameter(name + ".m", body.mass);
    const Triple com = parameters(name + ".c", body.com);
    const mech::Tensor tensor = inertia(name, frame.base, body.inertia_about_com);
    model_.body(name, frame.point, frame.base, mass,
                model_.vector(frame.base, com[0], com[1], com[2]), tensor);
  }

  mech::Tensor inertia(const std::string& name, mech::Base base, const peers::Mat3& I) {
    const bool principal = I[1] == 0 && I[2] == 0 && I[5] == 0;
    const mech::Expr xx = parameter(name + ".Ixx", I[0]);
    const mech::Expr yy = principal && I[4] == I[0] ? xx : parameter(name + ".Iyy", I[4]);
    const mech::Expr zz = principal && I[8] == I[0]   ? xx
                          : principal && I[8] == I[4] ? yy
                                                      : parameter(name + ".Izz", I[8]);
    const mech::Expr xy = parameter(name + ".Ixy", I[1]);
    const mech::Expr xz = parameter(name + ".Ixz", I[2]);
    const mech::Expr yz = parameter(name + ".Iyz", I[5]);
    return model_.inertia(base, xx, yy, zz, xy, xz, yz);
  }

  mech::Model model_;
  std::vector<Frame> frames_;  // by body of the tree
};

// The functions M_qq, its nonzeros by columns, and delta_q, which is -c of the peers. Parameters at
// setup, q in the stage "position", dq in the stage "velocity".
inline gen::Program peer_program(mech::Model& m, const sym::Matrix& M_qq,
                                 const std::vector<mech::Expr>& delta_q) {
  gen::Program program(m.graph(), m.name());
  std::vector<mech::Expr> q, dq;
  for (const sym::Coordinate& c : m.coordinates()) {
    q.push_back(c.q);
    dq.push_back(c.dq);
  }
  program.input("p", m.parameters());
  program.stage("position").input("q", q);
  program.stage("velocity").input("dq", dq);
  program.function({"M_qq", "mass matrix", {{"M_qq", M_qq, true}}});
  program.function({"delta_q", "minus the bias", {sym::Output::vector("delta_q", delta_q)}});
  return program;
}

inline gen::Program peer_program(mech::Model& m) {
  const sym::Matrix M_qq = mech::mass_matrix(m);
  return peer_program(m, M_qq, mech::generalized_forces(m));
}

}  // namespace klingel::test
