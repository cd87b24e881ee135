// What the parts of a vehicle are built with: formulas in symbols, points and bases by the names of
// the file.
#pragma once

#include <map>
#include <set>
#include <string>

#include "mech/model.hpp"
#include "model/formula.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::model {

// Expressions are made one after the other, never as arguments of one call, whose order C++ leaves
// to the compiler: the same file gives the same atoms everywhere.
class Parts {
 public:
  // Both must outlive this object.
  Parts(const vehicle::Vehicle& vehicle, mech::Model& model);
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  mech::Model& model() { return model_; }
  sym::Expr formula(const vehicle::Expression& e) { return formulas_(e); }
  std::array<sym::Expr, 4> four(const std::array<vehicle::Expression, 4>& e);
  std::array<mech::Scalar, 3> triple(const vehicle::Triple& c) { return formulas_.triple(c); }
  mech::Vector vector(mech::Base base, const vehicle::Triple& c) {
    return formulas_.vector(base, c);
  }
  mech::Vector vector(const vehicle::BaseName& base, const vehicle::Triple& c) {
    return formulas_.vector(this->base(base), c);
  }

  // Made on first use, parents before children, whatever the order of the file.
  mech::Base base(const vehicle::BaseName& name);
  mech::Point point(const vehicle::PointName& name);

 private:
  class Open;
  mech::Base turned(const std::string& name, mech::Base parent, const vehicle::Rotation& r);
  mech::Base turned(const std::string& name, mech::Base parent, const vehicle::AxisRotation& r);
  mech::Base turned(const std::string& name, mech::Base parent, const vehicle::EulerParameters& r);
  mech::Base turned(const std::string& name, mech::Base parent, const vehicle::RotationMatrix& r);

  mech::Model& model_;
  Formulas formulas_;
  std::map<std::string, const vehicle::Base*> base_nodes_;
  std::map<std::string, const vehicle::Point*> point_nodes_;
  std::map<std::string, mech::Base> bases_;
  std::map<std::string, mech::Point> points_;
  std::set<std::string> open_;
};

// The mechanics does not know places in files: puts `place` in front of what it says.
template <class Act>
void at(const base::Place& place, const Act& act) {
  try {
    act();
  } catch (const base::Error& error) {
    if (error.place()) throw;
    throw base::Error(place, error.what());
  }
}

}  // namespace klingel::model
