#include "step/contact_set.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/assert.hpp"
#include "spline/piece_range.hpp"

namespace klingel::step {
namespace {

using base::Pack, base::splat;

// a correction longer than this is a jump, not a correction
constexpr std::array<double, 4> longest = {0.1, 4e-3, 0.05, 4e-3};

constexpr double infinite = std::numeric_limits<double>::infinity();

void copy_piece(const spline::CubicPiece& p, Pack* to, std::size_t lane) {
  to[0][lane] = p.a, to[1][lane] = p.b, to[2][lane] = p.c, to[3][lane] = p.d, to[4][lane] = p.u_bp;
}

void put(std::span<const double> values, Pack* to, std::size_t lane) {
  for (std::size_t i = 0; i < values.size(); ++i) to[i][lane] = values[i];
}

Pack clamped(const Pack& x, double most) {
  return base::smaller(base::larger(x, splat(-most)), splat(most));
}

}  // namespace

ContactSet::ContactSet(const klingel_kernel& kernel)
    : kernels_(kernel),
      pose_(kernels_.memory(ContactKernels::pose)),
      s_(kernels_.memory(ContactKernels::s)),
      spline_(kernels_.memory(ContactKernels::spline)),
      twist_(kernels_.memory(ContactKernels::twist)),
      bias_(kernels_.memory(ContactKernels::bias)),
      ds_(kernels_.memory(ContactKernels::ds)) {
  // nowhere until a lane is occupied
  for (int i = 0; i < 3; ++i) low_[i] = splat(1), high_[i] = splat(-1);
  KLINGEL_ASSERT_EQ(kernels_.size(ContactKernels::tangent), sizeof(Tangents) / sizeof(Pack));
  KLINGEL_ASSERT_EQ(kernels_.size(ContactKernels::frame), sizeof(Frames) / sizeof(Pack));
  KLINGEL_ASSERT_EQ(kernels_.size(ContactKernels::motion), sizeof(Motions) / sizeof(Pack));
}

void ContactSet::occupy(std::size_t lane, const contact::WheelSurface& wheel,
                        const contact::RailSurface& rail, double y_w) {
  kernels_.memory(ContactKernels::y_w)[0][lane] = y_w;
  kernels_.changed(ContactKernels::y_w);
  wheels_[lane] = &wheel;
  rails_[lane] = &rail;
  for (int i = 0; i < 3; ++i) begin_[i][lane] = 1, end_[i][lane] = -1;
  low_[0][lane] = wheel.f_w.begin(), high_[0][lane] = wheel.f_w.end();
  low_[1][lane] = rail.line.x.begin(), high_[1][lane] = rail.line.x.end();
  low_[2][lane] = rail.f_r.begin(), high_[2][lane] = rail.f_r.end();
}

void ContactSet::set_pose(const Lanes& poses) {
  gather<12>(poses, pose_);
  follow_pose();
}

void ContactSet::set_pose(std::size_t lane, std::span<const double> pose) {
  iterations_[lane] = 0;
  put(pose, pose_, lane);
  kernels_.changed(ContactKernels::pose);
}

void ContactSet::set_motion(const Lanes& twists, const Lanes& biases) {
  gather<7>(twists, twist_);
  gather<6>(biases, bias_);
  follow_motion();
}

void ContactSet::set_motion(std::size_t lane, std::span<const double> twist,
                            std::span<const double> bias) {
  put(twist, twist_, lane);
  put(bias, bias_, lane);
  follow_motion();
}

void ContactSet::share_wheelsets(ContactSet& of) {
  kernels_.share_wheelsets(of.kernels_);
  pose_ = of.pose_, twist_ = of.twist_, bias_ = of.bias_;
}

void ContactSet::follow_pose() {
  iterations_ = base::Mask{};
  kernels_.changed(ContactKernels::pose);
}

void ContactSet::follow_motion() {
  kernels_.changed(ContactKernels::twist);
  kernels_.changed(ContactKernels::bias);
}

std::array<double, 4> ContactSet::s(std::size_t lane) const {
  return {s_[0][lane], s_[1][lane], s_[2][lane], s_[3][lane]};
}

std::array<double, 4> ContactSet::ds(std::size_t lane) const {
  return {ds_[0][lane], ds_[1][lane], ds_[2][lane], ds_[3][lane]};
}

void ContactSet::set_s(std::size_t lane, const std::array<double, 4>& s) {
  iterations_[lane] = 0;
  put(s, s_, lane);
  kernels_.changed(ContactKernels::s);
  look_up(1u << lane);
}

std::array<double, 4> ContactSet::dds(std::size_t lane) const {
  return {dds_[0][lane], dds_[1][lane], dds_[2][lane], dds_[3][lane]};
}

void ContactSet::set_rates(std::size_t lane, const std::array<double, 4>& ds,
                           const std::array<double, 4>& dds) {
  put(ds, ds_, lane);
  put(dds, dds_, lane);
  kernels_.changed(ContactKernels::ds);
}

void ContactSet::advance(unsigned who, double h, bool correct) {
  if (who == 0) return;
  const base::Mask chosen = base::mask(who);
  const Pack* step = correct ? tangents().step : nullptr;
  for (int i = 0; i < 4; ++i) {
    const Pack now = correct ? s_[i] + step[i] : s_[i];
    s_[i] = base::select(chosen, now + h * (ds_[i] + h / 2 * dds_[i]), s_[i]);
  }
  kernels_.changed(ContactKernels::s);
  iterations_ &= ~chosen;
  look_up(who);
}

void ContactSet::take(unsigned who, const Pack* s, const Pack* ds, const Pack* dds) {
  const base::Mask chosen = base::mask(who);
  for (int i = 0; i < 4; ++i) {
    s_[i] = base::select(chosen, s[i], s_[i]);
    ds_[i] = base::select(chosen, ds[i], ds_[i]);
    dds_[i] = base::select(chosen, dds[i], dds_[i]);
  }
  iterations_ = base::Mask{};
  kernels_.changed(ContactKernels::s);
  kernels_.changed(ContactKernels::ds);
  look_up(who);
}

int ContactSet::most_iterations() const {
  return static_cast<int>(
      std::max(std::max(iterations_[0], iterations_[1]), std::max(iterations_[2], iterations_[3])));
}

void ContactSet::look_up(unsigned who) {
  // u_w, s_r, u_r: one of them leaves its piece while the others stay in theirs
  const auto holds = [this](std::size_t i) -> base::Mask {
    return (begin_[i] <= s_[i + 1]) & (s_[i + 1] < end_[i]);
  };
  if ((who & ~base::bits(holds(0) & holds(1) & holds(2))) == 0) return;
  for (std::size_t i = 0; i < 3; ++i) {
    for (unsigned left = who & ~base::bits(holds(i)); left != 0; left &= left - 1)
      look_up_lane(i, static_cast<std::size_t>(std::countr_zero(left)));
  }
}

void ContactSet::look_up_lane(std::size_t which, std::size_t lane) {
  const track::RailLine& line = rails_[lane]->line;
  const spline::CubicSpline* const splines[] = {&wheels_[lane]->f_w, &line.x, &rails_[lane]->f_r};
  const spline::CubicSpline& f = *splines[which];
  // the first and the last piece go on beyond the ends
  const std::size_t i = f.index(s_[which + 1][lane]);
  const spline::PieceRange range = spline::piece_range(f, i);
  begin_[which][lane] = range.begin, end_[which][lane] = range.end;
  constexpr int to[] = {0, 10, 5};  // as the kernels have them
  copy_piece(f.pieces()[i], spline_ + to[which], lane);
  if (which == 1) {
    copy_piece(line.y.pieces()[i], spline_ + 15, lane);
    copy_piece(line.z.pieces()[i], spline_ + 20, lane);
    copy_piece(line.theta.pieces()[i], spline_ + 25, lane);
  }
  kernels_.changed(ContactKernels::spline);
}

unsigned ContactSet::on_surfaces() const {
  base::Mask there = (low_[0] <= s_[1]) & (s_[1] <= high_[0]);
  for (int i = 1; i < 3; ++i) there &= (low_[i] <= s_[i + 1]) & (s_[i + 1] <= high_[i]);
  return base::bits(there);
}

void ContactSet::find_rates(unsigned who, unsigned going_on, double h) {
  if (who == 0) {
    std::fill(std::begin(dds_), std::end(dds_), Pack{});
    return;
  }
  const Pack* rates = kernels_.evaluate(ContactKernels::rates);
  const base::Mask chosen = base::mask(who), steady = base::mask(who & going_on);
  for (int i = 0; i < 4; ++i) {
    dds_[i] = base::select(steady, (rates[i] - ds_[i]) / h, Pack{});
    ds_[i] = base::select(chosen, rates[i], ds_[i]);
  }
  kernels_.changed(ContactKernels::ds);
}

Pack ContactSet::residuals() {
  const Tangents& at = tangents();
  Pack most = base::magnitude(at.phi_d[0]);
  base::Mask number = most == most;
  for (int i = 1; i < 4; ++i) {
    const Pack phi = base::magnitude(at.phi_d[i]);
    number &= phi == phi;
    most = base::larger(most, phi);
  }
  return base::select(number, most, splat(infinite));
}

unsigned ContactSet::unsettled(const Pack& residuals, double tolerance) {
  // near a fold, where a point will jump, a small residual may be far from a solution, and rates
  // grow without bound
  constexpr double most = 2e-5;  // m
  const Pack* step = tangents().step;
  const Pack longest_step = base::larger(base::magnitude(step[1]), base::magnitude(step[3]));
  return ~base::bits((residuals <= splat(tolerance)) & (longest_step <= splat(most)));
}

void ContactSet::correct(unsigned who) {
  const Tangents& at = tangents();
  const base::Mask chosen = base::mask(who);
  for (int i = 0; i < 4; ++i)
    s_[i] = base::select(chosen, s_[i] + clamped(at.step[i], longest[i]), s_[i]);
  kernels_.changed(ContactKernels::s);
  iterations_ -= chosen;  // a yes is -1
  look_up(who);
}

Pack ContactSet::project(unsigned who, double tolerance, int most, unsigned* stalled) {
  // near a double root of phi_d a correction leaves a quarter of the residual; where there is no
  // root the residual stays, and behind the fold there is no minimum
  constexpr double falling = 0.5;
  Pack last = splat(infinite);
  for (;;) {
    const Pack phi = residuals();
    who &= base::bits((phi > splat(tolerance)) & (phi < splat(1)));
    if (stalled != nullptr) {
      const unsigned stays =
          who & (base::bits(phi > falling * last) | ~base::bits(tangents().pivot > Pack{}));
      *stalled |= stays;
      who &= ~stays;
      last = phi;
    }
    who &= base::bits(iterations_ < base::Mask{} + most);
    if (who == 0) return phi;
    correct(who);
  }
}

bool Contact::project(double tolerance, int most) const {
  return set_->project(1u << lane_, tolerance, most)[lane_] <= tolerance &&
         (set_->on_surfaces() >> lane_ & 1) != 0;
}

Wrench Contact::W_n() const {
  const ContactSet::Frames& at = set_->frames();
  Wrench W;
  for (std::size_t i = 0; i < 6; ++i) W[i] = at.W_n[i][lane_];
  return W;
}

std::array<double, 4> Contact::rates() const {
  set_->find_rates(1u << lane_);
  return set_->ds(lane_);
}

}  // namespace klingel::step
