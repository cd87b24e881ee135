#include "packaging/fmu_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/version.hpp"
#include "base/xml.hpp"
#include "packaging/unit_powers.hpp"

namespace klingel::packaging {
namespace {

using base::xml_escaped, capi::Kind, capi::Variable;

bool is_unit(const std::string& name) { return unit_powers(name).has_value(); }

// Of the units that variables have, and of the time.
std::string unit_definitions(const Parts& parts) {
  std::set<std::string> names{"s"};
  for (const Kind kind : {Kind::parameter, Kind::input, Kind::output})
    for (const Variable& v : parts.model->of(kind))
      if (is_unit(v.unit)) names.insert(v.unit);
  std::string text = "  <UnitDefinitions>\n";
  for (const std::string& unit : names) {
    const UnitPowers u = *unit_powers(unit);
    std::string powers;
    for (const auto& [name, power] :
         {std::pair("kg", u.kg), {"m", u.m}, {"s", u.s}, {"rad", u.rad}})
      if (power != 0) powers += fmt::format(" {}=\"{}\"", name, power);
    text += fmt::format("    <Unit name=\"{}\"><BaseUnit{}/></Unit>\n", xml_escaped(unit), powers);
  }
  return text + "  </UnitDefinitions>\n";
}

// Names of the structured convention: identifiers with dots; anything else goes into quotes.
std::string structured(const std::string& name) {
  bool begins = true, good = !name.empty();
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    const bool digit = c >= '0' && c <= '9';
    if (c == '.' ? begins : !(letter || (digit && !begins))) good = false;
    begins = c == '.';
  }
  if (good && !begins) return name;
  std::string quoted = "'";
  for (const char c : name) quoted += c == '\'' ? "\\'" : std::string(1, c);
  return quoted + "'";
}

// A variable of the FMU.
struct Entry {
  Kind kind;
  std::size_t index;  // in its kind
  std::string name;
  const Variable* variable;
};

constexpr unsigned reference(unsigned kind, std::size_t index) {
  return (kind << 20) + static_cast<unsigned>(index) + 1;  // as fmu/component.hpp has it
}
unsigned reference(const Entry& e) { return reference(static_cast<unsigned>(e.kind), e.index); }

// Parameters, inputs and outputs. Where a name stands twice, the later ones say what they are.
std::vector<Entry> entries_of(const Parts& parts) {
  constexpr const char* words[] = {"parameter.", "input.", "output."};
  std::vector<Entry> entries;
  std::set<std::string> names{"time"};
  // outputs have the names of recordings: they come first
  for (const Kind kind : {Kind::output, Kind::input, Kind::parameter}) {
    const std::vector<Variable>& list = parts.model->of(kind);
    for (std::size_t i = 0; i < list.size(); ++i) {
      std::string name = structured(list[i].name);
      if (!names.insert(name).second) {
        name = words[static_cast<std::size_t>(kind)] + name;
        if (!names.insert(name).second) base::fail("two variables are called '{}'", name);
      }
      entries.push_back({kind, i, name, &list[i]});
    }
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.kind < b.kind; });
  return entries;
}

// Of the start: they cannot be changed later.
bool is_fixed(const Variable& v) { return v.name.starts_with("start."); }

std::string unit_attribute(const Variable& v) {
  return is_unit(v.unit) ? fmt::format(" unit=\"{}\"", xml_escaped(v.unit)) : "";
}

std::string experiment(const Parts& p) {
  return fmt::format("  <DefaultExperiment startTime=\"0\" stopTime=\"{}\" stepSize=\"{}\"/>\n",
                     base::shortest(p.model->duration), base::shortest(p.model->step));
}

// Continuous states are the first outputs: q, then dq.
bool has_exchange(const Parts& p) { return p.model->continuous_states > 0; }

std::string derivative_name(const Entry& state) { return "der(" + state.name + ")"; }

// A continuous state, and the variable that is its derivative: an output, or one of its own.
struct StateEntry {
  const Entry* state;
  const Entry* output;  // null: der(state), the next of its kind
};

