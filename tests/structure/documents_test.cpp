// The documents are true: links lead somewhere, code shown is code that exists, files and folders
// they name are there, and the index of docs/ is complete.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "base/file.hpp"

namespace klingel::structure {
namespace {

namespace fs = std::filesystem;

const char* const root = KLINGEL_SOURCE_DIR;

std::vector<fs::path> documents() {
  std::vector<fs::path> found;
  for (const char* folder : {"docs", "examples", "vehicles", "profiles"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(root) / folder))
      if (entry.path().extension() == ".md") found.push_back(entry.path());
  }
  for (const char* name : {"README.md", "READING.md", "CHANGELOG.md"})
    found.push_back(fs::path(root) / name);
  return found;
}

// The contents of ```language blocks.
std::vector<std::string> blocks(const std::string& text, const std::string& language) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  bool inside = false, wanted = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      wanted = inside && line.substr(3) == language;
      if (wanted) found.emplace_back();
    } else if (wanted) {
      found.back() += line + "\n";
    }
  }
  return found;
}

std::string trimmed(const std::string& line) {
  const std::size_t begin = line.find_first_not_of(' ');
  return begin == std::string::npos ? "" : line.substr(begin);
}

// The text outside of ``` blocks, where a lambda of C++ looks like a link.
std::string prose(const std::string& text) {
  std::string found;
  std::istringstream lines(text);
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) inside = !inside;
    if (!inside) found += line + "\n";
  }
  return found;
}

TEST(documents, links_lead_to_files_that_exist) {
  const std::regex link(R"(\]\(([^)#]+)(#[^)]*)?\))");
  for (const fs::path& document : documents()) {
    const std::string text = prose(base::read_file(document));
    for (std::sregex_iterator it(text.begin(), text.end(), link), end; it != end; ++it) {
      const std::string target = (*it)[1];
      if (target.starts_with("http")) continue;
      EXPECT_TRUE(fs::exists(document.parent_path() / target)) << document << ": " << target;
    }
  }
}

TEST(documents, c_of_the_pendulum_is_in_the_golden_file) {
  const std::string golden = base::read_file(fs::path(root) / "tests/golden/pendulum/pendulum.c");
  const auto shown =
      blocks(base::read_file(fs::path(root) / "examples/00_expressions/README.md"), "c");
  EXPECT_GE(shown.size(), 1u);
  for (const std::string& code : shown)
    EXPECT_NE(golden.find(code), std::string::npos) << "not in pendulum.c:\n" << code;
}

TEST(documents, cpp_of_the_pendulum_is_in_its_source) {
  std::vector<std::string> lines;
  const fs::path folder = fs::path(root) / "examples/00_expressions";
  std::istringstream source(base::read_file(folder / "pendulum.hpp"));
  for (std::string line; std::getline(source, line);) lines.push_back(trimmed(line));
  const auto shown = blocks(base::read_file(folder / "README.md"), "cpp");
  EXPECT_GE(shown.size(), 1u);
  for (const std::string& code : shown) {
    std::istringstream stream(code);
    for (std::string line; std::getline(stream, line);) {
      if (line.empty()) continue;
      EXPECT_NE(std::find(lines.begin(), lines.end(), trimmed(line)), lines.end()) << line;
    }
  }
}

TEST(documents, tables_of_the_vehicle_in_the_readme_are_in_its_file) {
  const std::string vehicle =
      base::read_file(fs::path(root) / "vehicles/wheelset_suspended/vehicle.toml");
  const auto shown = blocks(base::read_file(fs::path(root) / "README.md"), "toml");
  ASSERT_EQ(shown.size(), 1u);
  std::size_t tables = 0;
  for (std::size_t begin = shown[0].find("[["); begin != std::string::npos; ++tables) {
    const std::size_t next = shown[0].find("\n[[", begin);
    std::string table = shown[0].substr(begin, next - begin);
    while (table.ends_with('\n')) table.pop_back();
    EXPECT_NE(vehicle.find(table + "\n"), std::string::npos) << table;
    begin = next == std::string::npos ? next : next + 1;
  }
  EXPECT_GE(tables, 2u);
}

TEST(documents, the_readme_shows_the_whole_program_that_drives_a_vehicle) {
  const std::string program = base::read_file(fs::path(root) / "examples/drive_a_vehicle/main.cpp");
  const auto shown = blocks(base::read_file(fs::path(root) / "README.md"), "cpp");
  EXPECT_NE(std::find(shown.begin(), shown.end(), program), shown.end());
}

