// Shapes of a block: how bodies are drawn.
#include <algorithm>
#include <cctype>

#include "vehicle/keys.hpp"
#include "vehicle/schema.hpp"

namespace klingel::vehicle {
namespace {

constexpr Key shape_keys[] = {
    name_key,
    {"body", "body", "-", "required", "what is drawn so, instead of a block by its inertia"},
    {"kind", "word", "-", "required",
     "box, cylinder (along y), or ready ones: coach, wagon, locomotive"},
    {"size", "three lengths", "m", "required",
     "along x, y and z; of a cylinder diameter, length, diameter"},
    {"centre", "three lengths", "m", "0, 0, 0", "from the body's point, in its base"},
    {"colour", "text", "-", "by what it is", "\"#rrggbb\""}};

constexpr const char* shape_kinds[] = {"box", "cylinder", "coach", "wagon", "locomotive"};

bool is_colour(const std::string& text) {
  return text.size() == 7 && text[0] == '#' &&
         std::all_of(text.begin() + 1, text.end(),
                     [](unsigned char c) { return std::isxdigit(c) != 0; });
}

std::array<double, 3> lengths(const Block& b, Table& t, const char* key, bool needed,
                              const NominalValues& nominal) {
  const Triple three = b.triple(t, key, needed);
  return {nominal(three[0]), nominal(three[1]), nominal(three[2])};
}

Shape read_shape(const Block& b, Table& t, const NominalValues& nominal) {
  Shape s;
  s.name = b.full_name(t);
  s.place = t.place();
  s.body.text = b.name(NameKind::body, t, "body");
  t.text("kind");  // required
  const std::vector<std::string> kinds(std::begin(shape_kinds), std::end(shape_kinds));
  s.kind = t.word("kind", kinds, "");
  s.size = lengths(b, t, "size", true, nominal);
  for (const double edge : s.size)
    if (!(edge > 0))
      t.fail("size", fmt::format("'size' must be three lengths greater than zero, found {}", edge));
  s.centre = lengths(b, t, "centre", false, nominal);
  s.colour = t.text("colour", "");
  if (!s.colour.empty() && !is_colour(s.colour))
    t.fail("colour", fmt::format("a colour is written as \"#2f7d6d\", found \"{}\"", s.colour));
  return s;
}

}  // namespace

constinit const Section Shape::table = {"shape", "How a body is drawn; motion does not see it.",
                                        shape_keys, "how bodies are drawn"};

void read_shapes(const Block& b, const NominalValues& nominal, Vehicle& vehicle) {
  for (Table& t : b.kept_tables("shape")) {
    refuse_unknown(t, Shape::table);
    vehicle.shapes.push_back(read_shape(b, t, nominal));
  }
}

}  // namespace klingel::vehicle
