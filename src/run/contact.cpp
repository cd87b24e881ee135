#include "run/contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/assert.hpp"

namespace klingel::run {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

void copy_piece(const wheelrail::CubicPiece& p, double* to) {
  to[0] = p.a, to[1] = p.b, to[2] = p.c, to[3] = p.d, to[4] = p.u_bp;
}

}  // namespace

ContactLanes::ContactLanes(const klingel_kernel& kernel)
    : kernels(kernel),
      y_w(kernels.input("y_w")),
      pose(kernels.input("pose")),
      s(kernels.input("s")),
      spline(kernels.input("spline")),
      twist(kernels.input("twist")),
      bias(kernels.input("bias")),
      ds(kernels.input("ds")),
      tangent(kernels.function("tangent")),
      frame(kernels.function("frame")),
      rates(kernels.function("rates")),
      motion(kernels.function("motion")) {
  // the structures of Contact are the outputs one after another
  KLINGEL_ASSERT_EQ(kernels.expect("tangent", "pivot", 1, 1), 9 * lanes());
  KLINGEL_ASSERT_EQ(kernels.expect("frame", "contact_angle", 1, 1), 21 * lanes());
  KLINGEL_ASSERT_EQ(kernels.expect("motion", "V", 1, 1), 7 * lanes());
}

Contact::Contact(std::shared_ptr<ContactLanes> lanes, std::size_t lane,
                 const wheelrail::WheelSurface& wheel, const wheelrail::RailSurface& rail,
                 double y_w)
    : lanes_(std::move(lanes)),
      lane_(lane),
      wheel_(&wheel),
      rail_(&rail),
      pieces_{none, none, none} {
  lanes_->kernels.set_lane(lanes_->y_w, lane_, {&y_w, 1});
}

template <class T>
const T& Contact::outputs(std::uint32_t function, T& to) {
  static_assert(sizeof(T) % sizeof(double) == 0);
  lanes_->kernels.evaluate_lane(function, lane_,
                                {reinterpret_cast<double*>(&to), sizeof(T) / sizeof(double)});
  return to;
}

void Contact::set_pose(std::span<const double> pose) {
  iterations_ = 0;
  lanes_->kernels.set_lane(lanes_->pose, lane_, pose);
}

void Contact::set_motion(std::span<const double> twist, std::span<const double> bias) {
  lanes_->kernels.set_lane(lanes_->twist, lane_, twist);
  lanes_->kernels.set_lane(lanes_->bias, lane_, bias);
}

void Contact::set_s(const std::array<double, 4>& s) {
  iterations_ = 0;
  move_to(s);
}

void Contact::move_to(const std::array<double, 4>& s) {
  s_ = s;
  lanes_->kernels.set_lane(lanes_->s, lane_, s_);
  look_up();
}

void Contact::look_up() {
  const std::array<std::size_t, 3> now = {wheel_->f_w.index(s_[1]), rail_->f_r.index(s_[3]),
                                          rail_->line.x.index(s_[2])};
  if (now == pieces_) return;
  pieces_ = now;
  std::array<double, 30> spline;
  copy_piece(wheel_->f_w.pieces()[now[0]], &spline[0]);
  copy_piece(rail_->f_r.pieces()[now[1]], &spline[5]);
  const wheelrail::RailLine& line = rail_->line;
  copy_piece(line.x.pieces()[now[2]], &spline[10]);
  copy_piece(line.y.pieces()[now[2]], &spline[15]);
  copy_piece(line.z.pieces()[now[2]], &spline[20]);
  copy_piece(line.theta.pieces()[now[2]], &spline[25]);
  lanes_->kernels.set_lane(lanes_->spline, lane_, spline);
}

bool Contact::on_surfaces() const {
  return wheel_->f_w.contains(s_[1]) && rail_->f_r.contains(s_[3]) && rail_->line.x.contains(s_[2]);
}

const Contact::Tangent& Contact::tangent() { return outputs(lanes_->tangent, tangent_); }
const Contact::Frame& Contact::frame() { return outputs(lanes_->frame, frame_); }
const Contact::Motion& Contact::motion() { return outputs(lanes_->motion, motion_); }

const std::array<double, 4>& Contact::rates() {
  outputs(lanes_->rates, ds_);
  set_rates(ds_);
  return ds_;
}

void Contact::set_rates(const std::array<double, 4>& ds) {
  ds_ = ds;
  lanes_->kernels.set_lane(lanes_->ds, lane_, ds_);
}

double Contact::residual(const Tangent& at) {
  double largest = 0;
  for (const double phi : at.phi_d) {
    if (!(std::abs(phi) <= largest)) largest = std::isnan(phi) ? INFINITY : std::abs(phi);
  }
  return largest;
}

void Contact::correct(const Tangent& at) {
  // a correction longer than this is a jump, not a correction
  constexpr double longest_u = 4e-3, longest_s = 0.05, longest_theta = 0.1;
  std::array<double, 4> s = s_;
  s[0] += std::clamp(at.step[0], -longest_theta, longest_theta);
  s[1] += std::clamp(at.step[1], -longest_u, longest_u);
  s[2] += std::clamp(at.step[2], -longest_s, longest_s);
  s[3] += std::clamp(at.step[3], -longest_u, longest_u);
  move_to(s);
  ++iterations_;
}

bool Contact::project(double tolerance, int most) {
  for (;;) {
    const Tangent& at = tangent();
    const double phi = residual(at);
    if (phi <= tolerance) return on_surfaces();
    if (iterations_ >= most || !(phi < 1)) return false;
    correct(at);
  }
}

void project_together(std::span<Contact> contacts, std::span<const std::uint8_t> chosen,
                      double tolerance, int most) {
  for (bool again = true; again;) {
    // ask all before the first is changed
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (chosen[i] != 0) contacts[i].tangent();
    }
    again = false;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      if (chosen[i] == 0) continue;
      const Contact::Tangent& at = contacts[i].last_tangent();
      const double phi = Contact::residual(at);
      if (phi <= tolerance || !(phi < 1) || contacts[i].iterations() >= most) continue;
      contacts[i].correct(at);
      again = true;
    }
  }
}

Contact ContactMaker::next(const wheelrail::WheelSurface& wheel, const wheelrail::RailSurface& rail,
                           double y_w) {
  if (lanes_ == nullptr || used_ == lanes_->lanes()) {
    lanes_ = std::make_shared<ContactLanes>(*kernel_);
    used_ = 0;
  }
  return {lanes_, used_++, wheel, rail, y_w};
}

}  // namespace klingel::run
