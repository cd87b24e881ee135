#include "model/formula.hpp"

#include <numbers>

#include "base/assert.hpp"
#include "mech/suspension.hpp"

namespace klingel::model {

using sym::Expr;
using Kind = vehicle::Expression::Kind;

Formulas::Formulas(const vehicle::Vehicle& v, mech::Model& model) : model_(model) {
  for (const vehicle::Parameter& p : v.parameters) {
    if (p.value.is_number())
      symbols_[p.name] = model.parameter(p.name, p.value.number);
    else
      formulas_[p.name] = &p.value;
  }
  for (const vehicle::Coordinate& c : v.coordinates) {
    const sym::Coordinate x = model.coordinate(c.name, c.value, c.rate);
    symbols_[c.name] = x.q;
    rates_[c.name] = x.dq;
  }
  for (const vehicle::Input& i : v.inputs) symbols_[i.name] = model.input(i.name, i.value);
}

Expr Formulas::named(const vehicle::Expression& e) {
  if (e.name == "pi") return model_.number(std::numbers::pi);
  if (e.name == "t") return model_.graph().time();
  if (const auto known = symbols_.find(e.name); known != symbols_.end()) return known->second;
  const auto formula = formulas_.find(e.name);
  KLINGEL_ASSERT(formula != formulas_.end());
  return symbols_[e.name] = (*this)(*formula->second);
}

Expr Formulas::of_places(const vehicle::Expression& e) {
  const auto axis_of = [](const std::string& name) { return name.back() - 'x'; };
  const auto base_of = [&](const std::string& name) {
    return places_.base(name.substr(0, name.size() - 2));
  };
  const std::string& first = e.arguments[0].name;
  const std::string& second = e.arguments[1].name;
  mech::Stroke stroke;
  if (e.name == "turn" || e.name == "turn_rate") {
    const mech::Base from = base_of(first), to = places_.base(second);
    stroke = mech::stroke_about_axis(model_, "", from, to, axis_of(first));
  } else {
    const mech::Point from = places_.point(first), to = places_.point(second);
    if (e.arguments.size() == 2) {
      stroke = mech::stroke_along_line(model_, text(e), from, to);
    } else {
      const std::string& axis = e.arguments[2].name;
      stroke = mech::stroke_along_axis(model_, "", from, to, base_of(axis), axis_of(axis));
    }
  }
  return e.name == "stroke" || e.name == "turn" ? stroke.length : stroke.rate;
}

Expr Formulas::called(const vehicle::Expression& e) {
  const std::string& f = e.name;
  if (is_of_places(e)) return of_places(e);
  if (f == "table") {
    const Expr x = (*this)(e.arguments[1]);
    return mech::Characteristic(e.points).value(x);
  }
  if (f == "rate") return rates_.at(e.arguments[0].name);
  const Expr x = (*this)(e.arguments[0]);
  if (f == "sin") return sym::sin(x);
  if (f == "cos") return sym::cos(x);
  if (f == "tan") return sym::tan(x);
  if (f == "asin") return sym::asin(x);
  if (f == "acos") return sym::acos(x);
  if (f == "atan") return sym::atan2(x, model_.number(1));
  if (f == "tanh") {
    // 1 - 2/(exp(2x) + 1): right at both ends, where exp is 0 or infinite
    const Expr grown = sym::exp(2 * x) + 1;
    return 1 - 2 / grown;
  }
  if (f == "exp") return sym::exp(x);
  if (f == "log") return sym::log(x);
  if (f == "sqrt") return sym::sqrt(x);
  if (f == "abs") return sym::abs(x);
  if (f == "sign") return sym::sign(x);
  const Expr y = (*this)(e.arguments[1]);
  if (f == "atan2") return sym::atan2(x, y);
  if (f == "min") return sym::min(x, y);
  if (f == "if") {
    const Expr otherwise = (*this)(e.arguments[2]);
    const Expr share = (1 + sym::sign(x)) / 2;
    return otherwise + share * (y - otherwise);
  }
  KLINGEL_ASSERT(f == "max");
  return sym::max(x, y);
}

Expr Formulas::operator()(const vehicle::Expression& e) {
  const auto argument = [&](std::size_t i) { return (*this)(e.arguments[i]); };
  switch (e.kind) {
    case Kind::number:
      return model_.number(e.number);
    case Kind::name:
      return named(e);
    case Kind::negate:
      return -argument(0);
    case Kind::call:
      return called(e);
    default:
      break;
  }
  // left before right, so that atoms have the same order on every compiler
  const Expr left = argument(0), right = argument(1);
  switch (e.kind) {
    case Kind::add:
      return left + right;
    case Kind::subtract:
      return left - right;
    case Kind::multiply:
      return left * right;
    case Kind::divide:
      return left / right;
    default:
      return sym::pow(left, right);
  }
}

mech::Vector Formulas::vector(mech::Base base, const vehicle::Triple& c) {
  const Expr x = (*this)(c[0]), y = (*this)(c[1]), z = (*this)(c[2]);
  return model_.vector(base, x, y, z);
}

std::array<mech::Scalar, 3> Formulas::triple(const vehicle::Triple& c) {
  const Expr x = (*this)(c[0]), y = (*this)(c[1]), z = (*this)(c[2]);
  return {x, y, z};
}

}  // namespace klingel::model
