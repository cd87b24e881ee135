#include "kalman/triangle.hpp"

#include <algorithm>
#include <cmath>

#include "base/assert.hpp"
#include "base/pack.hpp"

namespace klingel::kalman {
namespace {

using base::Pack;

double total(const Pack& p) { return (p[0] + p[1]) + (p[2] + p[3]); }

// Rows from column `begin` on, mirrored at the plane of v: row -= (factor v.row) v. Sums have one
// order on every processor.
template <std::size_t count>
void reflect(const double* v, double factor, std::size_t begin, std::size_t end,
             double* const (&rows)[count]) {
  Pack sum[count] = {}, more[count] = {};
  double dot[count];
  std::size_t c = begin;
  for (; c + 8 <= end; c += 8) {
    const Pack v0 = base::load(v + c), v1 = base::load(v + c + 4);
    for (std::size_t r = 0; r < count; ++r) {
      sum[r] += v0 * base::load(rows[r] + c);
      more[r] += v1 * base::load(rows[r] + c + 4);
    }
  }
  for (std::size_t r = 0; r < count; ++r) dot[r] = total(sum[r] + more[r]);
  for (; c < end; ++c)
    for (std::size_t r = 0; r < count; ++r) dot[r] += v[c] * rows[r][c];
  for (std::size_t r = 0; r < count; ++r) dot[r] *= factor;
  for (c = begin; c + 4 <= end; c += 4) {
    const Pack part = base::load(v + c);
    for (std::size_t r = 0; r < count; ++r)
      base::store(base::load(rows[r] + c) - base::splat(dot[r]) * part, rows[r] + c);
  }
  for (; c < end; ++c)
    for (std::size_t r = 0; r < count; ++r) rows[r][c] -= dot[r] * v[c];
}

}  // namespace

double square(const double* x, std::size_t n) {
  Pack sum{};
  std::size_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const Pack part = base::load(x + i);
    sum += part * part;
  }
  double all = total(sum);
  for (; i < n; ++i) all += x[i] * x[i];
  return all;
}

// Rows are taken four by four, and every reflection so far is applied to them: the four stay in the
// fastest memory, and each number of a reflection is read once for all four.
void triangularise(Array& M, std::size_t triangle, std::size_t rows, std::size_t columns,
                   std::size_t few) {
  double *factor = M.notes(), *norms = factor + M.rows();
  const std::size_t reflections = std::min(triangle, columns);
  for (std::size_t first = 0; first < rows; first += 4) {
    const std::size_t here = std::min<std::size_t>(4, rows - first);
    // all four of the triangle, or all behind it
    const bool alike = here == 4 && (first + 4 <= triangle || first >= triangle);
    const std::size_t before =
        first < triangle ? std::min(first, reflections) : std::min(few, reflections);
    if (alike) {
      double* four[] = {M.row(first), M.row(first + 1), M.row(first + 2), M.row(first + 3)};
      for (std::size_t j = 0; j < before; ++j)
        if (factor[j] != 0) reflect<4>(M.row(j), factor[j], j, columns, four);
    }
    for (std::size_t i = first; i < first + here; ++i) {
      double* one[] = {M.row(i)};
      const std::size_t end = std::min(i < triangle ? i : few, reflections);
      for (std::size_t j = alike ? before : 0; j < end; ++j)
        if (factor[j] != 0) reflect<1>(M.row(j), factor[j], j, columns, one);
      if (i >= reflections) continue;
      // the reflection that turns the row to (norm, 0 ...): v = row - norm e, without cancellation
      double* v = M.row(i) + i;
      const double rest = square(v + 1, columns - i - 1);
      const double head = v[0], norm = std::sqrt(head * head + rest);
      norms[i] = norm;
      factor[i] = 0;
      if (!(norm > 0) || (rest == 0 && head > 0)) continue;
      v[0] = head > 0 ? -rest / (head + norm) : head - norm;
      factor[i] = 2 / (rest + v[0] * v[0]);
    }
  }
  for (std::size_t i = 0; i < std::min(reflections, rows); ++i) {
    std::fill(M.row(i) + i, M.row(i) + columns, 0.0);
    M(i, i) = norms[i];
  }
}

void multiply(const Array& A, std::size_t n, std::size_t inner, const Array& W, std::size_t columns,
              Array& to, std::size_t first_row, std::size_t first_column) {
  // numbers of W behind its square part are few: the noise
  const std::size_t square_part = std::min(inner, columns);
  KLINGEL_ASSERT(to.columns() >= inner);
  std::size_t* end = to.marks();  // behind the last number of a row of W
  for (std::size_t k = 0; k < inner; ++k) {
    std::size_t last = square_part;
    while (last > 0 && W(k, last - 1) == 0) --last;
    end[k] = last;
  }
  std::size_t* there = end + to.columns();  // columns of a row of A that are not zero
  for (std::size_t i = 0; i < n; ++i) {
    double* row = to.row(first_row + i) + first_column;
    const double* a = A.row(i);
    std::fill_n(row, columns, 0.0);
    std::size_t count = 0;
    for (std::size_t k = 0; k < inner; ++k)
      if (a[k] != 0) there[count++] = k;
    // sixteen columns at a time stay in registers; nearly all rows of W end later than those before
    std::size_t c = 0, begin = 0;
    for (; c + 16 <= square_part; c += 16) {
      while (begin < count && end[there[begin]] <= c) ++begin;
      Pack sum[4] = {};
      for (std::size_t t = begin; t < count; ++t) {
        const double* w = W.row(there[t]) + c;
        const Pack by = base::splat(a[there[t]]);
        for (std::size_t l = 0; l < 4; ++l) sum[l] += by * base::load(w + 4 * l);
      }
      for (std::size_t l = 0; l < 4; ++l) base::store(sum[l], row + c + 4 * l);
    }
    for (std::size_t t = begin; t < count; ++t)
      for (std::size_t l = c; l < end[there[t]]; ++l) row[l] += a[there[t]] * W(there[t], l);
  }
  for (std::size_t k = 0; k < inner; ++k)
    for (std::size_t c = square_part; c < columns; ++c) {
      const double w = W(k, c);
      for (std::size_t i = 0; w != 0 && i < n; ++i)
        to(first_row + i, first_column + c) += A(i, k) * w;
    }
}

bool solve_lower(const Array& L, std::size_t n, double* b) {
  for (std::size_t i = 0; i < n; ++i) {
    double sum = b[i];
    for (std::size_t k = 0; k < i; ++k) sum -= L(i, k) * b[k];
    b[i] = sum / L(i, i);
    if (!std::isfinite(b[i])) return false;
  }
  return true;
}

}  // namespace klingel::kalman
