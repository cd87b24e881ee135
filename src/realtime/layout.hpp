// Which numbers frames hold, in which order: some inputs and outputs of a model.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capi/model.hpp"
#include "realtime/frame.hpp"

namespace klingel::realtime {

struct LayoutSignal {
  std::string name, unit;
  std::size_t index = 0;  // in the model
  double safe = 0;        // of inputs: value when the device is silent
};

struct Layout {
  std::string model;
  std::vector<LayoutSignal> inputs, outputs;
  std::uint32_t hash = 0;  // of all names in their order

  Frame input_frame() const;  // with the ranges of its values: friction is above 0 and up to 2
  Frame output_frame() const;
  std::vector<double> safe_inputs() const;
};

struct LayoutChoice {
  // Patterns as of recorded channels; one that fits none is an Error that suggests near names.
  std::vector<std::string> inputs, outputs;  // none: all but friction; what control usually needs
  std::vector<std::string> safe;  // "NAME=VALUE"; without one 0, and its start of friction
};

Layout layout_of(const capi::Model& model, const LayoutChoice& choice);

// A header for C11 programs on the other side: names, frames, and shared memory.
std::string c_header(const Layout& layout);

}  // namespace klingel::realtime
