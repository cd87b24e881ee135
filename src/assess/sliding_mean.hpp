// Means over a window of distance that slides along the track, from values that come step by step.
// The window consists of cells, so memory does not depend on speed or time step: a mean is known
// each time a cell is full.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace klingel::assess {

class SlidingMean {
 public:
  // `window` in m.
  explicit SlidingMean(double window, std::size_t cells = 20)
      : cell_(window / static_cast<double>(cells)), cells_(cells) {}

  // The value changes linearly from the last one to this one over ds m; a value that is no number
  // is undefined, and its distance does not count. Calls use(mean, t) for every new mean; t is the
  // time in the middle of its window. A window of which less than half is defined has no mean.
  template <class Use>
  void add(double t, double ds, double value, Use&& use) {
    const double before = last_, t_before = t_last_;
    last_ = value, t_last_ = t;
    if (!has_last_) {
      has_last_ = true;
      return;
    }
    ds = std::abs(ds);
    if (!(ds > 0) || !std::isfinite(ds)) return;
    for (double done = 0; done < ds;) {
      const double part = std::min(cell_ - filled_, ds - done);
      const double u = (done + part / 2) / ds;
      const double middle = before + u * (value - before);
      if (std::isfinite(middle)) {
        cells_[now_].integral += part * middle;
        cells_[now_].length += part;
      }
      done += part;
      filled_ += part;
      // sums of parts are not exact
      if (filled_ < cell_ * (1 - 1e-9)) break;
      cells_[now_].t = t_before + done / ds * (t - t_before);
      filled_ = 0;
      now_ = (now_ + 1) % cells_.size();
      full_ = std::min(full_ + 1, cells_.size());
      if (full_ == cells_.size()) tell(use);
      cells_[now_] = {};
    }
  }

 private:
  struct Cell {
    double integral = 0, length = 0;  // of the defined part
    double t = 0;                     // when it was full
  };

  template <class Use>
  void tell(Use& use) const {
    double integral = 0, length = 0;
    for (const Cell& c : cells_) integral += c.integral, length += c.length;
    if (length < cell_ * static_cast<double>(cells_.size()) / 2) return;
    const std::size_t half = (now_ + cells_.size() / 2 + cells_.size() - 1) % cells_.size();
    use(integral / length, cells_[half].t);
  }

  double cell_;
  std::vector<Cell> cells_;
  std::size_t now_ = 0, full_ = 0;
  double filled_ = 0;
  bool has_last_ = false;
  double last_ = 0, t_last_ = 0;
};

}  // namespace klingel::assess
