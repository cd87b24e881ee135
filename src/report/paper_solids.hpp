// A vehicle as a drawing without shadows or perspective: the solids and wheels of its scene, seen
// along one direction, each where its frame stands plus a shift of its own, so that the same call
// gives the vehicle and its expanded view. Frames are taken as upright: vehicles stand at their
// start.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "record/scene.hpp"

namespace klingel::report {

struct View {
  double turn = 0;    // rad about z; 0: seen from the right, x to the right
  double raise = 0;   // rad above the horizon
  double scale = 60;  // pixels per m
};

// What a solid is coloured by: the last word of its name ("box" of "rear.front.left_box.box").
std::string kind_of(const std::string& name);

// Colours of the kinds of a scene's solids, "#rrggbb".
std::map<std::string, std::string> kind_colours(const record::Scene& scene);

// places: of the scene's frames; shifts: of its solids, then of its wheelsets, or none at all.
std::string solids_svg(const record::Scene& scene, std::span<const record::Triple> places,
                       std::span<const record::Triple> shifts, const View& view);

}  // namespace klingel::report
