#include "model/front.hpp"

#include <algorithm>

namespace klingel::model {

using mech::Triple;
using sym::Expr;

Front::Front(Expr zero) : zero_(zero), a_(6, std::vector<Expr>(6, zero)) {}

std::size_t Front::find(std::uint32_t unknown) const {
  const auto found = std::find(unknowns_.begin(), unknowns_.end(), unknown);
  return 6 + static_cast<std::size_t>(found - unknowns_.begin());
}

std::size_t Front::row_of(std::uint32_t unknown) {
  const std::size_t row = find(unknown);
  if (row < a_.size()) return row;
  unknowns_.push_back(unknown);
  for (std::vector<Expr>& other : a_) other.push_back(zero_);
  a_.emplace_back(row + 1, zero_);
  return row;
}

std::uint32_t Front::index_of(std::size_t row) const {
  return row < 6 ? static_cast<std::uint32_t>(row) : 6 + unknowns_[row - 6];
}

bool Front::symmetric() const {
  for (std::size_t i = 0; i < a_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (a_[i][j] != a_[j][i]) return false;
    }
  }
  return true;
}

void Front::mirror() {
  for (std::size_t i = 0; i < a_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) a_[i][j] = a_[j][i];
  }
}

void Front::add(const SixBySix& K) {
  for (std::size_t i = 0; i < 36; ++i) a_[i / 6][i % 6] += K[i];
}

void Front::add(const Front& other) {
  std::vector<std::size_t> row;
  for (std::size_t i = 0; i < 6; ++i) row.push_back(i);
  for (const std::uint32_t unknown : other.unknowns_) row.push_back(row_of(unknown));
  for (std::size_t i = 0; i < row.size(); ++i) {
    for (std::size_t j = 0; j < row.size(); ++j) a_[row[i]][row[j]] += other.a_[i][j];
  }
}

void Front::add(std::uint32_t row, std::uint32_t column, Expr value) {
  const std::size_t i = row_of(row), j = row_of(column);
  a_[i][j] += value;
}

void Front::add(std::uint32_t unknown, const Six& row) {
  const std::size_t i = row_of(unknown);
  for (std::size_t c = 0; c < 6; ++c) {
    a_[i][c] += row[c];
    a_[c][i] += row[c];
  }
}

void Front::join(std::uint32_t unknown, const Six& c) {
  const std::size_t x = row_of(unknown);
  const bool mirrored = symmetric();
  const auto six = [&](auto&& component) {
    Six u;
    for (std::size_t k = 0; k < 6; ++k) u[k] = component(k);
    return u;
  };
  for (std::vector<Expr>& row : a_) row[x] += dot(six([&](std::size_t k) { return row[k]; }), c);
  for (std::size_t j = 0; j < a_.size(); ++j)
    a_[x][j] += dot(six([&](std::size_t k) { return a_[k][j]; }), c);
  if (mirrored) mirror();
}

void Front::shift(const Triple& r) {
  if (mech::is_zero(r)) return;
  const bool mirrored = symmetric();
  for (std::vector<Expr>& row : a_) {
    const Triple moment = mech::cross(r, {row[0], row[1], row[2]});
    for (std::size_t c = 0; c < 3; ++c) row[3 + c] += moment[c];
  }
  for (std::size_t j = 0; j < a_.size(); ++j) {
    const Triple moment = mech::cross(r, {a_[0][j], a_[1][j], a_[2][j]});
    for (std::size_t c = 0; c < 3; ++c) a_[3 + c][j] += moment[c];
  }
  if (mirrored) mirror();
}

void Front::turn(const mech::Block& R) {
  const bool mirrored = symmetric();
  for (const std::size_t top : {0, 3}) {
    for (const std::size_t left : {0, 3}) {
      mech::Block t;
      for (std::size_t i = 0; i < 9; ++i) t[i] = a_[top + i / 3][left + i % 3];
      t = mech::rotated(R, t);
      for (std::size_t i = 0; i < 9; ++i) a_[top + i / 3][left + i % 3] = t[i];
    }
  }
  for (std::size_t x = 6; x < a_.size(); ++x) {
    for (const std::size_t first : {0, 3}) {
      const Triple row = mech::product(R, Triple{a_[x][first], a_[x][first + 1], a_[x][first + 2]});
      const Triple column =
          mech::product(R, Triple{a_[first][x], a_[first + 1][x], a_[first + 2][x]});
      for (std::size_t c = 0; c < 3; ++c) {
        a_[x][first + c] = row[c];
        a_[first + c][x] = column[c];
      }
    }
  }
  if (mirrored) mirror();
}

Expr Front::at(std::uint32_t row, std::uint32_t column) const {
  const std::size_t i = find(row), j = find(column);
  return i < a_.size() && j < a_.size() ? a_[i][j] : zero_;
}

