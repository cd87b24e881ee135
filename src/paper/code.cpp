// Figures of the article about code: the mass matrix of its four-bar linkage as C, and atoms that
// are made on the way.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "examples/mechanisms.hpp"
#include "gen/emit_c.hpp"
#include "mech/equations.hpp"
#include "paper/parts.hpp"
#include "sym/count.hpp"
#include "sym/print.hpp"
#include "sym/tape.hpp"

namespace klingel::paper {
namespace {

using report::Agreement;
using sym::Expr;

// The closed form of what the article's listing computes, with the sign turned: there M and delta
// are both negated. Three links, angles relative, moments of inertia about the joints.
std::array<double, 9> printed_matrix(const mech::Model& m) {
  const auto value = [&](const char* name) -> double {
    for (const Expr& p : m.parameters()) {
      const sym::Symbol& s = p.graph().symbol_of(p.id());
      if (s.name == name) return s.value;
    }
    return NAN;
  };
  const auto angle = [&](std::size_t i) { return sym::value(m.coordinates()[i].q); };
  const double l1 = value("l1"), l2 = value("l2"), m2 = value("m2"), m3 = value("m3");
  const double t2 = angle(1), t23 = angle(1) + angle(2), t3 = angle(2);
  const auto arm = [&](const char* x, const char* z, double t) {
    return value(x) * std::cos(t) + value(z) * std::sin(t);
  };
  const double third = value("I3yy");
  const double c23 = m3 * l2 * arm("cg3x", "cg3z", t3), c13 = m3 * l1 * arm("cg3x", "cg3z", t23);
  const double c12 = m2 * l1 * arm("cg2x", "cg2z", t2) + m3 * l1 * l2 * std::cos(t2);
  const double M22 = value("I2yy") + third + m3 * l2 * l2 + 2 * c23;
  const double M12 = M22 + c12 + c13, M23 = third + c23, M13 = M23 + c13;
  const double M11 = value("I1yy") + M22 + (m2 + m3) * l1 * l1 + 2 * (c12 + c13);
  return {M11, M12, M13, M12, M22, M23, M13, M23, third};
}

// The part of a C file that computes: from its first function to its tables of names, without
// functions that have nothing to do.
std::string computing(const std::string& code) {
  const std::size_t begin = code.find("void "), end = code.find("static const", begin);
  if (begin == std::string::npos) return code;
  std::string text = code.substr(begin, end == std::string::npos ? end : end - begin), out;
  text += "\n\n";
  for (std::size_t at = 0, next; (next = text.find("\n\n", at)) != std::string::npos;
       at = next + 2) {
    const std::string block = text.substr(at, next - at);
    if (block.find("{\n}") == std::string::npos && !block.empty()) out += block + "\n\n";
  }
  return out;
}

report::PaperPart four_bar(std::vector<std::pair<std::string, std::string>>& files) {
  mech::Model model("four_bar");
  examples::build_four_bar(model);
  const mech::Equations equations = mech::equations(model);
  sym::Interface interface = mech::interface(model, equations);
  std::erase_if(interface.functions, [](const sym::Function& f) { return f.name != "M_qq"; });
  const gen::Program program(model.graph(), "four_bar", interface);
  std::string code;
  for (const gen::File& f : gen::emit_c(program).files) {
    if (f.name == "four_bar.c") code = f.text;
    files.emplace_back("four_bar/" + f.name, f.text);
  }
  std::vector<Expr> entries;
  double largest = 0, scale = 0;
  const std::array<double, 9> printed = printed_matrix(model);
  for (const sym::Entry& e : equations.M_qq.entries()) {
    entries.push_back(e.value);
    largest = std::max(largest, std::abs(sym::value(e.value) - printed[3 * e.col + e.row]));
    scale = std::max(scale, std::abs(printed[3 * e.col + e.row]));
  }
  const sym::Count c = sym::count(entries);
  constexpr std::size_t atoms = 16, operations = 90;  // counted in the article's listing

  report::PaperPart part;
  part.id = "fig_atomization";
  part.title = "Generated C: the mass matrix of a four-bar linkage";
  part.article = fmt::format(
      "Prints the exported C of the mass matrix of a four-bar linkage with three relative angles: "
      "{} atoms, then nine entries; {} operations, counting signs, 4 of them sines and cosines. "
      "Each "
      "of its atoms may hold several operations; ours hold one each.",
      atoms, operations);
  part.ours = report::listing(computing(code));
  constexpr double rounding = 1e-13;  // of numbers of 16 digits after some sums and products
  const bool same = largest <= rounding * scale;
  part.agreement = same ? Agreement::agrees : Agreement::differs;
  part.verdict = fmt::format(
      "At the nominal angles our nine entries, up to {:.3g} kg m², differ from the article's "
      "expressions by at most {:.1e} kg m² (with opposite sign: the article negates M and delta). "
      "Ours "
      "takes {} operations, {} of them sines and cosines, where the article's listing has {}: {}.",
      scale, largest, c.total(), c.trig, operations,
      c.total() <= operations
          ? fmt::format("{:.0f} % fewer", 100 * (1 - static_cast<double>(c.total()) / operations))
          : fmt::format("{:.0f} % more", 100 * (static_cast<double>(c.total()) / operations - 1)));
  part.criterion = fmt::format(
      "Agrees if all nine entries are the same within {:g} of the largest: rounding. The number of "
      "operations depends on how atoms are shared and may differ.",
      rounding);
  return part;
}

report::PaperPart on_the_way() {
  sym::Graph g;
  const Expr theta = g.symbol("theta"), cosine = cos(theta), sine = sin(theta);
  const std::array<Expr, 3> u{g.symbol("u_x"), g.symbol("u_y"), g.symbol("u_z")};
  const std::array<Expr, 3> v{g.symbol("v_x"), g.symbol("v_y"), g.symbol("v_z")};
  // the whole matrix, its zeros and ones included
  const Expr zero = g.number(0), one = g.number(1), minus_sine = -sine;
  const Expr R[3][3] = {{one, zero, zero}, {zero, cosine, minus_sine}, {zero, sine, cosine}};
  std::vector<Expr> sum;
  for (std::size_t i = 0; i < 3; ++i) {
    Expr row = zero;
    for (std::size_t k = 0; k < 3; ++k) row += R[i][k] * v[k];
    sum.push_back(u[i] + row);
  }
  const sym::Count c = sym::count(sum);
  const std::vector<std::pair<std::string, Expr>> results = {
      {"sum_x", sum[0]}, {"sum_y", sum[1]}, {"sum_z", sum[2]}};

  constexpr std::size_t atoms = 11;
  report::PaperPart part;
  part.id = "fig:on_the_way";
  part.title = "Atoms created during construction: u + R v";
  part.article = fmt::format(
      "Adds two vectors given in bases that are rotated relative to each other about x and lists "
      "the "
      "atoms that appear, {} of them. (Its atom 8 has a minus where the matrix has a plus: a "
      "misprint.)",
      atoms);
  part.ours = report::listing(sym::listing(results, sym::Language::c));
  part.agreement = c.atoms == atoms ? Agreement::agrees : Agreement::differs;
  part.verdict = fmt::format(
      "The product with the whole matrix leaves {} atoms, {} products, {} sums and {} sines and "
      "cosines; the article has {} atoms. A matrix without zeros and ones takes 9 products and, "
      "with the sum of the vectors, 9 sums: {} operations are left out.",
      c.atoms, c.mul, c.add, c.trig, atoms, 18 - static_cast<int>(c.mul) - static_cast<int>(c.add));
  part.criterion = "Agrees if the number of atoms is the same.";
  return part;
}

}  // namespace

void add_paper_code(PaperContents& contents) {
  std::vector<std::pair<std::string, std::string>> files;
  report::PaperPart part = four_bar(files);
  contents.add(std::move(part), std::move(files));
  contents.add(on_the_way());
}

}  // namespace klingel::paper
