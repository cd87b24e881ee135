// The just-in-time compiler: the bits of the interpreter and of compiled C on every operation,
// every special value, every shape of program; memory that is never writable and executable at
// once.
#include "exec/jit.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <thread>

#include "tests/unit/exec/fixture.hpp"
#include "tests/unit/exec/models.hpp"
#include "tests/unit/gen/random_program.hpp"

namespace klingel::exec {
namespace {

// mappings of this process whose permissions contain `all` of these letters
std::size_t mappings_with(const std::string& all) {
  std::ifstream maps("/proc/self/maps");
  std::size_t n = 0;
  for (std::string line; std::getline(maps, line);) {
    const std::string permissions = line.substr(line.find(' ') + 1, 4);
    n += std::all_of(all.begin(), all.end(),
                     [&](char c) { return permissions.find(c) != std::string::npos; });
  }
  return n;
}

class Jit : public ExecTest {
 protected:
  void SetUp() override {
    if (const std::string refusal = jit_refusal(); !refusal.empty()) GTEST_SKIP() << refusal;
  }

  Options on_lanes(Backend backend, unsigned lanes, std::size_t chunk = 400) const {
    Options result = options(backend);
    result.emit.lanes = lanes;
    result.emit.schedule.chunk_operations = chunk;
    return result;
  }

  // All outputs with inputs drawn from `values`, one input after the other.
  template <class Draw>
  static std::string difference(const Kernel& a, const Kernel& b, int rounds, Draw draw) {
    const klingel_kernel& table = a.abi();
    Evaluator ea(a), eb(b);
    for (int round = 0; round < rounds; ++round) {
      for (std::uint32_t f = 0; f < table.n_functions; ++f) {
        const auto va = ea.evaluate(table.functions[f].name);
        const auto vb = eb.evaluate(table.functions[f].name);
        for (std::size_t o = 0; o < va.size(); ++o) {
          for (std::size_t k = 0; k < va[o].size(); ++k) {
            if (!same(va[o][k], vb[o][k])) {
              return fmt::format("{} output {} element {} round {}: {} and {}",
                                 table.functions[f].name, o, k, round, va[o][k], vb[o][k]);
            }
          }
        }
      }
      for (std::uint32_t i = 0; i < table.n_inputs; ++i) {
        std::vector<double> values(table.inputs[i].size * table.lanes);
        for (double& x : values) x = draw();
        ea.set(table.inputs[i].name, values);
        eb.set(table.inputs[i].name, values);
      }
    }
    return {};
  }
};

TEST_F(Jit, agrees_bit_by_bit_on_every_operation) {
  const Model model = all_operations();
  const Kernel kernel = load(*model.program, options(Backend::jit));
  EXPECT_EQ(kernel.backend(), Backend::jit);
  expect_same_results(load(*model.program, options(Backend::interpreter)), kernel, 20000);
  expect_same_results(load(*model.program, options(Backend::cc)), kernel, 2000);
}

TEST_F(Jit, agrees_on_zeros_infinities_nan_and_the_ends_of_the_range) {
  using limits = std::numeric_limits<double>;
  const std::vector<double> special{0.0,
                                    -0.0,
                                    1.0,
                                    -1.0,
                                    limits::infinity(),
                                    -limits::infinity(),
                                    limits::quiet_NaN(),
                                    limits::denorm_min(),
                                    -limits::min(),
                                    limits::max(),
                                    0.3,
                                    -7e5,
                                    1e22};
  const Model model = all_operations();
  for (const unsigned lanes : {1u, 4u, 8u}) {
    Sequence random(lanes);
    EXPECT_EQ(difference(load(*model.program, on_lanes(Backend::interpreter, lanes)),
                         load(*model.program, on_lanes(Backend::jit, lanes)), 3000,
                         [&] { return special[random.below(special.size())]; }),
              "");
  }
}

TEST_F(Jit, agrees_on_stages_zeros_and_sparse_outputs) {
  const Model model = staged();
  for (const unsigned lanes : {1u, 4u, 8u}) {
    expect_same_results(load(*model.program, on_lanes(Backend::interpreter, 1)),
                        load(*model.program, on_lanes(Backend::jit, 1)), 300);
    Sequence random(5);
    EXPECT_EQ(difference(load(*model.program, on_lanes(Backend::interpreter, lanes)),
                         load(*model.program, on_lanes(Backend::jit, lanes)), 100,
                         [&] { return random.value(3); }),
              "");
  }
}

TEST_F(Jit, agrees_on_random_programs_however_they_are_cut) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const gen::RandomProgram random(seed, 1 + 13 * seed % 400);
    const std::size_t chunk = std::array{5, 31, 400}[seed % 3];
    const unsigned lanes = std::array{1u, 4u, 8u, 1u}[seed % 4];
    Sequence values(seed);
    ASSERT_EQ(difference(load(random.program(), on_lanes(Backend::interpreter, lanes, chunk)),
                         load(random.program(), on_lanes(Backend::jit, lanes, chunk)), 10,
                         [&] { return values.value(3); }),
              "")
        << "seed " << seed;
  }
}

