#include "record/scene.hpp"

#include <span>

#include "record/packed.hpp"

namespace klingel::record {
namespace {

using base::Json;

void triple(Json& json, const char* key, const Triple& values) {
  json.key(key).begin_array(true);
  for (const double v : values) json.value(v);
  json.end_array();
}

void floats(Json& json, const char* key, std::span<const double> values) {
  json.key(key).value(packed_floats(values));
}

std::string_view name(Solid::Shape shape) {
  switch (shape) {
    case Solid::Shape::box:
      return "box";
    case Solid::Shape::cylinder:
      return "cylinder";
    case Solid::Shape::bogie:
      return "bogie";
    case Solid::Shape::none:
      return "none";
  }
  return "";
}

void section(Json& json, const Section& s) {
  json.begin_object().key("name").value(s.name);
  floats(json, "u", s.u);
  floats(json, "f", s.f);
  json.end_object();
}

void spring_end(Json& json, const char* key, const SpringEnd& e) {
  json.key(key).begin_object().key("frame").value(e.frame);
  triple(json, "r", e.r);
  json.end_object();
}

void rail(Json& json, const char* key, const SceneRail& r) {
  json.key(key).begin_object();
  floats(json, "x", r.x);
  floats(json, "y", r.y);
  floats(json, "z", r.z);
  floats(json, "cant", r.cant);
  floats(json, "lateral", r.lateral);
  floats(json, "vertical", r.vertical);
  json.end_object();
}

void track(Json& json, const SceneTrack& t) {
  json.key("track").begin_object();
  json.key("name").value(t.name).key("rail_distance").value(t.rail_distance);
  floats(json, "s", t.s);
  floats(json, "x", t.x);
  floats(json, "y", t.y);
  floats(json, "z", t.z);
  floats(json, "heading", t.heading);
  floats(json, "cant", t.cant);
  floats(json, "curvature", t.curvature);
  rail(json, "left", t.left);
  rail(json, "right", t.right);
  json.end_object();
}

}  // namespace

void write(Json& json, const Scene& scene) {
  json.begin_object();
  json.key("vehicle").value(scene.vehicle).key("about").value(scene.about);
  json.key("frames").begin_array();
  for (const std::string& f : scene.frames) json.value(f);
  json.end_array();
  json.key("solids").begin_array();
  for (const Solid& s : scene.solids) {
    json.begin_object().key("name").value(s.name).key("shape").value(name(s.shape));
    json.key("frame").value(s.frame).key("mass").value(s.mass);
    json.key("is_reference").value(s.is_reference);
    triple(json, "centre", s.centre);
    triple(json, "size", s.size);
    if (!s.look.empty()) json.key("look").value(s.look);
    if (!s.colour.empty()) json.key("colour").value(s.colour);
    json.end_object();
  }
  json.end_array();
  json.key("springs").begin_array();
  for (const Spring& s : scene.springs) {
    json.begin_object().key("name").value(s.name).key("kind").value(s.kind);
    spring_end(json, "from", s.from);
    spring_end(json, "to", s.to);
    json.end_object();
  }
  json.end_array();
  json.key("wheelsets").begin_array();
  for (const std::string& w : scene.wheelsets) json.value(w);
  json.end_array();
  json.key("wheels").begin_array();
  for (const SceneWheel& w : scene.wheels) {
    json.begin_object().key("name").value(w.name).key("frame").value(w.frame);
    json.key("left").value(w.left).key("y").value(w.y).key("profile").value(w.profile);
    json.end_object();
  }
  json.end_array();
  json.key("wheel_profiles").begin_array();
  for (const Section& s : scene.wheel_profiles) section(json, s);
  json.end_array();
  json.key("rail_left");
  section(json, scene.rail_left);
  json.key("rail_right");
  section(json, scene.rail_right);
  track(json, scene.track);
  json.end_object();
}

void write(Json& json, const SceneMotion& motion) {
  const auto groups = [&](const char* key, const auto& list) {
    json.key(key).begin_array();
    for (const auto& columns : list) {
      json.begin_array();
      for (const std::vector<double>& column : columns) json.value(packed(column));
      json.end_array();
    }
    json.end_array();
  };
  json.begin_object();
  groups("frames", motion.frames);
  groups("wheels", motion.wheels);
  json.end_object();
}

}  // namespace klingel::record
