// What a Mechanism owns: kernels, matrices, the solver, names and the last failure; evaluation at
// the state last set. Only mechanism.cpp and mechanism_parts.cpp look in here.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mechanism/mechanism.hpp"
#include "mechanism/saddle_point.hpp"
#include "runtime/kernel_set.hpp"

namespace klingel::mechanism {

// The first element that is not finite, or -1.
Eigen::Index first_not_finite(const double* values, Eigen::Index size);
// Index of the largest magnitude; a NaN is larger than anything.
Eigen::Index largest(std::span<const double> values);

// A function of the kernels and where its one output of interest lies.
struct Entry {
  std::uint32_t function = 0;
  std::size_t offset = 0;
};

struct Mechanism::Parts {
  Parts(const klingel_kernel& kernel, std::vector<std::string> names);

  void find_inputs();
  void find_functions();
  Entry entry(const char* function, const char* output, std::size_t rows, std::size_t cols) const {
    return {kernels.function(function),
            kernels.expect(function, output, static_cast<std::uint32_t>(rows),
                           static_cast<std::uint32_t>(cols))};
  }

  void set(const State& state);
  std::span<const double> evaluate(const Entry& e) {
    return kernels.evaluate(e.function).subspan(e.offset);
  }
  void evaluate(const Entry& e, Eigen::VectorXd& to) {
    std::copy_n(evaluate(e).begin(), to.size(), to.data());
  }
  void evaluate(const Entry& e, Eigen::MatrixXd& to) {
    std::copy_n(evaluate(e).begin(), to.size(), to.data());
  }

  // Each evaluates at the state last set, and fails if a result is not finite.
  runtime::Status evaluate_mass(double t);
  runtime::Status evaluate_jacobian(double t);
  runtime::Status evaluate_forces(double t);
  runtime::Status factor(double t);
  runtime::Status fail(runtime::Status status, double t, const char* equation,
                       runtime::Failure::Where where, Eigen::Index index);
  runtime::Status not_converged(double t, const char* equation, std::span<const double> residuals,
                                double tolerance, int iterations);

  runtime::KernelSet kernels;
  std::string model;
  std::vector<std::string> q_names, dq_names, phi_names, p_names, u_names, output_names;
  std::uint32_t q = 0, dq = 0;
  std::optional<std::uint32_t> p, t_input, u, f;
  std::size_t u_size = 0;  // inputs before this one are in u, the rest in f
  Eigen::Index n = 0, m = 0;
  Eigen::Index rank = 0;
  Entry e_M, e_delta, e_kinetic, e_potential, e_phi, e_J, e_beta, e_gamma;

  Eigen::MatrixXd M, J;
  Eigen::VectorXd delta, gamma, phi, dphi, x, lambda, zero, before;
  std::optional<SaddlePoint> system;
  runtime::Failure failure;
};

}  // namespace klingel::mechanism