// thousands of values that are all needed again at the end, in the opposite order: more than
// registers, and more than a small frame
TEST_F(Jit, agrees_when_nearly_everything_leaves_the_registers) {
  Model m("reversed");
  std::vector<sym::Expr> q, values;
  for (int i = 0; i < 40; ++i)
    q.push_back(m.graph->symbol("q" + std::to_string(i), sym::SymbolKind::coordinate, 0.1 * i));
  m.program->input("q", q);
  sym::Expr x = q[0];
  for (std::size_t i = 0; i < 3000; ++i) {
    x = x * q[i % 40] + q[(7 * i) % 40];
    values.push_back(i % 500 == 499 ? sin(x) : x);
  }
  sym::Expr sum = values.back();
  for (std::size_t i = values.size() - 1; i-- > 0;) sum = sum * 0.5 + values[i];
  m.program->function({"f", "", {sym::Output::scalar("y", sum)}});
  for (const unsigned lanes : {1u, 4u, 8u}) {
    for (const std::size_t chunk : {50u, 400u}) {
      Sequence random(9);
      EXPECT_EQ(difference(load(*m.program, on_lanes(Backend::interpreter, lanes, chunk)),
                           load(*m.program, on_lanes(Backend::jit, lanes, chunk)), 3,
                           [&] { return random.value(1); }),
                "");
    }
  }
}

TEST_F(Jit, writes_inside_its_workspace_and_outputs_only) {
  const Model m = random_model(11, 600);
  for (const unsigned lanes : {1u, 4u, 8u}) {
    const Kernel kernel = load(*m.program, on_lanes(Backend::jit, lanes));
    const klingel_kernel& k = kernel.abi();
    constexpr double guard = 12345;
    std::vector<double> w((k.workspace_size + 8) * lanes, guard);
    std::vector<std::vector<double>> inputs;
    std::vector<const double*> in;
    for (std::uint32_t i = 0; i < k.n_inputs; ++i)
      inputs.emplace_back(k.inputs[i].size * lanes, 0.5);
    for (const auto& input : inputs) in.push_back(input.data());
    double* const inside = w.data() + 4 * lanes;
    for (std::uint32_t s = 0; s < k.n_stages; ++s)
      k.stages[s].call(k.stages[s].context, in.data(), inside, nullptr);
    for (std::uint32_t f = 0; f < k.n_functions; ++f) {
      const klingel_function& function = k.functions[f];
      std::vector<std::vector<double>> outputs;
      std::vector<double*> out;
      for (std::uint32_t o = 0; o < function.n_outputs; ++o)
        outputs.emplace_back((function.outputs[o].size + 2) * lanes, guard);
      for (auto& output : outputs) out.push_back(output.data() + lanes);
      function.call(function.context, in.data(), inside, out.data());
      for (const auto& output : outputs) {
        for (unsigned l = 0; l < lanes; ++l) {
          EXPECT_EQ(output[l], guard);
          EXPECT_EQ(output[output.size() - 1 - l], guard);
        }
      }
    }
    for (unsigned i = 0; i < 4 * lanes; ++i) {
      EXPECT_EQ(w[i], guard);
      EXPECT_EQ(w[w.size() - 1 - i], guard);
    }
  }
}

