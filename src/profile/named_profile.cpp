#include "profile/named_profile.hpp"

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/lookup.hpp"
#include "profile/profile_text.hpp"
#include "profile/standard_profiles.hpp"

namespace klingel::profile {
namespace {

namespace fs = std::filesystem;

constexpr const char* built_in[] = {"S1002", "60E1", "UIC60", "cylinder", "cone:", "arc:"};

// The number behind "cone:" or "arc:".
double parameter(std::string_view name, std::size_t from, const char* example) {
  const Word word = {name.substr(from)};
  if (!is_number(word.text)) {
    base::fail("profile '{}' needs a number after the colon, as in '{}'", name, example);
  }
  return number(word, std::string(name), "the number after the colon");
}

// A built-in profile; nothing if the name is none.
std::optional<Profile> find_built_in(std::string_view name, std::optional<ProfileKind> kind) {
  if (name == "S1002") return s1002();
  if (name == "60E1") return rail_head(head_60e1, "60E1");
  if (name == "UIC60") return rail_head(head_uic60, "UIC60");
  if (name == "cylinder") {
    Profile p = cone(0);
    p.name = "cylinder";
    return p;
  }
  if (name.starts_with("cone:")) return cone(parameter(name, 5, "cone:0.05"));
  if (name.starts_with("arc:")) {
    return arc(parameter(name, 4, "arc:0.3"), kind.value_or(ProfileKind::rail));
  }
  return std::nullopt;
}

[[noreturn]] void refuse(std::string_view name, const fs::path& folder) {
  base::fail(
      "{}\n    built in: S1002, 60E1, UIC60, cylinder, cone:CONICITY, arc:RADIUS_IN_M\n"
      "    files are .csv, .dat, .prw, .prr or .pieces; ':1:40' at the end inclines a profile",
      base::not_found(base::profiles, name, folder, {std::begin(built_in), std::end(built_in)}));
}

// Cuts ":1:40" off the end of a name; 0 if there is none.
double take_inclination(std::string_view& name) {
  const std::size_t colon = name.rfind(":1:");
  if (colon == std::string_view::npos || colon == 0) return 0;
  const double angle = read_inclination(name.substr(colon + 1), name);
  name = name.substr(0, colon);
  return angle;
}

}  // namespace

double read_inclination(std::string_view text, std::string_view what) {
  const std::string_view n = text.starts_with("1:") ? text.substr(2) : std::string_view();
  if (!is_number(n)) base::fail("inclination of '{}' must be like 1:40, found '{}'", what, text);
  const double value = number({n}, std::string(what), "the inclination");
  if (!(std::abs(value) >= 3)) {
    base::fail("inclination of '{}' must be 1:3 at most, found '{}'", what, text);
  }
  return std::atan(1 / value);
}

FittedProfile profile_with_notes(std::string_view name, const ReadOptions& options,
                                 const fs::path& folder) {
  const std::string_view whole = name;
  // a file may have colons in its name
  fs::path path = base::find_beside(base::profiles, name, folder);
  const double angle = path.empty() ? take_inclination(name) : 0;
  if (path.empty()) path = base::find_beside(base::profiles, name, folder);

  FittedProfile found;
  if (std::optional<Profile> p = path.empty() ? find_built_in(name, options.kind) : std::nullopt) {
    if (options.kind && p->kind != *options.kind) {
      base::fail("profile '{}' is that of a {}, expected a {}", whole, text(p->kind),
                 text(*options.kind));
    }
    found.profile = std::move(*p);
  } else {
    if (path.empty()) path = base::find_shipped(base::profiles, name);
    if (path.empty()) refuse(whole, folder);
    found = read_profile_with_notes(path, options);
  }
  if (angle != 0) {
    found.profile = inclined(found.profile, angle);
    found.profile.name = whole;
  }
  return found;
}

Profile profile(std::string_view name, std::optional<ProfileKind> kind, const fs::path& folder) {
  ReadOptions options;
  options.kind = kind;
  return profile_with_notes(name, options, folder).profile;
}

std::string located(std::string_view name, const fs::path& folder) {
  const std::string whole = base::located(base::profiles, name, folder);
  const std::size_t colon = name.rfind(":1:");
  if (whole != name || colon == std::string_view::npos) return whole;
  return base::located(base::profiles, name.substr(0, colon), folder) +
         std::string(name.substr(colon));
}

}  // namespace klingel::profile
