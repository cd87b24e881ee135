// How fast kernels are: nanoseconds per operation of all back ends, on one lane and on four, the
// time to compile a large program, and the generated LU against Eigen's PartialPivLU on the linear
// system of the article's locomotive. Both sides of that comparison are compiled with the same
// flags; competitors run in turns within each round, so that a disturbance hits all of them.
#include <fmt/format.h>
#include <sys/resource.h>

#include <Eigen/LU>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "exec/compile.hpp"
#include "exec/jit.hpp"
#include "exec/load.hpp"
#include "sym/linear_solve.hpp"
#include "sym/ordering.hpp"
#include "tests/bench/locomotive_matrix.hpp"
#include "tests/bench/spatial_chain.hpp"
#include "tests/structure/temporary_folder.hpp"

namespace klingel::bench {
namespace {

using Clock = std::chrono::steady_clock;
using Matrix = LocomotiveMatrix;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Processor time of the compilers that ran so far.
double seconds_of_children() {
  rusage usage{};
  ::getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<long>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// The middle of the rounds, so that a slow spell of the machine counts for both.
double median_ratio(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> ratio;
  for (std::size_t i = 0; i < a.size(); ++i) ratio.push_back(a[i] / b[i]);
  return median(std::move(ratio));
}

// Nanoseconds per call of every competitor in every round: [competitor][round].
std::vector<std::vector<double>> measure(const std::vector<std::function<void()>>& competitors,
                                         int rounds) {
  // batches of about 0.3 ms: long for the clock, short for the scheduler
  std::vector<int> batch;
  for (const auto& call : competitors) {
    int n = 1;
    while (true) {
      const auto start = Clock::now();
      for (int i = 0; i < n; ++i) call();
      if (seconds_since(start) > 3e-4) break;
      n *= 2;
    }
    batch.push_back(n);
  }
  std::vector<std::vector<double>> times(competitors.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < competitors.size(); ++k) {
      const auto start = Clock::now();
      for (int i = 0; i < batch[k]; ++i) competitors[k]();
      times[k].push_back(seconds_since(start) / batch[k] * 1e9);
    }
  }
  return times;
}

// A loaded kernel with arrays for everything it reads and writes.
class Runner {
 public:
  explicit Runner(exec::Kernel kernel) : kernel_(std::move(kernel)) {
    const klingel_kernel& k = kernel_.abi();
    workspace_.resize(k.workspace_size * k.lanes + 8);
    for (const klingel_input& in : std::span(k.inputs, k.n_inputs)) {
      std::vector<double>& values = inputs_.emplace_back();
      for (std::uint32_t i = 0; i < in.size; ++i)
        values.insert(values.end(), k.lanes, in.nominal[i]);
    }
    for (const auto& values : inputs_) in_.push_back(values.data());
    for (const klingel_function& f : std::span(k.functions, k.n_functions)) {
      out_.emplace_back();
      for (const klingel_output& o : std::span(f.outputs, f.n_outputs))
        out_.back().push_back(
            outputs_.emplace_back(std::make_unique<double[]>(o.size * k.lanes)).get());
    }
    // a cache line begins at the workspace
    void* at = workspace_.data();
    std::size_t space = workspace_.size() * sizeof(double);
    w_ = static_cast<double*>(
        std::align(64, k.workspace_size * k.lanes * sizeof(double), at, space));
  }

  // every stage and every function once
  void operator()() const {
    const klingel_kernel& k = kernel_.abi();
    for (const klingel_stage& s : std::span(k.stages, k.n_stages))
      s.call(s.context, in_.data(), w_, nullptr);
    for (std::uint32_t f = 0; f < k.n_functions; ++f)
      k.functions[f].call(k.functions[f].context, in_.data(), w_, out_[f].data());
  }

  // an input, the same on all lanes
  void set(std::size_t i, const std::vector<double>& values) {
    const std::size_t lanes = kernel_.abi().lanes;
    for (std::size_t k = 0; k < values.size(); ++k)
      std::fill_n(inputs_[i].begin() + static_cast<long>(k * lanes), lanes, values[k]);
  }
  const double* output(std::size_t f, std::size_t o) const { return out_[f][o]; }

