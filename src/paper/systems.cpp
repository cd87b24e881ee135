// Figures and tables of the article about its equations: which entries of the three systems are not
// zero, and how many operations the functions take.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "mech/equations.hpp"
#include "mech/kinematics.hpp"
#include "model/contact.hpp"
#include "paper/parts.hpp"
#include "report/paper_pattern.hpp"
#include "runtime/dense_matrix.hpp"
#include "step/vehicle_copy.hpp"
#include "sym/count.hpp"
#include "sym/jacobian.hpp"
#include "sym/traverse.hpp"

namespace klingel::paper {
namespace {

using report::Agreement;
using report::Pattern;
using sym::Expr;
using Entries = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // row, column

const sym::Matrix* output(const std::vector<sym::Function>& functions, std::string_view name) {
  for (const sym::Function& f : functions)
    for (const sym::Output& o : f.outputs)
      if (o.name == name) return &o.matrix;
  return nullptr;
}

Entries entries(const sym::Matrix& m) {
  Entries list;
  for (const sym::Entry& e : m.entries()) list.insert({e.row, e.col});
  return list;
}

// entries of a product that can be other than zero
Entries product(const Entries& a, const Entries& b) {
  Entries list;
  for (const auto& [row, k] : a)
    for (const auto& [inner, col] : b)
      if (inner == k) list.insert({row, col});
  return list;
}

// Everything the three systems are put together from: n coordinates, c contacts.
struct Blocks {
  std::uint32_t n = 0, c = 0;
  Entries M, C;                           // n x n
  Entries dphi_n_dq, dphi_d_dq;           // c x n, 4c x n
  Entries dphi_d_ds;                      // 4c x 4c
  std::size_t dphi_n_ds = 0;              // entries that are there as symbols, c x 4c
  std::vector<std::uint32_t> delta_rows;  // of delta_q that are not zero
};

Blocks blocks_of(const compile::PreparedRun& p, const mech::Equations& equations) {
  mech::Model& m = p.model->mechanics;
  sym::Graph contact_graph;
  const sym::Interface contact = model::contact_reference_interface(contact_graph);
  const auto of_contact = [&](const char* name) {
    const sym::Matrix* found = output(contact.functions, name);
    return found != nullptr ? entries(*found) : Entries{};
  };
  Blocks b;
  b.n = static_cast<std::uint32_t>(equations.q.size());
  b.c = static_cast<std::uint32_t>(p.model->wheels.size());
  b.M = entries(equations.M_qq);
  for (std::uint32_t i = 0; i < b.n; ++i)
    if (!equations.delta_q[i].is(0)) b.delta_rows.push_back(i);
  b.dphi_n_ds = b.c * of_contact("dphi_n_ds").size();

  // motion of each wheelset by dq, as the contacts take it: v_C, w, spin; and w with the spin
  const mech::Frame ground = m.ground();
  for (std::uint32_t i = 0; i < b.c; ++i) {
    const model::WheelsetPlace& w = p.model->wheelsets[p.model->wheels[i].wheelset];
    std::vector<Expr> twist, total;
    const auto add = [&](std::vector<Expr>& list, const mech::Vector& u) {
      const mech::Vector v = mech::in_base(u, ground.base);
      list.insert(list.end(), v.c.begin(), v.c.end());
    };
    add(twist, mech::velocity(ground, w.centre));
    total = twist;
    add(twist, mech::angular_velocity(ground.base, w.still));
    twist.push_back(mech::in_base(mech::angular_velocity(w.still, w.spinning), w.still).y());
    add(total, mech::angular_velocity(ground.base, w.spinning));
    const Entries J = entries(sym::jacobian(twist, equations.dq));
    for (const auto& [row, col] : product(of_contact("dphi_n_dtwist"), J))
      b.dphi_n_dq.insert({i + row, col});
    for (const auto& [row, col] : product(of_contact("dphi_d_dtwist"), J))
      b.dphi_d_dq.insert({4 * i + row, col});
    for (const auto& [row, col] : of_contact("dphi_d_ds"))
      b.dphi_d_ds.insert({4 * i + row, 4 * i + col});
    // creep forces act on all of the wheelset's motion: J^T B J with a full B
    std::set<std::uint32_t> moved;
    for (const auto& [row, col] : entries(sym::jacobian(total, equations.dq))) moved.insert(col);
    for (const std::uint32_t j : moved)
      for (const std::uint32_t k : moved) b.C.insert({j, k});
  }
  return b;
}

// The largest derivative of the gap by a contact coordinate where the run starts, by differences;
// by theta_w per m of the tread, so that all four are numbers.
double largest_dphi_n_ds(const compile::PreparedRun& p) {
  const step::Simulator& simulator = *p.simulator;
  const step::VehicleState& start = simulator.state();
  step::VehicleCopy copy(simulator);
  copy.take_state(start);
  const step::Contact contact = copy.rigid()->tread[0];
  constexpr double d = 1e-6;
  const std::array<double, 4> s = contact.s();
  const double radius = simulator.data().wheels[0].surface.f_w.value(s[1]);
  double most = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    const double step = k == 0 ? d / radius : d;
    const auto gap = [&](double by) {
      std::array<double, 4> moved = s;
      moved[k] += by;
      contact.set_s(moved);
      return contact.phi_n();
    };
    most = std::max(most, std::abs(gap(step) - gap(-step)) / (2 * d));
  }
  return most;
}

// How far the matrix of a step is from symmetric: the largest |A - A^T| in its rows and columns of
// q, over its largest entry there.
double asymmetry(const compile::PreparedRun& p) {
  step::Simulator& simulator = *p.simulator;
  const step::VehicleState start = simulator.state();
  double most = 0, scale = 0;
  if (simulator.step(p.scenario.step) == runtime::Status::ok) {
    const step::Description& vehicle = *simulator.description();
    runtime::KernelSet& kernels = simulator.kernels_of_last_step();
    Eigen::MatrixXd A(vehicle.n + vehicle.w, vehicle.n + vehicle.w);
    runtime::evaluate_dense(kernels, vehicle.id.step_matrix, A);
    const auto n = static_cast<Eigen::Index>(vehicle.n);
    const Eigen::MatrixXd M = A.topLeftCorner(n, n);
    most = (M - M.transpose()).cwiseAbs().maxCoeff();
    scale = M.cwiseAbs().maxCoeff();
  }
  simulator.set_state(start);
  return scale > 0 ? most / scale : 0;
}

bool is_block_diagonal(const Entries& list, std::uint32_t size) {
  return std::all_of(list.begin(), list.end(),
                     [size](const auto& e) { return e.first / size == e.second / size; });
}

class PatternBuilder {
 public:
  explicit PatternBuilder(std::vector<Pattern::Block> blocks) {
    pattern_.blocks = std::move(blocks);
  }
  void add(const Entries& list, std::uint32_t row, std::uint32_t col, bool transposed = false) {
    for (const auto& [i, k] : list)
      entries_.insert(transposed ? std::pair{row + k, col + i} : std::pair{row + i, col + k});
  }
  void right_side(std::uint32_t row) { pattern_.right_side.push_back(row); }
  Pattern pattern() && {
    pattern_.entries.assign(entries_.begin(), entries_.end());
    return std::move(pattern_);
  }

