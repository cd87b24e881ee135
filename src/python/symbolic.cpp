// Graphs, expressions, derivatives and compiled functions for Python.
#include "python/symbolic.hpp"

#include <algorithm>
#include <map>

#include "exec/evaluator.hpp"
#include "exec/load.hpp"
#include "gen/emit_c.hpp"
#include "gen/program.hpp"
#include "sym/count.hpp"
#include "sym/depends.hpp"
#include "sym/differentiate.hpp"
#include "sym/jacobian.hpp"
#include "sym/linear_solve.hpp"
#include "sym/print.hpp"
#include "sym/substitute.hpp"
#include "sym/tape.hpp"

namespace klingel::python {

using sym::Expr;

std::vector<Expr> plain(const Expressions& list) {
  std::vector<Expr> result;
  for (const Expression& x : list) result.push_back(x.e);
  return result;
}

Expressions kept(const std::shared_ptr<void>& owner, std::span<const Expr> list) {
  Expressions result;
  for (const Expr x : list) result.push_back({owner, x});
  return result;
}

namespace {

using GraphPointer = std::shared_ptr<sym::Graph>;

Expr expression_of(const Expression& like, const Number& x) {
  if (const auto* e = std::get_if<Expression>(&x)) return e->e;
  return like.e.graph().number(std::get<double>(x));
}

using Binary = Expr (*)(Expr, Expr);
using Unary = Expr (*)(Expr);

// x op y and y op x, where y may be a number
void add_operator(py::class_<Expression>& c, const char* name, const char* reflected, Binary f) {
  c.def(
      name,
      [f](const Expression& a, const Number& b) {
        return Expression{a.owner, f(a.e, expression_of(a, b))};
      },
      py::is_operator());
  c.def(
      reflected,
      [f](const Expression& a, const Number& b) {
        return Expression{a.owner, f(expression_of(a, b), a.e)};
      },
      py::is_operator());
}

std::string latex(const Expression& x) { return sym::text(x.e, sym::Language::latex); }

sym::Language language_of(const std::string& name) {
  if (name == "c") return sym::Language::c;
  if (name == "latex") return sym::Language::latex;
  if (name == "python") return sym::Language::python;
  if (name == "matlab") return sym::Language::matlab;
  base::fail("there is no language '{}'; there are c, latex, python and matlab", name);
}

// Functions of numbers, compiled: rows of values of the symbols in, rows of results out.
class Function {
 public:
  Function(const Expressions& symbols, const Expressions& results, const std::string& name,
           const std::string& backend)
      : owner_(results.empty() ? nullptr : results[0].owner) {
    if (results.empty()) base::fail("a function needs at least one result");
    const std::vector<Expr> x = plain(symbols), y = plain(results);
    for (const Expr s : x)
      if (!s.is_symbol())
        base::fail("'{}' is not a symbol: functions are of symbols", sym::text(s));
    for (const Expr s : sym::symbols_below(y))
      if (std::find(x.begin(), x.end(), s) == x.end()) others_.push_back(s);
    program_ = std::make_unique<gen::Program>(y[0].graph(), name);
    if (!others_.empty()) program_->input("p", others_);
    if (!x.empty()) program_->stage("values").input("x", x);
    program_->function({name + "_values", "", {sym::Output::vector("y", y)}});
    function_ = name + "_values";
    inputs_ = x.size();
    outputs_ = y.size();
    exec::Options options;
    options.backend = exec::backend_by_name(backend);
    evaluator_ = std::make_unique<exec::Evaluator>(exec::load(*program_, options));
  }

  // Rows of arguments; `others` are values of the symbols that are no arguments. Both in one call,
  // so that no other thread comes between.
  py::array_t<double> operator()(
      const py::array_t<double, py::array::c_style | py::array::forcecast>& x,
      const std::vector<double>& others) {
    if (x.ndim() != 2 || static_cast<std::size_t>(x.shape(1)) != inputs_)
      base::fail("the function takes rows of {} values", inputs_);
    const auto rows = static_cast<std::size_t>(x.shape(0));
    py::array_t<double> y(std::vector<std::size_t>{rows, outputs_});
    const double* from = x.data();
    double* to = y.mutable_data();
    const py::gil_scoped_release free;
    const InUse mine(busy_, "function");
    if (!others_.empty()) evaluator_->set("p", others);
    for (std::size_t i = 0; i < rows; ++i, from += inputs_) {
      if (inputs_ > 0) evaluator_->set("x", {from, inputs_});
      const std::span<const double> values = evaluator_->evaluate(function_)[0];
      to = std::copy(values.begin(), values.end(), to);
    }
    return y;
  }

