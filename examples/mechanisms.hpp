// The shipped mechanisms: each is one short file that builds a mech::Model, with a README beside
// it. `klingel example` lists and runs them, `klingel ops` counts their operations.
#pragma once

#include <span>
#include <string_view>

#include "mech/model.hpp"

namespace klingel::examples {

struct Mechanism {
  const char* name;
  const char* title;
  void (*build)(mech::Model& model);
  double duration;     // s
  double step;         // s
  const char* method;  // see mechanism/integrate.hpp
  const char* held;    // coordinates kept while a closed loop is assembled, separated by blanks
};

std::span<const Mechanism> mechanisms();
// An error that names the nearest if there is none of this name.
const Mechanism& mechanism(std::string_view name);

void build_pendulum(mech::Model& model);
void build_double_pendulum(mech::Model& model);
void build_top(mech::Model& model);
void build_free_body(mech::Model& model);
void build_slider_crank(mech::Model& model);
void build_four_bar(mech::Model& model);
void build_arm(mech::Model& model);
void build_chain(mech::Model& model);
void build_locomotive_tree(mech::Model& model);

}  // namespace klingel::examples
