// Kernels of contacts: they give what runtime::KernelSet gives, and evaluate only what changed.
#include "step/contact_kernels.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "exec/load.hpp"
#include "gen/program.hpp"
#include "model/contact.hpp"
#include "runtime/kernel_set.hpp"

namespace klingel::step {
namespace {

using base::Pack;

exec::Kernel contact_kernel(unsigned lanes) {
  sym::Graph graph;
  const gen::Program program(graph, "contact", model::contact_interface(graph));
  exec::Options options;
  options.emit.lanes = lanes;
  return exec::load(program, options);
}

struct Named {
  ContactKernels::Input input;
  const char* name;
};
constexpr Named inputs[] = {{ContactKernels::y_w, "y_w"},     {ContactKernels::pose, "pose"},
                            {ContactKernels::s, "s"},         {ContactKernels::spline, "spline"},
                            {ContactKernels::twist, "twist"}, {ContactKernels::bias, "bias"},
                            {ContactKernels::ds, "ds"}};
constexpr std::pair<ContactKernels::Function, const char*> functions[] = {
    {ContactKernels::tangent, "tangent"},
    {ContactKernels::frame, "frame"},
    {ContactKernels::rates, "rates"},
    {ContactKernels::motion, "motion"}};

TEST(contact_kernels, give_what_a_kernel_set_gives) {
  const exec::Kernel kernel = contact_kernel(base::pack_lanes);
  runtime::KernelSet expected(kernel.abi());
  ContactKernels contact(kernel.abi());
  int finite = 0;
  const auto compare = [&](const char* after) {
    for (const auto& [f, name] : functions) {
      const std::span<const double> values = expected.evaluate(expected.function(name));
      ASSERT_EQ(values.size(), base::pack_lanes * contact.size(f));
      const auto* own = reinterpret_cast<const double*>(contact.evaluate(f));
      for (std::size_t i = 0; i < values.size(); ++i) {
        finite += std::isfinite(own[i]) ? 1 : 0;
        if (std::isnan(own[i]) && std::isnan(values[i])) continue;
        ASSERT_EQ(own[i], values[i]) << name << ' ' << i << " after " << after;
      }
    }
  };
  compare("nominal values");
  // each input alone, so that a change that is not noticed is seen
  for (const Named& n : inputs) {
    const std::span<double> memory = expected.memory(expected.input(n.name));
    auto* own = reinterpret_cast<double*>(contact.memory(n.input));
    for (std::size_t i = 0; i < memory.size(); ++i)
      own[i] = memory[i] += 1e-4 * static_cast<double>(i % 5 + 1);
    expected.changed(expected.input(n.name));
    contact.changed(n.input);
    compare(n.name);
  }
  EXPECT_GT(finite, 500) << "not everything may be undefined";
}

TEST(contact_kernels, do_not_evaluate_again_what_did_not_change) {
  const exec::Kernel kernel = contact_kernel(base::pack_lanes);
  ContactKernels contact(kernel.abi());
  const Pack before = contact.evaluate(ContactKernels::tangent)[0];
  contact.memory(ContactKernels::pose)[2] += 1e-3;  // of which it is not told
  EXPECT_EQ(contact.evaluate(ContactKernels::tangent)[0][1], before[1]);
  contact.changed(ContactKernels::twist);
  EXPECT_EQ(contact.evaluate(ContactKernels::tangent)[0][1], before[1]) << "needs no twist";
  contact.changed(ContactKernels::pose);
  EXPECT_NE(contact.evaluate(ContactKernels::tangent)[0][1], before[1]);
}

TEST(contact_kernels, keep_what_was_given_last_during_the_next_evaluation) {
  const exec::Kernel kernel = contact_kernel(base::pack_lanes);
  ContactKernels contact(kernel.abi());
  const Pack* frame = contact.evaluate(ContactKernels::frame);
  const Pack first = frame[3];
  const auto roll = [&] {
    for (int i = 3; i < 12; ++i) contact.memory(ContactKernels::pose)[i] *= 1.001;
    contact.changed(ContactKernels::pose);
  };
  contact.keep(ContactKernels::frame);
  roll();
  const Pack* next = contact.evaluate(ContactKernels::frame);
  EXPECT_NE(next, frame);
  EXPECT_NE(next[3][0], first[0]);
  EXPECT_EQ(frame[3][0], first[0]) << "is still there";
  // not kept: in the same place again
  roll();
  EXPECT_EQ(contact.evaluate(ContactKernels::frame), next);
}

TEST(contact_kernels, share_wheelsets) {
  const exec::Kernel kernel = contact_kernel(base::pack_lanes);
  ContactKernels first(kernel.abi()), second(kernel.abi());
  second.evaluate(ContactKernels::tangent);
  first.memory(ContactKernels::pose)[2] += 1e-3;
  first.changed(ContactKernels::pose);
  second.share_wheelsets(first);
  EXPECT_EQ(second.evaluate(ContactKernels::tangent)[0][0],
            first.evaluate(ContactKernels::tangent)[0][0]);
  EXPECT_EQ(second.memory(ContactKernels::pose), first.memory(ContactKernels::pose));
  EXPECT_NE(second.memory(ContactKernels::s), first.memory(ContactKernels::s));
}

TEST(contact_kernels, share_a_workspace_and_give_the_same) {
  const exec::Kernel kernel = contact_kernel(base::pack_lanes);
  ContactKernels alone(kernel.abi()), first(kernel.abi()), second(kernel.abi());
  second.share_workspace(first);
  for (ContactKernels* k : {&alone, &second}) {
    k->memory(ContactKernels::pose)[2] += 1e-3;
    k->changed(ContactKernels::pose);
  }
  alone.evaluate(ContactKernels::tangent);
  second.evaluate(ContactKernels::tangent);
  first.evaluate(ContactKernels::tangent);  // overwrites what the second one left for its functions
  for (const auto& [f, name] : functions) {
    // some are not numbers at nominal values
    const Pack *own = second.evaluate(f), *expected = alone.evaluate(f);
    EXPECT_EQ(std::memcmp(own, expected, alone.size(f) * sizeof(Pack)), 0) << name;
    EXPECT_NE(second.evaluate(f), first.evaluate(f)) << "results are their own";
  }
}

TEST(contact_kernels, refuse_other_numbers_of_lanes) {
  const exec::Kernel kernel = contact_kernel(1);
  try {
    ContactKernels contact(kernel.abi());
    FAIL();
  } catch (const base::Error& e) {
    EXPECT_NE(std::string(e.what()).find("on 1 lanes, a vehicle's contacts need 4"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace klingel::step