TEST(documents, the_index_links_to_every_document) {
  const fs::path docs = fs::path(root) / "docs";
  const std::string index = base::read_file(docs / "README.md");
  for (const auto& entry : fs::recursive_directory_iterator(docs)) {
    const std::string name = fs::relative(entry.path(), docs).string();
    if (entry.path().extension() != ".md" || name == "README.md") continue;
    EXPECT_NE(index.find("](" + name + ")"), std::string::npos)
        << "docs/README.md does not link to " << name;
  }
}

TEST(documents, minutes_of_the_tour_add_up) {
  const std::string text = base::read_file(fs::path(root) / "READING.md");
  const std::regex stop(R"(\n\|.*\| (\d+) \|)"), total(R"(\*\*total\*\* \| \*\*(\d+)\*\*)");
  int sum = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), stop), end; it != end; ++it)
    sum += std::stoi((*it)[1]);
  std::smatch found;
  ASSERT_TRUE(std::regex_search(text, found, total));
  EXPECT_EQ(std::stoi(found[1]), sum);
}

TEST(documents, files_in_the_table_of_equations_exist) {
  const std::string text = base::read_file(fs::path(root) / "docs/EQUATIONS.md");
  const std::regex path(R"(`((?:src|tests)/[^`]+)`)");
  int count = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), path), end; it != end; ++it, ++count)
    EXPECT_TRUE(fs::exists(fs::path(root) / (*it)[1].str())) << (*it)[1].str();
  EXPECT_GE(count, 6);
}

// Sources are named by their whole path or by its end: `src/sym/graph.cpp`, `step/system.hpp`.
TEST(documents, sources_that_documents_name_exist) {
  std::vector<std::string> sources;
  for (const char* folder : {"src", "include", "tests", "examples", "tools"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(root) / folder))
      sources.push_back("/" + fs::relative(entry.path(), root).string());
  const auto exists = [&](const std::string& name) {
    return std::any_of(sources.begin(), sources.end(),
                       [&](const std::string& source) { return source.ends_with("/" + name); });
  };
  const std::regex name(R"(`([\w./-]+\.(?:cpp|hpp|h|py))`)");
  int count = 0;
  for (const fs::path& document : documents()) {
    if (document.filename() == "CHANGELOG.md") continue;  // tells of files of its time
    const std::string text = prose(base::read_file(document));
    for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it, ++count) {
      const std::string source = (*it)[1];
      if (source == "src/vehicle/element_friction.cpp")
        continue;  // adding_an_element.md invents it
      EXPECT_TRUE(exists(source)) << document << ": " << source;
    }
  }
  EXPECT_GE(count, 100);
}

// `src/<room>` and the like.
TEST(documents, folders_that_documents_name_exist) {
  const std::regex folder(R"(`((?:src|tests|examples|tools|docs|web)/[\w/]+)`)");
  for (const fs::path& document : documents()) {
    if (document.filename() == "CHANGELOG.md") continue;
    const std::string text = prose(base::read_file(document));
    for (std::sregex_iterator it(text.begin(), text.end(), folder), end; it != end; ++it)
      EXPECT_TRUE(fs::exists(fs::path(root) / (*it)[1].str()))
          << document << ": " << (*it)[1].str();
  }
}

TEST(documents, results_list_every_channel) {
  const std::string text = base::read_file(fs::path(root) / "docs/results.md");
  const std::string source = base::read_file(fs::path(root) / "src/record/vehicle_channels.cpp");
  const std::regex entry(R"re(\n    \{"([\w.]+)", "([^"]*)", ")re");
  int count = 0;
  for (std::sregex_iterator it(source.begin(), source.end(), entry), end; it != end;
       ++it, ++count) {
    const std::regex row(
        fmt::format(R"(\| `{}(\.\w+)?` \| {} \|)", (*it)[1].str(), (*it)[2].str()));
    EXPECT_TRUE(std::regex_search(text, row)) << (*it)[1].str() << " in " << (*it)[2].str();
  }
  EXPECT_GE(count, 50);
}

TEST(documents, rooms_of_the_architecture_are_those_of_the_map) {
  const std::string text = base::read_file(fs::path(root) / "docs/architecture.md");
  std::istringstream arrows(base::read_file(fs::path(root) / "src/ARROWS"));
  for (std::string line; std::getline(arrows, line);) {
    const std::size_t colon = line.find(':');
    if (line.empty() || line[0] == '#' || colon == std::string::npos) continue;
    const std::string room = line.substr(0, colon);
    if (!fs::exists(fs::path(root) / "src" / room)) continue;
    EXPECT_NE(text.find("**" + room + "**"), std::string::npos)
        << "docs/architecture.md has no paragraph about " << room;
  }
}

}  // namespace
}  // namespace klingel::structure
