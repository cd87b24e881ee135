#include "bench/vehicle_ops.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <map>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "base/json.hpp"
#include "compile/prepare_run.hpp"
#include "gen/manifest.hpp"
#include "gen/schedule.hpp"
#include "model/contact.hpp"
#include "sym/count.hpp"
#include "sym/traverse.hpp"

namespace klingel::bench {

namespace {

struct OpsRow {
  std::string name;
  sym::Count own;     // what one call computes
  std::size_t alone;  // operations with everything below it, setup not included
  std::optional<std::size_t> bytes;
};

struct Table {
  std::string program;
  std::vector<OpsRow> stages, functions;
};

// Operations of expressions and all below them that are not of parameters only.
sym::Count count_below(const sym::Graph& graph, const std::vector<sym::Expr>& values) {
  constexpr sym::KindMask parameters = bit(sym::SymbolKind::parameter);
  std::vector<sym::Id> roots, nodes;
  for (const sym::Expr& e : values) roots.push_back(e.id());
  for (const sym::Id id : sym::nodes_below(graph, roots))
    if ((graph.node(id).kinds & ~parameters) != 0) nodes.push_back(id);
  return sym::count(graph, nodes);
}

std::vector<sym::Expr> values_of(const sym::Function& f) {
  std::vector<sym::Expr> values;
  for (const sym::Output& o : f.outputs)
    for (const sym::Entry& e : o.matrix.entries()) values.push_back(e.value);
  return values;
}

Table table_of(const gen::Program& program) {
  const gen::Schedule schedule = gen::make_schedule(program);
  Table table{program.model(), {}, {}};
  for (const gen::Body& b : schedule.stages)
    table.stages.push_back({b.name, b.count, b.count.total(), std::nullopt});
  for (std::size_t i = 0; i < schedule.functions.size(); ++i) {
    const sym::Count below = count_below(program.graph(), values_of(program.functions()[i]));
    table.functions.push_back(
        {program.functions()[i].name, schedule.functions[i].count, below.total(), std::nullopt});
  }
  return table;
}

// Sizes of all functions that a loaded library of kernels exports, by name, read from its table of
// symbols in memory; none for kernels that are not in a library of their own.
std::map<std::string, std::size_t> code_sizes(const klingel_kernel& kernel) {
  std::map<std::string, std::size_t> sizes;
  Dl_info info;
  link_map* library = nullptr;
  if (kernel.n_stages == 0 ||
      dladdr1(reinterpret_cast<const void*>(kernel.stages[0].call), &info,
              reinterpret_cast<void**>(&library), RTLD_DL_LINKMAP) == 0 ||
      library == nullptr)
    return sizes;
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  for (const ElfW(Dyn)* d = library->l_ld; d->d_tag != DT_NULL; ++d) {
    if (d->d_tag == DT_SYMTAB) symbols = reinterpret_cast<const ElfW(Sym)*>(d->d_un.d_ptr);
    if (d->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(d->d_un.d_ptr);
  }
  // the names follow the symbols in every library that ld writes
  if (symbols == nullptr || names <= reinterpret_cast<const char*>(symbols)) return sizes;
  const auto* end = reinterpret_cast<const ElfW(Sym)*>(names);
  const std::string prefix = std::string(kernel.model) + "_";
  for (const ElfW(Sym)* s = symbols; s + 1 <= end; ++s) {
    const std::string name = names + s->st_name;
    if (s->st_shndx != SHN_UNDEF && name.starts_with(prefix)) sizes[name] = s->st_size;
  }
  return sizes;
}

void add_bytes(Table& table, const klingel_kernel& kernel) {
  const std::map<std::string, std::size_t> sizes = code_sizes(kernel);
  const auto add = [&](OpsRow& row, const std::string& stem) {
    const std::string name = table.program + "_" + stem;
    for (const auto& [symbol, size] : sizes) {
      // the function itself and the parts it was cut into: name_0, name_1, ...
      const bool part = symbol.starts_with(name + "_") &&
                        symbol.find_first_not_of("0123456789", name.size() + 1) == symbol.npos;
      if (symbol == name || part) row.bytes = row.bytes.value_or(0) + size;
    }
  };
  for (OpsRow& r : table.stages) add(r, "stage_" + r.name);
  for (OpsRow& r : table.functions) add(r, r.name);
}

void print_rows(const char* title, const std::vector<OpsRow>& rows, bool code) {
  fmt::print("{:<14}{:>8}{:>8}{:>8}{:>6}{:>6}{:>6}{:>6}{:>7}{:>8}{:>9}{}\n", title, "atoms", "add",
             "mul", "div", "neg", "sqrt", "trig", "other", "total", "alone",
             code ? "     bytes" : "");
  for (const OpsRow& r : rows) {
    const sym::Count& c = r.own;
    fmt::print("{:<14}{:>8}{:>8}{:>8}{:>6}{:>6}{:>6}{:>6}{:>7}{:>8}{:>9}", r.name, c.atoms, c.add,
               c.mul, c.div, c.neg, c.sqrt, c.trig, c.other, c.total(), r.alone);
    if (code) fmt::print("{:>10}", r.bytes ? fmt::format("{}", *r.bytes) : "-");
    fmt::print("\n");
  }
}

void write_rows(base::Json& json, const char* key, const std::vector<OpsRow>& rows) {
  json.key(key).begin_object();
  for (const OpsRow& r : rows) {
    json.key(r.name).begin_object();
    gen::write_count(json, r.own);
    json.key("alone").value(static_cast<std::int64_t>(r.alone));
    if (r.bytes) json.key("bytes").value(static_cast<std::int64_t>(*r.bytes));
    json.end_object();
  }
  json.end_object();
}

// The article's functions and counts, and which of ours computes the same; per vehicle or per
// contact.
struct ArticleRow {
  const char* name;
  int atoms, operations;
  const char* ours;  // output, empty: we have none
  bool per_contact;
};
constexpr ArticleRow article_rows[] = {
    {"M_qq", 1795, 10910, "M_qq", false},      {"delta_q", 3648, 19015, "delta_NK", false},
    {"phi_n", 425, 1709, "phi_n", true},       {"phi_d", 541, 2150, "phi_d", true},
    {"dphi_n_dq", 784, 4116, "", false},       {"dphi_n_ds", 846, 6668, "dphi_n_ds", true},
    {"dphi_d_dq", 964, 6574, "", false},       {"dphi_d_ds", 1113, 8437, "dphi_d_ds", true},
    {"gamma_n", 3779, 25870, "gamma_n", true}, {"creep, by dq", 350, 1917, "", false},
};

struct Compared {
  std::string name;
  int atoms, operations;
  std::optional<sym::Count> ours;
};

std::vector<Compared> compare(const gen::Program& vehicle, std::size_t contacts) {
  sym::Graph graph;
  const gen::Program contact(graph, "contact", model::contact_reference_interface(graph));
  std::vector<Compared> rows;
  for (const ArticleRow& a : article_rows) {
    Compared row{a.name, a.atoms, a.operations, std::nullopt};
    const gen::Program& program = a.per_contact ? contact : vehicle;
    for (const sym::Function& f : program.functions()) {
      for (const sym::Output& o : f.outputs) {
        if (o.name != a.ours) continue;
        const sym::Count once = count_below(program.graph(), values_of({f.name, "", {o}}));
        row.ours = sym::Count{};
        for (std::size_t i = 0; i < (a.per_contact ? contacts : 1); ++i) *row.ours += once;
      }
    }
    rows.push_back(row);
  }
  return rows;
}

void print_article(const std::vector<Compared>& rows, std::size_t contacts) {
  fmt::print(
      "\nthe article's second table (its locomotive) and ours, each function alone; contacts {} "
      "times\n\n{:<14}{:>16}{:>12}{:>12}{:>12}\n",
      contacts, "function", "article: atoms", "operations", "ours: atoms", "operations");
  for (const Compared& r : rows) {
    fmt::print("{:<14}{:>16}{:>12}", r.name, r.atoms, r.operations);
    if (r.ours) {
      fmt::print("{:>12}{:>12}\n", r.ours->atoms, r.ours->total());
    } else {
      fmt::print("{:>12}{:>12}\n", "-", "-");
    }
  }
  fmt::print(
      "\n-: not a function here. Contacts act on the vehicle as wrenches on its wheelsets, and "
      "their\n"
      "products with the wheelsets' Jacobians are in 'solve' and 'impulse' above.\n");
}

}  // namespace

std::size_t code_bytes(const klingel_kernel& kernel) {
  std::size_t sum = 0;
  for (const auto& [symbol, size] : code_sizes(kernel)) sum += size;
  return sum;
}

void print_vehicle_ops(const VehicleOps& a) {
  const vehicle::Vehicle vehicle = vehicle::load_vehicle(a.vehicle);
  const std::unique_ptr<model::VehicleModel> model = model::build(vehicle);
  const gen::Program program = compile::vehicle_program(*model);
  sym::Graph graph;
  const gen::Program contact(graph, "contact", model::contact_interface(graph));
  Table tables[] = {table_of(program), table_of(contact)};
  if (a.code) {
    exec::Options options;
    options.backend = exec::Backend::cc;
    add_bytes(tables[0], exec::load(program, options).abi());
    add_bytes(tables[1], exec::load(contact, options).abi());
  }
  const std::size_t contacts = model->wheels.size();

  if (a.json) {
    base::Json json;
    json.begin_object().key("vehicle").value(vehicle.name);
    json.key("wheels").value(static_cast<std::int64_t>(contacts)).key("programs").begin_object();
    for (const Table& t : tables) {
      json.key(t.program).begin_object();
      write_rows(json, "stages", t.stages);
      write_rows(json, "functions", t.functions);
      json.end_object();
    }
    json.end_object();
    if (a.article) {
      json.key("article").begin_object();
      for (const Compared& r : compare(program, contacts)) {
        json.key(r.name).begin_object();
        json.key("article_atoms").value(static_cast<std::int64_t>(r.atoms));
        json.key("article_operations").value(static_cast<std::int64_t>(r.operations));
        if (r.ours) gen::write_count(json, *r.ours);
        json.end_object();
      }
      json.end_object();
    }
    json.end_object();
    fmt::print("{}", json.text());
    return;
  }
  fmt::print(
      "{}: operations of one call of each stage and function; what they share is in the stages.\n"
      "'alone': including everything it needs, except setup, which is computed once.\n",
      vehicle.name);
  for (const Table& t : tables) {
    fmt::print("\n{}{}\n\n", t.program,
               &t == &tables[1] ? fmt::format(", once per contact ({} wheels)", contacts) : "");
    print_rows("stage", t.stages, a.code);
    fmt::print("\n");
    print_rows("function", t.functions, a.code);
  }
  if (a.article) print_article(compare(program, contacts), contacts);
}

}  // namespace klingel::bench
