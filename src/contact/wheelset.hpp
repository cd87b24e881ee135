// A wheelset on its track: the profiles of both sides and their positions.
#pragma once

#include <memory>

#include "contact/wheelset_contact.hpp"

namespace klingel::contact {

struct Wheelset {
  SideProfiles left, right;
  bool sides_differ = false;
  std::unique_ptr<WheelsetGeometry> geometry;
};

}  // namespace klingel::contact
