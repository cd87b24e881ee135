// Kernels written by hand, for tests that must not need the compiler tower: a table whose
// functions are lambdas, to be completed or damaged by a test.
#pragma once

#include <cmath>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "kernel/abi.h"

namespace klingel::runtime {

class HandKernel {
 public:
  // Inputs by the order of their declaration; outputs by their order.
  using Body = std::function<void(const double* const* in, double* const* out)>;

  explicit HandKernel(std::string model) : model_(std::move(model)) {
    for (const char* name : {"setup", "position", "velocity", "force"})
      stages_.push_back({name,
                         [](const void* context, const double* const*, double*, double* const*) {
                           ++*static_cast<int*>(const_cast<void*>(context));
                         },
                         &calls_.emplace_back(0), 0});
  }
  HandKernel(const HandKernel&) = delete;

  HandKernel& input(const char* name, std::uint32_t stage, std::vector<const char*> names,
                    std::vector<double> nominal) {
    const auto& n = names_.emplace_back(std::move(names));
    const auto& v = nominal_.emplace_back(std::move(nominal));
    inputs_.push_back({name, static_cast<std::uint32_t>(n.size()), stage, n.data(), v.data()});
    return *this;
  }
  HandKernel& function(const char* name, std::vector<klingel_output> outputs, Body body) {
    const auto& o = outputs_.emplace_back(std::move(outputs));
    const auto& b = bodies_.emplace_back(std::move(body));
    functions_.push_back({name, "", 3, static_cast<std::uint32_t>(o.size()), o.data(),
                          [](const void* context, const double* const* in, double*,
                             double* const* out) { (*static_cast<const Body*>(context))(in, out); },
                          &b, 0});
    return *this;
  }
  HandKernel& dense(const char* name, const char* output, std::uint32_t rows, std::uint32_t cols,
                    Body body) {
    return function(name, {{output, rows, cols, rows * cols, nullptr, nullptr}}, std::move(body));
  }
  HandKernel& remove(const std::string& function) {
    std::erase_if(functions_, [&](const klingel_function& f) { return f.name == function; });
    return *this;
  }

  // A stage, or a function, that is rare.
  HandKernel& rare_stage(std::size_t stage) {
    stages_[stage].rare = 1;
    return *this;
  }
  HandKernel& rare(const std::string& function) {
    for (klingel_function& f : functions_)
      if (f.name == function) f.rare = 1;
    return *this;
  }

  int calls(std::size_t stage) const { return calls_[stage]; }

  // Valid until the next change.
  const klingel_kernel& abi() {
    kernel_ = {KLINGEL_ABI,
               1,
               model_.c_str(),
               "00",
               0,
               static_cast<std::uint32_t>(inputs_.size()),
               static_cast<std::uint32_t>(stages_.size()),
               static_cast<std::uint32_t>(functions_.size()),
               inputs_.data(),
               stages_.data(),
               functions_.data()};
    return kernel_;
  }