// Of mechanisms all outputs q and dq, each with a derivative of its own. Vehicles show their
// coordinates so that directional derivatives have names: dq.NAME is the derivative of q.NAME, and
// der(dq.NAME) that of dq.NAME.
std::vector<StateEntry> states_of(const Parts& p, const std::vector<Entry>& entries) {
  std::vector<StateEntry> states;
  const auto find = [&](const std::string& name) {
    const auto at = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) {
      return e.kind == Kind::output && e.variable->name == name;
    });
    return at != entries.end() ? &*at : nullptr;
  };
  if (has_exchange(p)) {
    for (const Entry& e : entries)
      if (e.kind == Kind::output && e.index < p.model->continuous_states)
        states.push_back({&e, nullptr});
    return states;
  }
  for (const bool rates : {false, true}) {
    for (const Variable& v : p.model->of(Kind::output)) {
      if (!v.name.starts_with("dq.")) continue;
      const Entry *q = find(v.name.substr(1)), *dq = find(v.name);
      if (q == nullptr || p.model->coordinates == 0) continue;
      states.push_back(rates ? StateEntry{dq, nullptr} : StateEntry{q, dq});
    }
  }
  return states;
}

// The state whose derivative an output is, or null.
const Entry* state_with(const std::vector<StateEntry>& states, const Entry& output) {
  for (const StateEntry& s : states)
    if (s.output == &output) return s.state;
  return nullptr;
}

// What an output of the state depends on: on all states, not on inputs.
std::string dependencies(const std::vector<std::string>& states) {
  std::string list;
  for (const std::string& s : states) list += (list.empty() ? "" : " ") + s;
  return fmt::format(" dependencies=\"{}\"", list);
}

}  // namespace

