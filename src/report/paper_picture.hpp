// The vehicle in three dimensions inside a page that is not a report: markup with a still picture,
// data, and the script of the built page (web/src/pictures.js), which draws a canvas in place of
// the still one. A program built without npm has no script; then the still pictures stay.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "record/scene.hpp"

namespace klingel::report {

// A vehicle at rest, and the shifts of its parts in the expanded view.
struct VehiclePicture {
  const record::Scene& scene;
  std::span<const std::array<double, 7>> places;  // of the frames: r, then Euler parameters
  std::span<const record::Triple> shifts;         // of the solids, then of the wheelsets
};

// A figure: the still picture (markup), in its place the moving one where a browser can draw it.
std::string picture_figure(std::string_view words, bool apart, std::string_view still);

// What goes at the end of a page with such figures: the vehicle, and the script out of the built
// page. Empty if there is no built page.
std::string picture_script(std::string_view built_page, const VehiclePicture& picture);

// A page with one figure that fills it, for a screenshot.
std::string picture_page(std::string_view built_page, const VehiclePicture& picture, bool apart);

// CSS rules for such figures.
std::string_view picture_style();

}  // namespace klingel::report
