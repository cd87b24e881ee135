#include "study/study_measure.hpp"

#include <array>
#include <utility>

#include "base/nearest.hpp"

namespace klingel::study {
namespace {

using vehicle::Table;
using Kind = Measure::Kind;

constexpr std::array<std::pair<const char*, Kind>, 5> kinds = {{{"summary", Kind::summary},
                                                                {"formula", Kind::formula},
                                                                {"modes", Kind::modes},
                                                                {"curve", Kind::curve},
                                                                {"conicity", Kind::conicity}}};

void read_modes(Table& t, Measure& m) {
  const std::vector<std::string> words = mode_words();
  t.word("modes", words, "");
  const bool critical = m.text.starts_with("critical");
  if (critical && (t.has("near") || t.has("speed")))
    t.fail("modes",
           "the critical speed is that of the first mode that grows: remove 'near' and "
           "'speed'");
  if (!critical && t.has("largest"))
    t.fail("largest", "belongs to the search for the critical speed");
  if (t.has("near")) m.near = t.positive("near");
  if (t.has("speed")) m.speed = t.positive("speed");
  m.largest = t.positive("largest", m.largest);
}

}  // namespace

std::vector<std::string> mode_words() {
  return {"critical_speed", "critical_frequency", "growth", "damping", "frequency"};
}

Measure read_measure(Table& t) {
  Measure m;
  m.name = t.text("name");
  m.place = t.place("name");
  t.call("measure '" + m.name + "'");
  int given = 0;
  for (const auto& [key, kind] : kinds) {
    if (!t.has(key)) continue;
    ++given;
    m.kind = kind;
    m.place = t.place(key);
    if (kind == Kind::conicity)
      m.amplitude = t.positive(key);
    else
      m.text = t.text(key);
  }
  if (given != 1)
    t.fail(
        "name",
        "expected one of summary = \"max_Q.front.left\", formula = \"max(Q.front.left)\", modes = "
        "\"critical_speed\", curve = \"max(YQ)\", conicity = 0.003");
  if (m.kind == Kind::modes) read_modes(t, m);
  m.least = t.optional_number("least");
  m.most = t.optional_number("most");
  if (m.least && m.most && *m.least > *m.most)
    t.fail("most", fmt::format("'most' is {}, below 'least', which is {}", *m.most, *m.least));
  t.refuse_unknown();
  return m;
}

}  // namespace klingel::study
