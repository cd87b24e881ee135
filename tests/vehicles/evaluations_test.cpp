// How often steps evaluate kernels: what takes their time.
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "compile/prepare_run.hpp"
#include "step/batch.hpp"

namespace klingel {
namespace {

// The kernels of a vehicle that count how often each stage and function is called.
class CountedKernels {
 public:
  explicit CountedKernels(const klingel_kernel& of)
      : stages_(of.stages, of.stages + of.n_stages),
        functions_(of.functions, of.functions + of.n_functions),
        kernel_(of) {
    for (klingel_stage& s : stages_) count(s);
    for (klingel_function& f : functions_) count(f);
    kernel_.stages = stages_.data(), kernel_.functions = functions_.data();
  }
  CountedKernels(const CountedKernels&) = delete;
  CountedKernels& operator=(const CountedKernels&) = delete;

  const klingel_kernel& abi() const { return kernel_; }
  long calls(const std::string& name) const { return calls_.at(name)->calls; }

 private:
  struct Counted {
    klingel_call* call;
    const void* context;
    mutable long calls = 0;
  };
  template <class Item>
  void count(Item& item) {
    calls_[item.name] = &list_.emplace_back(Counted{item.call, item.context});
    item.context = &list_.back();
    item.call = [](const void* context, const double* const* in, double* w, double* const* out) {
      const Counted& c = *static_cast<const Counted*>(context);
      ++c.calls;
      c.call(c.context, in, w, out);
    };
  }

  std::vector<klingel_stage> stages_;
  std::vector<klingel_function> functions_;
  klingel_kernel kernel_;
  std::deque<Counted> list_;
  std::map<std::string, const Counted*> calls_;
};

// Without the slip that is expected at the end of a step, 5.6 % of the steps are solved again,
// among them those in which a tread point jumps, which are the longest ones.
TEST(evaluations, few_steps_of_the_article_are_solved_again) {
  compile::PreparedRun p = compile::prepare_run(vehicle::load_scenario("feve3000_corrected"));
  const CountedKernels kernels(*p.simulator->data().vehicle);
  step::VehicleData data = p.simulator->data();
  data.vehicle = &kernels.abi();
  step::Simulator simulator(data);
  simulator.set_state(p.simulator->state());
  constexpr long steps = 18000;
  for (long i = 0; i < steps; ++i) {
    simulation::set_inputs(*p.description, simulator, simulator.time());
    ASSERT_EQ(simulator.step(1e-3), runtime::Status::ok) << simulator.failure_text();
  }
  EXPECT_GE(kernels.calls("impulse"), steps);
  EXPECT_LT(kernels.calls("impulse"), steps + steps / 50);
}

// A vehicle that failed in a step, and was set to a state of others, evaluates with them again.
TEST(evaluations, a_vehicle_that_comes_back_shares_those_of_the_others) {
  compile::PreparedRun p = compile::prepare_run(vehicle::load_scenario("coach_300m"));
  const auto on_lanes = compile::on_lanes(p, {});
  const CountedKernels kernels(*on_lanes->data.vehicle);
  step::VehicleData data = on_lanes->data;
  data.vehicle = &kernels.abi();
  step::Batch batch(data);
  const step::VehicleState start = p.simulator->state();
  step::VehicleState lost = start;
  for (double& dq : lost.dq) dq = std::nan("");
  for (std::size_t i = 0; i < batch.size(); ++i) batch[i].set_state(i == 1 ? lost : start);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(batch.step(1e-3));
  ASSERT_NE(batch.status(1), runtime::Status::ok);
  batch[1].set_state(batch[0].state());
  batch.revive(1);

  const std::map<std::string, long> before = {{"velocity", kernels.calls("velocity")},
                                              {"system", kernels.calls("system")}};
  constexpr int steps = 50;
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(batch.step(1e-3));
  for (const auto& [stage, calls] : before)
    EXPECT_LE(kernels.calls(stage) - calls, steps + 2) << stage;
  EXPECT_TRUE(batch[1].state() == batch[0].state());
}

}  // namespace
}  // namespace klingel
