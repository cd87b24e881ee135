// Atoms built and differentiated with Klingel and with GiNaC plus an atom table, in one process
// and from one source: a serial chain of bodies, its Jacobian and their time derivatives.
//   usage: bench_sym [result.json]
//
// The GiNaC side is what one writes when an atom table is needed there (as lib_3d_mec_ginac has
// one): the result of every operation is kept in a hash table and stands for itself as a symbol
// from then on; derivatives follow the chain rule over atoms, each remembered per derivation, and
// atoms that cannot depend on a seed are skipped, as in ours.
#include <fmt/format.h>
#include <ginac/ginac.h>
#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/file.hpp"
#include "base/json.hpp"
#include "sym/differentiate.hpp"
#include "sym/jacobian.hpp"
#include "sym/tape.hpp"

namespace klingel {
namespace {

// Two engines with one face

class KlingelEngine {
 public:
  using E = sym::Expr;
  using Seeds = std::vector<sym::Seed>;

  E symbol(const std::string& name) { return g_.symbol(name); }
  E number(int n) { return g_.number(n); }
  E sine(E x) { return sin(x); }
  E cosine(E x) { return cos(x); }
  E sum(E a, E b) { return a + b; }
  E difference(E a, E b) { return a - b; }
  E product(E a, E b) { return a * b; }
  // One derivation after another on the same seeds uses what is remembered.
  std::vector<E> derived(const std::vector<E>& list, const Seeds& seeds) {
    return sym::derivation(list, seeds);
  }
  std::size_t size() const { return g_.size(); }

  std::vector<double> values(const std::vector<E>& leaves, const std::vector<double>& at,
                             const std::vector<E>& outputs) {
    const sym::Tape tape(leaves, outputs);
    std::vector<double> out(outputs.size()), registers(tape.registers());
    tape.run(at.data(), out.data(), registers.data());
    return out;
  }

 private:
  sym::Graph g_;
};

class GinacEngine {
 public:
  using E = GiNaC::ex;
  struct Seed {
    E symbol, value;
  };
  using Seeds = std::vector<Seed>;

  E symbol(const std::string& name) {
    const E s = GiNaC::symbol(name);
    known_.emplace(s, Known{0, std::uint32_t{1} << (symbols_++ % 32)});
    return s;
  }
  E number(int n) { return n; }
  E sine(const E& x) { return atom(GiNaC::sin(x)); }
  E cosine(const E& x) { return atom(GiNaC::cos(x)); }
  E sum(const E& a, const E& b) { return atom(a + b); }
  E difference(const E& a, const E& b) { return atom(a - b); }
  E product(const E& a, const E& b) { return atom(a * b); }

  std::vector<E> derived(const std::vector<E>& list, const Seeds& seeds) {
    Derivation& d = derivations_[key(seeds)];
    for (const Seed& s : seeds) {
      d.memo.try_emplace(s.symbol, s.value);
      d.symbols |= known_.at(s.symbol).symbols;
    }
    std::vector<E> result;
    for (const E& e : list) result.push_back(derived(e, d));
    return result;
  }

  std::size_t size() const { return known_.size(); }

  std::vector<double> values(const std::vector<E>& leaves, const std::vector<double>& at,
                             const std::vector<E>& outputs) {
    std::unordered_map<E, double> memo;
    for (std::size_t i = 0; i < leaves.size(); ++i) memo.emplace(leaves[i], at[i]);
    std::vector<double> out;
    for (const E& e : outputs) out.push_back(value(e, memo));
    return out;
  }

 private:
  struct Known {
    E definition;           // 0 for a plain symbol
    std::uint32_t symbols;  // those below, hashed: a zero bit proves independence
  };

  // what is remembered of the derivation with some seeds
  struct Derivation {
    std::unordered_map<E, E> memo;
    std::uint32_t symbols = 0;
  };
  using Key = std::vector<std::pair<unsigned, unsigned>>;  // hashes, unique for symbols

  static Key key(const Seeds& seeds) {
    Key k;
    for (const Seed& s : seeds) k.emplace_back(s.symbol.gethash(), s.value.gethash());
    return k;
  }

