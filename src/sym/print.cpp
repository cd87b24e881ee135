#include "sym/print.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <unordered_map>

#include <fmt/format.h>

#include "base/number.hpp"
#include "sym/traverse.hpp"

namespace klingel::sym {
namespace {

// binding strength, loosest first
enum Precedence {
  sum_level = 1,
  product_level = 2,
  unary_level = 3,
  power_level = 4,
  atom_level = 5
};

std::string number_text(const Number& n, Language language) {
  if (!n.exact() || language == Language::c) return base::shortest(n.value());
  if (n.is_integer()) return std::to_string(n.num());
  if (language == Language::latex) {
    return fmt::format("{}\\frac{{{}}}{{{}}}", n.negative() ? "-" : "",
                       n.negative() ? -n.num() : n.num(), n.den());
  }
  return fmt::format("{}/{}", n.num(), n.den());
}

std::string function_name(Op op, Language language) {
  const bool c = language == Language::c;
  switch (op) {
    case Op::abs:
      return c ? "fabs" : "abs";
    case Op::sign:
      return c ? "klingel_sign" : "sign";
    case Op::min:
      return c ? "klingel_min" : "min";
    case Op::max:
      return c ? "klingel_max" : "max";
    default:
      return std::string(name(op));
  }
}

class Printer {
 public:
  Printer(const Graph& g, Language language, const NameOf& name_of)
      : g_(g), language_(language), name_of_(name_of) {}

  // Both walks are iterative, because a chain of sums may be as deep as the graph is long; and the
  // text is written once from left to right, because joining it from below would copy it at every
  // level: 1e5 atoms deep, that was 25 GB.
  std::string line(Id root) {
    shape(root);
    std::string out;
    bool drop_minus = false;
    const auto append = [&](const std::string& text) {
      out.append(text, drop_minus ? 1 : 0);
      drop_minus = false;
    };
    std::vector<Part> rest{operand(root, sum_level)};
    while (!rest.empty()) {
      const Part part = std::move(rest.back());
      rest.pop_back();
      drop_minus = drop_minus || part.drop_minus;
      if (part.id == no_id) {
        append(part.text);
        continue;
      }
      const Shape& s = shapes_.at(part.id);
      const bool latex = language_ == Language::latex, parentheses = s.level < part.level;
      if (parentheses) {
        out += latex ? "\\left(" : "(";
        rest.push_back({latex ? "\\right)" : ")"});
      }
      if (!s.name.empty()) {
        append(s.name);
        continue;
      }
      Form f = form(g_.node(part.id));
      std::move(f.parts.rbegin(), f.parts.rend(), std::back_inserter(rest));
    }
    return out;
  }

 private:
  // a piece of text, or an operand that goes into parentheses if it binds looser than `level`
  struct Part {
    std::string text;
    Id id = no_id;
    int level = 0;
    bool drop_minus = false;  // leave out the '-' the text starts with
  };
  // how an operation is written, and how tightly the whole binds
  struct Form {
    std::vector<Part> parts;
    int level;
  };
  struct Shape {
    int level;
    bool minus;        // the text starts with '-'
    std::string name;  // the whole text of a leaf or a named atom, else ""
  };

  static Part operand(Id id, int level) { return {"", id, level}; }

  // the shapes of the root and of what is spelled out below it, operands first
  void shape(Id root) {
    std::vector<Id> stack{root};
    while (!stack.empty()) {
      const Id id = stack.back();
      if (shapes_.contains(id)) {
        stack.pop_back();
        continue;
      }
      const Node& n = g_.node(id);
      if (const std::string name = id == root ? "" : name_of_(id); !name.empty()) {
        shapes_[id] = {name.front() == '-' ? unary_level : atom_level, name.front() == '-', name};
      } else if (is_leaf(n.op)) {
        shapes_[id] = leaf(id);
      } else if (const bool a = shapes_.contains(n.a),
                 b = !is_binary(n.op) || shapes_.contains(n.b);
                 a && b) {
        const Form f = form(n);
        const Part& first = f.parts.front();
        const bool minus = first.id == no_id
                               ? first.text.front() == '-'
                               : shapes_[first.id].minus && shapes_[first.id].level >= first.level;
        shapes_[id] = {f.level, minus, ""};
      } else {
        if (!b) stack.push_back(n.b);
        if (!a) stack.push_back(n.a);
      }
    }
  }

