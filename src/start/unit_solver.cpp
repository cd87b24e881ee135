#include "start/unit_solver.hpp"

#include <algorithm>
#include <map>

#include "dense/least_squares.hpp"
#include "dense/reflections.hpp"

namespace klingel::start {
namespace {

using Eigen::Index, Eigen::MatrixXd, Eigen::VectorXd;

// Columns of the whole system, and rows with entries in them; the right side is the last column.
struct Rows {
  std::vector<Index> columns;
  MatrixXd values;
};

// Multifrontal QR. A unit is eliminated with all rows that have entries in its columns, by
// reflections, which leaves rows for units after it:
//
//   Q^T [ A_u  A_later  b ] = [ R  S  c ]      R x_u = c - S x_later
//                             [ 0  T  d ]      T goes to the first unit it has entries of
//
// Columns that depend on others of their unit have no pivot: they are free, and chosen last.
class Elimination {
 public:
  Elimination(const Eigen::SparseMatrix<double>& A, const VectorXd& b,
              const std::vector<std::size_t>& unit, double threshold)
      : unit_(unit), columns_(A.cols()) {
    double largest = 0;
    for (Index j = 0; j < A.cols(); ++j) largest = std::max(largest, A.col(j).norm());
    const std::size_t units = 1 + *std::max_element(unit.begin(), unit.end());
    own_.resize(units), waiting_.resize(units);
    for (Index j = 0; j < columns_; ++j) own_[unit_of(j)].push_back(j);
    // rounding grows with the size of a unit
    std::size_t size = 0;
    for (const std::vector<Index>& own : own_) size = std::max(size, own.size());
    smallest_ =
        largest * (threshold > 0 ? threshold
                                 : Eigen::NumTraits<double>::epsilon() * static_cast<double>(size));
    collect(A, b);
    for (std::size_t u = 0; u < units; ++u) eliminate(u);
  }

  VectorXd solution() const {
    // column 0 for x with free ones zero, one for each of these
    const auto free = static_cast<Index>(free_.size());
    MatrixXd x = MatrixXd::Zero(columns_, 1 + free);
    for (Index k = 0; k < free; ++k) x(free_[static_cast<std::size_t>(k)], 1 + k) = 1;
    for (auto done = done_.rbegin(); done != done_.rend(); ++done) {
      const auto rank = static_cast<Index>(done->pivots.size());
      if (rank == 0) continue;
      MatrixXd right = MatrixXd::Zero(rank, 1 + free);
      right.col(0) = done->later.rightCols<1>();
      for (std::size_t c = 0; c < done->columns.size(); ++c)
        right.noalias() -= done->later.col(static_cast<Index>(c)) * x.row(done->columns[c]);
      done->R.triangularView<Eigen::Upper>().solveInPlace(right);
      for (Index k = 0; k < rank; ++k)
        x.row(done->pivots[static_cast<std::size_t>(k)]) = right.row(k);
    }
    if (free == 0) return x.col(0);
    // the least of x_0 + sum of y_k x_k
    const MatrixXd along = x.rightCols(free);
    return x.col(0) - along * dense::LeastSquares(along).solve(x.col(0));
  }

 private:
  struct Done {
    std::vector<Index> pivots, columns;  // columns: free ones of the unit and those of later units
    MatrixXd R, later;                   // the last column of `later` is the right side
  };

  std::size_t unit_of(Index column) const { return unit_[static_cast<std::size_t>(column)]; }

  // rows of A, by the first unit they have entries of
  void collect(const Eigen::SparseMatrix<double>& A, const VectorXd& b) {
    const Eigen::SparseMatrix<double, Eigen::RowMajor> by_row = A;
    std::map<std::vector<std::size_t>, std::vector<Index>> alike;  // rows by their units
    for (Index i = 0; i < by_row.rows(); ++i) {
      std::vector<std::size_t> units;
      for (decltype(by_row)::InnerIterator e(by_row, i); e; ++e) units.push_back(unit_of(e.col()));
      std::sort(units.begin(), units.end());
      units.erase(std::unique(units.begin(), units.end()), units.end());
      if (!units.empty()) alike[units].push_back(i);
    }
    std::vector<Index> place(static_cast<std::size_t>(columns_));
    for (const auto& [units, list] : alike) {
      Rows rows;
      for (const std::size_t u : units)
        rows.columns.insert(rows.columns.end(), own_[u].begin(), own_[u].end());
      for (std::size_t k = 0; k < rows.columns.size(); ++k)
        place[static_cast<std::size_t>(rows.columns[k])] = static_cast<Index>(k);
      rows.values = MatrixXd::Zero(static_cast<Index>(list.size()),
                                   static_cast<Index>(rows.columns.size()) + 1);
      for (std::size_t r = 0; r < list.size(); ++r) {
        for (decltype(by_row)::InnerIterator e(by_row, list[r]); e; ++e)
          rows.values(static_cast<Index>(r), place[static_cast<std::size_t>(e.col())]) = e.value();
        rows.values(static_cast<Index>(r), rows.values.cols() - 1) = b[list[r]];
      }
      waiting_[units.front()].push_back(std::move(rows));
    }
  }

