#include "model/parts.hpp"

namespace klingel::model {

using mech::Scalar;

Parts::Parts(const vehicle::Vehicle& vehicle, mech::Model& model)
    : model_(model), formulas_(vehicle, model) {
  formulas_.set_places({[this](const std::string& name) { return point({name}); },
                        [this](const std::string& name) { return base({name}); }});
  for (const vehicle::Base& b : vehicle.bases) base_nodes_[b.name] = &b;
  for (const vehicle::Point& p : vehicle.points) point_nodes_[p.name] = &p;
}

// What is being made: a formula in it may ask for places that ask for it again.
class Parts::Open {
 public:
  Open(Parts& parts, std::string what, const base::Place& place)
      : parts_(parts), what_(std::move(what)) {
    if (!parts_.open_.insert(what_).second)
      base::fail_at(place, "the {} depends on itself by a formula with stroke(), rate() or turn()",
                    what_);
  }
  ~Open() { parts_.open_.erase(what_); }
  Open(const Open&) = delete;
  Open& operator=(const Open&) = delete;

 private:
  Parts& parts_;
  std::string what_;
};

mech::Base Parts::base(const vehicle::BaseName& full) {
  const std::string& name = full;
  if (name == "ground") return model_.ground_base();
  if (const auto done = bases_.find(name); done != bases_.end()) return done->second;
  const vehicle::Base& b = *base_nodes_.at(name);
  const Open open(*this, "base " + name, b.place);
  const mech::Base parent = base(b.parent);
  at(b.place, [&] {
    bases_[name] = std::visit([&](const auto& turn) { return turned(name, parent, turn); }, b.turn);
  });
  return bases_.at(name);
}

mech::Base Parts::turned(const std::string& name, mech::Base parent, const vehicle::Rotation& r) {
  return model_.rotation(name, parent, r.axis, formula(r.angle));
}

mech::Base Parts::turned(const std::string& name, mech::Base parent,
                         const vehicle::AxisRotation& r) {
  const std::array<Scalar, 3> axis = triple(r.axis);
  return model_.rotation(name, parent, axis, formula(r.angle));
}

mech::Base Parts::turned(const std::string& name, mech::Base parent,
                         const vehicle::EulerParameters& r) {
  return model_.euler_parameters(name, parent, four(r.e));
}

mech::Base Parts::turned(const std::string& name, mech::Base parent,
                         const vehicle::RotationMatrix& r) {
  std::vector<Scalar> R;
  for (const vehicle::Expression& e : r.R_PB) R.emplace_back(formula(e));
  return model_.rotation_matrix(name, parent,
                                {R[0], R[1], R[2], R[3], R[4], R[5], R[6], R[7], R[8]});
}

std::array<sym::Expr, 4> Parts::four(const std::array<vehicle::Expression, 4>& e) {
  return {formula(e[0]), formula(e[1]), formula(e[2]), formula(e[3])};
}

mech::Point Parts::point(const vehicle::PointName& full) {
  const std::string& name = full;
  if (name == "O") return model_.origin();
  if (const auto done = points_.find(name); done != points_.end()) return done->second;
  const vehicle::Point& p = *point_nodes_.at(name);
  const Open open(*this, "point " + name, p.place);
  const mech::Point parent = point(p.parent);
  const mech::Base b = base(p.base);
  at(p.place, [&] { points_[name] = model_.point(name, parent, vector(b, p.r)); });
  return points_.at(name);
}

}  // namespace klingel::model
