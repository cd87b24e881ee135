// Figures of the article about the locomotive: its trees, what it looks like, wheel and rail.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "mech/graphviz.hpp"
#include "paper/parts.hpp"
#include "paper/screenshot.hpp"
#include "report/page.hpp"
#include "report/paper_picture.hpp"
#include "report/paper_solids.hpp"
#include "report/paper_surfaces.hpp"
#include "report/paper_tree.hpp"
#include "scene/scene.hpp"

namespace klingel::paper {
namespace {

using record::Triple;
using report::Agreement;

void add_trees(PaperContents& contents, const compile::PreparedRun& p) {
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
      "locomotive. According to the text the locomotive has {} generalized coordinates.",
      printed);
  part.ours = "<p>Bases (filled: a body turns with it)</p>" + report::tree_svg(bases) +
              "<p>Points (filled: a body's point)</p>" + report::tree_svg(points);
  part.agreement = 2 * n == printed || n == printed ? Agreement::agrees : Agreement::differs;
  part.verdict = fmt::format(
      "The locomotive has {} bases, at most {} deep, {} points, at most {} deep, and {} bodies. It "
      "has {} coordinates; the article's {} {}.",
      bases.size(), report::depth(bases), points.size(), report::depth(points), m.bodies().size(),
      n, printed,
      2 * n == printed ? "is the number of states, coordinates and velocities together"
      : n == printed   ? "is the same"
                       : "is neither that nor twice that");
  part.criterion =
      "Agrees if the article's number is that of our coordinates, or twice as large, if it counts "
      "velocities too. The sketches themselves cannot be compared.";
  contents.add(std::move(part), {{"bases.dot", mech::bases_dot(m)},
                                 {"points.dot", mech::points_dot(m)},
                                 {"bases.svg", report::tree_svg(bases)},
                                 {"points.svg", report::tree_svg(points)}});
}

// Where parts go in the expanded view, by kind, m: up, and away from the vehicle's middle plane.
// Nothing goes down: wheelsets stay on their rails.
struct Shift {
  const char* kind;
  double up, out;
};
constexpr Shift shifts[] = {{"body", 3.1, 0},  {"slider", 2.7, 0},  {"frame", 1.9, 0},
                            {"box", 0.0, 0.7}, {"housing", 1.1, 0}, {"rotor", 0.75, 0}};

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

// The vehicle at its start, twice: in three dimensions and as a drawing; by a browser
// as photographs, too, where there is one.
class Pictures {
 public:
  Pictures(const compile::PreparedRun& p, scene::ScenePoses& poses) {
    constexpr double behind = 45, ahead = 60;  // m of track to be seen
    const double at = p.scenario.position;
    scene_ = scene::scene(p, poses, at - behind, at + ahead);
    for (const scene::ScenePoses::Pose& pose : poses.at(p.simulator->state().q)) {
      turned_.push_back(place_and_turn(pose));
      places_.push_back({pose.r.x, pose.r.y, pose.r.z});
    }
    shifts_ = expanded(scene_, places_);
  }

  const record::Scene& scene_of() const { return scene_; }
  std::string tail() const { return report::picture_script(report::page_template(), picture()); }

  // The figure in three dimensions with what is there without scripts; its files.
  std::string figure(const char* name, const char* words, bool apart,
                     std::vector<std::pair<std::string, std::string>>& files) const {
    const std::string drawing = report::solids_svg(
        scene_, places_, apart ? std::span<const Triple>(shifts_) : std::span<const Triple>(),
        {-0.6, 0.38, 62});
    files.emplace_back(std::string(name) + ".svg", drawing);
    std::string still = drawing;
    if (!report::page_template().empty()) {
      constexpr int width = 1280, height = 700;
      std::optional<std::string> png = screenshot(
          report::picture_page(report::page_template(), picture(), apart), width, height);
      if (png) {
        files.emplace_back(std::string(name) + ".png", std::move(*png));
        still = fmt::format("<img src=\"{0}.png\" alt=\"{1}\" width=\"{2}\" height=\"{3}\">", name,
                            words, width, height);
      }
    }
    return report::picture_figure(words, apart, still);
  }

 private:
  report::VehiclePicture picture() const { return {scene_, turned_, shifts_}; }

