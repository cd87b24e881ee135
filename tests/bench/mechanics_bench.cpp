// Mass matrix and bias, nanoseconds per evaluation: kernels of ours against MuJoCo and Simbody in
// one process, on the mechanisms of tests/peers; and how long it takes to derive them.
//
// One evaluation is everything from q and dq to M and bias; parameters are used at setup only. Each
// goes to another of 64 random states. Competitors run in turns within each round, so that a
// disturbance hits all of them; MuJoCo makes the fewest calls that give both results and leaves M
// in its sparse form, Simbody forms M explicitly, which it is not made for.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "exec/compile.hpp"
#include "exec/load.hpp"
#include "exec/temporary_folder.hpp"
#include "sym/count.hpp"
#include "sym/jacobian.hpp"
#include "tests/peers/models.hpp"
#include "tests/peers/mujoco_peer.hpp"
#include "tests/peers/plain_peer.hpp"
#include "tests/peers/simbody_peer.hpp"
#include "tests/support/peer_model.hpp"

namespace klingel::bench {
namespace {

using Clock = std::chrono::steady_clock;
using sym::Expr;

constexpr unsigned n_states = 64;
constexpr int rounds = 1001;

double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Summary {
  double median, best;
};

Summary summary(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values.front()};
}

// ---------------------------------------------------------------------------------- evaluation

// Begins at a cache line, as arrays of kernels should (the runtime's do): a value on four lanes is
// half a line, and at any other place every second one would lie across two. On tree30 that costs a
// quarter to a half.
template <class T>
struct OnCacheLine {
  using value_type = T;
  static constexpr std::align_val_t line{64};
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* memory, std::size_t) { ::operator delete(memory, line); }
  friend bool operator==(OnCacheLine, OnCacheLine) { return true; }
};
using Doubles = std::vector<double, OnCacheLine<double>>;

// Our kernels with their workspace; the table is called as a runtime would. On lanes, q and dq have
// one value per lane for each coordinate.
class Kernels {
 public:
  Kernels(exec::Kernel kernel, const std::vector<double>& p) : kernel_(std::move(kernel)) {
    const klingel_kernel& k = kernel_.abi();
    for (const double x : p) p_.insert(p_.end(), k.lanes, x);
    workspace_.resize(k.workspace_size * k.lanes);
    for (std::uint32_t i = 0; i < 2; ++i) {
      results_.emplace_back(k.functions[i].outputs[0].size * k.lanes);
      out_[i] = results_.back().data();
    }
    in_[0] = p_.data();
    k.stages[0].call(k.stages[0].context, in_, workspace_.data(), nullptr);
  }

  void compute(const double* q, const double* dq) {
    const klingel_kernel& k = kernel_.abi();
    in_[1] = q;
    in_[2] = dq;
    k.stages[1].call(k.stages[1].context, in_, workspace_.data(), nullptr);
    k.stages[2].call(k.stages[2].context, in_, workspace_.data(), nullptr);
    k.functions[0].call(k.functions[0].context, in_, workspace_.data(), &out_[0]);
    k.functions[1].call(k.functions[1].context, in_, workspace_.data(), &out_[1]);
  }

  // largest difference to the plain reference at a state, relative to the largest element
  double error(const peers::Tree& tree, const peers::State& state) {
    const std::size_t n = state.q.size();
    std::vector<double> M(n * n), c(n);
    peers::evaluate_plain(tree, state.q.data(), state.dq.data(), M.data(), c.data());
    compute(state.q.data(), state.dq.data());
    const klingel_output& o = kernel_.abi().functions[0].outputs[0];
    double largest_M = 0, largest_c = 0, error_M = 0, error_c = 0;
    for (const double x : M) largest_M = std::max(largest_M, std::abs(x));
    for (const double x : c) largest_c = std::max(largest_c, std::abs(x));
    for (std::size_t col = 0; col < n; ++col)
      for (std::uint32_t k = o.col_start[col]; k < o.col_start[col + 1]; ++k)
        error_M = std::max(error_M, std::abs(results_[0][k] - M[col * n + o.row[k]]));
    for (std::size_t i = 0; i < n; ++i)
      error_c = std::max(error_c, std::abs(results_[1][i] + c[i]));
    return std::max(error_M / largest_M, error_c / largest_c);
  }

