// Places of a mechanism and how they hang on each other, from the points and bases of its model.
//
// A place is a pair of a point and a base. It moves as a rigid body with its parent, and by the
// coordinates of the one step between them: up the tree of bases (a rotation), or up the tree of
// points. The root is the ground.
//
//   wheelset: (axle, axle) -spin- (axle, still) -roll- (axle, frame) -z- (frame, frame) ...
//
// The step is to the parent of the point where the edge to the point is written in the place's
// base, and to the parent of the base where it is written in a base above. An edge written in any
// other base (a point carried by one thing and a base by another) has no place: the body falls
// into its mass, on the tree of points, and its rotary inertia, on the tree of bases, and one that
// has no place even then is left to the caller.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "mech/model.hpp"
#include "model/spatial.hpp"

namespace klingel::model {

struct PlaceColumn {
  std::uint32_t coordinate;
  Six motion;
};

struct PlaceBody {
  const mech::Body* body;
  bool mass, inertia;  // the parts of it that are here
};

struct Place {
  std::uint32_t parent = 0;          // comes before its children
  mech::Base in;                     // base of components
  std::vector<PlaceColumn> columns;  // motion beside the parent's, at this place
  mech::Triple r;                    // from the parent
  std::vector<PlaceBody> bodies;
};

class PlaceTree {
 public:
  explicit PlaceTree(mech::Model& model);

  // Whether every step from here to the ground can be made.
  bool reaches_ground(mech::Point point, mech::Base base) const;
  // The place, made with all above it where it is new, with components in `in`.
  std::uint32_t place(mech::Point point, mech::Base base, mech::Base in);
  // A place of the caller's own.
  std::uint32_t add(Place place);

  // False if the body has no place.
  bool add(const mech::Body& body);
  // Columns of the steps, when all places are made.
  void find_columns();

  const std::vector<Place>& places() const { return places_; }
  // Mass and moments of what a place has of the model's bodies, about its point.
  SixBySix inertia(const PlaceBody& part, const mech::Base& in) const;

 private:
  struct Step {
    std::uint32_t place, from;  // base or point
    bool turns;
  };
  bool above(std::uint32_t base, std::uint32_t below) const;
  std::uint32_t turning_place(const mech::Body& body);
  std::vector<PlaceColumn> columns(const Step& step) const;

  mech::Model& model_;
  std::vector<Place> places_;
  std::vector<Step> steps_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> by_pair_;  // point and base
  std::map<std::uint32_t, std::uint32_t> by_base_;
  std::map<sym::Id, std::uint32_t> coordinate_;  // by q and by dq
};

}  // namespace klingel::model