  // the symbol that stands for an expression of symbols and numbers
  E atom(const E& e) {
    if (GiNaC::is_exactly_a<GiNaC::numeric>(e) || GiNaC::is_exactly_a<GiNaC::symbol>(e)) return e;
    const auto [it, is_new] = atoms_.try_emplace(e);
    if (is_new) {
      it->second = GiNaC::symbol();
      known_.emplace(it->second, Known{e, symbols_below(e)});
    }
    return it->second;
  }

  std::uint32_t symbols_below(const E& e) const {
    if (GiNaC::is_exactly_a<GiNaC::symbol>(e)) return known_.at(e).symbols;
    std::uint32_t mask = 0;
    for (std::size_t i = 0; i < e.nops(); ++i) mask |= symbols_below(e.op(i));
    return mask;
  }

  E derived(const E& e, Derivation& d) {
    if (!GiNaC::is_exactly_a<GiNaC::symbol>(e)) return 0;
    const Known& known = known_.at(e);  // stays: an unordered_map does not move its elements
    if ((known.symbols & d.symbols) == 0) return 0;
    if (const auto it = d.memo.find(e); it != d.memo.end()) return it->second;
    const E result = chain_rule(known.definition, d);
    d.memo.emplace(e, result);
    return result;
  }

  // one operation, whose operands are symbols or numbers; a definition 0 is a constant symbol
  E chain_rule(const E& e, Derivation& d) {
    if (GiNaC::is_exactly_a<GiNaC::add>(e)) {
      E sum = 0;
      for (std::size_t i = 0; i < e.nops(); ++i) sum += derived_term(e.op(i), d);
      return atom(sum);
    }
    if (GiNaC::is_exactly_a<GiNaC::mul>(e)) return derived_product(e, d);
    if (GiNaC::is_exactly_a<GiNaC::power>(e)) {  // a * a is a^2 there
      const E da = derived(e.op(0), d);
      return atom(2 * atom(e.op(0) * da));
    }
    if (GiNaC::is_the_function<GiNaC::sin_SERIAL>(e)) {
      const E da = derived(e.op(0), d);
      return atom(cosine(e.op(0)) * da);
    }
    if (GiNaC::is_the_function<GiNaC::cos_SERIAL>(e)) {
      const E da = derived(e.op(0), d);
      return atom(-atom(sine(e.op(0)) * da));
    }
    return 0;
  }

  // a term of a sum: a symbol, or a number times a symbol
  E derived_term(const E& term, Derivation& d) {
    if (GiNaC::is_exactly_a<GiNaC::mul>(term)) return derived_product(term, d);
    return derived(term, d);
  }

  E derived_product(const E& e, Derivation& d) {
    const E a = e.op(0), b = e.op(1);  // two factors, one of them may be a number
    const E da = derived(a, d), db = derived(b, d);
    return atom(atom(da * b) + atom(a * db));
  }

  double value(const E& e, std::unordered_map<E, double>& memo) {
    if (GiNaC::is_exactly_a<GiNaC::numeric>(e)) return GiNaC::ex_to<GiNaC::numeric>(e).to_double();
    if (GiNaC::is_exactly_a<GiNaC::symbol>(e)) {
      if (const auto it = memo.find(e); it != memo.end()) return it->second;
      const double v = value(known_.at(e).definition, memo);
      memo.emplace(e, v);
      return v;
    }
    std::vector<double> x;
    for (std::size_t i = 0; i < e.nops(); ++i) x.push_back(value(e.op(i), memo));
    if (GiNaC::is_exactly_a<GiNaC::power>(e)) return std::pow(x[0], x[1]);
    if (GiNaC::is_the_function<GiNaC::sin_SERIAL>(e)) return std::sin(x[0]);
    if (GiNaC::is_the_function<GiNaC::cos_SERIAL>(e)) return std::cos(x[0]);
    const bool is_sum = GiNaC::is_exactly_a<GiNaC::add>(e);
    double v = is_sum ? 0 : 1;
    for (const double xi : x) v = is_sum ? v + xi : v * xi;
    return v;
  }

