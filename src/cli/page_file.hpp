// report.html of a recording.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "base/file.hpp"
#include "report/page.hpp"
#include "report/page_recording.hpp"

namespace klingel::cli {

// The page if the program has it, else the plain one, which is said on the screen.
inline void write_page(const std::string& recording, const std::filesystem::path& path) {
  if (!report::page_template().empty()) {
    base::write_file(path, report::page(report::page_template(), recording));
    return;
  }
  fmt::print("the report is a plain page with charts: this program was built without npm\n");
  base::write_file(
      path, report::plain_page(report::channels_of_page(recording, "recording"), "Klingel report"));
}

}  // namespace klingel::cli
