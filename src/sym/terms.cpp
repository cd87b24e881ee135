#include "sym/terms.hpp"

#include <algorithm>

#include "sym/construct.hpp"

namespace klingel::sym {
namespace {

bool is_trig(Op op) { return op == Op::sin || op == Op::cos; }

// the factors without one of `factor`; none if it is not among them
std::optional<Terms::Factors> without(const Terms::Factors& factors, Id factor) {
  const auto at = std::lower_bound(factors.begin(), factors.end(), factor);
  if (at == factors.end() || *at != factor) return std::nullopt;
  Terms::Factors rest(factors.begin(), at);
  rest.insert(rest.end(), at + 1, factors.end());
  return rest;
}

Terms::Factors with(Terms::Factors factors, Id factor) {
  factors.insert(std::upper_bound(factors.begin(), factors.end(), factor), factor);
  return factors;
}

void add_term(Terms::List& list, const Terms::Factors& factors, const Number& coefficient) {
  const auto [at, is_new] = list.emplace(factors, coefficient);
  if (!is_new) at->second = at->second + coefficient;
  if (at->second.is(0)) list.erase(at);
}

// Parameters first: their products are made once, at setup.
Id product(Graph& g, const Terms::Factors& factors, std::vector<Id>& made) {
  constexpr KindMask parameters = bit(SymbolKind::parameter);
  Terms::Factors ordered = factors;
  std::stable_partition(ordered.begin(), ordered.end(),
                        [&](Id f) { return (g.node(f).kinds & ~parameters) == 0; });
  Id result = g.intern(Number(1));
  for (const Id f : ordered) {
    result = mul(g, result, f);
    made.push_back(result);
  }
  return result;
}

Id built(Graph& g, const Terms::List& list, std::vector<Id>& made) {
  std::map<Id, std::size_t> uses;
  for (const auto& [factors, coefficient] : list) {
    Id last = no_id;
    for (const Id f : factors) {
      if (f != last) ++uses[f];
      last = f;
    }
  }
  const auto common = std::max_element(
      uses.begin(), uses.end(), [](const auto& x, const auto& y) { return x.second < y.second; });
  Id sum = g.intern(Number(0));
  if (common == uses.end() || common->second < 2) {
    for (const auto& [factors, coefficient] : list) {
      const Id factor = g.intern(coefficient);
      const Id rest = product(g, factors, made);
      const Id term = mul(g, factor, rest);
      sum = add(g, sum, term);
      made.insert(made.end(), {term, sum});
    }
    return sum;
  }
  Terms::List with_it, rest;
  for (const auto& [factors, coefficient] : list) {
    if (const auto left = without(factors, common->first))
      with_it.emplace(*left, coefficient);
    else
      rest.emplace(factors, coefficient);
  }
  const Id inner = built(g, with_it, made);
  const Id first = mul(g, common->first, inner);
  made.push_back(first);
  if (rest.empty()) return first;
  const Id others = built(g, rest, made);
  made.push_back(add(g, first, others));
  return made.back();
}

}  // namespace

const Terms::List& Expansions::operator()(Id id) {
  if (const auto found = made_.find(id); found != made_.end()) return found->second;
  return made_.emplace(id, expanded(id)).first->second;
}

bool Expansions::trigonometric(const Terms::List& list) const {
  for (const auto& [factors, coefficient] : list)
    for (const Id f : factors)
      if (is_trig(g_.op(f))) return true;
  return false;
}

Terms::List Expansions::expanded(Id id) {
  const Node n = g_.node(id);
  const Terms::List atom = {{Terms::Factors{id}, Number(1)}};
  if (is_number(n.op)) {
    const Number value = g_.number_of(id);
    if (!value.exact()) return atom;  // doubles would round
    Terms::List list;
    add_term(list, {}, value);
    return list;
  }
  if (n.op != Op::neg && n.op != Op::add && n.op != Op::sub && n.op != Op::mul) return atom;
  Terms::List list = (*this)(operand_(n.a));
  if (n.op == Op::neg) {
    for (auto& [factors, coefficient] : list) coefficient = -coefficient;
    return list;
  }
  const Terms::List& b = (*this)(operand_(n.b));
  if (n.op == Op::mul) {
    // other sums stay whole
    const bool plain = list.size() > 1 || b.size() > 1;
    if (plain && !trigonometric(list) && !trigonometric(b)) return atom;
    if (list.size() * b.size() > most_terms) return atom;
    Terms::List product;
    for (const auto& [x, cx] : list) {
      for (const auto& [y, cy] : b) {
        Terms::Factors both(x.size() + y.size());
        if (both.size() > most_factors) return atom;
        std::merge(x.begin(), x.end(), y.begin(), y.end(), both.begin());
        add_term(product, both, cx * cy);
      }
    }
    return product;
  }
  for (const auto& [factors, coefficient] : b)
    add_term(list, factors, n.op == Op::sub ? -coefficient : coefficient);
  return list.size() > most_terms ? atom : list;
}

std::optional<Terms> Terms::of(Expansions& expansions, Id id) {
  const List& list = expansions(id);
  if (list.size() < 2) return std::nullopt;
  return Terms(expansions.graph(), list);
}

// The first term with a square f^2 that something can be done with: K f^2 + K g^2 = K, or
// K - K f^2 = K g^2.
bool Terms::use_one_square(Graph& g) {
  for (const auto& [factors, c] : list_) {
    for (std::size_t i = 0; i + 1 < factors.size(); ++i) {
      const Id f = factors[i];
      if (factors[i + 1] != f || !is_trig(g.op(f))) continue;
      const Factors K = *without(*without(factors, f), f);
      const Id other = unary(g, g.op(f) == Op::sin ? Op::cos : Op::sin, g.node(f).a);
      const Factors square = with(with(K, other), other), own = factors;
      const Number coefficient = c;
      if (const auto found = list_.find(square); found != list_.end() && found->second == c) {
        list_.erase(found);
        list_.erase(own);
        add_term(list_, K, coefficient);
        return true;
      }
      if (const auto found = list_.find(K); found != list_.end() && found->second == -c) {
        list_.erase(found);
        list_.erase(own);
        add_term(list_, square, -coefficient);
        return true;
      }
    }
  }
  return false;
}

bool Terms::use_pythagoras(Graph& g) {
  bool changed = false;
  while (use_one_square(g)) changed = true;  // each makes one term of two
  return changed;
}

// Two terms with the same K: c K s_a c_b and +-c K c_a s_b, or c K c_a c_b and +-c K s_a s_b.
std::optional<Terms::Angle> Terms::find_sum(const std::set<Pair>* pairs) const {
  for (const auto& [factors, c] : list_) {
    for (const Id x : factors) {
      if (!is_trig(g_->op(x))) continue;
      for (const Id y : factors) {
        if (!is_trig(g_->op(y))) continue;
        const Id a = g_->node(x).a, b = g_->node(y).a;
        if (a >= b || (pairs != nullptr && !pairs->contains({a, b}))) continue;
        const Factors rest = *without(*without(factors, x), y);
        for (const auto& [others, d] : list_) {
          if (others == factors || others.size() != factors.size()) continue;
          if (!(d == c) && !(d == -c)) continue;
          for (const Id u : others) {
            if (!is_trig(g_->op(u)) || g_->node(u).a != a || g_->op(u) == g_->op(x)) continue;
            for (const Id v : others) {
              if (!is_trig(g_->op(v)) || g_->node(v).a != b || g_->op(v) == g_->op(y)) continue;
              if (*without(*without(others, u), v) != rest) continue;
              const bool sine = g_->op(x) != g_->op(y), same = d == c;
              Angle found{{a, b}, sine, false, c, rest, factors, others};
              if (sine) {
                // s_a c_b - c_a s_b = sin(a - b); c_a s_b - s_a c_b = -sin(a - b)
                found.minus = !same;
                if (!same && g_->op(x) == Op::cos) found.coefficient = -c;
              } else {
                // c_a c_b - s_a s_b = cos(a + b); s_a s_b - c_a c_b = -cos(a + b)
                found.minus = same;
                if (!same && g_->op(x) == Op::sin) found.coefficient = -c;
              }
              return found;
            }
          }
        }
      }
    }
  }
  return std::nullopt;
}

bool Terms::use_sums(Graph& g, const std::set<Pair>& pairs) {
  bool changed = false;
  while (const std::optional<Angle> found = find_sum(&pairs)) {
    const auto [a, b] = found->angles;
    const Id angle = found->minus ? sub(g, a, b) : add(g, a, b);
    const Id f = unary(g, found->sine ? Op::sin : Op::cos, angle);
    list_.erase(found->first);
    list_.erase(found->second);
    // a sign may have come out of the function: then it is a product of -1
    if (g.op(f) == Op::neg)
      add_term(list_, with(found->rest, g.node(f).a), -found->coefficient);
    else
      add_term(list_, with(found->rest, f), found->coefficient);
    changed = true;
  }
  return changed;
}

std::optional<Terms::Pair> Terms::any_sum() const {
  const std::optional<Angle> found = find_sum(nullptr);
  if (!found) return std::nullopt;
  return found->angles;
}

std::optional<Id> Terms::build(Graph& g, Id forbidden) const {
  std::vector<Id> made;
  const Id result = built(g, list_, made);
  if (std::find(made.begin(), made.end(), forbidden) != made.end()) return std::nullopt;
  return result;
}

}  // namespace klingel::sym
