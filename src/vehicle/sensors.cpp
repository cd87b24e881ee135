// Sensors of a block.
#include "vehicle/keys.hpp"
#include "vehicle/schema.hpp"

namespace klingel::vehicle {
namespace {

constexpr Key sensor_keys[] = {
    name_key,
    {"kind", "word", "-", required,
     "accelerometer, gyro, displacement or velocity: what is measured, along x, y and z"},
    {"point", "point", "-", "required with accelerometer", "where it is"},
    {"from", "point", "-", "O", "displacement and velocity: of this point ..."},
    {"to", "point", "-", "required with displacement and velocity", "... to this one"},
    {"base", "base", "-", "required", "it turns with this base, and measures along its axes"},
    {"gravity", "true or false", "-", "true",
     "accelerometer: as built, which shows 9.81 upwards at rest; false: the acceleration alone"},
    {"cutoff", "number", "Hz", "none",
     "of a low-pass filter (Butterworth, second order); it begins at the values of the file"}};

constexpr const char* words[] = {"accelerometer", "gyro", "displacement", "velocity"};

// Keys that the kind of sensor does not have are mistakes.
void refuse(Table& t, const std::string& kind, std::initializer_list<const char*> others) {
  for (const char* key : others)
    if (t.has(key)) t.fail(key, fmt::format("a sensor of kind '{}' has no key '{}'", kind, key));
}

Sensor read_sensor(const Block& b, Table& t) {
  Sensor s;
  s.name = b.full_name(t);
  s.place = t.place();
  const std::string kinds[] = {words[0], words[1], words[2], words[3]};
  t.text("kind");  // required
  const std::string kind = t.word("kind", kinds, "");
  s.base.text = b.base(t, "base");
  if (t.has("cutoff")) s.cutoff = t.positive("cutoff");
  if (kind == words[0]) {
    refuse(t, kind, {"from", "to"});
    s.kind = Sensor::Kind::accelerometer;
    s.to.text = b.point(t, "point");
    s.gravity = t.boolean("gravity", true);
    return s;
  }
  refuse(t, kind, {"point", "gravity"});
  if (kind == words[1]) {
    refuse(t, kind, {"from", "to"});
    s.kind = Sensor::Kind::gyro;
    return s;
  }
  s.kind = kind == words[2] ? Sensor::Kind::displacement : Sensor::Kind::velocity;
  s.from.text = b.name(NameKind::point, t, "from", "O");
  s.to.text = b.point(t, "to");
  return s;
}

}  // namespace

constinit const Section Sensor::table = {
    "sensor", "A sensor: channels sensor.NAME.x, .y and .z of recordings.", sensor_keys, "sensors"};

void read_sensors(const Block& b, Vehicle& vehicle) {
  for (Table& t : b.kept_tables("sensor")) {
    refuse_unknown(t, Sensor::table);
    vehicle.sensors.push_back(read_sensor(b, t));
  }
}

}  // namespace klingel::vehicle
