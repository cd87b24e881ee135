// Formulas of a vehicle file in symbols of a model.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mech/model.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::model {

// Makes the symbols of the vehicle's parameters, coordinates and inputs in the model, in their
// order, and translates formulas into expressions of them. A parameter given by a formula is no
// symbol: it is replaced by its formula.
class Formulas {
 public:
  Formulas(const vehicle::Vehicle& vehicle, mech::Model& model);

  // Where stroke(), rate() and turn() find points and bases by their full names.
  struct Places {
    std::function<mech::Point(const std::string&)> point;
    std::function<mech::Base(const std::string&)> base;
  };
  void set_places(Places places) { places_ = std::move(places); }

  sym::Expr operator()(const vehicle::Expression& e);
  mech::Vector vector(mech::Base base, const vehicle::Triple& components);
  std::array<mech::Scalar, 3> triple(const vehicle::Triple& components);

 private:
  sym::Expr named(const vehicle::Expression& name);
  sym::Expr called(const vehicle::Expression& call);
  sym::Expr of_places(const vehicle::Expression& call);

  mech::Model& model_;
  Places places_;
  std::map<std::string, sym::Expr> symbols_;
  std::map<std::string, sym::Expr> rates_;
  std::map<std::string, const vehicle::Expression*> formulas_;  // parameters not yet translated
};

}  // namespace klingel::model