// what lets a runtime change from one to the other between two calls
TEST_F(Jit, shares_its_workspace_with_compiled_code) {
  const gen::RandomProgram random(3, 400);
  Options compiled = options(Backend::cc);
  const Kernel a = load(random.program(), compiled),
               b = load(random.program(), options(Backend::jit));
  ASSERT_EQ(a.abi().workspace_size, b.abi().workspace_size);
  EXPECT_STREQ(a.abi().hash, b.abi().hash);
  std::vector<double> wa(a.abi().workspace_size), wb = wa;
  std::vector<const double*> in;
  for (std::uint32_t i = 0; i < a.abi().n_inputs; ++i) in.push_back(a.abi().inputs[i].nominal);
  for (std::uint32_t s = 0; s < a.abi().n_stages; ++s) {
    // every other stage by the other one, and the other way round
    const bool even = s % 2 == 0;
    const klingel_stage& sa = (even ? a : b).abi().stages[s];
    const klingel_stage& sb = (even ? b : a).abi().stages[s];
    sa.call(sa.context, in.data(), wa.data(), nullptr);
    sb.call(sb.context, in.data(), wb.data(), nullptr);
  }
  for (std::uint32_t f = 0; f < a.abi().n_functions; ++f) {
    const klingel_function& fa = a.abi().functions[f];
    const klingel_function& fb = b.abi().functions[f];
    std::vector<std::vector<double>> outputs;
    for (const auto* function : {&fa, &fb}) {
      const double* const w = function == &fa ? wa.data() : wb.data();
      std::vector<double*> out;
      std::vector<std::vector<double>> own;
      for (std::uint32_t o = 0; o < fa.n_outputs; ++o) own.emplace_back(fa.outputs[o].size);
      for (auto& values : own) out.push_back(values.data());
      function->call(function->context, in.data(), const_cast<double*>(w), out.data());
      for (const auto& values : own) outputs.push_back(values);
    }
    for (std::size_t o = 0; o < fa.n_outputs; ++o)
      for (std::size_t i = 0; i < outputs[o].size(); ++i)
        EXPECT_TRUE(same(outputs[o][i], outputs[fa.n_outputs + o][i])) << fa.name;
  }
}

TEST_F(Jit, memory_is_never_writable_and_executable_and_is_given_back) {
  const Model a = staged("model_a", 1.5), b = staged("model_b", 2.5);
  const std::size_t before = mappings_with("x");
  {
    const Kernel first = load(*a.program, options(Backend::jit));
    const Kernel second = load(*b.program, options(Backend::jit));
    EXPECT_GT(mappings_with("x"), before);
    EXPECT_EQ(mappings_with("wx"), 0u);
    EXPECT_EQ(Evaluator(first).evaluate("known")[0][2], 1.5);
    EXPECT_EQ(Evaluator(second).evaluate("known")[0][2], 2.5);
  }
  EXPECT_EQ(mappings_with("x"), before);
}

TEST_F(Jit, runs_in_many_threads_at_once) {
  const Model model = random_model(6, 300);
  const Kernel kernel = load(*model.program, options(Backend::jit));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] { expect_same_results(kernel, kernel, 30); });
  for (std::thread& thread : threads) thread.join();
}

TEST_F(Jit, a_program_without_functions_or_inputs_is_fine) {
  const Model nothing("nothing");
  const Kernel kernel = load(*nothing.program, options(Backend::jit));
  EXPECT_EQ(kernel.abi().n_functions, 0u);
  kernel.abi().stages[0].call(kernel.abi().stages[0].context, nullptr, nullptr, nullptr);
}

}  // namespace
}  // namespace klingel::exec
