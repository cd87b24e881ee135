#include "kalman/filter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>

#include "base/assert.hpp"
#include "base/error.hpp"

namespace klingel::kalman {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double width2 = 3;  // square of how many standard deviations points are away

}  // namespace

Filter::Filter(Model& model, std::vector<double> x, const Array& S, const Array& noise,
               std::vector<double> sensor_sigma, const FilterOptions& options)
    : model_(&model),
      options_(options),
      n_(model.n),
      m_(model.m),
      p_(model.p),
      k_(noise.columns()),
      columns_(options.method == Method::extended ? n_ + k_ : 2 * n_),
      x_(std::move(x)),
      o_(p_, nan),
      o_sigma_(p_, nan),
      R_(std::move(sensor_sigma)),
      result_(model.results(), 0),
      y_now_(m_, nan),
      at_once_(m_, nan),
      S_(n_, n_ + k_),
      J_(model.results(), n_),
      spread_(model.results(), columns_),
      M_(model.results(), m_ + columns_),
      roots_(n_, n_ + k_),
      chosen_(m_, 0),
      in_a_row_(m_, 0) {
  KLINGEL_ASSERT(x_.size() == n_ && S.rows() == n_ && noise.rows() == n_ && R_.size() == m_);
  for (std::size_t i = 0; i < m_; ++i)
    if (!(R_[i] > 0) || !std::isfinite(R_[i]))
      base::fail(
          "the standard deviation of sensor {} is {}, expected above zero: the covariance "
          "would be singular",
          i, R_[i]);
  for (std::size_t i = 0; i < n_; ++i) {
    double sum = x_[i];
    for (std::size_t j = 0; j <= i; ++j) sum += S_(i, j) = S(i, j);
    for (std::size_t j = 0; j < k_; ++j) sum += S_(i, n_ + j) = noise(i, j);
    if (!std::isfinite(sum)) base::fail("element {} of the filter's start is not finite", i);
    if (!(square(S.row(i), i + 1) > 0))
      base::fail(
          "element {} of the filter's start has the standard deviation 0, expected above "
          "zero: the covariance would be singular",
          i);
  }
  residuals_.assign(m_, 0);
  innovations_.residual.assign(m_, nan), innovations_.sigma.assign(m_, nan);
  innovations_.used.assign(m_, 0);
  if (options_.method == Method::unscented) {
    points_.assign(2 * n_ * n_, 0);
    results_.assign(2 * n_ * model.results(), 0);
    good_.assign(2 * n_, 0);
  }
  past_.resize(options_.most_delay + 1);
  for (Past& past : past_) past = {x_, y_now_, S_};
  model.make_slots(past_.size());
}

double Filter::sigma(std::size_t i) const { return std::sqrt(square(S_.row(i), i + 1)); }

bool Filter::step(std::span<const double> y) {
  // again from where a late sample belongs
  for (std::size_t back = late_; back > 0; --back) {
    const std::size_t slot = (steps_ - back) % past_.size();
    Past& past = past_[slot];
    if (back == late_) {
      x_ = past.x, S_ = past.S;
      model_->recall(slot);
    } else {
      past.x = x_, past.S = S_;
      model_->remember(slot);
    }
    if (!go(past.y.data())) return false;
  }
  late_ = 0;
  std::copy_n(y.data(), m_, y_now_.data());
  if (options_.most_delay > 0) {
    const std::size_t slot = steps_ % past_.size();
    past_[slot].x = x_, past_[slot].S = S_, past_[slot].y = y_now_;
    model_->remember(slot);
  }
  ++steps_;
  return go(y_now_.data());
}

bool Filter::take(std::span<const double> arrived, std::span<const std::size_t> delays) {
  for (std::size_t i = 0; i < m_; ++i) {
    at_once_[i] = delays[i] == 0 ? arrived[i] : nan;
    if (delays[i] == 0 || !std::isfinite(arrived[i])) continue;
    late_samples_ += add_late(i, delays[i] - 1, arrived[i]) ? 1 : 0;
  }
  return step(at_once_);
}

template <class Bytes>
void Filter::fields(Bytes& b) {
  const auto list = [&](std::vector<double>& values) {
    const std::size_t size = values.size();
    base::field(b, values);
    if (values.size() != size)
      base::fail("the state of the filter has a list of {} numbers, expected {}", values.size(),
                 size);
  };
  const auto whole = [&](auto& value) {
    auto number = static_cast<std::uint64_t>(value);
    b(number);
    value = static_cast<std::remove_reference_t<decltype(value)>>(number);
  };
  for (std::vector<double>* v : {&x_, &o_, &o_sigma_, &y_now_, &S_.values()}) list(*v);
  list(innovations_.residual), list(innovations_.sigma);
  for (char& used : innovations_.used) whole(used);
  b(innovations_.nis), whole(innovations_.count);
  for (std::size_t& n : in_a_row_) whole(n);
  for (std::uint64_t* n : {&outliers_, &lost_points_, &late_samples_, &steps_}) whole(*n);
  whole(late_);
  for (Past& past : past_) list(past.x), list(past.y), list(past.S.values());
}

void Filter::write(base::ByteWriter& bytes) {
  fields(bytes);
  model_->write(bytes);
}

void Filter::read(base::ByteReader& bytes) {
  fields(bytes);
  model_->read(bytes);
}

bool Filter::add_late(std::size_t sensor, std::size_t back, double value) {
  // the last step is one back from what comes next
  if (sensor >= m_ || back > options_.most_delay || back + 1 > steps_) return false;
  if (back + 1 > past_.size() || options_.most_delay == 0) return false;
  past_[(steps_ - 1 - back) % past_.size()].y[sensor] = value;
  late_ = std::max(late_, back + 1);
  return true;
}

