// The equations of motion as a linear function of inertial parameters p:
//
//   M_qq ddq - (inertia's part of delta_q) = Y(q, dq, ddq) p
//
// with one column of Y per parameter (m, s, J about the body's point; see inertias.hpp). Forces of
// elements and inputs are known: Q.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "reduce/inertias.hpp"
#include "sym/tape.hpp"

namespace klingel::reduce {

class Regressor {
 public:
  // Every parameter of the given inertias that is not zero, or, with `all`, all ten of every body
  // (of a body of revolution: those that one has). The model's own inertias stay as they are.
  Regressor(mech::Model& model, const std::vector<mech::Body>& inertias, bool all = false);

  std::size_t coordinates() const { return n_; }
  const std::vector<InertialParameter>& parameters() const { return parameters_; }
  Eigen::VectorXd values() const;  // of the parameters, nominal

  // Y at a state: q, dq, ddq, n numbers each.
  Eigen::MatrixXd at(const double* q, const double* dq, const double* ddq);
  // Q(q, dq): forces of elements, nominal inputs, on the coordinates.
  Eigen::VectorXd known_forces(const double* q, const double* dq);
  // Y at states, one below the other: rows n k ... of state k.
  Eigen::MatrixXd stacked(const std::vector<std::vector<double>>& states);
  // On the motions the constraints allow: rows N^T Y, N a basis of those with dphi_dq N = 0.
  Eigen::MatrixXd stacked_on_constraints(const std::vector<std::vector<double>>& states);

 private:
  struct Evaluation {
    std::vector<sym::Expr> leaves;
    std::unique_ptr<sym::Tape> tape;
    std::vector<double> in, out, registers;
  };
  Evaluation evaluation(const std::vector<sym::Expr>& list) const;
  const std::vector<double>& run(Evaluation& e, const double* q, const double* dq,
                                 const double* ddq) const;

  mech::Model& model_;
  std::size_t n_;
  std::vector<InertialParameter> parameters_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // row and column of Y's entries
  std::vector<std::pair<std::size_t, std::size_t>> constraint_places_;
  Evaluation Y_, Q_, phi_;
};

// States with random q, dq, ddq between -1 and 1 (rad, m, ...) about the nominal q: the same for
// the same seed.
std::vector<std::vector<double>> random_states(const mech::Model& model, std::size_t count,
                                               unsigned seed = 1);

}  // namespace klingel::reduce
