#include "estimate/chi_square.hpp"

#include <boost/math/distributions/chi_squared.hpp>

namespace klingel::estimate {

double chi_square_quantile(double probability, double freedom) {
  return boost::math::quantile(boost::math::chi_squared(freedom), probability);
}

}  // namespace klingel::estimate
