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

Contact::Contact(const klingel_kernel& kernel, const wheelrail::WheelSurface& wheel,
                 const wheelrail::RailSurface& rail, double y_w)
    : kernels_(kernel),
      wheel_(&wheel),
      rail_(&rail),
      pose_(kernels_.input("pose")),
      s_in_(kernels_.input("s")),
      spline_(kernels_.input("spline")),
      twist_(kernels_.input("twist")),
      bias_(kernels_.input("bias")),
      ds_in_(kernels_.input("ds")),
      tangent_(kernels_.function("tangent")),
      frame_(kernels_.function("frame")),
      rates_(kernels_.function("rates")),
      motion_(kernels_.function("motion")),
      pieces_{none, none, none} {
  // the structures below are the outputs one after another
  KLINGEL_ASSERT_EQ(kernels_.expect("tangent", "pivot", 1, 1), 9u);
  KLINGEL_ASSERT_EQ(kernels_.expect("frame", "contact_angle", 1, 1), 21u);
  KLINGEL_ASSERT_EQ(kernels_.expect("motion", "V", 1, 1), 7u);
  kernels_.set(kernels_.input("y_w"), 0, y_w);
}

template <class T>
const T& Contact::outputs(std::uint32_t function) {
  const std::span<const double> values = kernels_.evaluate(function);
  KLINGEL_ASSERT_EQ(values.size() * sizeof(double), sizeof(T));
  return *reinterpret_cast<const T*>(values.data());
}

void Contact::set_motion(std::span<const double> twist, std::span<const double> bias) {
  kernels_.set(twist_, twist);
  kernels_.set(bias_, bias);
}

void Contact::set_s(const std::array<double, 4>& s) {
  s_ = s;
  kernels_.set(s_in_, s_);
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
  kernels_.set(spline_, spline);
}

bool Contact::on_surfaces() const {
  return wheel_->f_w.contains(s_[1]) && rail_->f_r.contains(s_[3]) && rail_->line.x.contains(s_[2]);
}

const Contact::Tangent& Contact::tangent() { return outputs<Tangent>(tangent_); }
const Contact::Frame& Contact::frame() { return outputs<Frame>(frame_); }
const Contact::Motion& Contact::motion() { return outputs<Motion>(motion_); }

const std::array<double, 4>& Contact::rates() {
  const auto& ds = outputs<std::array<double, 4>>(rates_);
  kernels_.set(ds_in_, ds);
  return ds;
}

bool Contact::project(double tolerance, int most) {
  // a correction longer than this is a jump, not a correction
  constexpr double longest_u = 4e-3, longest_s = 0.05, longest_theta = 0.1;
  for (iterations_ = 0;; ++iterations_) {
    const Tangent& at = tangent();
    double residual = 0;
    // written so that a NaN becomes the residual, which then fails both tests
    for (const double phi : at.phi_d) {
      if (!(std::abs(phi) <= residual)) residual = std::abs(phi);
    }
    if (residual <= tolerance) return on_surfaces();
    if (iterations_ == most || !(residual < 1)) return false;
    std::array<double, 4> s = s_;
    s[0] += std::clamp(at.step[0], -longest_theta, longest_theta);
    s[1] += std::clamp(at.step[1], -longest_u, longest_u);
    s[2] += std::clamp(at.step[2], -longest_s, longest_s);
    s[3] += std::clamp(at.step[3], -longest_u, longest_u);
    set_s(s);
  }
}

}  // namespace klingel::run