  Shape leaf(Id id) const {
    if (g_.op(id) == Op::symbol)
      return {atom_level, false, symbol_text(g_.symbol_of(id).name, language_)};
    const Number n = g_.number_of(id);
    const bool fraction = n.exact() && !n.is_integer() && language_ != Language::c;
    const int level = n.negative()                               ? unary_level
                      : fraction && language_ != Language::latex ? product_level
                                                                 : atom_level;
    return {level, n.negative(), number_text(n, language_)};
  }

  Form form(const Node& n) const { return language_ == Language::latex ? latex(n) : infix(n); }

  // a number in front of a sum reads better behind it: x - 3, not -3 + x. Order does not change the
  // value of a floating-point sum of two
  Form sum(const Node& n) const {
    if (n.op == Op::add && is_number(g_.op(n.a)) && g_.number_of(n.a).negative()) {
      return {{operand(n.b, sum_level), {" - " + number_text(-g_.number_of(n.a), language_)}},
              sum_level};
    }
    // a + (-2*x) is written a - 2*x: negation is exact, so the value is the same
    Part right = operand(n.b, product_level);
    right.drop_minus = shapes_.at(n.b).minus && shapes_.at(n.b).level >= product_level;
    const bool minus = (n.op == Op::sub) != right.drop_minus;
    return {{operand(n.a, sum_level), {minus ? " - " : " + "}, right}, sum_level};
  }

  Form infix(const Node& n) const {
    switch (n.op) {
      case Op::add:
      case Op::sub:
        return sum(n);
      // the right operand binds tighter, so that text and graph associate alike
      case Op::mul:
        return {{operand(n.a, product_level), {"*"}, operand(n.b, unary_level)}, product_level};
      case Op::div:
        return {{operand(n.a, product_level), {"/"}, operand(n.b, unary_level)}, product_level};
      case Op::neg:
        return {{{"-"}, operand(n.a, product_level)}, product_level};
      case Op::sign:
        if (language_ != Language::python) break;
        // Python has no sign; spelling the operand twice would double the text at every level
        return {{{"(lambda v: (v > 0) - (v < 0))("}, operand(n.a, 0), {")"}}, atom_level};
      case Op::pow:
        if (language_ != Language::python && language_ != Language::matlab) break;
        return {{operand(n.a, atom_level),
                 {language_ == Language::python ? "**" : "^"},
                 operand(n.b, atom_level)},
                power_level};
      default:
        break;
    }
    Form call{{{function_name(n.op, language_) + "("}, operand(n.a, 0)}, atom_level};
    if (is_binary(n.op)) {
      call.parts.push_back({", "});
      call.parts.push_back(operand(n.b, 0));
    }
    call.parts.push_back({")"});
    return call;
  }

  Form latex(const Node& n) const {
    const Part a = operand(n.a, 0), b = operand(n.b, 0);
    switch (n.op) {
      case Op::add:
      case Op::sub:
        return sum(n);
      case Op::mul:
        if (n.a == n.b) return {{{"{"}, operand(n.a, atom_level), {"}^{2}"}}, power_level};
        return {{operand(n.a, product_level), {" \\, "}, operand(n.b, unary_level + 1)},
                product_level};
      case Op::div:
        return {{{"\\frac{"}, a, {"}{"}, b, {"}"}}, product_level};
      case Op::neg:
        return {{{"-"}, operand(n.a, product_level)}, unary_level};
      case Op::sqrt:
        return {{{"\\sqrt{"}, a, {"}"}}, atom_level};
      case Op::abs:
        return {{{"\\left|"}, a, {"\\right|"}}, atom_level};
      case Op::pow:
        return {{{"{"}, operand(n.a, atom_level), {"}^{"}, b, {"}"}}, power_level};
      case Op::asin:
      case Op::acos:
        return {{{n.op == Op::asin ? "\\arcsin\\left(" : "\\arccos\\left("}, a, {"\\right)"}},
                atom_level};
      case Op::atan2:
        return {{{"\\operatorname{atan2}\\left("}, a, {", "}, b, {"\\right)"}}, atom_level};
      case Op::sign:
        return {{{"\\operatorname{sign}\\left("}, a, {"\\right)"}}, atom_level};
      case Op::min:
      case Op::max:
        return {{{n.op == Op::min ? "\\min\\left(" : "\\max\\left("}, a, {", "}, b, {"\\right)"}},
                atom_level};
      default:
        return {{{fmt::format("\\{}\\left(", name(n.op))}, a, {"\\right)"}}, atom_level};
    }
  }

