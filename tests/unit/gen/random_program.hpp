// Random programs for tests of the scheduler and the emitter: all operations, four stages, shared
// and unshared atoms, outputs of every shape. The same seed gives the same program everywhere.
// Values are not looked after; some become NaN.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "gen/program.hpp"
#include "sym/construct.hpp"

namespace klingel::gen {

class RandomProgram {
 public:
  RandomProgram(unsigned seed, std::size_t operations) : random_(seed) {
    program_.input("p", symbols("p", sym::SymbolKind::parameter, 0, 3));
    program_.stage("position").input("q", symbols("q", sym::SymbolKind::coordinate, 1, 3));
    program_.stage("velocity").input("dq", symbols("dq", sym::SymbolKind::velocity, 2, 2));
    program_.stage("force").input("f", symbols("f", sym::SymbolKind::force, 3, 2));
    for (std::size_t i = 0; i < operations; ++i) append();
    const std::size_t functions = 1 + below(5);
    for (std::size_t i = 0; i < functions; ++i) add_function(i);
  }

  const Program& program() const { return program_; }
  sym::Graph& graph() { return graph_; }

 private:
  // std::uniform_int_distribution differs between libraries
  std::size_t below(std::size_t n) { return random_() % n; }

  std::vector<sym::Expr> symbols(const char* name, sym::SymbolKind kind, std::size_t stage, int n) {
    std::vector<sym::Expr> list;
    for (int i = 0; i < n; ++i) {
      list.push_back(graph_.symbol(fmt::format("{}{}", name, i), kind, 0.3 + 0.2 * i));
      values_[stage].push_back(list.back());
    }
    return list;
  }

  // a value of this stage; half of them are recent
  sym::Expr pick(std::size_t stage) {
    const std::vector<sym::Expr>& list = values_[stage];
    const std::size_t n = list.size();
    return list[below(2) == 0 ? n - 1 - below(std::min<std::size_t>(n, 8)) : below(n)];
  }

  void append() {
    using sym::Op;
    const std::size_t stage = below(values_.size());
    const sym::Expr a = pick(stage);
    const sym::Expr b =
        below(8) == 0 ? graph_.rational(static_cast<int>(below(9)) + 1, 4) : pick(below(stage + 1));
    // mostly arithmetic: functions of functions soon are NaN everywhere
    constexpr std::array plain{Op::add, Op::sub, Op::mul};
    constexpr auto first = static_cast<unsigned>(Op::neg);
    const Op op = below(3) != 0 ? plain[below(plain.size())]
                                : static_cast<Op>(first + below(sym::op_count - first));
    if (op == Op::div && b.is(0)) return;
    const sym::Id id = sym::is_unary(op) ? sym::unary(graph_, op, a.id())
                                         : sym::binary(graph_, op, a.id(), b.id());
    if (is_number(graph_.op(id))) return;
    values_[stage].emplace_back(&graph_, id);
    if (below(40) == 0) graph_.set_label({&graph_, id}, fmt::format("label {}", id));
  }

  void add_function(std::size_t number) {
    sym::Function f{fmt::format("f{}", number), "a random function", {}};
    const std::size_t outputs = 1 + below(3);
    const std::size_t last_stage = std::max(below(values_.size()), below(values_.size()));
    for (std::size_t o = 0; o < outputs; ++o) {
      const auto rows = static_cast<std::uint32_t>(1 + below(4));
      const auto cols = static_cast<std::uint32_t>(1 + below(3));
      std::vector<sym::Entry> entries;
      for (std::uint32_t c = 0; c < cols; ++c) {
        for (std::uint32_t r = 0; r < rows; ++r) {
          if (below(4) == 0) continue;
          const bool constant = below(12) == 0;
          entries.push_back({r, c, constant ? graph_.number(0.1) : pick(below(last_stage + 1))});
        }
      }
      f.outputs.push_back({fmt::format("y{}", o), sym::Matrix(rows, cols, entries), below(2) == 0});
    }
    program_.function(std::move(f));
  }

  std::mt19937 random_;
  sym::Graph graph_;
  Program program_{graph_, "random"};
  std::array<std::vector<sym::Expr>, 4> values_;  // by stage; some belong to an earlier one
};

}  // namespace klingel::gen
