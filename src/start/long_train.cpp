#include "start/long_train.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace klingel::start {
namespace {

using Eigen::Index, Eigen::VectorXd;

struct Rows {
  Index first = 0, behind = 0;
  void add(Index row) {
    if (first >= behind) {
      first = row, behind = row + 1;
      return;
    }
    first = std::min(first, row), behind = std::max(behind, row + 1);
  }
};

// Rows that change when the coordinates of an interval move, each by another amount.
Rows changed_rows(const ForcesOf& F, const std::vector<double>& x, const VectorXd& before,
                  std::size_t from, std::size_t to, double h) {
  constexpr double noise = 1e-7;  // N: contacts are found again, and not to the last bit
  std::vector<double> moved = x;
  for (std::size_t i = from; i < to; ++i)
    moved[i] += h * (1 + static_cast<double>(i * 7919 % 101) / 101);
  const VectorXd after = F(moved);
  Rows rows;
  for (Index r = 0; r < after.size(); ++r)
    if (!(std::abs(after[r] - before[r]) <= noise)) rows.add(r);
  return rows;
}

// The rows that a coordinate can reach, found for many coordinates at once: the last row that all
// before it and it change, and the first one that it and all behind it change.
std::vector<Rows> reach(const ForcesOf& F, const std::vector<double>& x, const VectorXd& before,
                        double h) {
  constexpr std::size_t width = 32;
  std::vector<Rows> all(x.size());
  for (std::size_t from = 0; from < x.size(); from += width) {
    const std::size_t to = std::min(from + width, x.size());
    const Rows ahead = changed_rows(F, x, before, 0, to, h);
    const Rows behind = changed_rows(F, x, before, from, x.size(), h);
    for (std::size_t i = from; i < to; ++i) all[i] = {behind.first, ahead.behind};
  }
  return all;
}

}  // namespace

SparseMatrix differences(const ForcesOf& F, const std::vector<double>& x, double h) {
  const VectorXd before = F(x);
  const std::vector<Rows> rows = reach(F, x, before, h);
  // coordinates whose rows do not overlap move together
  std::vector<std::vector<std::size_t>> together;
  std::vector<Index> used;  // rows before this one
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (rows[i].first >= rows[i].behind) continue;
    std::size_t k = 0;
    while (k < used.size() && used[k] > rows[i].first) ++k;
    if (k == used.size()) used.push_back(0), together.emplace_back();
    together[k].push_back(i);
    used[k] = rows[i].behind;
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (const std::vector<std::size_t>& list : together) {
    std::vector<double> up = x, down = x;
    for (const std::size_t i : list) up[i] += h, down[i] -= h;
    const VectorXd slope = (F(up) - F(down)) / (2 * h);
    for (const std::size_t i : list)
      for (Index r = rows[i].first; r < rows[i].behind; ++r)
        if (slope[r] != 0) entries.emplace_back(r, i, slope[r]);
  }
  SparseMatrix A(before.size(), static_cast<Index>(x.size()));
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

SparseMatrix part_of(const SparseMatrix& A, const std::vector<std::size_t>& chosen) {
  std::vector<Index> place(static_cast<std::size_t>(A.rows()), -1);
  for (std::size_t i = 0; i < chosen.size(); ++i) place[chosen[i]] = static_cast<Index>(i);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index c = 0; c < A.outerSize(); ++c) {
    const Index column = place[static_cast<std::size_t>(c)];
    if (column < 0) continue;
    for (SparseMatrix::InnerIterator e(A, c); e; ++e)
      if (const Index row = place[static_cast<std::size_t>(e.row())]; row >= 0)
        entries.emplace_back(row, column, e.value());
  }
  SparseMatrix part(static_cast<Index>(chosen.size()), static_cast<Index>(chosen.size()));
  part.setFromTriplets(entries.begin(), entries.end());
  return part;
}

Eigen::VectorXd solve_weakly_held(const SparseMatrix& A, const VectorXd& b) {
  constexpr double weak = 1;  // N/m and N m/rad
  SparseMatrix held(A.rows(), A.cols());
  held.setIdentity();
  held = A - weak * held;
  held.makeCompressed();
  Eigen::SparseLU<SparseMatrix> solver;
  solver.compute(held);
  if (solver.info() != Eigen::Success)
    base::fail("the equations of the train at rest have no solution: {}",
               solver.lastErrorMessage());
  return solver.solve(b);
}

Eigen::VectorXd least_squares(const SparseMatrix& A, const VectorXd& b) {
  double largest = 0;
  for (Index i = 0; i < A.nonZeros(); ++i) largest = std::max(largest, std::abs(A.valuePtr()[i]));
  SparseMatrix identity(A.cols(), A.cols());
  identity.setIdentity();
  const double weak = 1e-6 * largest;
  const SparseMatrix normal = SparseMatrix(A.transpose()) * A;
  Eigen::SimplicialLDLT<SparseMatrix> solver(normal + weak * weak * identity);
  if (solver.info() != Eigen::Success) base::fail("rates of the train at the start are not found");
  // what the weak springs and the squared numbers cost comes back
  VectorXd x = VectorXd::Zero(A.cols());
  for (int i = 0; i < 5; ++i) x += solver.solve(A.transpose() * (b - A * x));
  return x;
}

Eigen::VectorXd forces_with(runtime::KernelSet& k, const std::vector<Wrench6>& b) {
  const std::uint32_t B = k.input("B"), dq = k.input("dq"), wrench = k.input("b");
  k.set(dq, std::vector<double>(k.value(dq).size(), 0.0));
  k.set(k.input("h"), 0, 1);
  k.set(k.input("tangents"), std::array<double, 3>{});
  k.set(B, std::vector<double>(k.value(B).size(), 0.0));
  std::vector<double> all;
  for (const Wrench6& w : b) all.insert(all.end(), w.begin(), w.end());
  k.set(wrench, all);
  // h (delta_NK + J^T (b - B u)), see vehicle_interface.hpp
  const std::span<const double> F = k.evaluate(k.function("impulse"));
  return Eigen::Map<const VectorXd>(F.data(), static_cast<Index>(k.value(dq).size()));
}

Eigen::MatrixXd rows_of_wheelsets(step::VehicleCopy& p,
                                  const std::function<std::array<Wrench6, 2>(std::size_t)>& W) {
  std::vector<double> W_n(6 * p.vehicle.w);
  std::vector<int> seen(p.vehicle.data.wheelsets.size());
  for (std::size_t i = 0; i < p.vehicle.w; ++i) {
    const std::size_t k = p.vehicle.data.wheels[i].wheelset;
    const Wrench6 row = W(k)[static_cast<std::size_t>(seen[k]++ % 2)];
    std::copy(row.begin(), row.end(), &W_n[6 * i]);
  }
  runtime::KernelSet& k = p.at.kernels;
  k.set(p.vehicle.id.W_n, W_n);
  const std::span<const double> both = k.evaluate(p.vehicle.id.step_matrix);
  const std::span<const double> dense = both.last(p.vehicle.w * p.vehicle.n);
  return Eigen::Map<const Eigen::MatrixXd>(dense.data(), static_cast<Index>(p.vehicle.w),
                                           static_cast<Index>(p.vehicle.n));
}

}  // namespace klingel::start