  // all rows with entries of a unit, its columns first
  Rows front(std::size_t u) {
    Rows all;
    Index rows = 0;
    for (const Rows& some : waiting_[u]) {
      all.columns.insert(all.columns.end(), some.columns.begin(), some.columns.end());
      rows += some.values.rows();
    }
    all.columns.insert(all.columns.end(), own_[u].begin(), own_[u].end());
    const auto before = [&](Index a, Index b) {
      return std::pair(unit_of(a), a) < std::pair(unit_of(b), b);
    };
    std::sort(all.columns.begin(), all.columns.end(), before);
    all.columns.erase(std::unique(all.columns.begin(), all.columns.end()), all.columns.end());
    const auto place = [&](Index column) {
      return std::lower_bound(all.columns.begin(), all.columns.end(), column, before) -
             all.columns.begin();
    };
    all.values = MatrixXd::Zero(rows, static_cast<Index>(all.columns.size()) + 1);
    Index row = 0;
    for (const Rows& some : waiting_[u]) {
      const Index count = some.values.rows();
      for (std::size_t c = 0; c < some.columns.size(); ++c)
        all.values.col(place(some.columns[c])).segment(row, count) =
            some.values.col(static_cast<Index>(c));
      all.values.rightCols<1>().segment(row, count) = some.values.rightCols<1>();
      row += count;
    }
    waiting_[u].clear();
    return all;
  }

  void eliminate(std::size_t u) {
    Rows all = front(u);
    const auto own = static_cast<Index>(own_[u].size());
    const Index rows = all.values.rows(), later = all.values.cols() - own;
    Done done;
    Index rank = 0;
    MatrixXd rest = all.values.rightCols(later);
    if (rows > 0 && own > 0) {
      const dense::PivotedFactors qr = dense::reduce_with_pivots(all.values.leftCols(own), rest);
      const Index most = std::min(rows, own);
      while (rank < most && std::abs(qr.R(rank, rank)) > smallest_) ++rank;
      for (Index k = 0; k < own; ++k) {
        const Index column = own_[u][static_cast<std::size_t>(qr.order[k])];
        (k < rank ? done.pivots : done.columns).push_back(column);
      }
      done.R = qr.R.topLeftCorner(rank, rank);
      done.later.resize(rank, own - rank + later);
      done.later.leftCols(own - rank) = qr.R.block(0, rank, rank, own - rank);
      done.later.rightCols(later) = rest.topRows(rank);
    } else {
      done.columns = own_[u];
      done.later.resize(0, own + later);
    }
    free_.insert(free_.end(), done.columns.begin(), done.columns.end());
    const std::vector<Index> others(all.columns.begin() + own, all.columns.end());
    done.columns.insert(done.columns.end(), others.begin(), others.end());
    done_.push_back(std::move(done));
    if (others.empty() || rank == rows) return;
    // no more rows than columns go on; what is left over cannot be made smaller
    Rows next{others, rest.bottomRows(rows - rank)};
    if (next.values.rows() > later) next.values = dense::upper_factor(next.values);
    waiting_[unit_of(others.front())].push_back(std::move(next));
  }

  const std::vector<std::size_t>& unit_;
  Index columns_;
  double smallest_ = 0;                     // pivot
  std::vector<std::vector<Index>> own_;     // columns, by unit
  std::vector<std::vector<Rows>> waiting_;  // by unit
  std::vector<Index> free_;
  std::vector<Done> done_;
};

}  // namespace

VectorXd least_solution(const Eigen::SparseMatrix<double>& A, const VectorXd& b,
                        const std::vector<std::size_t>& unit, double threshold) {
  const bool one =
      std::all_of(unit.begin(), unit.end(), [&](std::size_t u) { return u == unit[0]; });
  if (!one) return Elimination(A, b, unit, threshold).solution();
  return dense::LeastSquares(MatrixXd(A), threshold).solve(b);
}

}  // namespace klingel::start