  std::unordered_map<E, E> atoms_;      // expression -> its symbol
  std::unordered_map<E, Known> known_;  // symbol -> what is known of it
  std::map<Key, Derivation> derivations_;
  std::size_t symbols_ = 0;
};

// The workload

template <class E>
struct Result {
  std::vector<E> inputs;   // q, dq, ddq, parameters
  std::vector<E> outputs;  // positions, velocities, accelerations, Jacobian and its time derivative
};

// A serial chain of n bodies, turning about x, y, z, x, ... in turn; the point at the end of each
// body, the Jacobian of all points by all angles, and time derivatives. Operands are made one per
// statement, so that both engines and all compilers do the same in the same order.
template <class Engine>
Result<typename Engine::E> chain(Engine& engine, std::size_t n) {
  using E = typename Engine::E;
  std::vector<E> q, dq, ddq, along, across;
  typename Engine::Seeds time;
  for (std::size_t i = 0; i < n; ++i) {
    q.push_back(engine.symbol(fmt::format("q{}", i)));
    dq.push_back(engine.symbol(fmt::format("dq{}", i)));
    ddq.push_back(engine.symbol(fmt::format("ddq{}", i)));
    along.push_back(engine.symbol(fmt::format("l{}", i)));
    across.push_back(engine.symbol(fmt::format("h{}", i)));
    time.push_back({q[i], dq[i]});
    time.push_back({dq[i], ddq[i]});
  }

  // R_0i turns with each joint: two of its columns mix, the third stays
  using Column = std::array<E, 3>;
  const E zero = engine.number(0), one = engine.number(1);
  std::array<Column, 3> R{{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}};
  Column r{zero, zero, zero};
  std::vector<E> positions;
  for (std::size_t i = 0; i < n; ++i) {
    const E c = engine.cosine(q[i]);
    const E s = engine.sine(q[i]);
    const std::size_t u = (i + 1) % 3, v = (i + 2) % 3;
    for (std::size_t k = 0; k < 3; ++k) {
      const E uc = engine.product(c, R[u][k]);
      const E vs = engine.product(s, R[v][k]);
      const E vc = engine.product(c, R[v][k]);
      const E us = engine.product(s, R[u][k]);
      R[u][k] = engine.sum(uc, vs);
      R[v][k] = engine.difference(vc, us);
      const E forward = engine.product(along[i], R[u][k]);
      const E aside = engine.product(across[i], R[v][k]);
      const E arm = engine.sum(forward, aside);
      r[k] = engine.sum(r[k], arm);
      positions.push_back(r[k]);
    }
  }

  Result<E> result;
  const auto keep = [&result](const std::vector<E>& list) {
    result.outputs.insert(result.outputs.end(), list.begin(), list.end());
  };
  const std::vector<E> velocities = engine.derived(positions, time);
  std::vector<E> J;
  for (std::size_t i = 0; i < n; ++i) {
    typename Engine::Seeds seed;
    seed.push_back({q[i], one});
    const std::vector<E> column = engine.derived(positions, seed);
    J.insert(J.end(), column.begin(), column.end());
  }
  keep(positions);
  keep(velocities);
  keep(engine.derived(velocities, time));
  keep(J);
  keep(engine.derived(J, time));
  for (const auto* list : {&q, &dq, &ddq, &along, &across}) {
    result.inputs.insert(result.inputs.end(), list->begin(), list->end());
  }
  return result;
}

// Measuring

// Time of this process on the processor, so that other work on the machine counts less.
double seconds_now() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

std::size_t bytes_now() {
  const struct mallinfo2 m = mallinfo2();
  return m.uordblks + m.hblkhd;
}

struct Measurement {
  double seconds = 1e300;  // the best run
  std::size_t bytes = 0;   // held while the result is alive, after the last run
  std::size_t atoms = 0;
  std::vector<double> values;

