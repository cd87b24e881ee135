#include "runtime/dopri5.hpp"

#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>

namespace klingel::runtime {

namespace odeint = boost::numeric::odeint;
using Stepper = odeint::runge_kutta_dopri5<Dopri5::Vector>;

struct Dopri5::Parts {
  odeint::result_of::make_controlled<Stepper>::type stepper;
};

Dopri5::Dopri5(std::size_t size, double tolerance)
    : parts_(new Parts{odeint::make_controlled<Stepper>(tolerance, tolerance)}) {
  // takes its memory here
  parts_->stepper.adjust_size(Vector(size));
}
Dopri5::~Dopri5() = default;

bool Dopri5::attempt(const System& system, Vector& x, Vector& dx, double& t, double& h) {
  return parts_->stepper.try_step(std::ref(system), x, dx, t, h) == odeint::success;
}

}  // namespace klingel::runtime
