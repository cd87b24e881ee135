#include "bench/step_bench.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "runtime/dense_matrix.hpp"

namespace klingel::bench {
namespace {

using Clock = std::chrono::steady_clock;

double us_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

// the shortest of many short series
template <class Work>
double shortest_us(Work work) {
  constexpr int series = 40, calls = 50;
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < series; ++i) {
    const Clock::time_point begin = Clock::now();
    for (int k = 0; k < calls; ++k) work();
    shortest = std::min(shortest, us_since(begin) / calls);
  }
  return shortest;
}

template <class Matrix, class Vector>
double time_lu(const Eigen::MatrixXd& A, const Eigen::VectorXd& b) {
  const Matrix fixed = A;
  const Vector rhs = b;
  Vector x = rhs;
  Eigen::PartialPivLU<Matrix> lu(fixed);
  return shortest_us([&] {
    lu.compute(fixed);
    x = lu.solve(rhs);
  });
}

}  // namespace

Percentiles percentiles(std::vector<double> us) {
  Percentiles p;
  if (us.empty()) return p;
  for (const double x : us) p.mean += x / static_cast<double>(us.size());
  std::sort(us.begin(), us.end());
  const auto at = [&us](double share) {
    const auto i = static_cast<std::size_t>(share * static_cast<double>(us.size() - 1));
    return us[i];
  };
  p.p50 = at(0.5), p.p90 = at(0.9), p.p99 = at(0.99), p.p999 = at(0.999), p.max = us.back();
  return p;
}

StepTimes time_steps(compile::PreparedRun& p, std::int64_t steps, int replays) {
  step::Simulator& s = *p.simulator;
  const step::VehicleState start = s.state();
  const double h = p.scenario.step;
  StepTimes times;
  times.replays = replays;
  times.end = "completed";
  std::vector<double> us;
  std::size_t slowest = 0;
  for (int replay = 0; replay <= replays; ++replay) {
    // once more at the end, to look at the slowest step
    const bool looking = replay == replays;
    s.set_state(start);
    s.pose(0);  // kernels and contacts at a state that was set are no part of its first step
    for (std::int64_t i = 0; i < steps; ++i) {
      p.instance->set_inputs(s.time());
      const Clock::time_point begin = Clock::now();
      const runtime::Status status = s.step(h);
      const double taken = us_since(begin);
      if (status != runtime::Status::ok) {
        times.end = s.failure_text();
        steps = i;
        break;
      }
      const auto at = static_cast<std::size_t>(i);
      if (replay == 0) us.push_back(taken);
      us[at] = std::min(us[at], taken);
      if (!looking || at != slowest) continue;
      times.t_slowest = s.time();
      times.newton_q = s.newton_q(), times.newton_s = s.newton_s();
      for (const step::Event& e : s.events()) {
        times.events += (times.events.empty() ? "" : ", ") + std::string(step::name(e.kind)) + " " +
                        s.data().wheels[e.wheel].name;
      }
    }
    if (replay == 0) times.raw = percentiles(us);
    slowest = static_cast<std::size_t>(std::max_element(us.begin(), us.end()) - us.begin());
  }
  times.steps = static_cast<std::int64_t>(us.size());
  times.us = percentiles(std::move(us));
  return times;
}

std::vector<CallTime> time_calls(const exec::Kernel& kernel) {
  const klingel_kernel& abi = kernel.abi();
  std::vector<CallTime> list;
  std::vector<double> memory(abi.workspace_size * abi.lanes + 8);
  std::vector<std::vector<double>> arrays;
  std::vector<const double*> in;
  // nominal values, on every lane
  for (const klingel_input& input : std::span(abi.inputs, abi.n_inputs)) {
    std::vector<double>& values = arrays.emplace_back();
    for (std::uint32_t k = 0; k < input.size; ++k)
      values.insert(values.end(), abi.lanes, input.nominal[k]);
  }
  for (const std::vector<double>& a : arrays) in.push_back(a.data());
  double* w = memory.data();
  while (reinterpret_cast<std::uintptr_t>(w) % 64 != 0) ++w;
  const std::span stages(abi.stages, abi.n_stages);
  for (const klingel_stage& stage : stages) stage.call(stage.context, in.data(), w, nullptr);
  for (const klingel_stage& stage : stages) {
    list.push_back({std::string("stage ") + stage.name,
                    shortest_us([&] { stage.call(stage.context, in.data(), w, nullptr); })});
  }
  for (const klingel_function& f : std::span(abi.functions, abi.n_functions)) {
    std::vector<std::vector<double>> outputs;
    std::vector<double*> out;
    for (const klingel_output& o : std::span(f.outputs, f.n_outputs))
      outputs.emplace_back(o.size * abi.lanes);
    for (std::vector<double>& o : outputs) out.push_back(o.data());
    list.push_back({f.name, shortest_us([&] { f.call(f.context, in.data(), w, out.data()); })});
  }
  return list;
}

EigenTime time_eigen(compile::PreparedRun& pipeline) {
  const std::uint32_t step_matrix = pipeline.simulator->description()->id.step_matrix;
  runtime::KernelSet& k = pipeline.simulator->kernels_of_last_step();
  const auto size = static_cast<Eigen::Index>(k.abi().functions[step_matrix].outputs[0].rows);
  Eigen::MatrixXd A(size, size);
  runtime::evaluate_dense(k, step_matrix, A);
  const Eigen::VectorXd b = Eigen::VectorXd::Ones(size);
  EigenTime time;
  time.size = static_cast<int>(size);
  time.fixed = size == 38;
  time.us = time.fixed ? time_lu<Eigen::Matrix<double, 38, 38>, Eigen::Matrix<double, 38, 1>>(A, b)
                       : time_lu<Eigen::MatrixXd, Eigen::VectorXd>(A, b);
  return time;
}

}  // namespace klingel::bench
