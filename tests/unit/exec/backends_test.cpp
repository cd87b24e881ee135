// All back ends: the same table and the same bits, whatever the program and however it is cut.
#include <algorithm>
#include <thread>

#include "tests/unit/exec/fixture.hpp"
#include "tests/unit/exec/models.hpp"

namespace klingel::exec {
namespace {

class Backends : public ExecTest {
 protected:
  void expect_equal(const Model& model, int rounds, const Options& compiled) const {
    const Kernel a = load(*model.program, options(Backend::interpreter));
    const Kernel b = load(*model.program, compiled);
    ASSERT_EQ(a.backend(), Backend::interpreter);
    ASSERT_EQ(b.backend(), Backend::cc);
    expect_same_results(a, b, rounds);
  }
  void expect_equal(const Model& model, int rounds) const {
    expect_equal(model, rounds, options(Backend::cc));
  }
};

TEST_F(Backends, agree_bit_by_bit_on_every_operation) { expect_equal(all_operations(), 20000); }

TEST_F(Backends, agree_bit_by_bit_on_stages_zeros_and_sparse_outputs) {
  expect_equal(staged(), 2000);
}

TEST_F(Backends, agree_bit_by_bit_on_random_programs) {
  for (const std::uint64_t seed : {1, 2, 3}) expect_equal(random_model(seed, 600), 300);
}

TEST_F(Backends, agree_bit_by_bit_when_cut_into_many_chunks_and_files) {
  Options tiny = options(Backend::cc);
  tiny.emit.schedule.chunk_operations = 7;
  tiny.emit.file_operations = 150;
  const Model model = random_model(4, 600);
  ASSERT_GE(gen::emit_c(*model.program, tiny.emit).sources.size(), 4u);
  expect_equal(model, 300, tiny);
}

TEST_F(Backends, agree_bit_by_bit_with_clang_and_with_full_optimisation) {
  const Model model = random_model(5, 300);
  Options other = options(Backend::cc);
  other.flags = {"-O3"};
  expect_equal(model, 300, other);
  other.flags = {};
  other.cc = "clang";
  try {
    load(*model.program, other);
  } catch (const base::Error& error) {
    GTEST_SKIP() << error.what();
  }
  expect_equal(model, 300, other);
  expect_equal(all_operations(), 5000, other);
}

TEST_F(Backends, differ_in_the_last_bits_only_with_contraction) {
  const Model model = staged();
  Options fused = options(Backend::cc);
  fused.contraction = true;
  const Kernel a = load(*model.program, options(Backend::interpreter));
  const Kernel b = load(*model.program, fused);
  Evaluator ea(a), eb(b);
  Sequence random(3);
  for (int i = 0; i < 100; ++i) {
    const std::vector<double> dq{random.value(1), random.value(1)};
    ea.set("dq", dq);
    eb.set("dq", dq);
    // a quadratic form of numbers about 1: a dozen roundings of 1e-16
    EXPECT_NEAR(ea.evaluate("energy")[0][0], eb.evaluate("energy")[0][0], 2e-15);
  }
}

TEST_F(Backends, offer_the_same_table) {
  const Model model = staged();
  const Kernel a = load(*model.program, options(Backend::interpreter));
  const Kernel b = load(*model.program, options(Backend::cc));
  EXPECT_STREQ(a.abi().model, b.abi().model);
  EXPECT_STREQ(a.abi().hash, b.abi().hash);
  ASSERT_EQ(a.abi().n_functions, b.abi().n_functions);
  for (std::uint32_t f = 0; f < a.abi().n_functions; ++f) {
    EXPECT_STREQ(a.abi().functions[f].name, b.abi().functions[f].name);
    EXPECT_EQ(a.abi().functions[f].stage, b.abi().functions[f].stage);
  }
}

// the promise of the stages, called by hand as a runtime would
TEST_F(Backends, evaluate_what_depends_on_parameters_at_setup_only) {
  const Model model = staged();
  EXPECT_GT(gen::emit_c(*model.program).manifest.stages[0].count.total(), 0u);
  for (const Backend backend : every_backend()) {
    const Kernel kernel = load(*model.program, options(backend));
    const klingel_kernel& k = kernel.abi();
    double p[] = {2, 0.5};
    const double q[] = {0.2, -0.6}, dq[] = {1, 0.3};
    const double* const in[] = {p, q, dq};
    double M[4];
    double* const out[] = {M};
    std::vector<double> w(k.workspace_size);
    for (std::uint32_t s = 0; s < k.n_stages; ++s) {
      k.stages[s].call(k.stages[s].context, in, w.data(), nullptr);
    }
    const klingel_function& f = k.functions[0];
    ASSERT_STREQ(f.name, "M_qq");
    f.call(f.context, in, w.data(), out);
    const double inertia = M[3];
    EXPECT_EQ(inertia, 2.0 * 0.5 * 0.5 / 3);

    // a changed parameter is not seen before setup is called again
    p[0] = 4;
    k.stages[1].call(k.stages[1].context, in, w.data(), nullptr);
    f.call(f.context, in, w.data(), out);
    EXPECT_EQ(M[3], inertia);
    k.stages[0].call(k.stages[0].context, in, w.data(), nullptr);
    f.call(f.context, in, w.data(), out);
    EXPECT_EQ(M[3], 2 * inertia);
  }
}

TEST_F(Backends, run_in_many_threads_at_once) {
  const Model model = random_model(6, 300);
  for (const Backend backend : every_backend()) {
    const Kernel kernel = load(*model.program, options(backend));
    std::vector<double> results(4);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < results.size(); ++t) {
      threads.emplace_back([&kernel, &results, t] {
        Evaluator evaluator(kernel);
        for (int i = 0; i < 200; ++i) {
          const double x = 0.001 * i;
          evaluator.set("q", {x, 1 - x, 0.5, -x});
          for (const double y : evaluator.evaluate("second")[0]) {
            if (std::abs(y) < 1e3) results[t] += y;
          }
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_NE(results[0], 0.0);
    for (const double result : results) EXPECT_EQ(result, results[0]);
  }
}

TEST_F(Backends, load_two_models_in_two_threads) {
  const Model a = staged("model_a", 1.5), b = random_model(7, 200, "model_b");
  for (const Backend backend : every_backend()) {
    std::thread first([&] {
      Evaluator evaluator(load(*a.program, options(backend)));
      EXPECT_EQ(evaluator.evaluate("known")[0][2], 1.5);
    });
    std::thread second([&] {
      const Kernel kernel = load(*b.program, options(backend));
      expect_same_results(kernel, kernel, 2);
    });
    first.join();
    second.join();
  }
}

TEST_F(Backends, keep_two_versions_of_one_model_apart) {
  const Model old_model = staged("twin", 1.0), new_model = staged("twin", 2.0);
  for (const Backend backend : every_backend()) {
    Evaluator a(load(*old_model.program, options(backend)));
    Evaluator b(load(*new_model.program, options(backend)));
    EXPECT_EQ(a.evaluate("known")[0][2], 1.0);
    EXPECT_EQ(b.evaluate("known")[0][2], 2.0);
    EXPECT_EQ(a.evaluate("known")[0][2], 1.0);
  }
}

TEST_F(Backends, outlive_program_and_graph) {
  for (const Backend backend : every_backend()) {
    const Kernel kernel = [&] {
      const Model model = staged();
      return load(*model.program, options(backend));
    }();
    EXPECT_EQ(Evaluator(kernel).evaluate("known")[0][1], 2.0);
  }
}

}  // namespace
}  // namespace klingel::exec