 private:
  exec::Kernel kernel_;
  Doubles p_, workspace_;
  const double* in_[3] = {};
  std::vector<Doubles> results_;
  double* out_[2] = {};
};

using Compute = std::function<void(const double* q, const double* dq)>;

struct Times {
  std::vector<std::vector<double>> ns;  // per evaluation: [competitor][round]

  Summary of(std::size_t competitor) const { return summary(ns[competitor]); }
  // the middle of the rounds, so that a slow spell of the machine counts for both
  double ratio(std::size_t a, std::size_t b) const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < ns[a].size(); ++i) ratios.push_back(ns[a][i] / ns[b][i]);
    return summary(ratios).median;
  }
};

constexpr std::size_t lanes = 4;

struct Point {
  Doubles q, dq;
};

// a state and its successors, side by side
Point on_lanes(const std::vector<peers::State>& states, std::size_t first) {
  Point wide;
  for (std::size_t i = 0; i < states[0].q.size(); ++i) {
    for (std::size_t l = 0; l < lanes; ++l) {
      wide.q.push_back(states[(first + l) % n_states].q[i]);
      wide.dq.push_back(states[(first + l) % n_states].dq[i]);
    }
  }
  return wide;
}

// Competitors from `first_wide` on evaluate four states with one call; times are per state.
Times measure(const peers::Tree& tree, const std::vector<Compute>& competitors,
              std::size_t first_wide) {
  std::vector<peers::State> states;
  std::vector<Point> narrow, wide;
  for (unsigned seed = 0; seed < n_states; ++seed) {
    const peers::State& s = states.emplace_back(random_state(tree, seed));
    narrow.push_back({{s.q.begin(), s.q.end()}, {s.dq.begin(), s.dq.end()}});
  }
  for (std::size_t i = 0; i < n_states; i += lanes) wide.push_back(on_lanes(states, i));
  std::vector<std::size_t> batch(competitors.size()), next(competitors.size());
  const auto run = [&](std::size_t i) {
    const auto start = Clock::now();
    for (std::size_t k = 0; k < batch[i]; ++k) {
      const std::vector<Point>& points = i < first_wide ? narrow : wide;
      const Point& x = points[next[i]++ % points.size()];
      competitors[i](x.q.data(), x.dq.data());
    }
    return milliseconds_since(start);
  };
  // batches of about 0.4 ms: long for the clock, short for the scheduler
  for (std::size_t i = 0; i < competitors.size(); ++i)
    for (batch[i] = 1; run(i) < 0.2;) batch[i] *= 2;
  Times times{std::vector<std::vector<double>>(competitors.size())};
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < competitors.size(); ++i)
      times.ns[i].push_back(run(i) * 1e6 /
                            static_cast<double>(batch[i] * (i < first_wide ? 1 : lanes)));
  return times;
}

// ---------------------------------------------------------------------------------- derivation

std::vector<Expr> entries_of(const sym::Matrix& A) {
  std::vector<Expr> values;
  for (const sym::Entry& e : A.entries()) values.push_back(e.value);
  return values;
}

struct Derivation {
  Summary describe_ms, generate_ms;  // the model; M and bias from it
  sym::Count M, bias, both;
};

Derivation measure_derivation(const std::string& name, const peers::Tree& tree, int repeats) {
  Derivation d{};
  std::vector<double> describe, generate;
  for (int i = 0; i < repeats; ++i) {
    auto start = Clock::now();
    test::PeerModel model(name, tree);
    describe.push_back(milliseconds_since(start));
    start = Clock::now();
    const sym::Matrix M = mech::mass_matrix(model.model());
    const std::vector<Expr> delta = mech::generalized_forces(model.model());
    generate.push_back(milliseconds_since(start));
    if (i > 0) continue;
    std::vector<Expr> all = entries_of(M);
    d.M = sym::count(all);
    d.bias = sym::count(delta);
    all.insert(all.end(), delta.begin(), delta.end());
    d.both = sym::count(all);
  }
  d.describe_ms = summary(describe);
  d.generate_ms = summary(generate);
  return d;
}

