// No globals with state: the libraries of the rooms define no writable data, neither global, nor
// static in a function, nor thread-local. Two models in one process rely on it.
// Read from the symbol tables: nm cannot tell .data.rel.ro (constant tables of pointers, vtables)
// from .data, objdump shows the section. A constant that needs code to be built, such as a
// static const std::map, counts as state: it lives in .bss and its order of construction matters.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/structure/shell.hpp"
#include "tests/structure/temporary_folder.hpp"

namespace klingel::structure {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

bool is_writable(const std::string& section) {
  if (section.starts_with(".data.rel.ro")) return false;
  for (const char* prefix : {".data", ".bss", ".tdata", ".tbss", "*COM*"})
    if (section.starts_with(prefix)) return true;
  return false;
}

// What compilers put there themselves: pointers to the exception personality, the flag of a
// function-local static (the static itself is reported), the registration by <iostream>, and
// what sanitizers add.
bool is_compilers_own(const std::string& name) {
  // the others are inside libraries: names of functions for messages, sizes of caches, tables of
  // HTTP, identities of services
  for (const char* known :
       {"DW.ref.", "guard variable for ", "std::__ioinit", "std::__detail::__waiter_pool",
        "__odr_asan", "boost::math::", "Eigen::internal::manage_caching_sizes",
        "boost::asio::", "boost::beast::", "boost::system::", "boost::none"})
    if (name.starts_with(known)) return true;
  return name.find("asan") != std::string::npos || name.find("ubsan") != std::string::npos;
}

// "section name" of every writable object in an archive or object file.
std::vector<std::string> writable_objects(const fs::path& file) {
  const Shell table = shell("objdump -t -C '" + file.string() + "'");
  EXPECT_EQ(table.code, 0) << table.out;
  std::vector<std::string> found;
  std::istringstream lines(table.out);
  for (std::string line; std::getline(lines, line);) {
    // "<16 address> <7 flags> <section>\t<16 size> [.hidden] <name>"
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos || tab < 25 || line.size() < tab + 18) continue;
    const std::string flags = line.substr(17, 7), section = line.substr(25, tab - 25);
    std::string name = line.substr(tab + 18);
    if (name.starts_with(".hidden ")) name.erase(0, 8);
    const bool is_section_itself = flags[5] == 'd';
    if (is_section_itself || !is_writable(section) || is_compilers_own(name)) continue;
    found.push_back(fmt::format("{} {}", section, name));
  }
  return found;
}

TEST(globals, no_room_has_any_with_state) {
  if (!has_program("objdump")) GTEST_SKIP() << "objdump is not installed";
  int rooms = 0;
  for (const auto& entry : fs::directory_iterator(KLINGEL_BINARY_DIR "/src")) {
    if (entry.path().extension() != ".a") continue;
    ++rooms;
    EXPECT_THAT(writable_objects(entry.path()), IsEmpty()) << entry.path().filename();
  }
  EXPECT_GE(rooms, 2) << "the libraries of the rooms were not found";
}

// the checker itself: one object file with every kind of state, and with constants
TEST(globals, state_is_found_and_constants_are_not) {
  if (!has_program("objdump") || !has_program("c++")) GTEST_SKIP() << "objdump or c++ missing";
  TemporaryFolder folder;
  folder.add("state.cpp",
             "#include <string>\n"
             "int counter = 3;\n"
             "static double sum;\n"
             "thread_local int depth = 1;\n"
             "double* add(double x) { static int calls = 0; ++calls; sum += x; return &sum; }\n"
             "const std::string& name() { static const std::string n(100, 'x'); return n; }\n");
  folder.add("constant.cpp",
             "#include <stdexcept>\n"
             "extern const int table[] = {1, 2, 3};\n"
             "extern const char* const names[] = {\"a\", \"b\"};\n"
             "struct Base { virtual ~Base() = default; virtual void f() {} };\n"
             "Base* make() { throw std::runtime_error(\"x\"); return new Base; }\n");
  const auto objects_of = [&](const std::string& name) {
    const std::string path = (folder.path() / name).string();
    const Shell compiled =
        shell("c++ -std=c++20 -O1 -fPIC -c '" + path + ".cpp' -o '" + path + ".o'");
    EXPECT_EQ(compiled.code, 0) << compiled.out;
    return writable_objects(path + ".o");
  };
  const std::vector<std::string> state = objects_of("state");
  EXPECT_THAT(state, SizeIs(5));
  for (const char* name : {"counter", "sum", "depth", "calls", "name"})
    EXPECT_THAT(state, testing::Contains(HasSubstr(name)));
  EXPECT_THAT(objects_of("constant"), IsEmpty());
}

}  // namespace
}  // namespace klingel::structure
