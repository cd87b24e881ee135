// Reads any force element by its table.
#include "vehicle/elements.hpp"

#include "vehicle/schema.hpp"

namespace klingel::vehicle {

void read_elements(const Block& b, const NominalValues& nominal, Vehicle& vehicle) {
  Kinds<ElementData>::for_each([&]<class T>() {
    for (Table& t : b.kept_tables(T::table.name))
      vehicle.elements.push_back(
          {b.full_name(t), t.place(), t.boolean("stiff", false), read<T>(b, t, nominal)});
  });
}

std::span<const Section* const> element_tables() { return Kinds<ElementData>::tables; }

const Section& table_of(const Element& element) { return *element_tables()[element.what.index()]; }

std::vector<std::string> points_of(const Element& element) {
  return std::visit([&](const auto& what) { return required_points(table_of(element), &what); },
                    element.what);
}

}  // namespace klingel::vehicle
