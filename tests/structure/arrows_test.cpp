// src/ARROWS is true: every #include of every room follows it, every room is listed, and arrows
// only point upwards in the file. CMake links from the same file, so the build agrees with it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "tests/structure/temporary_folder.hpp"

namespace klingel::structure {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

struct Room {
  std::string name;
  std::vector<std::string> may_include;
};

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<Room> read_arrows(const fs::path& src) {
  std::vector<Room> rooms;
  std::istringstream lines(base::read_file(src / "ARROWS"));
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (line.empty() || line[0] == '#' || colon == std::string::npos) continue;
    rooms.push_back({line.substr(0, colon), words(line.substr(colon + 1))});
  }
  return rooms;
}

const Room* find(const std::vector<Room>& rooms, const std::string& name) {
  const auto it =
      std::find_if(rooms.begin(), rooms.end(), [&](const Room& room) { return room.name == name; });
  return it == rooms.end() ? nullptr : &*it;
}

std::string joined(const std::vector<std::string>& names) {
  return names.empty() ? "nothing" : fmt::format("{}", fmt::join(names, " "));
}

// The room an include path leads to: "sym" of "sym/graph.hpp", "" without a folder.
std::string room_of(const std::string& include) {
  const std::size_t slash = include.find('/');
  return slash == std::string::npos ? "" : include.substr(0, slash);
}

// The complaints about one source file of a room; `shown` is its name in them.
void check_file(const fs::path& file, const std::string& shown, const Room& room,
                std::vector<std::string>& complaints) {
  static const std::regex include(R"re(^\s*#\s*include\s*"([^"]+)")re");
  std::istringstream lines(base::read_file(file));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    const std::string path = match[1], target = room_of(path);
    const auto& allowed = room.may_include;
    if (target == room.name) continue;
    if (std::find(allowed.begin(), allowed.end(), target) != allowed.end()) continue;
    complaints.push_back(fmt::format("{}:{} includes {}; {} may include: {}", shown, number, path,
                                     room.name, joined(allowed)));
  }
}

// Everything that is wrong with a src folder, sorted by room.
std::vector<std::string> complaints_about(const fs::path& src) {
  std::vector<std::string> complaints;
  const std::vector<Room> rooms = read_arrows(src);

  // the file itself: arrows lead to rooms listed above
  std::vector<std::string> above;
  for (const Room& room : rooms) {
    for (const std::string& target : room.may_include)
      if (std::find(above.begin(), above.end(), target) == above.end())
        complaints.push_back(fmt::format("ARROWS: {} points to {}, which is not listed above it",
                                         room.name, target));
    above.push_back(room.name);
  }

  // the folders and their includes
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(src)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const std::string shown = file.lexically_relative(src).generic_string();
    if (fs::is_directory(file)) {
      if (file.parent_path() == src && find(rooms, shown) == nullptr)
        complaints.push_back(fmt::format("folder {} is not listed in ARROWS", shown));
      continue;
    }
    const Room* room = find(rooms, room_of(shown));
    const std::string extension = file.extension();
    const bool is_source =
        extension == ".cpp" || extension == ".hpp" || extension == ".c" || extension == ".h";
    if (room != nullptr && is_source) check_file(file, shown, *room, complaints);
  }
  return complaints;
}

TEST(arrows, every_include_follows_the_map) {
  EXPECT_THAT(complaints_about(KLINGEL_SOURCE_DIR "/src"), IsEmpty());
}

TEST(arrows, the_map_has_the_rooms_of_the_tree) {
  const std::vector<Room> rooms = read_arrows(KLINGEL_SOURCE_DIR "/src");
  for (const char* name : {"base", "sym", "kernel", "gen", "exec", "cli"})
    EXPECT_NE(find(rooms, name), nullptr) << name;
}

TEST(arrows, a_wrong_include_is_named_with_file_line_and_rule) {
  TemporaryFolder src;
  src.add("ARROWS", "# rooms\nbase:\nsym: base\nmech: sym base\nkernel:\ngen: sym kernel base\n");
  src.add("base/error.hpp", "#include <string>\n");
  src.add("mech/body.hpp", "#include \"base/error.hpp\"\n#include \"mech/point.hpp\"\n");
  src.add("gen/emit_c.cpp",
          "// emits\n#include \"sym/graph.hpp\"\n\n  #  include \"mech/body.hpp\"\n");
  src.add("kernel/abi.h", "#include \"base/error.hpp\"\n");
  EXPECT_THAT(complaints_about(src.path()),
              ElementsAre("gen/emit_c.cpp:4 includes mech/body.hpp; "
                          "gen may include: sym kernel base",
                          "kernel/abi.h:1 includes base/error.hpp; kernel may include: nothing"));
}

TEST(arrows, an_include_without_its_room_is_a_complaint) {
  TemporaryFolder src;
  src.add("ARROWS", "base:\nsym: base\n");
  src.add("sym/graph.cpp", "#include \"graph.hpp\"\n#include \"../base/error.hpp\"\n");
  EXPECT_THAT(complaints_about(src.path()),
              ElementsAre("sym/graph.cpp:1 includes graph.hpp; sym may include: base",
                          "sym/graph.cpp:2 includes ../base/error.hpp; sym may include: base"));
}

TEST(arrows, an_unlisted_folder_and_a_downward_arrow_are_complaints) {
  TemporaryFolder src;
  src.add("ARROWS", "base: sym\nsym: base\n");
  src.add("attic/old.cpp", "");
  EXPECT_THAT(complaints_about(src.path()),
              ElementsAre("ARROWS: base points to sym, which is not listed above it",
                          "folder attic is not listed in ARROWS"));
}

}  // namespace
}  // namespace klingel::structure
