// Units of a train in memory: the values of the interpreter, from code that does not grow with the
// number of units.
#include "exec/repeated_units.hpp"

#include <gmock/gmock.h>

#include "exec/jit.hpp"
#include "tests/unit/exec/fixture.hpp"

namespace klingel::exec {
namespace {

using sym::Expr;

// Carts on a line, each with a pendulum, joined by springs; a stage of accelerations after that of
// positions, rates in another order than that of coordinates' names, numbers that all share.
struct Carts {
  sym::Graph g;
  std::unique_ptr<gen::Program> program;

  explicit Carts(int carts, const std::string& name = "cart", bool odd = false) {
    std::vector<Expr> p, q, dq, forces, energies, places;
    const Expr h = g.symbol("step.h", sym::SymbolKind::other, 1e-3);
    const Expr k = g.parameter("k_joint", 200);
    p.push_back(k);
    for (int i = 1; i <= carts; ++i) {
      const std::string unit = name + std::to_string(i);
      p.push_back(g.parameter(unit + ".m", 2 + 0.1 * i));
      const sym::Coordinate x = g.coordinate(unit + ".x", 0.3 * i),
                            a = g.coordinate(unit + ".a", 0.1);
      q.insert(q.end(), {x.q, a.q});
      dq.insert(dq.end(), {x.dq, a.dq});
    }
    for (int i = 0; i < carts; ++i) {
      const auto at = static_cast<std::size_t>(2 * i);
      const Expr m = p[static_cast<std::size_t>(i) + 1], s = sin(q[at + 1]), c = cos(q[at + 1]);
      const Expr place = q[at] + s * h, speed = dq[at] + c * dq[at + 1];
      Expr force = m * c * dq[at + 1] * dq[at + 1] - sqrt(m + s * s) * speed;
      // one cart is not like the others
      if (odd && i == 1) force = force + exp(c);
      if (i > 0) force = force - k * (q[at] - q[at - 2]);
      if (i + 1 < carts) force = force + k * (q[at + 2] - q[at]);
      forces.insert(forces.end(), {h * force, m * speed * s});
      energies.push_back(m * speed * speed / 2 + h);
      places.push_back(place);
    }
    program = std::make_unique<gen::Program>(g, "carts");
    program->input("p", p);
    program->stage("position").input("q", q);
    program->stage("velocity").input("dq", dq).input("h", {h});
    program->function({"force", "", {sym::Output::vector("force", forces)}});
    program->function({"place", "", {sym::Output::vector("place", places)}});
    Expr sum = energies[0];
    for (std::size_t i = 1; i < energies.size(); ++i) sum = sum + energies[i];
    std::vector<sym::Entry> diagonal;
    for (std::uint32_t i = 0; i < energies.size(); ++i) diagonal.push_back({i, i, energies[i]});
    const auto n = static_cast<std::uint32_t>(energies.size());
    program->function({"energy",
                       "",
                       {sym::Output::scalar("sum", sum),
                        {"sparse", sym::Matrix(n, n, diagonal), true},
                        {"dense", sym::Matrix(n, n, diagonal)}}});
  }
};

class RepeatedUnitsTest : public ExecTest {
 protected:
  void SetUp() override {
    if (const std::string refusal = jit_refusal(); !refusal.empty()) GTEST_SKIP() << refusal;
  }

  static std::size_t units(const Carts& carts) {
    const gen::Schedule schedule = gen::make_schedule(*carts.program);
    return RepeatedUnits(*carts.program, schedule).count();
  }
  // Atoms of all parts of all bodies.
  static std::size_t atoms(const Carts& carts) {
    const gen::Schedule schedule = gen::make_schedule(*carts.program);
    const RepeatedUnits units(*carts.program, schedule);
    std::size_t sum = 0;
    for (const gen::Body& part : units.segments().stages) sum += part.chunks[0].atoms.size();
    return sum;
  }

  void expect_equal(const Carts& carts, unsigned lanes) {
    Options in_memory = options(Backend::jit), interpreted = options(Backend::interpreter);
    in_memory.emit.lanes = interpreted.emit.lanes = lanes;
    const Kernel jit = load(*carts.program, in_memory),
                 interpreter = load(*carts.program, interpreted);
    Evaluator a(jit), b(interpreter);
    for (int round = 0; round < 3; ++round) {
      for (const std::string input : {"p", "q", "dq", "h"}) {
        std::uint32_t size = 0;
        for (std::uint32_t i = 0; i < jit.abi().n_inputs; ++i)
          if (jit.abi().inputs[i].name == input) size = jit.abi().inputs[i].size;
        std::vector<double> values(size * lanes);
        for (std::size_t i = 0; i < values.size(); ++i)
          values[i] =
              1 + 0.37 * static_cast<double>((i * 7 + static_cast<std::size_t>(round)) % 11);
        a.set(input, values), b.set(input, values);
      }
      for (const std::string function : {"force", "place", "energy"}) {
        const auto x = a.evaluate(function), y = b.evaluate(function);
        for (std::size_t o = 0; o < x.size(); ++o) {
          ASSERT_EQ(x[o].size(), y[o].size());
          for (std::size_t i = 0; i < x[o].size(); ++i)
            EXPECT_NEAR(x[o][i], y[o][i], 1e-13 * (1 + std::abs(y[o][i])))
                << function << ' ' << o << ' ' << i << " lanes " << lanes;
        }
      }
    }
  }
};

TEST_F(RepeatedUnitsTest, give_the_values_of_the_interpreter) {
  for (const int carts : {2, 3, 7})
    for (const unsigned lanes : {1u, 4u, 8u}) expect_equal(Carts(carts), lanes);
}

TEST_F(RepeatedUnitsTest, code_grows_by_what_joins_units_alone) {
  EXPECT_EQ(units(Carts(4)), 4u);
  const std::size_t three = atoms(Carts(3)), four = atoms(Carts(4)), nine = atoms(Carts(9));
  // of each further cart: the difference and product of its joint, sums of forces and energies
  EXPECT_EQ(nine - four, 5 * (four - three));
  EXPECT_LE(four - three, 8u);
}

TEST_F(RepeatedUnitsTest, what_differs_is_computed_for_itself) {
  const Carts carts(5, "cart", true);
  expect_equal(carts, 1);
  expect_equal(carts, 4);
}

// Names without numbers, or coordinates beside the units: one vehicle.
TEST_F(RepeatedUnitsTest, are_not_looked_for_in_a_single_vehicle) {
  EXPECT_EQ(units(Carts(1)), 0u);
  EXPECT_EQ(units(Carts(3, "cart_a")), 3u);
  sym::Graph g;
  const sym::Coordinate body = g.coordinate("body.x"), one = g.coordinate("bogie1.x"),
                        two = g.coordinate("bogie2.x");
  gen::Program program(g, "coach");
  program.input("q", {body.q, one.q, two.q});
  program.function(
      {"f",
       "",
       {sym::Output::vector("f", std::vector<Expr>{sin(one.q) * body.q, sin(two.q) * body.q})}});
  const gen::Schedule schedule = gen::make_schedule(program);
  EXPECT_EQ(RepeatedUnits(program, schedule).count(), 0u);
}

}  // namespace
}  // namespace klingel::exec