 private:
  exec::Kernel kernel_;
  std::vector<double> workspace_;
  double* w_ = nullptr;
  std::vector<std::vector<double>> inputs_;
  std::vector<const double*> in_;
  std::vector<std::unique_ptr<double[]>> outputs_;
  std::vector<std::vector<double*>> out_;
};

using FreshCache = structure::TemporaryFolder;  // compiled kernels nobody has seen before

exec::Options with(exec::Backend backend, const FreshCache& cache,
                   std::vector<std::string> flags = {}, bool contraction = false) {
  exec::Options options;
  options.backend = backend;
  options.cache_dir = cache.path();
  options.flags = std::move(flags);
  options.contraction = contraction;
  options.jobs = 2;
  return options;
}

exec::Options on_lanes(exec::Options options, unsigned lanes) {
  options.emit.lanes = lanes;
  return options;
}

std::string flags_text(const exec::Options& options) {
  std::string text;
  for (const std::string& flag : exec::Compiler::find(options).flags)
    text += (text.empty() ? "" : " ") + flag;
  return text;
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

// ---------------------------------------------------------------- operations and compile time

struct LargeProgram {
  std::size_t statements = 0, operations = 0, trig = 0, files = 0;
  double compile_s = 0, compile_cpu_s = 0;  // the best of three; wall clock, all processors
  double jit_compile_ms = 0;                // from the program to code, the best of ten
  double cc_ns = 0, jit_ns = 0, interpreter_ns = 0;  // per operation
  double cc_lane_ns = 0, jit_lane_ns = 0;            // per operation and lane, on four
  double jit_over_cc = 0, jit_over_cc_lanes = 0;
  std::string flags;
};

LargeProgram measure_large_program() {
  sym::Graph graph;
  const gen::Program program = spatial_chain(graph, 220);
  LargeProgram result;

  const gen::Emitted emitted = gen::emit_c(program);
  for (const auto& s : emitted.manifest.stages) result.operations += s.count.total();
  for (const auto& f : emitted.manifest.functions) result.operations += f.count.total();
  for (const auto& s : emitted.manifest.stages) result.trig += s.count.trig;
  for (const auto& f : emitted.manifest.functions) result.trig += f.count.trig;
  result.files = emitted.sources.size();
  for (const gen::File& f : emitted.files) {
    if (std::find(emitted.sources.begin(), emitted.sources.end(), f.name) == emitted.sources.end())
      continue;
    for (std::size_t at = f.text.find(" = "); at != std::string::npos;
         at = f.text.find(" = ", at + 1)) {
      result.statements += f.text.find('\n', at) > f.text.find(";\n", at) ? 1 : 0;
    }
  }

  // from nothing to a loaded library
  std::vector<double> wall, cpu;
  std::vector<exec::Kernel> kernels;
  for (int i = 0; i < 3; ++i) {
    const FreshCache cache;
    const exec::Options options = with(exec::Backend::cc, cache);
    const double before = seconds_of_children();
    const auto start = Clock::now();
    kernels.push_back(exec::load(program, options));
    wall.push_back(seconds_since(start));
    cpu.push_back(seconds_of_children() - before);
    result.flags = flags_text(options);
  }
  result.compile_s = *std::min_element(wall.begin(), wall.end());
  result.compile_cpu_s = *std::min_element(cpu.begin(), cpu.end());

  std::vector<double> in_memory;
  for (int i = 0; i < 10; ++i) {
    const auto start = Clock::now();
    exec::compile_in_memory(program, emitted.manifest, {});
    in_memory.push_back(seconds_since(start) * 1e3);
  }
  result.jit_compile_ms = *std::min_element(in_memory.begin(), in_memory.end());

  const FreshCache cache;
  const exec::Options cc = with(exec::Backend::cc, cache), jit = with(exec::Backend::jit, cache);
  const Runner compiled(kernels.front());
  const Runner interpreted(exec::load(program, with(exec::Backend::interpreter, cache)));
  const Runner in_time(exec::load(program, jit));
  const Runner compiled_lanes(exec::load(program, on_lanes(cc, 4)));
  const Runner in_time_lanes(exec::load(program, on_lanes(jit, 4)));
  const auto times = measure({std::cref(compiled), std::cref(interpreted), std::cref(in_time),
                              std::cref(compiled_lanes), std::cref(in_time_lanes)},
                             300);
  const auto operations = static_cast<double>(result.operations);
  result.cc_ns = median(times[0]) / operations;
  result.interpreter_ns = median(times[1]) / operations;
  result.jit_ns = median(times[2]) / operations;
  result.cc_lane_ns = median(times[3]) / operations / 4;
  result.jit_lane_ns = median(times[4]) / operations / 4;
  result.jit_over_cc = median_ratio(times[2], times[0]);
  result.jit_over_cc_lanes = median_ratio(times[4], times[3]);
  return result;
}

// ------------------------------------------------------------------------- LU against Eigen

// factor and solve, all nonzeros of the matrix and the right-hand side as inputs
gen::Program lu_program(sym::Graph& g, const Matrix& matrix, std::vector<std::uint32_t> order) {
  std::vector<sym::Expr> a, b;
  std::vector<sym::Entry> entries;
  for (const Matrix::Place& p : matrix.places()) {
    a.push_back(g.input(fmt::format("a_{}_{}", p.row, p.col)));
    entries.push_back({p.row, p.col, a.back()});
  }
  for (std::uint32_t i = 0; i < Matrix::size; ++i) b.push_back(g.input(fmt::format("b_{}", i)));
  const sym::Factors factors(sym::Matrix(Matrix::size, Matrix::size, entries),
                             {sym::Elimination::lu, std::move(order)});
  const std::vector<sym::Expr> x = factors.solve(b);
  gen::Program program(g, "lu");
  program.stage("step").input("A", a).input("rhs", b);
  program.function({"solve",
                    "A x = rhs",
                    {sym::Output::vector("x", x),
                     sym::Output::scalar("smallest_pivot", factors.smallest_pivot())}});
  return program;
}

// the solution in long double, with row pivoting and one step of refinement
std::vector<long double> reference(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr std::size_t n = Matrix::size;
  std::vector<long double> lu(a.begin(), a.end());
  std::vector<std::size_t> row(n);
  const auto at = [&](std::size_t i, std::size_t j) -> long double& { return lu[j * n + row[i]]; };
  for (std::size_t i = 0; i < n; ++i) row[i] = i;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k; i < n; ++i)
      if (std::abs(at(i, k)) > std::abs(at(pivot, k))) pivot = i;
    std::swap(row[k], row[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      at(i, k) /= at(k, k);
      for (std::size_t j = k + 1; j < n; ++j) at(i, j) -= at(i, k) * at(k, j);
    }
  }
  const auto solved = [&](const std::vector<long double>& rhs) {
    std::vector<long double> x(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = rhs[row[i]];
      for (std::size_t j = 0; j < i; ++j) x[i] -= at(i, j) * x[j];
    }
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = i + 1; j < n; ++j) x[i] -= at(i, j) * x[j];
      x[i] /= at(i, i);
    }
    return x;
  };
  std::vector<long double> residual(b.begin(), b.end());
  std::vector<long double> x = solved(residual);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      residual[i] -= static_cast<long double>(a[j * n + i]) * x[j];
  const std::vector<long double> correction = solved(residual);
  for (std::size_t i = 0; i < n; ++i) x[i] += correction[i];
  return x;
}

