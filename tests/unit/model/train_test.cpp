// Long vehicles: the operations of a step grow with their number, whatever couples them.
#include <gtest/gtest.h>

#include "model/build.hpp"
#include "model/vehicle_interface.hpp"
#include "sym/count.hpp"
#include "sym/traverse.hpp"
#include "vehicle/vehicle.hpp"

namespace klingel::model {
namespace {

// Operations of everything that a train of coaches computes.
std::size_t operations(int coaches, bool stiff) {
  const std::string text = fmt::format(
      "[vehicle]\nname = 'train'\n[[unit]]\nvehicle = 'manchester1'\nname = 'coach'\ncount = {}\n"
      "front = [12.7, 0, -0.8]\nrear = [-12.7, 0, -0.8]\n[coupler]\nlength = 1\nstiffness = 4e6\n"
      "damping = 8e4\nstiff = {}\n",
      coaches, stiff);
  const std::unique_ptr<VehicleModel> model = build(vehicle::parse_vehicle(text, "train.toml"));
  const mech::Equations equations = mech::equations(model->mechanics);
  std::vector<Wheelset> wheelsets;
  for (const WheelsetPlace& w : model->wheelsets)
    wheelsets.push_back({w.name,
                         w.centre,
                         w.still,
                         w.spinning,
                         {model->wheels[w.wheels[0]].name, model->wheels[w.wheels[1]].name}});
  const sym::Interface all =
      vehicle_interface(model->mechanics, equations, wheelsets, model->stiff);
  std::vector<sym::Id> roots;
  for (const sym::Function& f : all.functions)
    for (const sym::Output& o : f.outputs)
      for (const sym::Entry& e : o.matrix.entries()) roots.push_back(e.value.id());
  const sym::Graph& graph = model->mechanics.graph();
  return sym::count(graph, sym::nodes_below(graph, roots)).total();
}

TEST(train, operations_grow_with_the_number_of_coaches) {
  for (const bool stiff : {false, true}) {
    const std::size_t one = operations(1, stiff), two = operations(2, stiff),
                      three = operations(3, stiff), six = operations(6, stiff);
    const auto coach = static_cast<double>(three - two);
    // every further coach costs the same, even where implicit couplers join all of them in the
    // elimination; a tenth of a per cent for what the numbers of couplers make of shared atoms
    EXPECT_NEAR(static_cast<double>(six - two), 4 * coach, 1e-3 * static_cast<double>(six))
        << stiff;
    // and not more than the first by more than its coupler: its force, its tangent, and the block
    // of six by which an implicit one joins two bodies in the elimination
    EXPECT_LT(coach, static_cast<double>(one) + (stiff ? 2000 : 500)) << stiff;
  }
}

}  // namespace
}  // namespace klingel::model
