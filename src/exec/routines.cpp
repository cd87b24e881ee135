#include "exec/routines.hpp"

#include "base/assert.hpp"
#include "sym/tape.hpp"

namespace klingel::exec {
namespace {

template <sym::Op op, unsigned lanes>
void evaluate_lanes(const double* a, const double* b, double* to) {
  for (unsigned l = 0; l < lanes; ++l)
    to[l] = sym::evaluate(op, a[l], sym::is_binary(op) ? b[l] : 0.0);
}

template <sym::Op op>
Routine* on_lanes(unsigned lanes) {
  return lanes == 1 ? evaluate_lanes<op, 1> : evaluate_lanes<op, 4>;
}

}  // namespace

Routine* routine_of(sym::Op op, unsigned lanes) {
  KLINGEL_ASSERT(lanes == 1 || lanes == 4);
  switch (op) {
    case sym::Op::tan:
      return on_lanes<sym::Op::tan>(lanes);
    case sym::Op::asin:
      return on_lanes<sym::Op::asin>(lanes);
    case sym::Op::acos:
      return on_lanes<sym::Op::acos>(lanes);
    case sym::Op::exp:
      return on_lanes<sym::Op::exp>(lanes);
    case sym::Op::log:
      return on_lanes<sym::Op::log>(lanes);
    case sym::Op::pow:
      return on_lanes<sym::Op::pow>(lanes);
    case sym::Op::atan2:
      return on_lanes<sym::Op::atan2>(lanes);
    default:
      KLINGEL_ASSERT(!"an operation that is neither an instruction nor a routine");
      return nullptr;
  }
}

}  // namespace klingel::exec
