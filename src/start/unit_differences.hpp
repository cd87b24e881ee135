// Derivatives of forces by coordinates: central differences. In a train coordinates of units that
// have no neighbour in common move at once, so that the number of evaluations is that of three
// units, however long the train is.
#pragma once

#include <Eigen/SparseCore>
#include <vector>

#include "step/vehicle_data.hpp"

namespace klingel::start {

using Triplets = std::vector<Eigen::Triplet<double>>;

class UnitDifferences {
 public:
  // Of forces by coordinate, by the coordinates `moved`.
  UnitDifferences(const step::Units& units, std::size_t coordinates,
                  const std::vector<std::size_t>& moved);

  // (row, column, value): the derivative of f(x)[row] by the coordinate moved[column], by
  // differences of +-h, times a factor. f takes and returns a value for each coordinate.
  template <class F>
  void operator()(F&& f, const std::vector<double>& x, double h, double factor,
                  Triplets& entries) const {
    for (const std::vector<std::size_t>& together : groups_) {
      std::vector<double> up = x, down = x;
      for (const std::size_t k : together) up[moved_[k]] += h, down[moved_[k]] -= h;
      const Eigen::VectorXd above = f(up);
      const Eigen::VectorXd slope = factor * (above - f(down)) / (2 * h);
      for (const std::size_t k : together) {
        const std::size_t unit = unit_of(moved_[k]);
        take(unit, k, slope, entries);
        for (const std::size_t other : neighbours_[unit]) take(other, k, slope, entries);
      }
    }
  }

  std::size_t evaluations() const { return 2 * groups_.size(); }

 private:
  std::size_t unit_of(std::size_t coordinate) const { return of_.empty() ? 0 : of_[coordinate]; }
  void take(std::size_t unit, std::size_t column, const Eigen::VectorXd& slope,
            Triplets& entries) const {
    for (const std::size_t i : rows_[unit]) {
      if (const double d = slope[static_cast<Eigen::Index>(i)]; d != 0)
        entries.emplace_back(static_cast<int>(i), static_cast<int>(column), d);
    }
  }

  std::vector<std::size_t> of_, moved_;
  std::vector<std::vector<std::size_t>> rows_;        // coordinates, by unit
  std::vector<std::vector<std::size_t>> neighbours_;  // by unit
  std::vector<std::vector<std::size_t>> groups_;      // columns that move at once
};

}  // namespace klingel::start
