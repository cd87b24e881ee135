// Outputs of a block.
#include "vehicle/keys.hpp"
#include "vehicle/schema.hpp"

namespace klingel::vehicle {
namespace {

constexpr Key output_keys[] = {
    name_key,
    {"values", "list of formulas", "SI", "none", "the results"},
    {"measure", "word", "-", "none",
     "instead of values: position, velocity or angular_velocity, three components"},
    {"of", "point or base", "-", "required with measure", "what is measured"},
    {"from", "point or base", "-", "O or ground", "with respect to this"},
    {"seen_from", "base", "-", "ground", "velocity only: base of the frame"},
    {"base", "base", "-", "ground", "base of the components"}};

Output read_output(const Block& b, Table& t) {
  Output o;
  o.name = b.full_name(t);
  o.place = t.place();
  if (t.has("values") == t.has("measure")) t.fail("", "give exactly one of: values, measure");
  if (t.has("values")) {
    o.values = b.formulas(t, "values");
    return o;
  }
  const std::string words[] = {"position", "velocity", "angular_velocity"};
  const std::string measure = t.word("measure", words, "");
  o.measure = measure == words[0]   ? Output::Measure::position
              : measure == words[1] ? Output::Measure::velocity
                                    : Output::Measure::angular_velocity;
  const bool of_base = o.measure == Output::Measure::angular_velocity;
  const NameKind kind = of_base ? NameKind::base : NameKind::point;
  o.of = b.name(kind, t, "of");
  o.from = b.name(kind, t, "from", of_base ? "ground" : "O");
  o.seen_from.text = b.name(NameKind::base, t, "seen_from", "ground");
  o.base.text = b.name(NameKind::base, t, "base", "ground");
  return o;
}

}  // namespace

constinit const Section Output::table = {"output", "A further result of the model.", output_keys,
                                         "further results"};

void read_outputs(const Block& b, Vehicle& vehicle) {
  for (Table& t : b.kept_tables("output")) {
    vehicle.outputs.push_back(read_output(b, t));
    refuse_unknown(t, Output::table);
  }
}

}  // namespace klingel::vehicle