 private:
  Pattern pattern_;
  Entries entries_;
};

Pattern full_system(const Blocks& b) {
  const std::uint32_t n = b.n, c = b.c;
  PatternBuilder all({{"q", n}, {"s", 4 * c}, {"λn", c}, {"λd", 4 * c}});
  const std::uint32_t s = n, ln = s + 4 * c, ld = ln + c;
  all.add(b.M, 0, 0);
  all.add(b.dphi_n_dq, ln, 0);
  all.add(b.dphi_n_dq, 0, ln, true);
  all.add(b.dphi_d_dq, ld, 0);
  all.add(b.dphi_d_dq, 0, ld, true);
  all.add(b.dphi_d_ds, ld, s);
  all.add(b.dphi_d_ds, s, ld, true);
  for (const std::uint32_t row : b.delta_rows) all.right_side(row);
  for (std::uint32_t i = ln; i < ld + 4 * c; ++i) all.right_side(i);
  return std::move(all).pattern();
}

Pattern reduced_system(const Blocks& b, const Entries& upper_left) {
  PatternBuilder all({{"q", b.n}, {"λn", b.c}});
  all.add(upper_left, 0, 0);
  all.add(b.dphi_n_dq, b.n, 0);
  all.add(b.dphi_n_dq, 0, b.n, true);
  for (const std::uint32_t row : b.delta_rows) all.right_side(row);
  for (std::uint32_t i = 0; i < b.c; ++i) all.right_side(b.n + i);
  return std::move(all).pattern();
}

double share(const Pattern& p) {
  const double size = p.size();
  return 100 * static_cast<double>(p.entries.size()) / (size * size);
}

void add_patterns(PaperContents& contents, const compile::PreparedRun& p, const Blocks& b) {
  const Pattern full = full_system(b), reduced = reduced_system(b, b.M);
  Entries both = b.M;
  both.insert(b.C.begin(), b.C.end());
  const Pattern imex = reduced_system(b, both);
  const auto words = [](const Pattern& pattern) {
    return fmt::format("{} × {}, {} entries that are not zero ({:.1f} %), {} in the right side",
                       pattern.size(), pattern.size(), pattern.entries.size(), share(pattern),
                       pattern.right_side.size());
  };
  const auto add = [&](const char* id, const char* title, std::string article,
                       const Pattern& pattern, double dot, bool agrees, std::string verdict,
                       std::string criterion, std::string note, const char* file) {
    report::PaperPart part;
    part.id = id;
    part.title = title;
    part.article = std::move(article);
    part.ours = report::pattern_svg(pattern, dot);
    part.agreement = agrees ? Agreement::agrees : Agreement::differs;
    part.verdict = std::move(verdict);
    part.criterion = std::move(criterion);
    part.note = std::move(note);
    const std::string name = file;
    contents.add(std::move(part), {{name + ".csv", report::pattern_csv(pattern)},
                                   {name + ".svg", report::pattern_svg(pattern, dot)}});
  };

  constexpr std::uint32_t contacts = 8, coordinates = 30;  // 60 printed, velocities included
  constexpr std::uint32_t size = coordinates + 9 * contacts;
  constexpr double vanishes = 1e-6;  // what the tolerance of phi_d leaves
  const double slope = largest_dphi_n_ds(p);
  const bool diagonal = is_block_diagonal(b.dphi_d_ds, 4);
  add("fig1", "Structure of the full system",
      fmt::format("Dots where the system in q, s and all multipliers has entries. With the "
                  "article's {} contacts and {} coordinates it has {} rows; nonzeros are not "
                  "counted. dphi_n_ds is numerically zero although some of its entries exist as "
                  "expressions; dphi_d_ds has blocks of 4 × 4.",
                  contacts, coordinates, size),
      full, 4.6, full.size() == size && diagonal && slope < vanishes,
      fmt::format(
          "{}; the article's has {} rows. {} entries of dphi_n_ds exist as expressions; "
          "numerically the largest is {:.1e}, at the first wheel at the start of the run, so "
          "they {} left out. dphi_d_ds has {} entries, {} in {} blocks of 4 × 4.",
          words(full), size, b.dphi_n_ds, slope,
          slope < vanishes ? "vanish and are" : "do not vanish and are wrongly", b.dphi_d_ds.size(),
          diagonal ? "all of them" : "not all of them", b.c),
      fmt::format(
          "Agrees if the number of rows is the same, dphi_d_ds is block-diagonal, and "
          "dphi_n_ds is numerically below {:g}, as the tolerance of the tangent constraints "
          "permits.",
          vanishes),
      "An entry counts if it is not identically zero as an expression.", "full_system");
  const std::uint32_t small = coordinates + contacts;
  constexpr double decent = 25;  // %
  add("fig2", "Structure of the reduced system",
      fmt::format(
          "The same after s and its multipliers are eliminated: {} rows; \"a decent amount of "
          "sparsity\".",
          small),
      reduced, 9, reduced.size() == small && 100 - share(reduced) > decent,
      fmt::format("{}; the article's has {} rows. {:.0f} % of its entries are zero, and it has "
                  "{:.1f} times fewer rows than the full one.",
                  words(reduced), small, 100 - share(reduced),
                  static_cast<double>(full.size()) / reduced.size()),
      fmt::format(
          "Agrees if the number of rows is the same and more than {:g} % of the entries are "
          "zero: then an elimination that uses the pattern saves time.",
          decent),
      "", "reduced_system");
  const std::size_t more = imex.entries.size() - reduced.entries.size();
  const double added =
      100 * static_cast<double>(more) / static_cast<double>(reduced.entries.size());
  constexpr double similar = 10;  // %
  add("fig3", "Structure of the implicit-explicit system",
      "The matrix of the step, M + h C in place of M; \"very similar\" to the reduced one.", imex,
      9, added <= similar,
      fmt::format(
          "{}: {} more than the reduced system, {:.1f} % of its entries{}. In the first step of "
          "the run, the largest asymmetry of its q part is {:.1e} of its largest entry.",
          words(imex), more, added, added <= similar ? "" : ", which is visible", asymmetry(p)),
      fmt::format("Agrees if at most {:g} % are added: more would be visible in the figure.",
                  similar),
      "C is assumed full between coordinates that move the same wheelset.", "imex_system");
}

// What it takes to evaluate once; what depends on parameters only is done at setup and not counted.
sym::Count cost(const sym::Graph& g, const std::vector<Expr>& values) {
  std::vector<sym::Id> roots, nodes;
  for (const Expr& e : values) roots.push_back(e.id());
  for (const sym::Id id : sym::nodes_below(g, roots))
    if ((g.node(id).kinds & ~bit(sym::SymbolKind::parameter)) != 0) nodes.push_back(id);
  return sym::count(g, nodes);
}

std::vector<Expr> values(const sym::Matrix& m) {
  std::vector<Expr> list;
  for (const sym::Entry& e : m.entries()) list.push_back(e.value);
  return list;
}

void add_operations(PaperContents& contents, const compile::PreparedRun& p,
                    const mech::Equations& equations, const gen::Program& vehicle) {
  sym::Graph graph;
  const sym::Interface contact = model::contact_reference_interface(graph);
  const std::size_t wheels = p.model->wheels.size();
  // outputs of one contact that the article's function has for eight, and of the vehicle
  struct Row {
    const char* name;
    std::size_t atoms, operations;  // of the article
    const char *of_contact, *of_vehicle;
  };
  constexpr Row rows[] = {{"M_qq", 1795, 10910, nullptr, nullptr},
                          {"delta_q", 3648, 19015, nullptr, nullptr},
                          {"phi_n", 425, 1709, "phi_n", "poses"},
                          {"phi_d", 541, 2150, "phi_d", "poses"},
                          {"dphi_n_dq", 784, 4116, "dphi_n_dtwist", "dphi_n_dq"},
                          {"dphi_n_ds", 846, 6668, "dphi_n_ds", nullptr},
                          {"dphi_d_dq", 964, 6574, "dphi_d_dtwist", "J"},
                          {"dphi_d_ds", 1113, 8437, "dphi_d_ds", nullptr},
                          {"beta_n", 0, 0, nullptr, nullptr},
                          {"gamma_n", 3779, 25870, "gamma_n", "biases"}};
  report::PaperTable table{{"function", "article: atoms", "operations", "Klingel: atoms",
                            "operations", "of the article"},
                           {}};
  std::string csv = "function,article_atoms,article_operations,atoms,operations\n";
  std::size_t fewer = 0, compared = 0, ours = 0, theirs = 0;
  std::string longer;
  for (const Row& r : rows) {
    sym::Count c;
    bool known = true;
    const std::string name = r.name;
    if (name == "M_qq") c = cost(p.model->mechanics.graph(), values(equations.M_qq));
    if (name == "delta_q") c = cost(p.model->mechanics.graph(), equations.delta_q);
    if (r.of_contact != nullptr) {
      const sym::Matrix* found = output(contact.functions, r.of_contact);
      known = found != nullptr;
      if (known) {
        const sym::Count one = cost(graph, values(*found));
        for (std::size_t i = 0; i < wheels; ++i) c += one;
      }
    }
    if (r.of_vehicle != nullptr && known) {
      const sym::Matrix* found = output(vehicle.functions(), r.of_vehicle);
      known = found != nullptr;
      if (known) c += cost(vehicle.graph(), values(*found));
    }
    const double ratio = static_cast<double>(c.total()) / static_cast<double>(r.operations);
    table.rows.push_back({name, fmt::format("{}", r.atoms), fmt::format("{}", r.operations),
                          known ? fmt::format("{}", c.atoms) : "–",
                          known ? fmt::format("{}", c.total()) : "–",
                          known && r.operations > 0 ? fmt::format("{:.0f} %", 100 * ratio) : "–"});
    if (known)
      csv += fmt::format("{},{},{},{},{}\n", name, r.atoms, r.operations, c.atoms, c.total());
    if (!known || r.operations == 0) continue;
    ++compared, fewer += c.total() < r.operations;
    if (c.total() > r.operations) longer += (longer.empty() ? "" : ", ") + name;
    ours += c.total(), theirs += r.operations;
  }
  report::PaperPart part;
  part.id = "table:functions";
  part.title = "Atoms and operations of the functions";
  part.article =
      "Its second table: atoms and operations per function of the model. An atom of the article "
      "may hold several operations, ours is one operation. beta_n is zero in both. The last row, "
      "the product for C of a contact (350 atoms, 1917 operations), has no counterpart: here a "
      "6 × 6 matrix couples wheelsets and contacts.";
  part.ours = report::markup(table);
  part.agreement = longer.empty() ? Agreement::agrees : Agreement::differs;
  part.verdict = fmt::format(
      "{} of {} functions take fewer operations than the article's; all together {} instead of {} "
      "({:.0f} %).{}",
      fewer, compared, ours, theirs,
      theirs > 0 ? 100 * static_cast<double>(ours) / static_cast<double>(theirs) : 0.0,
      longer.empty() ? "" : " These take more: " + longer + ".");
  part.criterion =
      "Agrees if no function takes more operations than the article's: the article claims that "
      "symbolic methods need few operations, not exactly these numbers.";
  part.note = fmt::format(
      "Ours are the count of one contact times {}, plus the vehicle's part, each function counted "
      "alone. Expressions of parameters only are evaluated at setup and not counted.",
      wheels);
  contents.add(std::move(part), {{"operations.csv", csv}});
}

}  // namespace

void add_paper_systems(PaperContents& contents, compile::PreparedRun& p) {
  const mech::Equations equations = mech::equations(p.model->mechanics);
  add_patterns(contents, p, blocks_of(p, equations));
  const gen::Program vehicle = compile::vehicle_program(*p.model);
  sym::Graph graph;
  const gen::Program contact(graph, "contact", model::contact_interface(graph));
  add_paper_step(contents, p, vehicle, contact);
  add_operations(contents, p, equations, vehicle);
}

}  // namespace klingel::paper
