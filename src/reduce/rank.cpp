#include "reduce/rank.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dense/factors.hpp"

namespace klingel::reduce {
namespace {

constexpr double tolerance = 1e-9;  // of the diagonal of R, over the largest, columns scaled to one

}  // namespace

BaseParameters base_parameters(const Eigen::MatrixXd& W) {
  BaseParameters result;
  const Eigen::Index columns = W.cols();
  Eigen::VectorXd size(columns);
  for (Eigen::Index j = 0; j < columns; ++j) size[j] = W.col(j).norm();
  const double largest = columns > 0 ? size.maxCoeff() : 0;
  std::vector<Eigen::Index> used;
  for (Eigen::Index j = 0; j < columns; ++j) {
    if (size[j] <= 1e-13 * largest)
      result.without_effect.push_back(static_cast<std::size_t>(j));
    else
      used.push_back(j);
  }
  if (used.empty()) return result;
  const auto n = static_cast<Eigen::Index>(used.size());
  Eigen::MatrixXd A(W.rows(), n);
  for (Eigen::Index k = 0; k < n; ++k)
    A.col(k) = W.col(used[static_cast<std::size_t>(k)]) / size[used[static_cast<std::size_t>(k)]];

  // the rank, by pivoting
  const Eigen::VectorXd diagonal = dense::pivots(A);
  Eigen::Index rank = 0;
  while (rank < diagonal.size() && diagonal[rank] > tolerance * diagonal[0]) ++rank;
  result.gap = rank < diagonal.size() ? diagonal[rank - 1] / std::max(diagonal[rank], 1e-300) : 0;

  // the first independent columns, by Gram and Schmidt, twice for orthogonality
  Eigen::MatrixXd Q(A.rows(), rank);
  std::vector<Eigen::Index> first, others;
  for (Eigen::Index k = 0; k < n; ++k) {
    const auto made = static_cast<Eigen::Index>(first.size());
    Eigen::VectorXd v = A.col(k);
    for (int i = 0; i < 2; ++i) v -= Q.leftCols(made) * (Q.leftCols(made).transpose() * v);
    if (made < rank && v.norm() > 1e-7) {
      Q.col(made) = v.normalized();
      first.push_back(k);
    } else {
      others.push_back(k);
    }
  }
  Eigen::MatrixXd A_1(A.rows(), static_cast<Eigen::Index>(first.size()));
  for (std::size_t i = 0; i < first.size(); ++i)
    A_1.col(static_cast<Eigen::Index>(i)) = A.col(first[i]);
  Eigen::MatrixXd A_2(A.rows(), static_cast<Eigen::Index>(others.size()));
  for (std::size_t i = 0; i < others.size(); ++i)
    A_2.col(static_cast<Eigen::Index>(i)) = A.col(others[i]);
  const Eigen::MatrixXd all_B = dense::fit(A_1, A_2);
  for (const Eigen::Index k : first)
    result.base.push_back({static_cast<std::size_t>(used[static_cast<std::size_t>(k)]), {}});
  for (std::size_t j = 0; j < others.size(); ++j) {
    const Eigen::VectorXd B = all_B.col(static_cast<Eigen::Index>(j));
    const Eigen::Index column = used[static_cast<std::size_t>(others[j])];
    for (std::size_t i = 0; i < first.size(); ++i) {
      const double own = size[static_cast<Eigen::Index>(result.base[i].column)];
      double factor = B[static_cast<Eigen::Index>(i)] * size[column] / own;
      if (std::abs(B[static_cast<Eigen::Index>(i)]) < 1e-8) continue;
      if (std::abs(factor - std::round(factor)) < 1e-9) factor = std::round(factor);
      result.base[i].together.emplace_back(static_cast<std::size_t>(column), factor);
    }
  }
  return result;
}

std::string text(const BaseParameter& p, const std::vector<InertialParameter>& names) {
  std::string sum = names[p.column].name;
  for (const auto& [column, factor] : p.together) {
    const double size = std::abs(factor);
    sum += factor < 0 ? " - " : " + ";
    if (size != 1) sum += fmt::format("{:.6g}*", size);
    sum += names[column].name;
  }
  return sum;
}

}  // namespace klingel::reduce