// the largest difference, relative to the largest element
double relative_error(const double* x, const std::vector<long double>& exact) {
  long double difference = 0, largest = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    difference = std::max(difference, std::abs(x[i] - exact[i]));
    largest = std::max(largest, std::abs(exact[i]));
  }
  return static_cast<double>(difference / largest);
}

struct Lu {
  std::size_t nonzeros = 0, fill = 0, operations = 0;
  std::size_t minimum_degree_fill = 0, minimum_degree_operations = 0;
  double eigen_over_lu = 0;  // the middle of the rounds
  double ns = 0, best_ns = 0, eigen_ns = 0, eigen_best_ns = 0;
  double default_flags_ns = 0, contracted_ns = 0, minimum_degree_ns = 0, interpreter_ns = 0;
  double contraction_ratio = 0;
  double jit_ns = 0, jit_over_cc = 0;
  double lane_ns = 0, jit_lane_ns = 0;  // per system, four at once
  double error = 0, eigen_error = 0, median_error = 0, eigen_median_error = 0;
  int samples = 0;
  std::string flags, default_flags;
};

Lu measure_lu() {
  constexpr int n = Matrix::size;
  using Dense = Eigen::Matrix<double, n, n>;
  using Vector = Eigen::Matrix<double, n, 1>;
  const Matrix matrix;
  Lu result;

  // leaf to root, and the order a general rule finds
  sym::Graph g, g_md;
  const gen::Program program = lu_program(g, matrix, matrix.leaf_to_root());
  const gen::Program program_md = lu_program(g_md, matrix, {});
  result.operations = gen::make_schedule(program).functions[0].count.total();
  result.minimum_degree_operations = gen::make_schedule(program_md).functions[0].count.total();
  const auto fill_of = [&](std::vector<std::uint32_t> order) {
    sym::Graph scratch;
    std::vector<sym::Entry> entries;
    for (const Matrix::Place& p : matrix.places())
      entries.push_back({p.row, p.col, scratch.symbol(fmt::format("a_{}_{}", p.row, p.col))});
    return sym::Factors(sym::Matrix(n, n, entries), {sym::Elimination::lu, std::move(order)})
        .fill();
  };
  result.nonzeros = matrix.places().size();
  result.fill = fill_of(matrix.leaf_to_root());
  result.minimum_degree_fill = fill_of({});

  const FreshCache cache;
  const std::vector<std::string> same{"-O3", "-march=x86-64-v3"};
  const exec::Options options = with(exec::Backend::cc, cache, same);
  const exec::Options own = with(exec::Backend::cc, cache);
  result.flags = flags_text(options);
  result.default_flags = flags_text(own);
  Runner lu(exec::load(program, options));
  Runner lu_own(exec::load(program, own));
  Runner lu_fused(exec::load(program, with(exec::Backend::cc, cache, same, true)));
  Runner lu_md(exec::load(program_md, options));
  Runner lu_interpreted(exec::load(program, with(exec::Backend::interpreter, cache)));
  const exec::Options jit = with(exec::Backend::jit, cache);
  Runner lu_jit(exec::load(program, jit));
  Runner lu_lanes(exec::load(program, on_lanes(options, 4)));
  Runner lu_jit_lanes(exec::load(program, on_lanes(jit, 4)));
  std::vector<Runner*> runners{&lu,     &lu_own,   &lu_fused,    &lu_md, &lu_interpreted,
                               &lu_jit, &lu_lanes, &lu_jit_lanes};

  Dense A;
  Vector b, x;
  std::mt19937_64 random(20260101);
  std::vector<double> dense, rhs(n);
  const auto set_sample = [&] {
    dense = matrix.values(random);
    for (double& v : rhs) v = static_cast<double>(random() >> 11) * 0x1p-52 - 1;
    A = Eigen::Map<const Dense>(dense.data());
    b = Eigen::Map<const Vector>(rhs.data());
    for (Runner* r : runners) {
      std::vector<double> nonzeros;
      for (const Matrix::Place& p : matrix.places()) nonzeros.push_back(dense[p.col * n + p.row]);
      r->set(0, nonzeros);
      r->set(1, rhs);
    }
  };
  const auto eigen = [&] { x = Eigen::PartialPivLU<Dense>(A).solve(b); };

  // accuracy over many matrices
  std::vector<double> error, eigen_error;
  result.samples = 20000;
  for (int s = 0; s < result.samples; ++s) {
    set_sample();
    const std::vector<long double> exact = reference(dense, rhs);
    lu();
    eigen();
    error.push_back(relative_error(lu.output(0, 0), exact));
    eigen_error.push_back(relative_error(x.data(), exact));
  }
  result.error = *std::max_element(error.begin(), error.end());
  result.eigen_error = *std::max_element(eigen_error.begin(), eigen_error.end());
  result.median_error = median(error);
  result.eigen_median_error = median(eigen_error);

  const auto times = measure(
      {std::cref(lu), eigen, std::cref(lu_own), std::cref(lu_fused), std::cref(lu_md),
       std::cref(lu_interpreted), std::cref(lu_jit), std::cref(lu_lanes), std::cref(lu_jit_lanes)},
      500);
  result.eigen_over_lu = median_ratio(times[1], times[0]);
  result.contraction_ratio = median_ratio(times[3], times[0]);
  result.jit_over_cc = median_ratio(times[6], times[0]);
  result.jit_ns = median(times[6]);
  result.lane_ns = median(times[7]) / 4;
  result.jit_lane_ns = median(times[8]) / 4;
  result.ns = median(times[0]);
  result.best_ns = *std::min_element(times[0].begin(), times[0].end());
  result.eigen_ns = median(times[1]);
  result.eigen_best_ns = *std::min_element(times[1].begin(), times[1].end());
  result.default_flags_ns = median(times[2]);
  result.contracted_ns = median(times[3]);
  result.minimum_degree_ns = median(times[4]);
  result.interpreter_ns = median(times[5]);
  return result;
}