 private:
  std::string model_;
  std::deque<int> calls_;
  std::deque<std::vector<const char*>> names_;
  std::deque<std::vector<double>> nominal_;
  std::deque<std::vector<klingel_output>> outputs_;
  std::deque<Body> bodies_;
  std::vector<klingel_input> inputs_;
  std::vector<klingel_stage> stages_;
  std::vector<klingel_function> functions_;
  klingel_kernel kernel_{};
};

// A tree: mass on a spring, p = mass, stiffness; u = pull. x = nominal 1. Output "tension".
inline void make_spring(HandKernel& k) {
  k.input("p", 0, {"mass", "stiffness"}, {2, 8})
      .input("q", 1, {"x"}, {1})
      .input("t", 1, {"t"}, {0})
      .input("dq", 2, {"dx"}, {0})
      .input("u", 3, {"pull"}, {0})
      .input("f", 3, {"push"}, {0});
  k.dense("M_qq", "M_qq", 1, 1, [](auto in, auto out) { out[0][0] = in[0][0]; });
  k.dense("delta_q", "delta_q", 1, 1,
          [](auto in, auto out) { out[0][0] = in[4][0] + in[5][0] - in[0][1] * in[1][0]; });
  k.function("energy",
             {{"kinetic", 1, 1, 1, nullptr, nullptr}, {"potential", 1, 1, 1, nullptr, nullptr}},
             [](auto in, auto out) {
               out[0][0] = in[0][0] * in[3][0] * in[3][0] / 2;
               out[1][0] = in[0][1] * in[1][0] * in[1][0] / 2;
             });
  k.dense("tension", "v_tension", 1, 1, [](auto in, auto out) { out[0][0] = in[0][1] * in[1][0]; });
}

// A loop: a mass of 2 kg in the xz plane on a rod of 0.7 m, hanging. `copies` of the rod: each
// further one is the same constraint times 1000, -2000, 3000, ... plus `contradiction`.
inline void make_rod(HandKernel& k, std::uint32_t copies = 1, double contradiction = 0) {
  constexpr double mass = 2, l = 0.7, g = 9.81;
  const auto scale = [](std::uint32_t i) {
    return i == 0 ? 1.0 : i % 2 == 1 ? 1000.0 * i : -1000.0 * i;
  };
  k.input("q", 1, {"x", "z"}, {0, -l}).input("dq", 2, {"dx", "dz"}, {0, 0});
  k.dense("M_qq", "M_qq", 2, 2, [](auto, auto out) {
    out[0][0] = out[0][3] = mass;
    out[0][1] = out[0][2] = 0;
  });
  k.dense("delta_q", "delta_q", 2, 1, [](auto, auto out) {
    out[0][0] = 0;
    out[0][1] = -mass * g;
  });
  k.dense("phi", "phi", copies, 1, [=](auto in, auto out) {
    const double phi = (in[0][0] * in[0][0] + in[0][1] * in[0][1] - l * l) / (2 * l);
    for (std::uint32_t i = 0; i < copies; ++i)
      out[0][i] = scale(i) * phi + (i > 0 ? contradiction : 0);
  });
  k.dense("dphi", "dphi_dq", copies, 2, [=](auto in, auto out) {
    for (std::uint32_t i = 0; i < copies; ++i) {
      out[0][i] = scale(i) * in[0][0] / l;
      out[0][copies + i] = scale(i) * in[0][1] / l;
    }
  });
  k.dense("beta", "beta", copies, 1, [=](auto, auto out) { std::fill_n(out[0], copies, 0.0); });
  k.dense("gamma", "gamma", copies, 1, [=](auto in, auto out) {
    for (std::uint32_t i = 0; i < copies; ++i)
      out[0][i] = -scale(i) * (in[1][0] * in[1][0] + in[1][1] * in[1][1]) / l;
  });
  k.function("energy",
             {{"kinetic", 1, 1, 1, nullptr, nullptr}, {"potential", 1, 1, 1, nullptr, nullptr}},
             [](auto in, auto out) {
               out[0][0] = mass * (in[1][0] * in[1][0] + in[1][1] * in[1][1]) / 2;
               out[1][0] = mass * g * in[0][1];
             });
}

// Two masses of 1 kg on a line, of which the second may weigh nothing; the first is moved as
// a = 0.1 sin t, and the second kept at a + b = 1 if asked for.
inline void make_moved(HandKernel& k, double second_mass = 1, bool both = true) {
  const std::uint32_t m = both ? 2 : 1;
  k.input("q", 1, {"a", "b"}, {0.3, 0.3})
      .input("t", 1, {"t"}, {0})
      .input("dq", 2, {"da", "db"}, {0, 0});
  k.dense("M_qq", "M_qq", 2, 2, [=](auto, auto out) {
    out[0][0] = 1;
    out[0][1] = out[0][2] = 0;
    out[0][3] = second_mass;
  });
  k.dense("delta_q", "delta_q", 2, 1, [](auto, auto out) { out[0][0] = out[0][1] = 0; });
  k.dense("phi", "phi", m, 1, [=](auto in, auto out) {
    out[0][0] = in[0][0] - 0.1 * std::sin(in[1][0]);
    if (both) out[0][1] = in[0][0] + in[0][1] - 1;
  });
  k.dense("dphi", "dphi_dq", m, 2, [=](auto, auto out) {
    std::fill_n(out[0], 2 * m, 0.0);
    out[0][0] = 1;
    if (both) out[0][1] = out[0][3] = 1;
  });
  k.dense("beta", "beta", m, 1, [=](auto in, auto out) {
    out[0][0] = 0.1 * std::cos(in[1][0]);
    if (both) out[0][1] = 0;
  });
  k.dense("gamma", "gamma", m, 1, [=](auto in, auto out) {
    out[0][0] = -0.1 * std::sin(in[1][0]);
    if (both) out[0][1] = 0;
  });
  k.function("energy",
             {{"kinetic", 1, 1, 1, nullptr, nullptr}, {"potential", 1, 1, 1, nullptr, nullptr}},
             [](auto, auto out) { out[0][0] = out[1][0] = 0; });
}

// The text of the error that `call` throws; "no error" if none.
template <class Call>
std::string error_of(Call&& call) {
  try {
    call();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace klingel::runtime
