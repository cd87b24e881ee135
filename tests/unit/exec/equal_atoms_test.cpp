// Rows of equal atoms: found by names and structure, and computed side by side to the bits of the
// interpreter.
#include "exec/equal_atoms.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <random>

#include "exec/evaluator.hpp"
#include "exec/straight_line.hpp"
#include "tests/unit/exec/fixture.hpp"

namespace klingel::exec {
namespace {

using sym::Expr;

bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) ||
         std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// A body, two bogies, four wheelsets; signs differ between front and rear.
struct Coach {
  sym::Graph g;
  std::unique_ptr<gen::Program> program;

  struct Part {
    Expr q, dq, force, a;
  };

  explicit Coach(unsigned seed, int operations = 60, bool odd = false) : random_(seed) {
    const Expr length = g.parameter("length", 2.5), k = g.parameter("k", 3.0);
    parameters_ = {length, k, length / 2, g.rational(3, 4)};
    const Part body = part("");
    std::vector<Part> bogies, wheelsets;
    for (const std::string bogie : {"front", "rear"}) {
      bogies.push_back(part(bogie + "."));
      for (const std::string wheelset : {"front", "rear"})
        wheelsets.push_back(part(bogie + "." + wheelset + "."));
    }
    // the same formulas for all parts of a kind
    const unsigned of_wheelset = random_(), of_bogie = random_();
    std::vector<Expr> forces, sums, places;
    for (int b = 0; b < 2; ++b) {
      const Expr end = b == 0 ? g.rational(1, 1) : g.rational(-1, 1);
      std::vector<Expr> both;
      for (int w = 0; w < 2; ++w) {
        const Expr side = w == 0 ? g.rational(1, 1) : g.rational(-1, 1);
        const Part& p = wheelsets[static_cast<std::size_t>(2 * b + w)];
        const Part& frame = bogies[static_cast<std::size_t>(b)];
        std::vector<Expr> known{p.q, p.dq, p.force, frame.q, frame.dq, side * length, body.q};
        if (odd && b == 1 && w == 1) known.push_back(exp(p.q / 100));
        both.push_back(made(of_wheelset, known, operations));
        places.push_back(made(of_wheelset + 1, {p.q, frame.q, side * length}, operations / 4));
        forces.push_back(both.back() * p.force);
      }
      const Part& frame = bogies[static_cast<std::size_t>(b)];
      sums.push_back(
          made(of_bogie, {both[0], both[1], frame.q, frame.dq, end * length, body.q}, operations));
    }
    const Expr all = sums[0] + sums[1] * body.dq;
    for (Expr& f : forces) f = f + all * k;
    program = std::make_unique<gen::Program>(g, "coach");
    program->input("p", {length, k});
    program->stage("position").input("q", q_);
    program->stage("velocity").input("dq", dq_);
    program->stage("force").input("f", forces_);
    program->function({"forces", "", {sym::Output::vector("forces", forces)}});
    program->function({"places", "", {sym::Output::vector("places", places)}});
    program->function(
        {"sums", "", {sym::Output::vector("sums", sums), sym::Output::scalar("all", all)}});
  }

  std::size_t rows(unsigned width) const {
    const gen::Schedule schedule = gen::make_schedule(*program);
    const EqualAtoms equal(*program, schedule);
    return static_cast<std::size_t>(
        std::count_if(equal.rows().begin(), equal.rows().end(),
                      [&](const EqualAtoms::Row& row) { return row.width == width; }));
  }

 private:
  Part part(const std::string& path) {
    const sym::Coordinate x = g.coordinate(path + "x", 0.3);
    const Expr force = g.symbol(path + "f", sym::SymbolKind::force, 1);
    q_.push_back(x.q), dq_.push_back(x.dq), forces_.push_back(force);
    return {x.q, x.dq, force, x.ddq};
  }

  Expr made(unsigned seed, std::vector<Expr> known, int operations) {
    std::mt19937 random(seed);
    known.insert(known.end(), parameters_.begin(), parameters_.end());
    const auto pick = [&] {
      const std::size_t n = known.size();
      return known[random() % 2 == 0 ? n - 1 - random() % std::min<std::size_t>(n, 5)
                                     : random() % n];
    };
    for (int i = 0; i < operations; ++i) {
      const Expr a = pick(), b = pick();
      switch (random() % 12) {
        case 0:
        case 1:
          known.push_back(a + b);
          break;
        case 2:
        case 3:
          known.push_back(a - b);
          break;
        case 4:
        case 5:
        case 6:
          known.push_back(a * b);
          break;
        case 7:
          known.push_back(a * b - pick());
          break;
        case 8:
          known.push_back(random() % 2 == 0 ? sin(a) : cos(a));
          break;
        case 9:
          known.push_back(a / (b * b + 2));
          break;
        case 10:
          known.push_back(random() % 2 == 0 ? sqrt(abs(a)) : -a);
          break;
        default:
          known.push_back(random() % 2 == 0 ? min(a, b) : max(a, b));
      }
    }
    return known[known.size() - 1] + known[known.size() - 2] * pick();
  }

  std::mt19937 random_;
  std::vector<Expr> parameters_, q_, dq_, forces_;
};

class EqualAtomsTest : public ExecTest {
 protected:
  void SetUp() override {
    if (const std::string refusal = jit_refusal(); !refusal.empty()) GTEST_SKIP() << refusal;
  }