  template <class Engine>
  void run(std::size_t n, bool evaluate) {
    const std::size_t before = bytes_now();
    const double start = seconds_now();
    auto engine = std::make_unique<Engine>();
    const auto result = chain(*engine, n);
    seconds = std::min(seconds, seconds_now() - start);
    bytes = bytes_now() - before;
    atoms = engine->size();
    if (!evaluate) return;
    std::vector<double> at;
    for (std::size_t i = 0; i < result.inputs.size(); ++i) {
      at.push_back(std::sin(1.0 + 0.7 * static_cast<double>(i)));
    }
    values = engine->values(result.inputs, at, result.outputs);
  }
};

// The largest difference of the two engines' values, relative to the largest value. Both round
// some thousand times on the way from one end of the chain to the other.
double largest_difference(const std::vector<double>& x, const std::vector<double>& y) {
  double difference = x.size() == y.size() ? 0 : 1e300, size = 0;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    difference = std::max(difference, std::abs(x[i] - y[i]));
    size = std::max(size, std::abs(x[i]));
  }
  return difference / size;
}

int run(const std::string& path) {
  // freed memory stays with the process: else one engine would ask the system for its few large
  // blocks again in every run while the other reuses its many small ones
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);

  // both engines in turn, so that a busy machine hits both alike; the short runs more often
  constexpr std::size_t bodies = 48;
  Measurement ours, ginac;
  for (int i = 0; i < 5; ++i) {
    for (int k = 0; k < 10; ++k) ours.run<KlingelEngine>(bodies, i == 0);
    ginac.run<GinacEngine>(bodies, i == 0);
  }
  const double difference = largest_difference(ours.values, ginac.values);

  // half a million atoms
  std::size_t long_bodies = bodies;
  Measurement half_million;
  while (half_million.atoms < 500'000) {
    half_million = {};
    half_million.run<KlingelEngine>(long_bodies += 4, false);
  }
  for (int i = 0; i < 4; ++i) half_million.run<KlingelEngine>(long_bodies, false);

  const double ratio_time = ginac.seconds / ours.seconds;
  const double ratio_memory = static_cast<double>(ginac.bytes) / static_cast<double>(ours.bytes);
  const double us_per_node = 1e6 * ours.seconds / static_cast<double>(ours.atoms);
  const double half_million_mb = 1e-6 * static_cast<double>(half_million.bytes);

  base::Json json;
  json.begin_object();
  json.key("workload")
      .value(fmt::format("chain of {} bodies: positions, velocities, accelerations, "
                         "Jacobian, its time derivative",
                         bodies));
  json.key("flags").value(KLINGEL_BENCH_FLAGS);
  json.key("ratio_time").value(ratio_time);
  json.key("ratio_memory").value(ratio_memory);
  json.key("us_per_node").value(us_per_node);
  json.key("nodes").value(ours.atoms);
  json.key("ginac_atoms").value(ginac.atoms);
  json.key("klingel_s").value(ours.seconds);
  json.key("ginac_s").value(ginac.seconds);
  json.key("klingel_bytes").value(ours.bytes);
  json.key("ginac_bytes").value(ginac.bytes);
  json.key("largest_difference").value(difference);
  json.key("nodes_500k").value(half_million.atoms);
  json.key("nodes_500k_s").value(half_million.seconds);
  json.key("nodes_500k_mb").value(half_million_mb);
  json.end_object();
  base::write_file(path, json.text());

  fmt::print("                    klingel       ginac + atom table\n");
  fmt::print("atoms            {:10} {:10}\n", ours.atoms, ginac.atoms);
  fmt::print("time             {:8.4f} s {:8.4f} s   ratio {:.1f}\n", ours.seconds, ginac.seconds,
             ratio_time);
  fmt::print("memory           {:7.1f} MB {:7.1f} MB   ratio {:.1f}\n",
             1e-6 * static_cast<double>(ours.bytes), 1e-6 * static_cast<double>(ginac.bytes),
             ratio_memory);
  fmt::print("per atom         {:7.3f} us   largest difference of values {:.1e}\n", us_per_node,
             difference);
  fmt::print("{} atoms     {:7.3f} s {:7.1f} MB\n", half_million.atoms, half_million.seconds,
             half_million_mb);
  if (!(difference < 1e-10)) {
    fmt::print(stderr, "the two engines disagree\n");
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace klingel

int main(int argc, char** argv) {
  try {
    return klingel::run(argc > 1 ? argv[1] : "build/bench/sym.json");
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