std::string fmi2_description(const Parts& p) {
  const std::vector<Entry> entries = entries_of(p);
  const std::vector<StateEntry> states = states_of(p, entries);
  // variables are counted from 1, and the first is the time
  const auto number_of = [&](const Entry& e) {
    return static_cast<std::size_t>(&e - entries.data()) + 2;
  };
  std::vector<std::string> state_numbers;
  for (const StateEntry& s : states) state_numbers.push_back(std::to_string(number_of(*s.state)));
  const std::string of_states = dependencies(state_numbers);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"{0}\" guid=\"{1}\" description=\"{2}\" "
      "generationTool=\"klingel {3}\" variableNamingConvention=\"structured\" "
      "numberOfEventIndicators=\"0\">\n",
      p.name, p.model->token, xml_escaped(p.title), base::version);
  if (has_exchange(p))
    text += fmt::format(
        "  <ModelExchange modelIdentifier=\"{}\" canGetAndSetFMUstate=\"true\" "
        "canSerializeFMUstate=\"true\" canNotUseMemoryManagementFunctions=\"true\" "
        "providesDirectionalDerivative=\"true\"/>\n",
        p.name);
  text += fmt::format(
      "  <CoSimulation modelIdentifier=\"{}\" canHandleVariableCommunicationStepSize=\"{}\" "
      "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" "
      "canNotUseMemoryManagementFunctions=\"true\" providesDirectionalDerivative=\"{}\"/>\n",
      p.name, !p.model->whole_steps, !states.empty());
  text += unit_definitions(p);
  text +=
      "  <LogCategories>\n    <Category name=\"logStatusError\"/>\n    <Category "
      "name=\"logStatusDiscard\"/>\n  </LogCategories>\n";
  text += experiment(p);
  text +=
      "  <ModelVariables>\n    <ScalarVariable name=\"time\" valueReference=\"0\" "
      "causality=\"independent\" variability=\"continuous\" description=\"time\"><Real "
      "unit=\"s\"/></ScalarVariable>\n";
  std::string outputs, unknowns;
  for (const Entry& e : entries) {
    const std::size_t number = number_of(e);
    const Variable& v = *e.variable;
    const char* what[] = {"causality=\"parameter\" variability=\"tunable\" initial=\"exact\"",
                          "causality=\"input\" variability=\"continuous\"",
                          "causality=\"output\" variability=\"continuous\" initial=\"calculated\""};
    std::string kind = what[static_cast<std::size_t>(e.kind)];
    if (e.kind == Kind::parameter && is_fixed(v))
      kind = "causality=\"parameter\" variability=\"fixed\" initial=\"exact\"";
    const std::string start =
        e.kind == Kind::output ? "" : fmt::format(" start=\"{}\"", base::shortest(v.start));
    const Entry* state = state_with(states, e);
    const std::string of =
        state != nullptr ? fmt::format(" derivative=\"{}\"", number_of(*state)) : "";
    text += fmt::format(
        "    <ScalarVariable name=\"{}\" valueReference=\"{}\" {} description=\"{}\"><Real{}{}{}/>"
        "</ScalarVariable>\n",
        xml_escaped(e.name), reference(e), kind, xml_escaped(v.about), unit_attribute(v), start,
        of);
    if (e.kind != Kind::output) continue;
    outputs +=
        fmt::format("      <Unknown index=\"{}\"{}/>\n", number, v.of_state ? of_states : "");
    unknowns += fmt::format("      <Unknown index=\"{}\"/>\n", number);
  }
  std::string derivatives;
  std::size_t own = 0;
  for (const StateEntry& s : states) {
    if (s.output != nullptr) {
      derivatives +=
          fmt::format("      <Unknown index=\"{}\"{}/>\n", number_of(*s.output), of_states);
      continue;
    }
    const std::size_t number = entries.size() + 2 + own;
    text += fmt::format(
        "    <ScalarVariable name=\"{}\" valueReference=\"{}\" causality=\"local\" "
        "variability=\"continuous\" initial=\"calculated\" description=\"by the continuous "
        "equations\"><Real derivative=\"{}\"/></ScalarVariable>\n",
        xml_escaped(derivative_name(*s.state)), reference(3, own++), number_of(*s.state));
    derivatives += fmt::format("      <Unknown index=\"{}\"/>\n", number);
    unknowns += fmt::format("      <Unknown index=\"{}\"/>\n", number);
  }
  text += "  </ModelVariables>\n  <ModelStructure>\n    <Outputs>\n" + outputs + "    </Outputs>\n";
  if (!derivatives.empty()) text += "    <Derivatives>\n" + derivatives + "    </Derivatives>\n";
  return text + "    <InitialUnknowns>\n" + unknowns +
         "    </InitialUnknowns>\n  </ModelStructure>\n</fmiModelDescription>\n";
}