// ---------------------------------------------------------------------------------- results

std::string to_json(const LargeProgram& p, const Lu& lu) {
  base::Json json;
  json.begin_object();
  json.key("machine").value(machine());
  json.key("ns_per_op").value(p.cc_ns);
  json.key("interpreter_ns_per_op").value(p.interpreter_ns);
  json.key("jit_ns_per_op").value(p.jit_ns);
  json.key("lane_ns_per_op").value(p.cc_lane_ns);
  json.key("jit_lane_ns_per_op").value(p.jit_lane_ns);
  json.key("jit_over_cc").value(p.jit_over_cc);
  json.key("jit_over_cc_lanes").value(p.jit_over_cc_lanes);
  json.key("jit_compile_ms").value(p.jit_compile_ms);
  json.key("cc_compile_s").value(p.compile_s);
  json.key("cc_compile_cpu_s").value(p.compile_cpu_s);
  json.key("statements").value(p.statements);
  json.key("operations").value(p.operations);
  json.key("trig_operations").value(p.trig);
  json.key("files").value(p.files);
  json.key("cc_flags").value(p.flags);
  json.key("eigen_over_lu").value(lu.eigen_over_lu);
  json.key("lu_ns").value(lu.ns).key("lu_best_ns").value(lu.best_ns);
  json.key("eigen_ns").value(lu.eigen_ns).key("eigen_best_ns").value(lu.eigen_best_ns);
  json.key("lu_error").value(lu.error).key("eigen_error").value(lu.eigen_error);
  json.key("lu_median_error").value(lu.median_error);
  json.key("eigen_median_error").value(lu.eigen_median_error);
  json.key("error_samples").value(lu.samples);
  json.key("flags").value(KLINGEL_BENCH_FLAGS);
  json.key("lu_flags").value(lu.flags).key("eigen_flags").value(KLINGEL_BENCH_FLAGS);
  json.key("lu_nonzeros").value(lu.nonzeros).key("lu_fill").value(lu.fill);
  json.key("lu_operations").value(lu.operations);
  json.key("lu_default_flags_ns").value(lu.default_flags_ns);
  json.key("lu_default_flags").value(lu.default_flags);
  json.key("lu_contracted_ns").value(lu.contracted_ns);
  json.key("contraction_ratio").value(lu.contraction_ratio);
  json.key("lu_interpreter_ns").value(lu.interpreter_ns);
  json.key("lu_jit_ns").value(lu.jit_ns).key("lu_jit_over_cc").value(lu.jit_over_cc);
  json.key("lu_lane_ns").value(lu.lane_ns).key("lu_jit_lane_ns").value(lu.jit_lane_ns);
  json.key("lu_minimum_degree_ns").value(lu.minimum_degree_ns);
  json.key("lu_minimum_degree_fill").value(lu.minimum_degree_fill);
  json.key("lu_minimum_degree_operations").value(lu.minimum_degree_operations);
  json.end_object();
  return json.text();
}

