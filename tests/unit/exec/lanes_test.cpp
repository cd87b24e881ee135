// Kernels on lanes: every lane has the bits of the kernel without lanes, with both back ends and
// whatever the program; arrays hold one value per lane for each element.
#include "tests/unit/exec/fixture.hpp"
#include "tests/unit/exec/models.hpp"
#include "tests/unit/gen/random_program.hpp"

namespace klingel::exec {
namespace {

class Lanes : public ExecTest {
 protected:
  Options on_lanes(Backend backend, unsigned lanes) const {
    Options result = options(backend);
    result.emit.lanes = lanes;
    return result;
  }

  // All outputs at `rounds` times `lanes` points; one input changes from round to round, so that
  // earlier stages are kept.
  void expect_equal_lanes(const gen::Program& program, const Options& asked, int rounds) const {
    const unsigned lanes = asked.emit.lanes;
    const Kernel wide = load(program, asked);
    ASSERT_EQ(wide.backend(), asked.backend);
    ASSERT_EQ(wide.abi().lanes, lanes);
    const Kernel narrow = load(program, options(Backend::interpreter));
    Evaluator all(wide);
    std::vector<Evaluator> each;
    for (unsigned l = 0; l < lanes; ++l) each.emplace_back(narrow);
    const klingel_kernel& table = narrow.abi();
    Sequence random(23);
    for (int round = 0; round < rounds; ++round) {
      for (std::uint32_t f = 0; f < table.n_functions; ++f) {
        const auto got = all.evaluate(table.functions[f].name);
        for (unsigned l = 0; l < lanes; ++l) {
          const auto want = each[l].evaluate(table.functions[f].name);
          for (std::size_t o = 0; o < want.size(); ++o) {
            ASSERT_EQ(got[o].size(), want[o].size() * lanes);
            for (std::size_t k = 0; k < want[o].size(); ++k) {
              ASSERT_TRUE(same(got[o][k * lanes + l], want[o][k]))
                  << table.functions[f].name << " output " << o << " element " << k << " lane " << l
                  << " round " << round << ": " << got[o][k * lanes + l] << " and " << want[o][k];
            }
          }
        }
      }
      if (table.n_inputs == 0) break;
      const klingel_input& in = table.inputs[random.below(table.n_inputs)];
      std::vector<double> values(in.size * lanes), one(in.size);
      for (double& x : values) x = random.value(3);
      all.set(in.name, values);
      for (unsigned l = 0; l < lanes; ++l) {
        for (std::size_t i = 0; i < in.size; ++i) one[i] = values[i * lanes + l];
        each[l].set(in.name, one);
      }
    }
  }
};

TEST_F(Lanes, have_the_bits_of_kernels_without_lanes_on_every_operation) {
  const Model model = all_operations();
  for (const Backend backend : every_backend()) {
    for (const unsigned lanes : {4u, 8u})
      expect_equal_lanes(*model.program, on_lanes(backend, lanes), 2000);
  }
}

TEST_F(Lanes, have_the_same_bits_on_stages_zeros_and_sparse_outputs) {
  const Model model = staged();
  for (const Backend backend : every_backend()) {
    expect_equal_lanes(*model.program, on_lanes(backend, 4), 300);
  }
}

TEST_F(Lanes, have_the_same_bits_on_random_programs_in_many_chunks_and_files) {
  for (const unsigned seed : {1u, 2u}) {
    const gen::RandomProgram random(seed, 300);
    expect_equal_lanes(random.program(), on_lanes(Backend::interpreter, 4), 50);
    Options tiny = on_lanes(Backend::cc, seed == 1 ? 8 : 4);
    tiny.emit.schedule.chunk_operations = 9 * seed;
    tiny.emit.file_operations = 200;
    expect_equal_lanes(random.program(), tiny, 50);
  }
}

// a machine without vector registers as long as the lanes, and the other compiler
TEST_F(Lanes, have_the_same_bits_on_short_registers_and_with_clang) {
  const Model operations = all_operations();
  Options other = on_lanes(Backend::cc, 4);
#if defined(__x86_64__)
  other.flags = {"-march=x86-64", "-mno-avx"};
  expect_equal_lanes(*operations.program, other, 1000);
#endif
  other.flags = {};
  other.cc = "clang";
  try {
    load(*operations.program, other);
  } catch (const base::Error& error) {
    GTEST_SKIP() << error.what();
  }
  expect_equal_lanes(*operations.program, other, 1000);
}

TEST_F(Lanes, differ_in_the_last_bits_only_with_contraction) {
  const Model model = staged();
  Options fused = on_lanes(Backend::cc, 4);
  fused.contraction = true;
  Evaluator exact(load(*model.program, options(Backend::interpreter)));
  Evaluator wide(load(*model.program, fused));
  Sequence random(3);
  for (int i = 0; i < 100; ++i) {
    const double a = random.value(1), b = random.value(1);
    exact.set("dq", {a, b});
    wide.set("dq", {0, 1, a, 2, 3, 4, b, 5});
    // a quadratic form of numbers about 1: a dozen roundings of 1e-16
    EXPECT_NEAR(exact.evaluate("energy")[0][0], wide.evaluate("energy")[0][2], 2e-15);
  }
}

TEST_F(Lanes, are_kept_apart_in_the_cache) {
  const Model model = staged();
  for (const unsigned lanes : {1u, 4u}) load(*model.program, on_lanes(Backend::cc, lanes));
  EXPECT_EQ(cached(".so").size(), 2u);
  EXPECT_EQ(load(*model.program, on_lanes(Backend::automatic, 4)).abi().lanes, 4u);
  EXPECT_EQ(cached(".so").size(), 2u);
}

TEST_F(Lanes, run_where_no_compiler_works) {
  const Model model = staged();
  Options without = on_lanes(Backend::automatic, 4);
  without.cc = "no-such-compiler";
  const Kernel kernel = load(*model.program, without);
  EXPECT_EQ(kernel.backend(), jit_refusal().empty() ? Backend::jit : Backend::interpreter);
  EXPECT_EQ(kernel.abi().lanes, 4u);
}

TEST_F(Lanes, want_a_value_for_each_lane) {
  const Model model = staged();
  Evaluator evaluator(load(*model.program, on_lanes(Backend::interpreter, 4)));
  EXPECT_THAT(evaluator.input("p"), testing::ElementsAre(2, 2, 2, 2, 0.5, 0.5, 0.5, 0.5));
  EXPECT_EQ(message_of([&] {
              evaluator.set("p", {1, 2});
            }),
            "input 'p' of 'staged' has 2 elements of 4 lanes, but 2 values were given");
  EXPECT_EQ(message_of([&] { load(*model.program, on_lanes(Backend::automatic, 5)); }),
            "kernels of 'staged' on 5 lanes: there are kernels on 1, 4 or 8 lanes");
}

}  // namespace
}  // namespace klingel::exec
