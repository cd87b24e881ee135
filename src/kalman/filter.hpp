// Kalman filters in square-root form. The estimate is x with the covariance S S^T, S a lower
// triangle. One step of the model and all measurements that belong to it are one array,
//
//   [ sqrt(R)  C [S N] ]                [ S_y  0       ]
//   [    0     A [S N] ]  reflected to  [ K    S(t+h)  ]                                [eq:array]
//   [    0     D [S N] ]                [ K_o  S_o     ]
//
// N the square root of the noise of a step, A, C and D derivatives of state, measurements and
// outputs; then with the innovation r = y - y(x)
//
//   e = S_y^-1 r,  x = x(t+h) + K e,  o = o(x) + K_o e,  NIS = e.e                       [eq:gain]
//
// `extended`: A, C, D are derivatives (the extended Kalman filter). `unscented`: differences over
// sqrt(3) standard deviations along the columns of S, of first and second order with their mean
// (the points of the unscented filter in the form of Norgaard, Poulsen and Ravn, 2000): no weight
// is negative, so that a square root always exists. It needs no derivatives and is a check of them.
//
// A measurement that is NaN is missing. One beyond `gate` standard deviations of its innovation is
// an outlier and left out. One that comes late is put to the step it belongs to, and the steps
// since are repeated. Allocates in the constructor only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kalman/model.hpp"

namespace klingel::kalman {

enum class Method : std::uint8_t { extended, unscented };

struct FilterOptions {
  Method method = Method::extended;
  double gate = 5;                // standard deviations; 0: none
  std::size_t most_delay = 0;     // steps
  std::size_t most_outliers = 0;  // of one sensor, one after another; then it is used again. 0: any
};

// Of the last step.
struct Innovations {
  std::vector<double> residual, sigma;  // by sensor; NaN where nothing was measured
  std::vector<char> used;               // 1: used, 0: missing, 2: outlier
  double nis = 0;                       // of those used together
  std::size_t count = 0;                // how many these are
};

class Filter {
 public:
  // x and S at the start (n x n, lower), N (n x k), standard deviations of the sensors. The model
  // must outlive it. A standard deviation that is not positive, or a start that is not finite, is
  // an Error.
  Filter(Model& model, std::vector<double> x, const Array& S, const Array& noise,
         std::vector<double> sensor_sigma, const FilterOptions& options = {});

  // A step, then the measurements at its end. False if the model's step fails or the covariance is
  // no longer one; the filter cannot go on then.
  bool step(std::span<const double> y);
  // A measurement of `back` steps before the last one: taken by the next step(). False if that is
  // longer ago than most_delay or the start.
  bool add_late(std::size_t sensor, std::size_t back, double value);

  // A step with what arrives at its end, NaN where nothing does. A sensor with a delay shows what
  // was so many steps ago: its value goes to that step, and the steps since are repeated.
  bool take(std::span<const double> arrived, std::span<const std::size_t> delays);

  // All that steps leave behind, the model's part included; always as many bytes. From it a filter
  // of the same kind that has done no step goes on bit for bit. An Error if it does not fit.
  void write(base::ByteWriter& bytes);
  void read(base::ByteReader& bytes);

  const std::vector<double>& x() const { return x_; }
  double sigma(std::size_t i) const;
  const Array& root() const { return S_; }  // columns from n on are noise
  const std::vector<double>& outputs() const { return o_; }
  const std::vector<double>& output_sigma() const { return o_sigma_; }
  const Innovations& innovations() const { return innovations_; }
  const Array& derivatives() const { return J_; }
  std::uint64_t outliers() const { return outliers_; }
  std::uint64_t late_samples() const { return late_samples_; }
  std::uint64_t lost_points() const { return lost_points_; }

  // Squared error of some of x in terms of their covariance (NEES); NaN if that is singular.
  double nees(std::span<const std::size_t> which, std::span<const double> truth);

 private:
  bool go(const double* y);
  template <class Bytes>
  void fields(Bytes& bytes);
  void spread_by_derivatives();
  void spread_by_points();
  std::size_t choose(const double* y);
  bool update(std::size_t used);

  struct Past {
    std::vector<double> x, y;
    Array S;
  };

  Model* model_;
  FilterOptions options_;
  std::size_t n_, m_, p_, k_, columns_;
  std::vector<double> x_, o_, o_sigma_, R_, result_, y_now_, at_once_;
  Array S_;       // n x (n + k): [S N]
  Array J_;       // (n + m + p) x n
  Array spread_;  // (n + m + p) x columns
  Array M_, roots_;
  std::vector<double> points_, results_, residuals_;
  std::vector<char> good_;
  std::vector<std::size_t> chosen_;
  std::vector<std::size_t> in_a_row_;
  Innovations innovations_;
  std::uint64_t outliers_ = 0, lost_points_ = 0, late_samples_ = 0;
  std::vector<Past> past_;
  std::uint64_t steps_ = 0;
  std::size_t late_ = 0;
};

}  // namespace klingel::kalman
