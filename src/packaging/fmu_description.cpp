#include "packaging/fmu_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"
#include "base/number.hpp"
#include "base/version.hpp"
#include "base/xml.hpp"

namespace klingel::packaging {
namespace {

using base::xml_escaped, capi::Kind, capi::Variable;

// Powers of kg, m, s and rad that a unit is made of.
struct Unit {
  const char* name;
  int kg, m, s, rad;
};
constexpr Unit units[] = {
    {"1", 0, 0, 0, 0},      {"J", 1, 2, -2, 0},   {"N", 1, 1, -2, 0},    {"Nm", 1, 2, -2, 0},
    {"m", 0, 1, 0, 0},      {"m/s", 0, 1, -1, 0}, {"m/s2", 0, 1, -2, 0}, {"rad", 0, 0, 0, 1},
    {"rad/s", 0, 0, -1, 1}, {"s", 0, 0, 1, 0},    {"1/m", 0, -1, 0, 0},
};

bool is_unit(const std::string& name) {
  return std::any_of(std::begin(units), std::end(units),
                     [&](const Unit& u) { return u.name == name; });
}

std::string unit_definitions() {
  std::string text = "  <UnitDefinitions>\n";
  for (const Unit& u : units) {
    std::string powers;
    for (const auto& [name, power] :
         {std::pair("kg", u.kg), {"m", u.m}, {"s", u.s}, {"rad", u.rad}})
      if (power != 0) powers += fmt::format(" {}=\"{}\"", name, power);
    text += fmt::format("    <Unit name=\"{}\"><BaseUnit{}/></Unit>\n", u.name, powers);
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
  return is_unit(v.unit) ? fmt::format(" unit=\"{}\"", v.unit) : "";
}

std::string experiment(const Parts& p) {
  return fmt::format("  <DefaultExperiment startTime=\"0\" stopTime=\"{}\" stepSize=\"{}\"/>\n",
                     base::shortest(p.model->duration), base::shortest(p.model->step));
}

// Continuous states are the first outputs: q, then dq.
bool has_exchange(const Parts& p) { return p.model->continuous_states > 0; }

std::string derivative_name(const Entry& state) { return "der(" + state.name + ")"; }

}  // namespace

std::string fmi2_description(const Parts& p) {
  const std::vector<Entry> entries = entries_of(p);
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
      "  <CoSimulation modelIdentifier=\"{}\" canHandleVariableCommunicationStepSize=\"true\" "
      "canGetAndSetFMUstate=\"true\" canSerializeFMUstate=\"true\" "
      "canNotUseMemoryManagementFunctions=\"true\" providesDirectionalDerivative=\"false\"/>\n",
      p.name);
  text += unit_definitions();
  text +=
      "  <LogCategories>\n    <Category name=\"logStatusError\"/>\n    <Category "
      "name=\"logStatusDiscard\"/>\n  </LogCategories>\n";
  text += experiment(p);
  text +=
      "  <ModelVariables>\n    <ScalarVariable name=\"time\" valueReference=\"0\" "
      "causality=\"independent\" variability=\"continuous\" description=\"time\"><Real "
      "unit=\"s\"/></ScalarVariable>\n";
  std::string outputs, unknowns, inputs;
  std::size_t number = 1;  // of the variable, counted from 1
  std::vector<std::size_t> states;
  for (const Entry& e : entries) {
    ++number;
    const Variable& v = *e.variable;
    const char* what[] = {"causality=\"parameter\" variability=\"tunable\" initial=\"exact\"",
                          "causality=\"input\" variability=\"continuous\"",
                          "causality=\"output\" variability=\"continuous\" initial=\"calculated\""};
    std::string kind = what[static_cast<std::size_t>(e.kind)];
    if (e.kind == Kind::parameter && is_fixed(v))
      kind = "causality=\"parameter\" variability=\"fixed\" initial=\"exact\"";
    const std::string start =
        e.kind == Kind::output ? "" : fmt::format(" start=\"{}\"", base::shortest(v.start));
    text += fmt::format(
        "    <ScalarVariable name=\"{}\" valueReference=\"{}\" {} description=\"{}\"><Real{}{}/>"
        "</ScalarVariable>\n",
        xml_escaped(e.name), reference(e), kind, xml_escaped(v.about), unit_attribute(v), start);
    if (e.kind == Kind::input) inputs += fmt::format("{}{}", inputs.empty() ? "" : " ", number);
    if (e.kind != Kind::output) continue;
    if (e.index < p.model->continuous_states) states.push_back(number);
    const std::string depends = v.of_state ? " dependencies=\"\"" : "";
    outputs += fmt::format("      <Unknown index=\"{}\"{}/>\n", number, depends);
    unknowns += fmt::format("      <Unknown index=\"{}\"/>\n", number);
  }
  std::string derivatives;
  for (std::size_t i = 0; i < states.size(); ++i) {
    ++number;
    const auto state = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) {
      return e.kind == Kind::output && e.index == i;
    });
    text += fmt::format(
        "    <ScalarVariable name=\"{}\" valueReference=\"{}\" causality=\"local\" "
        "variability=\"continuous\" initial=\"calculated\" description=\"derivative\"><Real "
        "derivative=\"{}\"/></ScalarVariable>\n",
        xml_escaped(derivative_name(*state)), reference(3, i), states[i]);
    derivatives += fmt::format("      <Unknown index=\"{}\"/>\n", number);
  }
  text += "  </ModelVariables>\n  <ModelStructure>\n    <Outputs>\n" + outputs + "    </Outputs>\n";
  if (!derivatives.empty()) text += "    <Derivatives>\n" + derivatives + "    </Derivatives>\n";
  return text + "    <InitialUnknowns>\n" + unknowns + derivatives +
         "    </InitialUnknowns>\n  </ModelStructure>\n</fmiModelDescription>\n";
}