  // Symbols that are not among the arguments.
  std::vector<std::string> others() const {
    std::vector<std::string> names;
    for (const Expr s : others_) names.push_back(s.graph().symbol_of(s).name);
    return names;
  }
  std::vector<double> nominal() const {
    std::vector<double> values;
    for (const Expr s : others_) values.push_back(s.graph().symbol_of(s).value);
    return values;
  }
  std::map<std::string, std::string> c() const {
    std::map<std::string, std::string> files;
    for (const gen::File& f : gen::emit_c(*program_).files) files[f.name] = f.text;
    return files;
  }

 private:
  std::shared_ptr<void> owner_;
  std::vector<Expr> others_;
  std::unique_ptr<gen::Program> program_;
  std::unique_ptr<exec::Evaluator> evaluator_;
  std::string function_;
  std::size_t inputs_ = 0, outputs_ = 0;
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
};

void add_expression(py::module_& m) {
  py::class_<Expression> c(m, "Expr",
                           "An expression: a node of a graph. Equal expressions are one node, and "
                           "== compares nodes. Made with operators and functions.");
  add_operator(c, "__add__", "__radd__", [](Expr a, Expr b) { return a + b; });
  add_operator(c, "__sub__", "__rsub__", [](Expr a, Expr b) { return a - b; });
  add_operator(c, "__mul__", "__rmul__", [](Expr a, Expr b) { return a * b; });
  add_operator(c, "__truediv__", "__rtruediv__", [](Expr a, Expr b) { return a / b; });
  add_operator(c, "__pow__", "__rpow__", [](Expr a, Expr b) { return sym::pow(a, b); });
  c.def("__neg__",
        [](const Expression& x) {
          return Expression{x.owner, -x.e};
        })
      .def("__pos__", [](const Expression& x) { return x; })
      .def("__abs__",
           [](const Expression& x) {
             return Expression{x.owner, sym::abs(x.e)};
           })
      .def(
          "__eq__", [](const Expression& a, const Expression& b) { return a.e == b.e; },
          py::is_operator())
      .def("__hash__", [](const Expression& x) { return std::hash<sym::Id>()(x.e.id()); })
      .def(
          "__float__", [](const Expression& x) { return sym::value(x.e); },
          "The value with every symbol at its nominal value.")
      .def("__str__", [](const Expression& x) { return sym::text(x.e); })
      .def("__repr__", [](const Expression& x) { return sym::text(x.e); })
      .def("_repr_latex_", [](const Expression& x) { return "$" + latex(x) + "$"; })
      .def_property_readonly("latex", &latex, "The expression as LaTeX.")
      .def_property_readonly(
          "c", [](const Expression& x) { return sym::text(x.e); }, "The expression as C.")
      .def_property_readonly(
          "value", [](const Expression& x) { return sym::value(x.e); },
          "The value with every symbol at its nominal value.")
      .def_property_readonly(
          "is_symbol", [](const Expression& x) { return x.e.is_symbol(); },
          "Whether it is a symbol.")
      .def_property_readonly(
          "name", [](const Expression& x) { return x.e.graph().symbol_of(x.e).name; },
          "The name of a symbol; an Error for all else.")
      .def_property_readonly(
          "symbols", [](const Expression& x) { return kept(x.owner, sym::symbols_below(x.e)); },
          "The symbols it depends on.")
      .def(
          "diff",
          [](const Expression& x, const Expression& by) {
            return Expression{x.owner, sym::derivative(x.e, by.e)};
          },
          py::arg("symbol"), "The partial derivative by a symbol.")
      .def(
          "dt",
          [](const Expression& x) {
            return Expression{x.owner, sym::time_derivative(x.e)};
          },
          "The time derivative: q becomes dq, dq becomes ddq.")
      .def(
          "subs",
          [](const Expression& x, const std::vector<std::pair<Expression, Number>>& changes) {
            std::vector<sym::Replacement> list;
            for (const auto& [atom, by] : changes) list.push_back({atom.e, expression_of(x, by)});
            return Expression{x.owner, sym::substitute(x.e, list)};
          },
          py::arg("replacements"), "Replaces atoms, all at once: [(symbol, expression), ...].");
  py::class_<Coordinate>(m, "Coordinate", "A coordinate with its first two time derivatives.")
      .def_readonly("q", &Coordinate::q, "The coordinate.")
      .def_readonly("dq", &Coordinate::dq, "Its rate.")
      .def_readonly("ddq", &Coordinate::ddq, "Its acceleration.");
}

void add_functions(py::module_& m) {
  const auto unary = [&](const char* name, Unary f) {
    m.def(
        name,
        [f](const Expression& x) {
          return Expression{x.owner, f(x.e)};
        },
        py::arg("x"));
  };
  unary("sqrt", sym::sqrt);
  unary("sin", sym::sin);
  unary("cos", sym::cos);
  unary("tan", sym::tan);
  unary("asin", sym::asin);
  unary("acos", sym::acos);
  unary("exp", sym::exp);
  unary("log", sym::log);
  unary("sign", sym::sign);
  const auto binary = [&](const char* name, Binary f) {
    m.def(name, [f](const Expression& a, const Number& b) {
      return Expression{a.owner, f(a.e, expression_of(a, b))};
    });
  };
  binary("atan2", sym::atan2);
  binary("minimum", sym::min);
  binary("maximum", sym::max);
  m.def(
      "jacobian",
      [](const Expressions& list, const Expressions& symbols) {
        const sym::Matrix J = sym::jacobian(plain(list), plain(symbols));
        std::vector<Expressions> rows;
        for (std::uint32_t i = 0; i < J.rows(); ++i) {
          rows.emplace_back();
          for (std::uint32_t k = 0; k < J.cols(); ++k) {
            const sym::Entry* e = J.find(i, k);
            rows.back().push_back(
                {list[0].owner, e != nullptr ? e->value : list[0].e.graph().rational(0, 1)});
          }
        }
        return rows;
      },
      py::arg("expressions"), py::arg("symbols"),
      "The Jacobian matrix, a list of rows, of expressions by symbols.");
  m.def(
      "solve",
      [](const std::vector<Expressions>& A, const Expressions& b) {
        const auto n = static_cast<std::uint32_t>(A.size());
        std::vector<sym::Entry> entries;
        for (std::uint32_t i = 0; i < n; ++i) {
          if (A[i].size() != n || b.size() != n)
            base::fail(
                "solve() takes a square matrix and as many right sides, found rows of {} in "
                "{} rows and {} right sides",
                A[i].size(), n, b.size());
          for (std::uint32_t k = 0; k < n; ++k) entries.push_back({i, k, A[i][k].e});
        }
        if (n == 0) return Expressions{};
        const sym::Factors factors(sym::Matrix(n, n, std::move(entries)));
        return kept(b[0].owner, factors.solve(plain(b)));
      },
      py::arg("A"), py::arg("b"), "Solves A x = b in expressions, without pivoting.");
  m.def(
      "listing",
      [](const std::vector<std::pair<std::string, Expression>>& results,
         const std::string& language) {
        std::vector<std::pair<std::string, Expr>> list;
        for (const auto& [name, x] : results) list.emplace_back(name, x.e);
        return sym::listing(list, language_of(language));
      },
      py::arg("results"), py::arg("language") = "c",
      "Assignments, one per shared part and one per (name, expression): c, latex, python or "
      "matlab.");
  m.def(
      "count", [](const Expressions& list) { return sym::count(plain(list)).total(); },
      py::arg("expressions"), "Operations that evaluating the expressions once takes.");
}

}  // namespace

void add_symbolic(py::module_& m) {
  add_expression(m);
  py::class_<sym::Graph, GraphPointer>(m, "Graph",
                                       "A graph of expressions. Names are unique in it.")
      .def(py::init<>())
      .def(
          "parameter",
          [](const GraphPointer& g, const std::string& name, double value) {
            return Expression{g, g->parameter(name, value)};
          },
          py::arg("name"), py::arg("value") = 0.0, "A symbol that is constant in time.")
      .def(
          "input",
          [](const GraphPointer& g, const std::string& name, double value) {
            return Expression{g, g->input(name, value)};
          },
          py::arg("name"), py::arg("value") = 0.0, "A symbol that is given from outside.")
      .def(
          "coordinate",
          [](const GraphPointer& g, const std::string& name, double value, double rate) {
            return kept(g, g->coordinate(name, value, rate));
          },
          py::arg("name"), py::arg("value") = 0.0, py::arg("rate") = 0.0,
          "A coordinate: x with dx and ddx.")
      .def_property_readonly(
          "time",
          [](const GraphPointer& g) {
            return Expression{g, g->time()};
          },
          "The symbol t.")
      .def(
          "number",
          [](const GraphPointer& g, double value) {
            return Expression{g, g->number(value)};
          },
          py::arg("value"), "A constant.")
      .def(
          "__getitem__",
          [](const GraphPointer& g, const std::string& name) {
            return Expression{g, g->lookup(name)};
          },
          py::arg("name"), "The symbol of that name.")
      .def("__len__", &sym::Graph::size);
  add_functions(m);
  py::class_<Function>(m, "CompiledFunction")
      .def(py::init<const Expressions&, const Expressions&, const std::string&,
                    const std::string&>())
      .def("rows", &Function::operator())
      .def("others", &Function::others)
      .def("nominal", &Function::nominal)
      .def("c", &Function::c);
}

}  // namespace klingel::python