void print(const LargeProgram& p, const Lu& lu) {
  fmt::print("{}\n\n", machine());
  fmt::print("a chain in space: {} operations ({} sines and cosines), {} statements in {} files\n",
             p.operations, p.trig, p.statements, p.files);
  fmt::print("  compiling with cc, 2 jobs     {:8.2f} s, {:.2f} s of processor time\n", p.compile_s,
             p.compile_cpu_s);
  fmt::print("  compiling in memory           {:8.1f} ms\n", p.jit_compile_ms);
  fmt::print("  compiled                      {:8.3f} ns per operation\n", p.cc_ns);
  fmt::print("  compiled in memory            {:8.3f} ns per operation, {:.2f} of compiled\n",
             p.jit_ns, p.jit_over_cc);
  fmt::print("  compiled, on four lanes       {:8.3f} ns per operation and lane\n", p.cc_lane_ns);
  fmt::print(
      "  in memory, on four lanes      {:8.3f} ns per operation and lane, {:.2f} of compiled\n",
      p.jit_lane_ns, p.jit_over_cc_lanes);
  fmt::print("  interpreted                   {:8.3f} ns per operation\n\n", p.interpreter_ns);

  fmt::print("LU of the locomotive's {0} x {0} system: {1} nonzeros, {2} fill, {3} operations\n",
             Matrix::size, lu.nonzeros, lu.fill, lu.operations);
  const auto row = [](const char* name, double ns, const std::string& note) {
    fmt::print("  {:<30}{:8.0f} ns   {}\n", name, ns, note);
  };
  row("generated, leaf to root", lu.ns,
      fmt::format("best {:.0f}, error {:.1e} (middle {:.1e})", lu.best_ns, lu.error,
                  lu.median_error));
  row("Eigen PartialPivLU<38>", lu.eigen_ns,
      fmt::format("best {:.0f}, error {:.1e} (middle {:.1e})", lu.eigen_best_ns, lu.eigen_error,
                  lu.eigen_median_error));
  row("generated, our default flags", lu.default_flags_ns, lu.default_flags);
  row("generated, contracted", lu.contracted_ns, fmt::format("ratio {:.2f}", lu.contraction_ratio));
  row("generated, minimum degree", lu.minimum_degree_ns,
      fmt::format("fill {}, {} operations", lu.minimum_degree_fill, lu.minimum_degree_operations));
  row("in memory, leaf to root", lu.jit_ns, fmt::format("ratio {:.2f}", lu.jit_over_cc));
  row("generated, four lanes", lu.lane_ns, "per system");
  row("in memory, four lanes", lu.jit_lane_ns, "per system");
  row("interpreted, leaf to root", lu.interpreter_ns, "");
  fmt::print("  Eigen over generated          {:8.2f}      both with {}\n", lu.eigen_over_lu,
             KLINGEL_BENCH_FLAGS);
}

}  // namespace
}  // namespace klingel::bench

int main(int argc, char** argv) {
  using namespace klingel;
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_kernels <result.json>\n");
    return 2;
  }
  try {
    const bench::LargeProgram program = bench::measure_large_program();
    const bench::Lu lu = bench::measure_lu();
    bench::print(program, lu);
    base::write_file(argv[1], bench::to_json(program, lu));
  } catch (const base::Error& error) {
    fmt::print(stderr, "bench_kernels: {}\n", error.what());
    return 2;
  }
  return 0;
}