std::string fmi3_description(const Parts& p) {
  const std::vector<Entry> entries = entries_of(p);
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
      "canSerializeFMUState=\"true\" canHandleVariableCommunicationStepSize=\"true\" "
      "fixedInternalStepSize=\"{}\"/>\n",
      p.name, base::shortest(p.model->step));
  text += unit_definitions();
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
    text += fmt::format(
        "    <Float64 name=\"{}\" valueReference=\"{}\" {} description=\"{}\"{}{}/>\n",
        xml_escaped(e.name), reference(e), kind, xml_escaped(v.about), unit_attribute(v), start);
    if (e.kind != Kind::output) continue;
    const std::string depends = v.of_state ? " dependencies=\"\"" : "";
    outputs += fmt::format("    <Output valueReference=\"{}\"{}/>\n", reference(e), depends);
    unknowns += fmt::format("    <InitialUnknown valueReference=\"{}\"/>\n", reference(e));
    if (e.index >= p.model->continuous_states) continue;
    derivatives += fmt::format("    <ContinuousStateDerivative valueReference=\"{}\"/>\n",
                               reference(3, e.index));
  }
  std::string derivative_unknowns;
  for (const Entry& e : entries) {
    if (e.kind != Kind::output || e.index >= p.model->continuous_states) continue;
    text += fmt::format(
        "    <Float64 name=\"{}\" valueReference=\"{}\" causality=\"local\" "
        "variability=\"continuous\" initial=\"calculated\" "
        "description=\"derivative\" derivative=\"{}\"/>\n",
        xml_escaped(derivative_name(e)), reference(3, e.index), reference(e));
    derivative_unknowns +=
        fmt::format("    <InitialUnknown valueReference=\"{}\"/>\n", reference(3, e.index));
  }
  return text + "  </ModelVariables>\n  <ModelStructure>\n" + outputs + derivatives + unknowns +
         derivative_unknowns + "  </ModelStructure>\n</fmiModelDescription>\n";
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