bool Filter::go(const double* y) {
  model_->prepare(x_.data(), S_);
  if (!model_->go(x_.data(), result_.data(), J_)) return false;
  if (options_.method == Method::extended)
    spread_by_derivatives();
  else
    spread_by_points();
  return update(choose(y));
}

void Filter::spread_by_derivatives() {
  multiply(J_, model_->results(), n_, S_, n_ + k_, spread_, 0, 0);
}

void Filter::spread_by_points() {
  roots_ = S_;
  triangularise(roots_, n_, n_, n_ + k_);
  const double width = std::sqrt(width2);
  const std::size_t size = model_->results();
  for (std::size_t j = 0; j < n_; ++j) {
    double *ahead = &points_[2 * j * n_], *behind = ahead + n_;
    for (std::size_t i = 0; i < n_; ++i) {
      ahead[i] = x_[i] + width * roots_(i, j);
      behind[i] = x_[i] - width * roots_(i, j);
    }
  }
  model_->spread(2 * n_, points_.data(), results_.data(), good_.data());
  // a point that fails counts as one where nothing changes
  for (std::size_t k = 0; k < 2 * n_; ++k) {
    if (good_[k] != 0) continue;
    ++lost_points_;
    std::copy_n(result_.data(), size, &results_[k * size]);
  }
  const double first = 1 / (2 * width), second = std::sqrt(width2 - 1) / (2 * width2);
  for (std::size_t i = 0; i < size; ++i) {
    const double middle = result_[i];
    double mean = 0;
    double* row = spread_.row(i);
    for (std::size_t j = 0; j < n_; ++j) {
      const double ahead = results_[2 * j * size + i] - middle;
      const double behind = results_[(2 * j + 1) * size + i] - middle;
      row[j] = first * (ahead - behind);
      row[n_ + j] = second * (ahead + behind);
      mean += ahead + behind;
    }
    result_[i] = middle + mean / (2 * width2);
  }
}

// The measurements that are used.
std::size_t Filter::choose(const double* y) {
  std::size_t used = 0;
  for (std::size_t i = 0; i < m_; ++i) {
    const double r = y[i] - result_[n_ + i];
    const double sigma = std::sqrt(square(spread_.row(n_ + i), columns_) + R_[i] * R_[i]);
    const bool missing = !std::isfinite(r);
    const bool accepted = options_.most_outliers > 0 && in_a_row_[i] >= options_.most_outliers;
    const bool far = !missing && options_.gate > 0 && !(std::abs(r) <= options_.gate * sigma);
    innovations_.residual[i] = missing ? nan : r;
    innovations_.sigma[i] = sigma;
    innovations_.used[i] = missing ? 0 : far && !accepted ? 2 : 1;
    if (far && !accepted) ++outliers_, ++in_a_row_[i];
    if (!missing && !far) in_a_row_[i] = 0;
    if (innovations_.used[i] == 1) chosen_[used++] = i;
  }
  return used;
}

bool Filter::update(std::size_t used) {
  const std::size_t columns = used + columns_, first = used;
  for (std::size_t r = 0; r < used; ++r) {
    const std::size_t i = chosen_[r];
    double* row = M_.row(r);
    std::fill_n(row, used, 0.0);
    row[r] = R_[i];
    std::copy_n(spread_.row(n_ + i), columns_, row + first);
    residuals_[r] = innovations_.residual[i];
  }
  const auto put = [&](std::size_t from, std::size_t to) {
    std::fill_n(M_.row(to), used, 0.0);
    std::copy_n(spread_.row(from), columns_, M_.row(to) + first);
  };
  for (std::size_t i = 0; i < n_; ++i) put(i, used + i);
  for (std::size_t i = 0; i < p_; ++i) put(n_ + m_ + i, used + n_ + i);
  triangularise(M_, used + n_, used + n_ + p_, columns, used);

  innovations_.count = used;
  innovations_.nis = 0;
  if (!solve_lower(M_, used, residuals_.data())) return false;
  for (std::size_t r = 0; r < used; ++r) innovations_.nis += residuals_[r] * residuals_[r];
  const auto correction = [&](std::size_t row) {
    double sum = 0;
    for (std::size_t r = 0; r < used; ++r) sum += M_(row, r) * residuals_[r];
    return sum;
  };
  double check = innovations_.nis;
  for (std::size_t i = 0; i < n_; ++i) {
    x_[i] = result_[i] + correction(used + i);
    std::copy_n(M_.row(used + i) + first, n_, S_.row(i));
    check += x_[i] + S_(i, i);
  }
  for (std::size_t i = 0; i < p_; ++i) {
    o_[i] = result_[n_ + m_ + i] + correction(used + n_ + i);
    o_sigma_[i] = std::sqrt(square(M_.row(used + n_ + i) + first, columns - first));
  }
  if (!std::isfinite(check)) return false;
  model_->settle(x_.data());
  return true;
}

double Filter::nees(std::span<const std::size_t> which, std::span<const double> truth) {
  const std::size_t size = which.size();
  std::vector<double> e(size);
  Array root(size, n_);
  for (std::size_t i = 0; i < size; ++i) {
    std::copy_n(S_.row(which[i]), n_, root.row(i));
    e[i] = x_[which[i]] - truth[i];
  }
  triangularise(root, size, size, n_);
  if (!solve_lower(root, size, e.data())) return nan;
  return square(e.data(), size);
}

}  // namespace klingel::kalman
