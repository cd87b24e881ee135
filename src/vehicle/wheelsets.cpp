// Wheelsets of a block.
#include <filesystem>

#include "profile/named_profile.hpp"
#include "vehicle/schema.hpp"

namespace klingel::vehicle {
namespace {

constexpr Key keys[] = {
    {"name", "text", "-", "the instance's name",
     "wheels are called NAME.right and NAME.left, in this order"},
    key<&Wheelset::point>("point", "-", required, "centre of the axle"),
    key<&Wheelset::base>("base", "-", required,
                         "base of the wheelset that does not spin; y along the axle"),
    key<&Wheelset::spinning_base>("spinning_base", "-", required, "base the wheels turn with"),
    key<&Wheelset::spin>("spin", "-", required, "angle of spin about y, forward rolling positive"),
    key<&Wheelset::radius>("radius", "m", required, "of the wheels at the taping line",
                           Limit::positive),
    key<&Wheelset::radius_right>("radius_right", "m", "radius", "of the right wheel",
                                 Limit::positive),
    key<&Wheelset::radius_left>("radius_left", "m", "radius", "of the left wheel", Limit::positive),
    key<&Wheelset::distance>("distance", "m", required,
                             "between the reference points of the two wheels", Limit::positive),
    {"profile", "text", "-", none, "shipped profile or file, for both sides"},
    {"profile_right", "text", "-", "profile", "for the right wheel"},
    {"profile_left", "text", "-", "profile", "for the left wheel"}};

Wheelset read_wheelset(const Block& b, Table& t, const NominalValues& nominal) {
  if (!t.has("name") && b.scope.empty())
    t.fail("", "'name' is missing; only a wheelset in a group takes the name of the instance");
  const std::string name = t.has("name") ? b.full_name(t) : b.scope;
  t.call(fmt::format("wheelset '{}'", name));
  Wheelset w = read<Wheelset>(b, t, nominal);
  w.name = name;
  w.place = t.place();
  const std::string both = t.text("profile", "");
  const std::filesystem::path folder = std::filesystem::path(t.place().file).parent_path();
  w.profile_right = profile::located(t.text("profile_right", both), folder);
  w.profile_left = profile::located(t.text("profile_left", both), folder);
  if (w.profile_right.empty() || w.profile_left.empty())
    t.fail("", "'profile' is missing (or profile_right and profile_left)");
  return w;
}

}  // namespace

constinit const Section Wheelset::table = {
    "wheelset", "Two wheels on an axle, each touching its rail.", keys, "two wheels on an axle"};

void read_wheelsets(const Block& b, const NominalValues& nominal, Vehicle& vehicle) {
  for (Table& t : Table(b.table).tables("wheelset"))
    vehicle.wheelsets.push_back(read_wheelset(b, t, nominal));
}

}  // namespace klingel::vehicle
