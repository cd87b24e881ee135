#include "study/wear_file.hpp"

#include <filesystem>

#include "base/file.hpp"
#include "base/lookup.hpp"
#include "vehicle/document.hpp"

namespace klingel::study {
namespace {

using vehicle::Table;

WearCase wear_case(Table& t, const std::string& file) {
  WearCase c;
  c.place = t.place();
  c.run = t.text("run");
  t.call("case '" + c.run + "'");
  const std::filesystem::path beside = std::filesystem::path(file).parent_path() / c.run;
  if (std::filesystem::is_regular_file(beside)) c.run = beside.string();
  c.share = t.positive("share", 1);
  c.changes.track = t.text("track", "");
  c.changes.speed = t.optional_number("speed");
  c.changes.duration = t.optional_number("duration");
  c.changes.friction = t.optional_number("friction");
  c.changes.position = t.optional_number("position");
  t.refuse_unknown();
  return c;
}

}  // namespace

WearStudy parse_wear_study(std::string_view text, const std::string& file) {
  const vehicle::Document document = vehicle::Document::parse(text, file);
  Table root = document.root();
  WearStudy s;
  s.file = file;
  if (root.has("study"))
    base::fail_at({file, 0, 0},
                  "this is a file of 'klingel study': it has a table [study]; wear "
                  "needs a table [wear]");
  Table t = root.required_table("wear");
  s.name = t.text("name", std::filesystem::path(file).stem().string());
  s.about = t.text("about", "");
  const std::vector<std::string> laws{"usfd", "pearce"};
  s.law = t.word("law", laws, "usfd") == "pearce" ? wear::WearLaw::pearce : wear::WearLaw::usfd;
  s.mileage = t.positive("mileage");
  s.vehicles = t.number("vehicles", 0);
  s.most_km = t.positive("most_km", s.mileage);
  s.most_depth = 1e-3 * t.positive("most_depth", 0.1);
  s.smooth = 1e-3 * t.number("smooth", 1.5);
  s.skip = t.number("skip", 20);
  if (s.mileage > 1e7) t.fail("mileage", "expected kilometres, at most 1e7");
  if (!(s.vehicles >= 0 && s.vehicles <= 1e9))
    t.fail("vehicles", "expected how many vehicles pass over a rail meanwhile, 0 to 1e9");
  if (!(s.smooth >= 0 && s.smooth <= 10e-3)) t.fail("smooth", "expected 0 to 10 mm");
  if (s.most_depth > 1e-3) t.fail("most_depth", "expected mm, at most 1");
  if (!(s.skip >= 0)) t.fail("skip", "expected metres, not negative");
  t.refuse_unknown();
  for (Table& c : root.tables("case")) s.cases.push_back(wear_case(c, file));
  root.refuse_unknown();
  if (s.cases.empty())
    base::fail_at({file, 0, 0}, "nothing runs; add [[case]] with 'run', a vehicle or a scenario");
  return s;
}

WearStudy load_wear_study(const std::string& name) {
  constexpr base::DataKind kind{"studies", "wear study", ""};
  const std::string path = base::find_file(kind, name).string();
  return parse_wear_study(base::read_file(path), path);
}

}  // namespace klingel::study