std::string fmi3_description(const Parts& p) {
  const std::vector<Entry> entries = entries_of(p);
  const std::vector<StateEntry> states = states_of(p, entries);
  std::vector<std::string> state_references;
  for (const StateEntry& s : states)
    state_references.push_back(std::to_string(reference(*s.state)));
  const std::string of_states = dependencies(state_references);
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"{0}\" instantiationToken=\"{1}\" "
      "description=\"{2}\" generationTool=\"klingel {3}\" "
      "variableNamingConvention=\"structured\">\n",
      p.name, p.model->token, xml_escaped(p.title), base::version);
  if (has_exchange(p))
    text += fmt::format(
        "  <ModelExchange modelIdentifier=\"{}\" canGetAndSetFMUState=\"true\" "
        "canSerializeFMUState=\"true\" providesDirectionalDerivatives=\"true\"/>\n",
        p.name);
  text += fmt::format(
      "  <CoSimulation modelIdentifier=\"{}\" canGetAndSetFMUState=\"true\" "
      "canSerializeFMUState=\"true\" canHandleVariableCommunicationStepSize=\"{}\" "
      "hasEventMode=\"true\" mightReturnEarlyFromDoStep=\"true\" "
      "providesDirectionalDerivatives=\"{}\" fixedInternalStepSize=\"{}\"/>\n",
      p.name, !p.model->whole_steps, !states.empty(), base::shortest(p.model->step));
  text += unit_definitions(p);
  text +=
      "  <LogCategories>\n    <Category name=\"logStatusError\"/>\n    <Category "
      "name=\"logStatusDiscard\"/>\n  </LogCategories>\n";
  text += experiment(p);
  text +=
      "  <ModelVariables>\n    <Float64 name=\"time\" valueReference=\"0\" "
      "causality=\"independent\" variability=\"continuous\" description=\"time\" "
      "unit=\"s\"/>\n";
  std::string outputs, derivatives, unknowns;
  for (const Entry& e : entries) {
    const Variable& v = *e.variable;
    const char* what[] = {"causality=\"parameter\" variability=\"tunable\" initial=\"exact\"",
                          "causality=\"input\" variability=\"continuous\"",
                          "causality=\"output\" variability=\"continuous\" initial=\"calculated\""};
    std::string kind = what[static_cast<std::size_t>(e.kind)];
    if (e.kind == Kind::parameter && is_fixed(v))
      kind = "causality=\"parameter\" variability=\"fixed\" initial=\"exact\"";
    const std::string start =
        e.kind == Kind::output ? "" : fmt::format(" start=\"{}\"", base::shortest(v.start));
    const Entry* state = state_with(states, e);
    const std::string of =
        state != nullptr ? fmt::format(" derivative=\"{}\"", reference(*state)) : "";
    text += fmt::format(
        "    <Float64 name=\"{}\" valueReference=\"{}\" {} description=\"{}\"{}{}{}/>\n",
        xml_escaped(e.name), reference(e), kind, xml_escaped(v.about), unit_attribute(v), start,
        of);
    if (e.kind != Kind::output) continue;
    outputs += fmt::format("    <Output valueReference=\"{}\"{}/>\n", reference(e),
                           v.of_state ? of_states : "");
    unknowns += fmt::format("    <InitialUnknown valueReference=\"{}\"/>\n", reference(e));
  }
  std::size_t own = 0;
  for (const StateEntry& s : states) {
    const unsigned number = s.output != nullptr ? reference(*s.output) : reference(3, own++);
    derivatives += fmt::format("    <ContinuousStateDerivative valueReference=\"{}\"{}/>\n", number,
                               s.output != nullptr ? of_states : "");
    if (s.output != nullptr) continue;
    text += fmt::format(
        "    <Float64 name=\"{}\" valueReference=\"{}\" causality=\"local\" "
        "variability=\"continuous\" initial=\"calculated\" "
        "description=\"by the continuous equations\" derivative=\"{}\"/>\n",
        xml_escaped(derivative_name(*s.state)), number, reference(*s.state));
    unknowns += fmt::format("    <InitialUnknown valueReference=\"{}\"/>\n", number);
  }
  return text + "  </ModelVariables>\n  <ModelStructure>\n" + outputs + derivatives + unknowns +
         "  </ModelStructure>\n</fmiModelDescription>\n";
}

std::string fmi3_build_description(const Parts& p, const std::vector<std::string>& sources) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiBuildDescription fmiVersion=\"3.0\">\n"
      "  <BuildConfiguration modelIdentifier=\"{}\" description=\"Needs the headers of Eigen "
      "3.4.\">\n",
      p.name);
  for (const auto& [language, ending] : {std::pair("C++20", ".cpp"), {"C11", ".c"}}) {
    text += fmt::format(
        "    <SourceFileSet language=\"{}\" compilerOptions=\"-ffp-contract=off "
        "-fno-math-errno -DNDEBUG\">\n",
        language);
    for (const std::string& s : sources)
      if (s.ends_with(ending)) text += fmt::format("      <SourceFile name=\"{}\"/>\n", s);
    for (const char* folder : {".", "src", "model", "/usr/include/eigen3"})
      text += fmt::format("      <IncludeDirectory name=\"{}\"/>\n", folder);
    text += "    </SourceFileSet>\n";
  }
  return text + "  </BuildConfiguration>\n</fmiBuildDescription>\n";
}

}  // namespace klingel::packaging
