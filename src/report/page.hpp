// One HTML file to look at: the page that was built from web/ and put into the program, with a
// recording inside. A program that was built without npm has no such page; then there is a plain
// one with charts.
#pragma once

#include <string>
#include <string_view>

#include "record/recording.hpp"

namespace klingel::report {

// The page as built: HTML without network, with the marker below where its recording goes. Empty if
// the program was built without it.
std::string_view page_template();
inline constexpr std::string_view page_marker = "<!--recording-->";

// The page with a recording (page_recording.hpp) or another JSON text, and maybe with what makes it
// a live one (room view): another JSON text. Nothing in the texts can end the script element they
// stand in. Needs a template.
std::string page(std::string_view html, std::string_view json, std::string_view live = {});

// JSON inside a page, as an element of this id. Nothing in the text can end it.
std::string data_element(std::string_view id, std::string_view json);

// The scripts of the page as built, with their elements: what follows the marker.
std::string_view page_scripts(std::string_view html);

// A page without scripts: the charts of run_plots.hpp, and a sentence on what is missing.
std::string plain_page(const record::Recording& recording, const std::string& title);

}  // namespace klingel::report