// d(delta)/dq and d(delta)/d(dq)
struct Jacobians {
  Summary generate_ms;
  std::size_t nonzeros = 0, operations = 0;
};

Jacobians measure_jacobians(const std::string& name, const peers::Tree& tree, int repeats) {
  Jacobians result{};
  std::vector<double> times;
  for (int i = 0; i < repeats; ++i) {
    test::PeerModel model(name, tree);
    const std::vector<Expr> delta = mech::generalized_forces(model.model());
    std::vector<Expr> q, dq;
    for (const sym::Coordinate& c : model.model().coordinates()) {
      q.push_back(c.q);
      dq.push_back(c.dq);
    }
    const auto start = Clock::now();
    const sym::Matrix by_q = sym::jacobian(delta, q);
    const sym::Matrix by_dq = sym::jacobian(delta, dq);
    times.push_back(milliseconds_since(start));
    if (i > 0) continue;
    std::vector<Expr> all = entries_of(by_q);
    const std::vector<Expr> more = entries_of(by_dq);
    all.insert(all.end(), more.begin(), more.end());
    result.nonzeros = all.size();
    result.operations = sym::count(all).total();
  }
  result.generate_ms = summary(times);
  return result;
}

// ------------------------------------------------------------------------------------- results

void write(base::Json& json, const sym::Count& count) {
  json.begin_object().key("atoms").value(count.atoms).key("add").value(count.add);
  json.key("mul").value(count.mul).key("div").value(count.div).key("neg").value(count.neg);
  json.key("sqrt").value(count.sqrt).key("trig").value(count.trig);
  json.key("total").value(count.total()).end_object();
}

void run_one(base::Json& json, const std::string& name, const peers::Tree& tree, int repeats,
             const exec::Options& options) {
  test::PeerModel model(name, tree);
  const gen::Program program = test::peer_program(model.model());
  const auto start = Clock::now();
  exec::Kernel kernel = exec::load(program, options);
  const double compile_ms = milliseconds_since(start);
  std::vector<double> p;
  for (const Expr& x : model.model().parameters())
    p.push_back(model.model().graph().symbol_of(x).value);
  Kernels ours(std::move(kernel), p);
  const auto loaded = [&](exec::Backend backend, unsigned on) {
    exec::Options other = options;
    other.backend = backend;
    other.emit.lanes = on;
    return Kernels(exec::load(program, other), p);
  };
  Kernels jit = loaded(exec::Backend::jit, 1), wide = loaded(exec::Backend::cc, lanes),
          jit_wide = loaded(exec::Backend::jit, lanes);
  if (const double error = ours.error(tree, random_state(tree, 1)); !(error < 1e-12))
    base::fail("{}: M or bias is wrong by {}", name, error);
  peers::MujocoPeer mujoco(tree);
  peers::SimbodyPeer simbody(tree);
  const Times times = measure(
      tree,
      {[&](auto q, auto dq) { ours.compute(q, dq); },
       [&](auto q, auto dq) { mujoco.compute(q, dq); },
       [&](auto q, auto dq) { simbody.compute(q, dq); },
       [&](auto q, auto dq) { jit.compute(q, dq); }, [&](auto q, auto dq) { wide.compute(q, dq); },
       [&](auto q, auto dq) { jit_wide.compute(q, dq); }},
      4);
  const Summary klingel_ns = times.of(0), mujoco_ns = times.of(1), simbody_ns = times.of(2);
  const double mujoco_over_klingel = times.ratio(1, 0), mujoco_over_lane = times.ratio(1, 4);
  const Derivation derivation = measure_derivation(name, tree, repeats);

  json.key(name).begin_object();
  json.key("coordinates").value(peers::coordinate_count(tree));
  json.key("klingel_ns").value(klingel_ns.median);
  json.key("klingel_best_ns").value(klingel_ns.best);
  json.key("mujoco_ns").value(mujoco_ns.median);
  json.key("mujoco_best_ns").value(mujoco_ns.best);
  json.key("simbody_ns").value(simbody_ns.median);
  json.key("simbody_best_ns").value(simbody_ns.best);
  json.key("mujoco_over_klingel").value(mujoco_over_klingel);
  json.key("mujoco_over_klingel_best").value(mujoco_ns.best / klingel_ns.best);
  json.key("simbody_over_klingel").value(times.ratio(2, 0));
  json.key("jit_ns").value(times.of(3).median).key("jit_best_ns").value(times.of(3).best);
  json.key("jit_over_cc").value(times.ratio(3, 0));
  json.key("mujoco_over_jit").value(times.ratio(1, 3));
  json.key("lane_ns").value(times.of(4).median).key("lane_best_ns").value(times.of(4).best);
  json.key("jit_lane_ns").value(times.of(5).median);
  json.key("jit_lane_best_ns").value(times.of(5).best);
  json.key("mujoco_over_lane").value(mujoco_over_lane);
  json.key("mujoco_over_jit_lane").value(times.ratio(1, 5));
  json.key("generate_ms").value(derivation.generate_ms.median);
  json.key("generate_best_ms").value(derivation.generate_ms.best);
  json.key("describe_ms").value(derivation.describe_ms.median);
  json.key("compile_ms").value(compile_ms);
  json.key("operations").begin_object().key("M");
  write(json, derivation.M);
  json.key("bias");
  write(json, derivation.bias);
  json.key("both");
  write(json, derivation.both);
  json.end_object();
  if (name == "tree30") {
    const Jacobians jacobians = measure_jacobians(name, tree, repeats);
    json.key("jacobians").begin_object();
    json.key("about").value("bias by q and by dq");
    json.key("generate_ms").value(jacobians.generate_ms.median);
    json.key("generate_best_ms").value(jacobians.generate_ms.best);
    json.key("nonzeros").value(jacobians.nonzeros).key("operations").value(jacobians.operations);
    json.end_object();
  }
  json.end_object();
  fmt::print(
      "{:<11} Klingel {:7.0f} ns  MuJoCo {:7.0f} ns ({:.1f} times)  Simbody {:8.0f} ns  "
      "generated in {:.2f} ms\n",
      name, klingel_ns.median, mujoco_ns.median, mujoco_over_klingel, simbody_ns.median,
      derivation.generate_ms.median);
  fmt::print(
      "            in memory {:.0f} ns ({:.1f} times); per state on four lanes {:.0f} ns ({:.1f} "
      "times), in memory {:.0f} ns ({:.1f} times)\n",
      times.of(3).median, times.ratio(1, 3), times.of(4).median, mujoco_over_lane,
      times.of(5).median, times.ratio(1, 5));
}