  record::Scene scene_;
  std::vector<std::array<double, 7>> turned_;
  std::vector<Triple> places_, shifts_;
};

void add_pictures(PaperContents& contents, const compile::PreparedRun& p,
                  const Pictures& pictures) {
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
  std::string other;
  int sum = 0;
  for (const auto& n : named) {
    sum += n.count;
    if (count[n.kind] != n.count) other += (other.empty() ? "" : ", ") + std::string(n.word);
    table.rows.push_back({n.word, fmt::format("{}", n.count), fmt::format("{}", count[n.kind])});
  }
  const int bodies = static_cast<int>(p.model->mechanics.bodies().size());
  std::vector<std::pair<std::string, std::string>> files;
  report::PaperPart part;
  part.id = "fig:locomotive";
  part.title = "The locomotive";
  part.article =
      "A picture of the multibody model of the FEVE 3000 locomotive. The text names its bodies; "
      "suspenders are fixed to the bogie frames and anti-yaw links are replaced by a missing "
      "coordinate.";
  part.ours = pictures.figure("locomotive", "the locomotive on its track", false, files) +
              report::markup(table);
  part.agreement = other.empty() && sum == bodies ? Agreement::agrees : Agreement::differs;
  part.verdict = fmt::format(
      "The article's text names {} bodies of {} kinds, ours has {}; {}.", sum, std::size(named),
      bodies, other.empty() ? "the same number of every kind" : "different numbers: " + other);
  part.criterion = "Agrees if the number of bodies of every kind is that of the text.";
  part.note =
      "The shapes are ours, since vehicle files contain only masses, inertias and points: a box is "
      "the homogeneous block with the body's inertia. Drag to rotate.";
  contents.add(std::move(part), std::move(files));

  files.clear();
  const record::Scene& scene = pictures.scene_of();
  report::PaperPart view;
  view.id = "fig:expanded_bodies";
  view.title = "Expanded view";
  view.article = "The same locomotive with its parts moved apart, coloured by kind.";
  view.ours = pictures.figure("expanded", "the locomotive with its parts moved apart", true, files);
  int drawn = static_cast<int>(scene.wheelsets.size());
  for (const record::Solid& s : scene.solids) drawn += s.shape != record::Solid::Shape::none;
  const auto driven = [&](const char* bogie) {
    return std::count_if(scene.solids.begin(), scene.solids.end(), [&](const record::Solid& s) {
      return s.name.starts_with(bogie) && report::kind_of(s.name) == "rotor";
    });
  };
  constexpr int rear = 2, front = 0;  // rotors of the article's bogies
  const bool same = drawn == sum && driven("rear.") == rear && driven("front.") == front;
  view.agreement = same ? Agreement::agrees : Agreement::differs;
  view.verdict = fmt::format(
      "{} parts are drawn apart, of the {} that the article names; {} rotors in the rear bogie and "
      "{} in the front one, in the article {} and {}.",
      drawn, sum, driven("rear."), driven("front."), rear, front);
  view.criterion =
      "Agrees if all bodies are drawn and the number of rotors of each bogie is the article's.";
  view.note = "Lines lead to the assembled positions of the parts; the slider assembles them.";
  contents.add(std::move(view), std::move(files));
  contents.tail += pictures.tail();
}

void add_surfaces(PaperContents& contents, const compile::PreparedRun& p,
                  const record::Scene& scene) {
  const step::VehicleState& state = p.simulator->state();
  report::DrawnContact c;
  double gap = 0, off = 0;
  std::string csv = "wheel,theta_w,u_w,s_r,u_r,gap\n";
  for (std::size_t i = 0; i < state.tread.size(); ++i) {
    const step::PointState& t = state.tread[i];
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
  constexpr double tolerance = 1e-6;  // m, of the article's projections
  part.agreement = count == printed && gap < tolerance ? Agreement::agrees : Agreement::differs;
  part.verdict = fmt::format(
      "{} contact coordinates, in the article {}. At the start of the run, the two points of each "
      "tread contact are at most {:.1e} m apart, and theta_w, measured in a base that does not "
      "spin, is within {:.1e} rad of pi/2, the lowest point of a wheel.",
      count, printed, gap, off);
  part.criterion = fmt::format(
      "Agrees if the number of coordinates is the same and the two points of each pair coincide "
      "within {:g} m, the tolerance of the article's projections.",
      tolerance);
  contents.add(std::move(part), {{"contacts.csv", csv}});
}

}  // namespace

void add_paper_vehicle(PaperContents& contents, const compile::PreparedRun& p) {
  add_trees(contents, p);
  scene::ScenePoses poses(p);
  const Pictures pictures(p, poses);
  add_pictures(contents, p, pictures);
  add_surfaces(contents, p, pictures.scene_of());
}

}  // namespace klingel::paper
