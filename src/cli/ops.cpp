// klingel ops: atoms and operations per function, as in the article's second table; of a mechanism
// here, of a vehicle in vehicle_ops.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/json.hpp"
#include "bench/vehicle_ops.hpp"
#include "cli/command.hpp"
#include "cli/pipeline.hpp"
#include "examples/mechanisms.hpp"
#include "gen/manifest.hpp"
#include "mech/reference.hpp"
#include "sym/count.hpp"
#include "sym/traverse.hpp"

namespace klingel::cli {
namespace {

struct Row {
  std::string name;
  sym::Count count;
};

// Each function alone, with everything below it; then all together, where shared atoms count once.
// Atoms of parameters only are evaluated once, at setup, and have a row of their own.
std::vector<Row> rows_of(const gen::Program& program) {
  constexpr sym::KindMask parameters = bit(sym::SymbolKind::parameter);
  std::vector<Row> rows;
  std::vector<sym::Expr> all;
  const auto count = [&](const std::vector<sym::Expr>& values, bool setup) {
    std::vector<sym::Id> roots, nodes;
    for (const sym::Expr& e : values) roots.push_back(e.id());
    for (const sym::Id id : sym::nodes_below(program.graph(), roots)) {
      if (((program.graph().node(id).kinds & ~parameters) == 0) == setup) nodes.push_back(id);
    }
    return sym::count(program.graph(), nodes);
  };
  for (const sym::Function& f : program.functions()) {
    std::vector<sym::Expr> values;
    for (const sym::Output& o : f.outputs) {
      for (const sym::Entry& e : o.matrix.entries()) values.push_back(e.value);
    }
    rows.push_back({f.name, count(values, false)});
    all.insert(all.end(), values.begin(), values.end());
  }
  rows.push_back({"together", count(all, false)});
  rows.push_back({"setup", count(all, true)});
  return rows;
}

void print_json(const std::string& model, const std::vector<Row>& rows) {
  base::Json json;
  json.begin_object().key("model").value(model).key("functions").begin_object();
  for (const Row& r : rows) {
    json.key(r.name).begin_object();
    gen::write_count(json, r.count);
    json.end_object();
  }
  json.end_object().end_object();
  fmt::print("{}", json.text());
}

void print_table(const std::string& model, const std::vector<Row>& rows) {
  fmt::print("{}: atoms and operations per function; atoms of parameters only are in 'setup'\n\n",
             model);
  fmt::print("{:<12}{:>8}{:>8}{:>8}{:>6}{:>6}{:>6}{:>6}{:>7}{:>8}\n", "function", "atoms", "add",
             "mul", "div", "neg", "sqrt", "trig", "other", "total");
  for (const Row& r : rows) {
    const sym::Count& c = r.count;
    fmt::print("{:<12}{:>8}{:>8}{:>8}{:>6}{:>6}{:>6}{:>6}{:>7}{:>8}\n", r.name, c.atoms, c.add,
               c.mul, c.div, c.neg, c.sqrt, c.trig, c.other, c.total());
  }
}

// The same equations by the two slow roads, everything counted, setup included.
void print_formalisms(mech::Model& model, const mech::Equations& equations) {
  const auto total = [](const sym::Matrix& M) {
    std::vector<sym::Expr> values;
    for (const sym::Entry& e : M.entries()) values.push_back(e.value);
    return sym::count(values).total();
  };
  const auto print = [&](const char* name, const sym::Matrix& M,
                         const std::vector<sym::Expr>& delta) {
    fmt::print("{:<36}{:>8}{:>10}\n", name, total(M), sym::count(delta).total());
  };
  fmt::print("{}: operations by three formalisms, setup included\n\n{:<36}{:>8}{:>10}\n",
             model.name(), "formalism", "M_qq", "delta_q");
  print("virtual power with grouping", equations.M_qq, equations.delta_q);
  const mech::ReferenceEquations by_body = mech::per_body_virtual_power(model);
  print("body by body, M by differentiation", by_body.M_qq, by_body.delta_q);
  const mech::ReferenceEquations by_energy = mech::lagrange(model);
  print("Lagrange", by_energy.M_qq, by_energy.delta_q);
}

}  // namespace

Command ops_command() {
  struct Arguments {
    std::string model;
    bool json = false, formalisms = false, code = false, article = false;
  };
  const auto arguments = std::make_shared<Arguments>();
  Command c{Group::models, "ops", "Count atoms and operations of a model's functions"};
  c.examples = {"klingel ops feve3000 --article", "klingel ops four_bar --formalisms"};
  c.option("model", arguments->model,
           "Shipped vehicle, vehicle file, or a mechanism that 'klingel example' lists")
      .names(Names::vehicle)
      .required();
  c.option("--json", arguments->json, "Print JSON");
  c.option("--formalisms", arguments->formalisms,
           "For mechanisms: compare with Lagrange's equations and with sums over single bodies");
  c.option("--code", arguments->code,
           "For vehicles: compile, and print the size of the machine code");
  c.option("--article", arguments->article, "For vehicles: print the article's counts beside ours");
  c.run = [arguments] {
    const std::string& name = arguments->model;
    const std::span<const examples::Mechanism> all = examples::mechanisms();
    const auto is_named = [&](const examples::Mechanism& m) { return m.name == name; };
    if (std::none_of(all.begin(), all.end(), is_named)) {
      if (arguments->formalisms)
        base::fail("--formalisms is for examples, '{}' is a vehicle", name);
      bench::print_vehicle_ops({name, arguments->json, arguments->code, arguments->article});
      return ExitCode::fine;
    }
    if (arguments->code || arguments->article)
      base::fail("--code and --article are for vehicles, '{}' is an example", name);
    const examples::Mechanism& e = examples::mechanism(arguments->model);
    const Pipeline p = describe(e.name, e.build);
    if (arguments->formalisms) {
      print_formalisms(*p.model, p.equations);
      return ExitCode::fine;
    }
    const std::vector<Row> rows = rows_of(*p.program);
    arguments->json ? print_json(e.name, rows) : print_table(e.name, rows);
    return ExitCode::fine;
  };
  return c;
}

}  // namespace klingel::cli
