// Figures of the article about the locomotive: its trees, what it looks like, wheel and rail.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "cli/paper_parts.hpp"
#include "cli/scene.hpp"
#include "mech/graphviz.hpp"
#include "report/paper_solids.hpp"
#include "report/paper_surfaces.hpp"
#include "report/paper_tree.hpp"

namespace klingel::cli {
namespace {

using record::Triple;
using report::Agreement;

void add_trees(PaperContents& contents, const VehiclePipeline& p) {
  const mech::Model& m = p.model->mechanics;
  std::vector<report::TreeNode> bases, points;
  for (const mech::BaseNode& b : m.bases()) bases.push_back({b.name, b.parent});
  for (const mech::PointNode& n : m.points()) points.push_back({n.name, n.parent});
  for (const mech::Body& b : m.bodies()) {
    bases[b.base.index].marked = true;
    points[b.point.index].marked = true;
  }
  constexpr std::size_t printed = 60;
  const std::size_t n = m.coordinates().size();
  report::PaperPart part;
  part.id = "fig:points_bases";
  part.title = "Bases and points of the locomotive";
  part.article = fmt::format(
      "Two sketches of a tree of bases and a tree of points, to explain the idea; not those of the "
      "locomotive. For the locomotive the text says {} generalized coordinates.",
      printed);
  part.ours = "<p>Bases (filled: a body turns with it)</p>" + report::tree_svg(bases) +
              "<p>Points (filled: a body's point)</p>" + report::tree_svg(points);
  part.agreement = 2 * n == printed ? Agreement::agrees : Agreement::differs;
  part.verdict = fmt::format(
      "The locomotive has {} bases, at most {} deep, {} points, at most {} deep, and {} bodies. It "
      "has {} coordinates; the article's {} {}.",
      bases.size(), report::depth(bases), points.size(), report::depth(points), m.bodies().size(),
      n, printed,
      2 * n == printed ? "is the number of states, coordinates and velocities together"
                       : "is neither that nor twice that");
  contents.add(std::move(part), {{"bases.dot", mech::bases_dot(m)},
                                 {"points.dot", mech::points_dot(m)},
                                 {"bases.svg", report::tree_svg(bases)},
                                 {"points.svg", report::tree_svg(points)}});
}

// Where parts go in the expanded view, by kind, m: up, and away from the vehicle's middle plane.
struct Shift {
  const char* kind;
  double up, out;
};
constexpr Shift shifts[] = {{"body", 2.6, 0},  {"slider", 1.9, 0},   {"frame", 1.0, 0},
                            {"box", 0.0, 0.7}, {"housing", -0.9, 0}, {"rotor", -1.5, 0}};

std::vector<Triple> expanded(const record::Scene& scene, const std::vector<Triple>& places) {
  std::vector<Triple> list;
  for (const record::Solid& s : scene.solids) {
    Triple shift{};
    for (const Shift& k : shifts) {
      if (report::kind_of(s.name) != k.kind) continue;
      shift[1] = std::copysign(k.out, places[s.frame][1] - places[0][1]);
      shift[2] = k.up;
    }
    list.push_back(shift);
  }
  list.resize(list.size() + scene.wheelsets.size());
  return list;
}

void add_pictures(PaperContents& contents, const VehiclePipeline& p, const record::Scene& scene,
                  const std::vector<Triple>& places) {
  // bodies of the article's text by our names for their kind
  constexpr struct {
    const char *kind, *word;
    int count;
  } named[] = {{"body", "vehicle body", 1},  {"slider", "sliders", 2},
               {"frame", "bogie frames", 2}, {"axle", "wheelsets", 4},
               {"box", "axle boxes", 8},     {"housing", "motor housings", 2},
               {"rotor", "rotors", 2}};
  std::map<std::string, int> count;
  for (const mech::Body& b : p.model->mechanics.bodies()) ++count[report::kind_of(b.name)];
  report::PaperTable table{{"body", "article", "Klingel"}, {}};
  bool same = true;
  int sum = 0;
  for (const auto& n : named) {
    same = same && count[n.kind] == n.count;
    sum += n.count;
    table.rows.push_back({n.word, fmt::format("{}", n.count), fmt::format("{}", count[n.kind])});
  }
  const std::size_t bodies = p.model->mechanics.bodies().size();
  const std::string side = report::solids_svg(scene, places, {}, {0, 0, 62});
  const std::string oblique = report::solids_svg(scene, places, {}, {-0.6, 0.38, 62});
  report::PaperPart part;
  part.id = "fig:locomotive";
  part.title = "The locomotive";
  part.article =
      "A picture of the multibody model of the FEVE 3000 locomotive. The text names its bodies; "
      "suspenders are fixed to the bogie frames and anti-yaw links are replaced by a missing "
      "coordinate.";
  part.ours = side + oblique + report::markup(table);
  part.agreement =
      same && static_cast<std::size_t>(sum) == bodies ? Agreement::agrees : Agreement::differs;
  part.verdict = fmt::format(
      "The article's text names {} bodies of {} kinds, ours has {}; {}. Shapes are ours: vehicle "
      "files hold masses, inertias and points, so boxes are the homogeneous blocks with these "
      "inertias.",
      sum, std::size(named), bodies, same ? "every kind as often" : "not every kind as often");
  contents.add(std::move(part), {{"locomotive.svg", oblique}, {"locomotive_side.svg", side}});

  const std::string apart =
      report::solids_svg(scene, places, expanded(scene, places), {-0.6, 0.38, 62});
  std::size_t drawn = scene.wheelsets.size();
  for (const record::Solid& s : scene.solids) drawn += s.shape != record::Solid::Shape::none;
  report::PaperPart view;
  view.id = "fig:expanded_bodies";
  view.title = "Expanded view";
  view.article = "The same locomotive with its parts moved apart, coloured by kind.";
  view.ours = apart;
  view.agreement = drawn == static_cast<std::size_t>(sum) ? Agreement::agrees : Agreement::differs;
  const auto driven = [&](const char* bogie) {
    return std::count_if(scene.solids.begin(), scene.solids.end(), [&](const record::Solid& s) {
      return s.name.starts_with(bogie) && report::kind_of(s.name) == "rotor";
    });
  };
  view.verdict = fmt::format(
      "{} parts are drawn apart, of the {} that the article names; {} rotors in the rear bogie and "
      "{} in the front one, in the article two and none.",
      drawn, sum, driven("rear."), driven("front."));
  contents.add(std::move(view), {{"expanded.svg", apart}});
}

void add_surfaces(PaperContents& contents, const VehiclePipeline& p, const record::Scene& scene) {
  const run::VehicleState& state = p.simulator->state();
  report::DrawnContact c;
  double gap = 0, off = 0;
  std::string csv = "wheel,theta_w,u_w,s_r,u_r,gap\n";
  for (std::size_t i = 0; i < state.tread.size(); ++i) {
    const run::PointState& t = state.tread[i];
    gap = std::max(gap, std::abs(t.gap));
    off = std::max(off, std::abs(t.s[0] - std::numbers::pi / 2));
    csv += fmt::format("{},{},{},{},{},{}\n", scene.wheels[i].name, t.s[0], t.s[1], t.s[2], t.s[3],
                       t.gap);
    if (scene.wheels[i].name == "rear.front.right") c = {i, t.s[0], t.s[1], t.s[2], t.s[3]};
  }
  constexpr std::size_t printed = 32;
  const std::size_t count = 4 * state.tread.size();
  report::PaperPart part;
  part.id = "fig:surfaces";
  part.title = "Surfaces of wheel and rail, and their coordinates";
  part.article = fmt::format(
      "A drawing of one wheel and its rail: the wheel by theta_w and u_w, the rail by s_r and u_r; "
      "{} contact coordinates for eight wheels.",
      printed);
  part.ours = report::surfaces_svg(scene, c);
  part.agreement = count == printed && gap < 1e-6 ? Agreement::agrees : Agreement::differs;
  part.verdict = fmt::format(
      "{} contact coordinates. In the position the run starts from, the two points of each tread "
      "contact are {:.1e} m apart at most, and theta_w is within {:.1e} rad of pi/2, the lowest "
      "point of a wheel: the article's reason to count it in a base that does not spin.",
      count, gap, off);
  contents.add(std::move(part), {{"contacts.csv", csv}});
}

}  // namespace

void add_paper_vehicle(PaperContents& contents, const VehiclePipeline& p) {
  add_trees(contents, p);
  ScenePoses poses(p);
  const std::vector<double>& q = p.simulator->state().q;
  const record::Scene picture = scene(p, poses, p.track.begin(), p.track.begin() + 1);
  std::vector<Triple> places;
  for (const ScenePoses::Pose& pose : poses.at(q)) places.push_back({pose.r.x, pose.r.y, pose.r.z});
  add_pictures(contents, p, picture, places);
  add_surfaces(contents, p, picture);
}

}  // namespace klingel::cli
