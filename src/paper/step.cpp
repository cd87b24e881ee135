// The article's diagram of its integration procedure: what a step of the run calls, in order, and
// the stages and functions that there are to call.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "bench/step_phases.hpp"
#include "gen/manifest.hpp"
#include "paper/parts.hpp"
#include "report/paper_stages.hpp"

namespace klingel::paper {
namespace {

using report::Agreement;

report::DrawnColumn stages_of(const gen::Manifest& m) {
  report::DrawnColumn column{fmt::format("kernels of {}", m.model), {}};
  for (std::uint32_t k = 0; k < m.stages.size(); ++k) {
    std::string given;
    for (const gen::Manifest::Input& i : m.inputs) {
      if (i.stage == k)
        given +=
            fmt::format("{}{} ({})", given.empty() ? "; given " : ", ", i.name, i.names.size());
    }
    report::DrawnBox box;
    box.name = m.stages[k].name;
    box.note = fmt::format("{} operations{}", m.stages[k].count.total(), given);
    for (const gen::Manifest::Function& f : m.functions) {
      if (f.stage == k)
        box.lines.push_back(fmt::format("{} ({}): {}", f.name, f.count.total(), f.about));
    }
    column.boxes.push_back(std::move(box));
  }
  return column;
}

// The parts of the article's diagram, each with the call that it begins with.
struct Phase {
  const char *name, *begins;
};
constexpr Phase phases[] = {
    {"forces at t, matrix and right side", ""},
    {"dynamics solved for dq(t+h) and lambda_n", "vehicle: stage right_side"},
    {"mid-point rule for q, s predicted; projection of s and q", "vehicle: stage place"},
    {"projection of dq and ds", "vehicle: stage movement"}};

// Calls in order; repeated neighbours are written once: "contact: stage position, tangent (2 ×)".
std::vector<std::string> told(const std::vector<std::string>& calls) {
  struct Line {
    std::string kernel;
    std::vector<std::string> bodies;
    int times = 1;
  };
  std::vector<Line> lines;
  for (const std::string& call : calls) {
    const std::size_t colon = call.find(": ");
    const std::string kernel = call.substr(0, colon), body = call.substr(colon + 2);
    const bool begins_stage = body.starts_with("stage ");
    if (lines.empty() || lines.back().kernel != kernel ||
        (begins_stage && !lines.back().bodies.back().starts_with("stage ")))
      lines.push_back({kernel, {}, 1});
    lines.back().bodies.push_back(body);
  }
  std::vector<Line> shorter;
  for (const Line& l : lines) {
    if (!shorter.empty() && shorter.back().kernel == l.kernel && shorter.back().bodies == l.bodies)
      ++shorter.back().times;
    else
      shorter.push_back(l);
  }
  std::vector<std::string> text;
  for (const Line& l : shorter) {
    std::string line = l.kernel + ":";
    for (const std::string& b : l.bodies) line += (line.back() == ':' ? " " : ", ") + b;
    text.push_back(l.times > 1 ? fmt::format("{} ({} ×)", line, l.times) : line);
  }
  return text;
}

// Calls by phase; a phase whose first call does not come is empty.
std::array<std::vector<std::string>, std::size(phases)> by_phase(
    const std::vector<std::string>& calls) {
  std::array<std::vector<std::string>, std::size(phases)> parts;
  std::size_t at = 0;
  for (const std::string& call : calls) {
    if (at + 1 < parts.size() && call == phases[at + 1].begins) ++at;
    parts[at].push_back(call);
  }
  return parts;
}

}  // namespace

void add_paper_step(PaperContents& contents, compile::PreparedRun& p, const gen::Program& vehicle,
                    const gen::Program& contact) {
  const gen::Manifest v = gen::make_manifest(vehicle, gen::make_schedule(vehicle));
  const gen::Manifest c = gen::make_manifest(contact, gen::make_schedule(contact));
  const report::DrawnColumn programs[] = {stages_of(v), stages_of(c)};

  constexpr double t = 0.1;  // s
  const std::vector<std::string> calls = bench::calls_of_step(p, t);
  const auto parts = by_phase(calls);
  report::DrawnColumn flow{fmt::format("one step of the run, t = {:g} s: kernels as called", t),
                           {}};
  std::string csv = "phase,kernel,body\n", absent;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::string name = phases[i].name;
    if (parts[i].empty()) absent += (absent.empty() ? "" : "; ") + name;
    flow.boxes.push_back({name, fmt::format("{} calls", parts[i].size()), told(parts[i])});
    for (const std::string& call : parts[i])
      csv += fmt::format("\"{}\",{},{}\n", name, call.substr(0, call.find(':')),
                         call.substr(call.find(':') + 2));
  }

  // labels of the article's equations of the step that functions name as theirs
  constexpr const char* labels[] = {"eq:MphiTPhiZero6", "eq:NRs", "eq:dsproj", "eq:phin",
                                    "eq:phit"};
  std::string missing;
  for (const char* label : labels) {
    bool found = false;
    for (const gen::Manifest* m : {&v, &c})
      for (const gen::Manifest::Function& f : m->functions)
        found = found || f.about.find(label) != std::string::npos;
    if (!found) missing += (missing.empty() ? "" : ", ") + std::string(label);
  }
  report::PaperPart part;
  part.id = "fig:integration";
  part.title = "The integration procedure";
  part.article =
      "A diagram of one step: contact patches and creep forces, dynamics solved for the new "
      "velocities, mid-point rule, projection of s and q, projection of the velocities.";
  const std::string steps = report::boxes_svg({&flow, 1}, 760),
                    stages = report::boxes_svg(programs, 480);
  part.ours = steps + stages;
  part.agreement = missing.empty() && absent.empty() ? Agreement::agrees : Agreement::differs;
  part.verdict = fmt::format(
      "The step at t = {:g} s makes {} calls of {} stages and functions of the vehicle and {} of a "
      "contact. {} {}",
      t, calls.size(), v.stages.size() + v.functions.size(), c.stages.size() + c.functions.size(),
      absent.empty() ? "All parts of the article's diagram are there, in its order."
                     : "These parts of the article's diagram are missing: " + absent + ".",
      missing.empty()
          ? fmt::format("Each of the {} equations of the article's step is named by a function.",
                        std::size(labels))
          : "No function names these equations of the article's step: " + missing + ".");
  part.criterion =
      "Agrees if the kernels are called in the order of the article's diagram, and if a function "
      "names the label of every equation of its step.";
  part.note =
      "Made from recorded calls and from the manifests of the kernels. A stage is evaluated only "
      "when its inputs have changed. Numbers in brackets are operations.";
  contents.add(std::move(part), {{"step_calls.csv", csv},
                                 {"vehicle_manifest.json", gen::to_json(v)},
                                 {"contact_manifest.json", gen::to_json(c)},
                                 {"step.svg", steps},
                                 {"stages.svg", stages}});
}

}  // namespace klingel::paper