std::string machine() {
  std::string model = "unknown processor";
  const std::string info = base::read_file("/proc/cpuinfo");
  if (const std::size_t at = info.find("model name"); at != std::string::npos) {
    const std::size_t begin = info.find(": ", at) + 2;
    model = info.substr(begin, info.find('\n', begin) - begin);
  }
  return fmt::format("{}, {} threads", model, std::thread::hardware_concurrency());
}

void run(const std::string& path) {
  const exec::TemporaryFolder cache;
  exec::Options options;
  options.backend = exec::Backend::cc;
  options.cache_dir = cache.path();
  options.flags = {"-O3",
                   "-march=x86-64-v3"};  // as our own code: the flags all benches are compared with
  const exec::Compiler compiler = exec::Compiler::find(options);

  base::Json json;
  json.begin_object();
  json.key("about").value("M and bias: ns per evaluation, median (and best) of the rounds");
  json.key("machine").value(machine());
  json.key("rounds").value(rounds).key("states").value(n_states);
  json.key("kernel_flags").value(fmt::format("{}", fmt::join(compiler.flags, " ")));
  json.key("our_flags").value(KLINGEL_BENCH_FLAGS);
  json.key("peer_flags").value("libmujoco2.2.2 and libsimbody3.7 as Debian 12 builds them");
  run_one(json, "arm7", peers::arm7(), 51, options);
  run_one(json, "tree30", peers::tree30(), 51, options);
  run_one(json, "pendulum80", peers::pendulum(80), 11, options);
  json.end_object();
  base::write_file(path, json.text());
}

}  // namespace
}  // namespace klingel::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: bench_mechanics RESULT.json\n", stderr);
    return 2;
  }
  try {
    klingel::bench::run(argv[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_mechanics: %s\n", error.what());
    return 1;
  }
}