  void expect_equal(const Coach& coach, const std::function<double()>& draw, int rounds) {
    const Kernel jit = load(*coach.program, options(Backend::jit)),
                 interpreter = load(*coach.program, options(Backend::interpreter));
    Evaluator a(jit), b(interpreter);
    for (int round = 0; round < rounds; ++round) {
      for (std::uint32_t i = 0; i < jit.abi().n_inputs; ++i) {
        std::vector<double> values(jit.abi().inputs[i].size);
        for (double& x : values) x = draw();
        a.set(jit.abi().inputs[i].name, values);
        b.set(jit.abi().inputs[i].name, values);
      }
      for (std::uint32_t f = 0; f < jit.abi().n_functions; ++f) {
        const char* name = jit.abi().functions[f].name;
        const auto x = a.evaluate(name), y = b.evaluate(name);
        for (std::size_t o = 0; o < x.size(); ++o)
          for (std::size_t k = 0; k < x[o].size(); ++k)
            ASSERT_TRUE(same(x[o][k], y[o][k]))
                << name << ' ' << o << ' ' << k << ": " << x[o][k] << " and " << y[o][k];
      }
    }
  }
};

TEST_F(EqualAtomsTest, give_the_bits_of_the_interpreter) {
  std::mt19937 random(1);
  const auto draw = [&] { return std::ldexp(static_cast<double>(random() % 2000) - 1000, -9); };
  for (unsigned seed = 0; seed < 120; ++seed) {
    SCOPED_TRACE(seed);
    expect_equal(Coach(seed, 10 + static_cast<int>(seed)), draw, 3);
    if (HasFatalFailure()) return;
  }
}

TEST_F(EqualAtomsTest, give_them_with_more_values_than_registers) {
  std::mt19937 random(2);
  const auto draw = [&] { return std::ldexp(static_cast<double>(random() % 2000) - 1000, -9); };
  for (unsigned seed = 0; seed < 4; ++seed) expect_equal(Coach(seed, 900), draw, 2);
}

TEST_F(EqualAtomsTest, give_them_for_zeros_infinities_and_nan) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> special = {0.0,       -0.0, 1.0,   -1.0,    infinity,
                                       -infinity, NAN,  1e308, -4e-324, 0.5};
  std::mt19937 random(3);
  const auto draw = [&] { return special[random() % special.size()]; };
  for (unsigned seed = 500; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    expect_equal(Coach(seed, 10 + static_cast<int>(seed % 90), seed % 3 == 0), draw, 4);
    if (HasFatalFailure()) return;
  }
}

TEST_F(EqualAtomsTest, one_part_that_differs_is_computed_for_itself) {
  std::mt19937 random(4);
  const auto draw = [&] { return std::ldexp(static_cast<double>(random() % 2000) - 1000, -9); };
  for (unsigned seed = 0; seed < 20; ++seed) expect_equal(Coach(seed, 50, true), draw, 2);
}

TEST_F(EqualAtomsTest, four_wheelsets_are_rows_of_four_and_two_bogies_rows_of_two) {
  const Coach coach(7, 40);
  EXPECT_GT(coach.rows(4), 20u);
  EXPECT_GT(coach.rows(2), 10u);
}

// Every slot of a row follows the one before, and nobody shares one.
TEST_F(EqualAtomsTest, rows_have_slots_side_by_side) {
  const Coach coach(11, 80);
  const gen::Schedule schedule = gen::make_schedule(*coach.program);
  const EqualAtoms equal(*coach.program, schedule);
  const gen::Schedule with = equal.with_slots_of_rows();
  std::vector<int> owners(with.workspace_size, 0);
  for (const sym::Id slot : with.slots)
    if (slot != sym::no_id) ++owners.at(slot);
  EXPECT_LE(*std::max_element(owners.begin(), owners.end()), 1);
  std::size_t rows = 0;
  for (const EqualAtoms::Row& row : equal.rows()) {
    const sym::Id first = with.slots[row.lanes[0].atom];
    if (first == sym::no_id) continue;
    ++rows;
    EXPECT_EQ(first % row.width, 0u);
    for (std::uint32_t i = 0; i < row.width; ++i)
      EXPECT_EQ(with.slots[row.lanes[i].atom], first + i);
  }
  EXPECT_GT(rows, 3u);
}

TEST_F(EqualAtomsTest, make_lines_shorter) {
  const Coach coach(7, 80);
  const gen::Schedule schedule = gen::make_schedule(*coach.program);
  const EqualAtoms equal(*coach.program, schedule);
  const gen::Schedule with = equal.with_slots_of_rows();
  LineMaker one_by_one(*coach.program, schedule);
  LineMaker side_by_side = LineMaker::of_segments(*coach.program, with, &equal);
  std::size_t before = 0, after = 0;
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    before += one_by_one.stage(s).instructions.size();
    after += side_by_side.stage(s).instructions.size();
  }
  for (std::size_t f = 0; f < schedule.functions.size(); ++f) {
    before += one_by_one.function(f).instructions.size();
    after += side_by_side.function(f).instructions.size();
  }
  EXPECT_LT(static_cast<double>(after), 0.6 * static_cast<double>(before));
}

// Without names of parts there is nothing to put side by side.
TEST_F(EqualAtomsTest, a_mechanism_without_parts_has_none) {
  sym::Graph g;
  const sym::Coordinate x = g.coordinate("x"), y = g.coordinate("y");
  gen::Program program(g, "flat");
  program.input("q", {x.q, y.q});
  program.function(
      {"f", "", {sym::Output::vector("f", std::vector<Expr>{sin(x.q) * 2, sin(y.q) * 2})}});
  const gen::Schedule schedule = gen::make_schedule(program);
  EXPECT_TRUE(EqualAtoms(program, schedule).rows().empty());
}

}  // namespace
}  // namespace klingel::exec
