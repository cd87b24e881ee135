// Each coordinate becomes a Pin or Slider mobilizer; between the joints of one body stand massless
// bodies, which Simbody accepts as long as mass follows further out. Then
//     realize(Velocity)                     kinematics from q and dq
//     calcM                                 M, one O(n) product per column
//     Gravity::getBodyForces + calcResidualForceIgnoringConstraints with ddq = 0
//                                           residual = M ddq + velocity terms - applied = c
// Simbody means M to be used through O(n) operators and never formed; its time says only what the
// explicit matrix costs there. Joining mobilizers (Translation, Universal) would save tree30 7 %.
// Compile as C++17: the headers do not build as C++20 (ambiguous operator==).

// Debian's library is built without NDEBUG, and classes in Simbody's inline code (CacheEntryInfo)
// have more members then: with NDEBUG the first realizeTopology would crash.
#undef NDEBUG

#include "simbody_peer.hpp"

#include <Simbody.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace klingel::peers {
namespace {

SimTK::Vec3 vector(const Vec3& v) { return {v[0], v[1], v[2]}; }

// Simbody wants the inertia about the body frame's origin.
SimTK::Body rigid_body(const Body& body) {
  if (body.mass == 0) return SimTK::Body::Massless();
  const Mat3& I = body.inertia_about_com;
  const SimTK::Inertia central(I[0], I[4], I[8], I[1], I[2], I[5]);
  const SimTK::Vec3 com = vector(body.com);
  return SimTK::Body::Rigid(
      SimTK::MassProperties(body.mass, com, central.shiftFromMassCenter(com, body.mass)));
}

// A Pin turns about z of the frames it joins, a Slider moves along x: turn that axis into ours,
// alike on both sides so that the bodies are parallel at q = 0.
SimTK::MobilizedBody add_joint(SimTK::MobilizedBody parent, const SimTK::Vec3& offset,
                               const Joint& joint, const SimTK::Body& body) {
  const SimTK::UnitVec3 axis(vector(joint.axis));
  if (joint.kind == Joint::Kind::revolute) {
    const SimTK::Rotation R(axis, SimTK::ZAxis);
    return SimTK::MobilizedBody::Pin(parent, SimTK::Transform(R, offset), body,
                                     SimTK::Transform(R));
  }
  const SimTK::Rotation R(axis, SimTK::XAxis);
  return SimTK::MobilizedBody::Slider(parent, SimTK::Transform(R, offset), body,
                                      SimTK::Transform(R));
}

}  // namespace

struct SimbodyPeer::Impl {
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::GeneralForceSubsystem forces{system};
  SimTK::Force::Gravity gravity;
  SimTK::State state;
  std::vector<int> address;  // of each coordinate in Simbody's order
  SimTK::Matrix M;
  SimTK::Vector bias;
  const SimTK::Vector none;

  explicit Impl(const Tree& tree) : gravity(forces, matter, SimTK::UnitVec3(0, 0, -1), tree.g) {
    // bodies, with massless ones between the joints
    std::vector<SimTK::MobilizedBodyIndex> last;   // per body
    std::vector<SimTK::MobilizedBodyIndex> moved;  // per coordinate
    for (const Body& body : tree.bodies) {
      SimTK::MobilizedBody parent =
          body.parent < 0 ? matter.updGround() : matter.updMobilizedBody(last[body.parent]);
      SimTK::Vec3 offset = vector(body.offset);
      if (body.joints.empty()) {
        parent = SimTK::MobilizedBody::Weld(parent, SimTK::Transform(offset), rigid_body(body),
                                            SimTK::Transform());
      }
      for (const Joint& joint : body.joints) {
        const bool is_last = &joint == &body.joints.back();
        parent = add_joint(parent, offset, joint,
                           is_last ? rigid_body(body) : SimTK::Body(SimTK::Body::Massless()));
        offset = SimTK::Vec3(0);
        moved.push_back(parent.getMobilizedBodyIndex());
      }
      last.push_back(parent.getMobilizedBodyIndex());
    }

    state = system.realizeTopology();
    system.realizeModel(state);
    for (const SimTK::MobilizedBodyIndex index : moved) {
      // q and u of a Pin or Slider stand at the same address: one of each per mobilizer
      address.push_back(matter.getMobilizedBody(index).getFirstUIndex(state));
    }
  }
};

SimbodyPeer::SimbodyPeer(const Tree& tree) {
  check(tree);
  try {
    impl_ = std::make_unique<Impl>(tree);
  } catch (const SimTK::Exception::Base& error) {
    throw std::runtime_error(std::string("Simbody refuses the tree: ") + error.what());
  }
}

SimbodyPeer::~SimbodyPeer() = default;
SimbodyPeer::SimbodyPeer(SimbodyPeer&&) noexcept = default;
SimbodyPeer& SimbodyPeer::operator=(SimbodyPeer&&) noexcept = default;

void SimbodyPeer::compute(const double* q, const double* dq) {
  Impl& s = *impl_;
  // asking for q or u to write marks everything computed from it as stale
  SimTK::Vector& q_in = s.state.updQ();
  SimTK::Vector& u_in = s.state.updU();
  for (std::size_t k = 0; k < s.address.size(); ++k) {
    q_in[s.address[k]] = q[k];
    u_in[s.address[k]] = dq[k];
  }
  s.system.realize(s.state, SimTK::Stage::Velocity);
  s.matter.calcM(s.state, s.M);
  s.matter.calcResidualForceIgnoringConstraints(s.state, s.none, s.gravity.getBodyForces(s.state),
                                                s.none, s.bias);
}

void SimbodyPeer::evaluate(const double* q, const double* dq, double* M, double* c) {
  compute(q, dq);
  const Impl& s = *impl_;
  const std::size_t n = s.address.size();
  for (std::size_t k = 0; k < n; ++k) {
    c[k] = s.bias[s.address[k]];
    for (std::size_t l = 0; l < n; ++l) M[k * n + l] = s.M(s.address[l], s.address[k]);
  }
}

}  // namespace klingel::peers