std::size_t Front::cost(std::uint32_t unknown) const {
  const std::size_t x = find(unknown);
  std::size_t rows = 0, columns = 0;
  for (std::size_t i = 0; i < a_.size(); ++i) {
    rows += a_[i][x].is(0) ? 0 : 1;
    columns += a_[x][i].is(0) ? 0 : 1;
  }
  return rows * columns;
}

Front::Block Front::eliminate(std::uint32_t unknown) {
  const std::size_t x = find(unknown), size = a_.size();
  const bool mirrored = symmetric();
  Pivot pivot{unknown, a_[x][x], 1 / a_[x][x], {}, {}, {}, {}};
  for (std::size_t j = 0; j < size; ++j) {
    if (j != x && !a_[x][j].is(0)) pivot.upper.push_back({index_of(j), a_[x][j]});
  }
  for (std::size_t i = 0; i < size; ++i) {
    const Expr entry = a_[i][x];
    if (i == x || entry.is(0)) continue;
    // where row or column is that of the unknown, products with the reciprocal are exact
    const Expr l = entry == pivot.value ? zero_ + 1 : entry * pivot.reciprocal;
    pivot.lower.push_back({index_of(i), l});
    for (std::size_t j = 0; j < size; ++j) {
      if (j == x || a_[x][j].is(0)) continue;
      a_[i][j] -= a_[x][j] == pivot.value ? entry : l * a_[x][j];
    }
  }
  remove(unknown);
  if (mirrored) mirror();
  return {std::move(pivot)};
}

// LU of the part between some rows and the same columns
Front::Block Front::factors(const std::vector<std::size_t>& rows) const {
  const auto size = static_cast<std::uint32_t>(rows.size());
  std::vector<std::vector<Expr>> d;
  for (const std::size_t i : rows) {
    d.emplace_back();
    for (const std::size_t j : rows) d.back().push_back(a_[i][j]);
  }
  Block block;
  for (std::uint32_t k = 0; k < size; ++k) {
    Pivot pivot{unknowns_[rows[k] - 6], d[k][k], 1 / d[k][k], {}, {}, {}, {}};
    for (std::uint32_t j = k + 1; j < size; ++j) {
      if (!d[k][j].is(0)) pivot.right.push_back({j, d[k][j]});
    }
    for (std::uint32_t i = k + 1; i < size; ++i) {
      if (d[i][k].is(0)) continue;
      const Expr l = d[i][k] * pivot.reciprocal;
      pivot.below.push_back({i, l});
      for (const Item& u : pivot.right) d[i][u.index] -= l * u.value;
    }
    block.push_back(std::move(pivot));
  }
  return block;
}

Front::Block Front::eliminate(std::span<const std::uint32_t> unknowns) {
  std::vector<std::size_t> rows;
  for (const std::uint32_t unknown : unknowns) rows.push_back(find(unknown));
  Block block = factors(rows);
  for (std::size_t i = 0; i < a_.size(); ++i) {
    if (std::find(rows.begin(), rows.end(), i) != rows.end()) continue;
    // y D = a_i
    std::vector<Expr> y;
    for (const std::size_t j : rows) y.push_back(a_[i][j]);
    for (std::size_t k = 0; k < y.size(); ++k) {
      y[k] *= block[k].reciprocal;
      for (const Item& u : block[k].right) y[u.index] -= y[k] * u.value;
    }
    for (std::size_t k = y.size(); k-- > 0;)
      for (const Item& l : block[k].below) y[k] -= y[l.index] * l.value;
    for (std::size_t k = 0; k < y.size(); ++k) {
      if (!a_[rows[k]][i].is(0)) block[k].upper.push_back({index_of(i), a_[rows[k]][i]});
      if (y[k].is(0)) continue;
      block[k].lower.push_back({index_of(i), y[k]});
      for (std::size_t j = 0; j < a_.size(); ++j) {
        if (std::find(rows.begin(), rows.end(), j) == rows.end()) a_[i][j] -= y[k] * a_[rows[k]][j];
      }
    }
  }
  for (const std::uint32_t unknown : unknowns) remove(unknown);
  return block;
}

void Front::remove(std::uint32_t unknown) {
  const auto x = static_cast<std::ptrdiff_t>(find(unknown));
  a_.erase(a_.begin() + x);
  for (std::vector<Expr>& row : a_) row.erase(row.begin() + x);
  unknowns_.erase(unknowns_.begin() + (x - 6));
}

void Front::stop() {
  for (std::size_t i = 0; i < a_.size(); ++i) {
    for (std::size_t j = 0; j < a_.size(); ++j) {
      if (i < 6 || j < 6) a_[i][j] = zero_;
    }
  }
}

}  // namespace klingel::model
