// What the contacts of a locomotive cost per evaluation: eight wheels in a canted curve, scalar and
// on four lanes; the same by function; forces by law; the search for the point of contact.
//
// "Eight contacts" is everything a step needs of them: constraints and the Newton correction,
// frame and wrenches, rates of the contact coordinates, gamma and slip velocities, then Hertz,
// Kalker and the SHE law for each. Both variants get their inputs from the same states, copied on
// every evaluation, and must agree bit for bit; they run in turns, so that a disturbance hits both.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json.hpp"
#include "exec/load.hpp"
#include "model/contact.hpp"
#include "runtime/kernel_set.hpp"
#include "tests/bench/contact_forces.hpp"
#include "tests/bench/contact_states.hpp"

namespace klingel::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Time {
  double median = 0, best = 0;  // ns
};

// Times per call of every competitor, taken in turns in batches of about 0.2 ms.
std::vector<Time> measure(const std::vector<std::function<void()>>& competitors, int rounds) {
  std::vector<int> batch;
  for (const auto& call : competitors) {
    int n = 1;
    for (;; n *= 2) {
      const auto start = Clock::now();
      for (int i = 0; i < n; ++i) call();
      if (seconds_since(start) > 2e-4) break;
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
  std::vector<Time> result;
  for (std::vector<double>& t : times) {
    std::sort(t.begin(), t.end());
    result.push_back({t[t.size() / 2], t.front()});
  }
  return result;
}

exec::Kernel contact_kernel(unsigned lanes, bool contraction) {
  sym::Graph graph;
  const gen::Program program(graph, "contact", model::contact_interface(graph));
  exec::Options options;
  options.backend = exec::Backend::cc;
  options.emit.lanes = lanes;
  options.contraction = contraction;
  return exec::load(program, options);
}

// Contacts side by side in one kernel: `lanes` of them, from the states at `first` on.
class Contacts {
 public:
  Contacts(const klingel_kernel& kernel, const ContactStates& states, std::size_t first)
      : set_(kernel), lanes_(kernel.lanes), states_(&states), first_(first) {
    for (const char* name : {"pose", "s", "twist", "bias", "ds"})
      inputs_.push_back(set_.input(name));
    for (const char* name : {"tangent", "frame", "rates", "motion"})
      functions_.push_back(set_.function(name));
    copy("y_w", &ContactState::y_w);
    copy("spline", &ContactState::spline);
  }

  void evaluate() {
    copy(inputs_[0], &ContactState::pose);
    copy(inputs_[1], &ContactState::s);
    copy(inputs_[2], &ContactState::twist);
    copy(inputs_[3], &ContactState::bias);
    tangent = set_.evaluate(functions_[0]).data();
    frame = set_.evaluate(functions_[1]).data();
    const std::span<const double> rates = set_.evaluate(functions_[2]);
    set_.set(inputs_[4], rates);
    motion = set_.evaluate(functions_[3]).data();
  }

  // Hertz, Kalker, SHE for every lane
  double forces(const contact::HertzTable& hertz, const creep::KalkerTable& kalker,
                const creep::CreepModel& model) const {
    double sum = 0;
    for (std::size_t l = 0; l < lanes_; ++l) {
      const auto curvature = [&](std::size_t i) { return frame[(18 + i) * lanes_ + l]; };
      const auto of_motion = [&](std::size_t i) { return motion[i * lanes_ + l]; };
      const double N = 4e4 + 1e3 * static_cast<double>(l);
      const contact::HertzPatch patch =
          hertz.patch({curvature(0) / 2, (curvature(1) + curvature(2)) / 2}, N, 0.05);
      const creep::CreepInput in = {patch.a,
                                    patch.b,
                                    N,
                                    0.3,
                                    82.677e9,
                                    kalker.at(patch.a, patch.b),
                                    {of_motion(1), of_motion(2), of_motion(3)},
                                    of_motion(7)};
      const creep::CreepResult r = model(in);
      sum += r.f[0] + r.f[1] + r.f[2] + r.C[0] + r.C[4];
    }
    return sum;
  }

  runtime::KernelSet& set() { return set_; }
  std::size_t lanes() const { return lanes_; }

  const double *tangent = nullptr, *frame = nullptr, *motion = nullptr;

 private:
  template <std::size_t n>
  void copy(std::uint32_t input, std::array<double, n> ContactState::*member) {
    std::array<double, n * 8> values;
    for (std::size_t l = 0; l < lanes_; ++l) {
      const std::array<double, n>& from = (*states_)[first_ + l].*member;
      for (std::size_t i = 0; i < n; ++i) values[i * lanes_ + l] = from[i];
    }
    set_.set(input, std::span(values).first(n * lanes_));
  }
  template <std::size_t n>
  void copy(const char* input, std::array<double, n> ContactState::*member) {
    copy(set_.input(input), member);
  }

  runtime::KernelSet set_;
  std::size_t lanes_;
  const ContactStates* states_;
  std::size_t first_;
  std::vector<std::uint32_t> inputs_, functions_;
};

std::vector<std::unique_ptr<Contacts>> eight(const klingel_kernel& kernel,
                                             const ContactStates& states) {
  std::vector<std::unique_ptr<Contacts>> list;
  for (std::size_t i = 0; i < ContactStates::count; i += kernel.lanes)
    list.push_back(std::make_unique<Contacts>(kernel, states, i));
  return list;
}

// the same bits from both
void compare(const std::vector<std::unique_ptr<Contacts>>& narrow,
             const std::vector<std::unique_ptr<Contacts>>& wide) {
  for (auto& c : narrow) c->evaluate();
  for (auto& c : wide) c->evaluate();
  const std::size_t lanes = wide[0]->lanes();
  for (std::size_t i = 0; i < narrow.size(); ++i) {
    const auto check = [&](const double* a, const double* b, std::size_t size) {
      for (std::size_t k = 0; k < size; ++k) {
        if (std::bit_cast<std::uint64_t>(a[k]) !=
            std::bit_cast<std::uint64_t>(b[k * lanes + i % lanes]))
          base::fail("contact {}: {} on one lane, {} on several", i, a[k],
                     b[k * lanes + i % lanes]);
      }
    };
    check(narrow[i]->tangent, wide[i / lanes]->tangent, 10);
    check(narrow[i]->frame, wide[i / lanes]->frame, 22);
    check(narrow[i]->motion, wide[i / lanes]->motion, 8);
    // the states are contacts: phi_d = 0, and the wheel is on the rail
    for (int k = 0; k < 5; ++k) {
      if (!(std::abs(narrow[i]->tangent[k]) < 1e-6))
        base::fail("contact {} is none: constraint {} is {}", i, k, narrow[i]->tangent[k]);
    }
  }
}

struct Part {
  std::string name;
  std::size_t operations;
  double scalar_ns, lanes_ns;  // per contact
};

// every stage and function alone, per contact
std::vector<Part> parts(const exec::Kernel& narrow, const exec::Kernel& wide,
                        const ContactStates& states, int rounds) {
  sym::Graph graph;
  const gen::Program program(graph, "contact", model::contact_interface(graph));
  const gen::Manifest manifest = gen::emit_c(program).manifest;
  std::vector<Part> list;
  std::vector<std::function<void()>> calls;
  // arrays of their own, filled from states that were evaluated
  struct Memory {
    std::vector<std::unique_ptr<double[]>> blocks;
    std::vector<const double*> in;
    std::vector<std::vector<double*>> out;
    double* w;
    double* block(std::size_t n) {
      return blocks.emplace_back(std::make_unique<double[]>(n)).get();
    }
  };
  std::vector<std::unique_ptr<Memory>> memories;
  for (const klingel_kernel* k : {&narrow.abi(), &wide.abi()}) {
    Contacts contacts(*k, states, 0);
    contacts.evaluate();
    Memory& m = *memories.emplace_back(std::make_unique<Memory>());
    for (std::uint32_t i = 0; i < k->n_inputs; ++i) {
      const std::span<const double> values = contacts.set().value(i);
      double* to = m.block(values.size());
      std::copy(values.begin(), values.end(), to);
      m.in.push_back(to);
    }
    m.w = m.block(k->workspace_size * k->lanes);
    for (const klingel_function& f : std::span(k->functions, k->n_functions)) {
      m.out.emplace_back();
      for (const klingel_output& o : std::span(f.outputs, f.n_outputs))
        m.out.back().push_back(m.block(o.size * k->lanes));
    }
    for (const klingel_stage& s : std::span(k->stages, k->n_stages)) {
      s.call(s.context, m.in.data(), m.w, nullptr);
      calls.push_back([&s, &m] { s.call(s.context, m.in.data(), m.w, nullptr); });
    }
    for (std::uint32_t f = 0; f < k->n_functions; ++f) {
      calls.push_back([&m, k, f] {
        k->functions[f].call(k->functions[f].context, m.in.data(), m.w, m.out[f].data());
      });
    }
  }
  const std::vector<Time> times = measure(calls, rounds);
  const std::size_t n = calls.size() / 2;
  const std::size_t n_stages = manifest.stages.size();
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_stage = i < n_stages;
    list.push_back(
        {is_stage ? "stage_" + manifest.stages[i].name : manifest.functions[i - n_stages].name,
         is_stage ? manifest.stages[i].count.total()
                  : manifest.functions[i - n_stages].count.total(),
         times[i].median, times[n + i].median / wide.abi().lanes});
  }
  return list;
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

void run_all(const char* path) {
  constexpr int rounds = 300;
  const ContactStates states;
  const exec::Kernel narrow = contact_kernel(1, false), wide = contact_kernel(4, false),
                     fused = contact_kernel(4, true), wider = contact_kernel(8, false);
  const auto one = eight(narrow.abi(), states), four = eight(wide.abi(), states),
             four_fused = eight(fused.abi(), states), all = eight(wider.abi(), states);
  compare(one, four);
  compare(one, all);

  const contact::HertzTable hertz(210e9, 0.27);
  const creep::KalkerTable kalker(0.27);
  const creep::CreepModel she;
  double check = 0;
  const auto whole = [&](const std::vector<std::unique_ptr<Contacts>>& list) {
    return [&] {
      for (const auto& c : list) c->evaluate();
      for (const auto& c : list) check += c->forces(hertz, kalker, she);
    };
  };
  const auto kernels = [](const std::vector<std::unique_ptr<Contacts>>& list) {
    return [&] {
      for (const auto& c : list) c->evaluate();
    };
  };
  std::vector<contact::ContactPoint> points;
  for (std::size_t i = 0; i < ContactStates::count; ++i) points.push_back(states[i].point);
  std::size_t turn = 0;
  const auto refine = [&] {
    // the point of a step ago: 15 mm along the rail, a tenth of a millimetre across
    const std::size_t i = turn++ % ContactStates::count;
    contact::ContactPoint p = points[i];
    p.s.s_r -= 0.015;
    p.s.u_w += 1e-4;
    p.s.u_r += 1e-4;
    if (states.search(i).refine(states[i].wheel_pose, p) != contact::ContactStatus::converged)
      base::fail("bench: a warm start did not converge");
    check += p.gap;
  };
  const auto global = [&] {
    const std::size_t i = turn++ % ContactStates::count;
    check += states.search(i).minima(states[i].wheel_pose, points[i].s.s_r).front().distance;
  };
  const std::vector<Time> t = measure({whole(one), whole(four), whole(four_fused), whole(all),
                                       kernels(one), kernels(four), refine, global},
                                      rounds);
  const std::vector<Part> list = parts(narrow, wide, states, rounds);

  base::Json json;
  json.begin_object();
  json.key("machine").value(machine()).key("flags").value(KLINGEL_BENCH_FLAGS);
  const auto us = [&](const char* key, const Time& time) {
    json.key(key).value(1e-3 * time.median);
    json.key(fmt::format("{}_best", key)).value(1e-3 * time.best);
    fmt::print("{:<34}{:9.3f} us   best {:.3f}\n", key, 1e-3 * time.median, 1e-3 * time.best);
  };
  fmt::print("{}\n", machine());
  us("eight_contacts_us", t[0]);
  us("eight_contacts_lanes_us", t[1]);
  us("eight_contacts_lanes_fused_us", t[2]);
  us("eight_contacts_eight_lanes_us", t[3]);
  us("eight_contacts_kernels_us", t[4]);
  us("eight_contacts_kernels_lanes_us", t[5]);
  json.key("scalar_over_lanes").value(t[0].median / t[1].median);
  json.key("kernels_scalar_over_lanes").value(t[4].median / t[5].median);
  json.key("search_ns").value(t[6].median);
  us("search_global_us", t[7]);
  fmt::print("{:<34}{:9.0f} ns\n", "search_ns", t[6].median);

  std::size_t operations = 0;
  for (const Part& p : list) {
    operations += p.operations;
    json.key(p.name + "_ns").value(p.scalar_ns);
    json.key(p.name + "_lanes_ns").value(p.lanes_ns);
    json.key(p.name + "_operations").value(p.operations);
    fmt::print("{:<34}{:9.1f} ns   on lanes {:.1f}   {} operations\n", p.name, p.scalar_ns,
               p.lanes_ns, p.operations);
  }
  json.key("operations").value(operations);
  for (const creep::CreepLaw law : creep::creep_laws) {
    const bool slow = law == creep::CreepLaw::fastsim;
    const double ns = contact_forces_time(law, slow ? 64 : 640).ns;
    const std::string name(creep::name(law));
    json.key(slow ? "fastsim_us" : name + "_ns").value(slow ? 1e-3 * ns : ns);
    fmt::print("{:<34}{:9.1f} ns   with Hertz and Kalker\n", name, ns);
  }
  json.key("fastsim_points").value("10 strips x 30");
  json.key("check").value(check);
  json.end_object();
  base::write_file(path, json.text());
}

}  // namespace
}  // namespace klingel::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_contact <result.json>\n");
    return 2;
  }
  try {
    klingel::bench::run_all(argv[1]);
  } catch (const klingel::base::Error& error) {
    fmt::print(stderr, "bench_contact: {}\n", error.what());
    return 2;
  }
  return 0;
}
