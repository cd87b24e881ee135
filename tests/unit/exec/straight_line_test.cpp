// Lines of instructions: everything a body computes and stores, operands with the instruction that
// needs them next, angles in groups.
#include "exec/straight_line.hpp"

#include <gmock/gmock.h>

#include <set>

#include "tests/unit/exec/models.hpp"
#include "tests/unit/gen/random_program.hpp"

namespace klingel::exec {
namespace {

std::vector<Line::Operand> operands_of(const Line& line, const Line::Instruction& i) {
  std::vector<Line::Operand> list;
  for (const Line::Operand& o : {i.a, i.b, i.c})
    if (o.value != Line::never) list.push_back(o);
  if (i.action == Action::sincos) {
    const auto& angles = line.groups[i.to].angles;
    list.insert(list.end(), angles.begin(), angles.end());
  }
  return list;
}

std::vector<Line> lines_of(const gen::Program& program) {
  const gen::Schedule schedule = gen::make_schedule(program);
  LineMaker maker(program, schedule);
  std::vector<Line> lines;
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) lines.push_back(maker.stage(s));
  for (std::size_t f = 0; f < schedule.functions.size(); ++f) lines.push_back(maker.function(f));
  return lines;
}

TEST(straight_line, says_when_every_operand_is_needed_next) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const gen::RandomProgram random(seed, 200);
    for (const Line& line : lines_of(random.program())) {
      for (std::uint32_t i = 0; i < line.instructions.size(); ++i) {
        for (const Line::Operand& o : operands_of(line, line.instructions[i])) {
          std::uint32_t next = i + 1;
          const auto uses = [&](std::uint32_t k) {
            for (const Line::Operand& other : operands_of(line, line.instructions[k]))
              if (other.value == o.value) return true;
            return false;
          };
          while (next < line.instructions.size() && !uses(next)) ++next;
          EXPECT_EQ(o.next, next == line.instructions.size() ? Line::never : next);
        }
      }
    }
  }
}

TEST(straight_line, reads_nothing_before_it_is_there) {
  for (unsigned seed = 21; seed <= 60; ++seed) {
    const gen::RandomProgram random(seed, 200);
    for (const Line& line : lines_of(random.program())) {
      std::set<std::uint32_t> known;
      for (std::uint32_t v = 0; v < line.values.size(); ++v)
        if (line.values[v].home.base != MemoryPlace::Base::nowhere) known.insert(v);
      for (const Line::Instruction& i : line.instructions) {
        for (const Line::Operand& o : operands_of(line, i)) EXPECT_TRUE(known.contains(o.value));
        if (i.action == Action::sincos) {
          for (const auto* results : {&line.groups[i.to].sines, &line.groups[i.to].cosines})
            known.insert(results->begin(), results->end());
        } else if (i.to != Line::never) {
          EXPECT_TRUE(known.insert(i.to).second) << "computed twice";
        }
      }
    }
  }
}

TEST(straight_line, computes_sines_and_cosines_together) {
  Model m("angles");
  const sym::Expr x = m.graph->symbol("x", sym::SymbolKind::coordinate),
                  y = m.graph->symbol("y", sym::SymbolKind::coordinate);
  m.program->input("q", {x, y});
  m.program->function(
      {"f", "", {sym::Output::scalar("r", sin(x) * cos(x) + cos(y) + sin(x * y) + cos(x * y))}});
  const Line line = lines_of(*m.program).back();
  ASSERT_EQ(line.groups.size(), 2u);
  EXPECT_EQ(line.groups[0].angles.size(), 2u);  // x and y, known on entry
  EXPECT_EQ(line.groups[1].angles.size(), 1u);  // x y, on the way
  EXPECT_NE(line.groups[1].sines[0], Line::never);
  EXPECT_NE(line.groups[1].cosines[0], Line::never);
}

TEST(straight_line, puts_the_most_frequent_constants_first) {
  Model m("constants");
  const sym::Expr x = m.graph->symbol("x", sym::SymbolKind::coordinate);
  m.program->input("q", {x});
  const std::vector<sym::Expr> y{x + 2.5,      x * 7.5,      x * x + 7.5,
                                 exp(x) * 7.5, exp(x) + 2.5, x - 0.1};
  m.program->function({"f", "", {sym::Output::vector("y", y)}});
  EXPECT_THAT(lines_of(*m.program).back().constants.at(0), 7.5);
}

}  // namespace
}  // namespace klingel::exec