  const Graph& g_;
  Language language_;
  const NameOf& name_of_;
  std::unordered_map<Id, Shape> shapes_;
};

std::string latex_symbol(const std::string& name) {
  static constexpr std::array<std::string_view, 24> greek = {
      "alpha", "beta",  "gamma",   "delta",  "epsilon", "zeta", "eta", "theta",
      "iota",  "kappa", "lambda",  "mu",     "nu",      "xi",   "pi",  "rho",
      "sigma", "tau",   "upsilon", "varphi", "phi",     "chi",  "psi", "omega"};
  // derivative prefixes: dtheta -> \dot{\theta} only where the rest is a Greek word, since "d..."
  // may be a name
  std::string head = name, tail;
  if (const auto at = name.find_first_of("_."); at != std::string::npos) {
    head = name.substr(0, at);
    tail = name.substr(at + 1);
  }
  std::string accent;
  const auto is_greek = [](std::string_view word) {
    return std::find(greek.begin(), greek.end(), word) != greek.end();
  };
  if (!is_greek(head)) {
    if (head.starts_with("dd") && is_greek(std::string_view(head).substr(2))) {
      accent = "\\ddot";
      head = head.substr(2);
    } else if (head.starts_with("d") && is_greek(std::string_view(head).substr(1))) {
      accent = "\\dot";
      head = head.substr(1);
    }
  }
  std::string text = is_greek(head)     ? "\\" + head
                     : head.size() == 1 ? head
                                        : "\\mathrm{" + head + "}";
  if (!accent.empty()) text = accent + "{" + text + "}";
  if (!tail.empty()) {
    std::replace(tail.begin(), tail.end(), '_', ',');
    text += "_{\\mathrm{" + tail + "}}";
  }
  return text;
}

}  // namespace

std::string symbol_text(const std::string& name, Language language) {
  if (language == Language::latex) return latex_symbol(name);
  std::string text = name;
  std::replace(text.begin(), text.end(), '.', '_');
  return text;
}

std::string text(const Graph& g, Id id, Language language, const NameOf& name_of) {
  return Printer(g, language, name_of).line(id);
}

std::string text(Expr e, Language language) {
  return text(e.graph(), e.id(), language, [](Id) { return std::string(); });
}

std::string listing(std::span<const std::pair<std::string, Expr>> results, Language language) {
  if (results.empty()) return {};
  const Graph& g = results.front().second.graph();
  std::vector<Id> roots;
  for (const auto& [name, e] : results) {
    common_graph(results.front().second, e);
    roots.push_back(e.id());
  }
  const std::vector<Id> order = nodes_in_order_of_use(g, roots, {});
  std::unordered_map<Id, int> uses;
  for (const Id id : order) {
    if (is_leaf(g.op(id))) continue;
    ++uses[g.node(id).a];
    if (is_binary(g.op(id))) ++uses[g.node(id).b];
  }
  for (const Id id : roots) ++uses[id];

  const bool latex = language == Language::latex;
  const std::string end = language == Language::python ? "\n" : latex ? " \\\\\n" : ";\n";
  const std::string type = language == Language::c ? "const double " : "";
  const std::string equals = latex ? " &= " : " = ";
  std::unordered_map<Id, std::string> names;
  const NameOf name_of = [&names](Id id) {
    const auto it = names.find(id);
    return it == names.end() ? std::string() : it->second;
  };
  std::string out;
  for (const Id id : order) {
    if (is_leaf(g.op(id)) || uses[id] < 2) continue;
    const std::string name =
        latex ? fmt::format("\\alpha_{{{}}}", names.size() + 1) : fmt::format("a{}", names.size());
    out += type + name + equals + text(g, id, language, name_of) + end;
    names[id] = name;
  }
  for (const auto& [name, e] : results) {
    const std::string known = name_of(e.id());
    out += type + symbol_text(name, language) + equals +
           (known.empty() ? text(g, e.id(), language, name_of) : known) + end;
  }
  return out;
}

}  // namespace klingel::sym
