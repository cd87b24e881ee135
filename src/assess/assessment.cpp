#include "assess/assessment.hpp"

#include <cmath>

namespace klingel::assess {
namespace {

void extreme(base::Json& json, const char* key, const std::optional<Extreme>& e) {
  json.key(key);
  if (!e) {
    json.null();
    return;
  }
  json.begin_object().key("value").value(e->value).key("t").value(e->t).end_object();
}

void number(base::Json& json, const char* key, const std::optional<double>& v) {
  json.key(key);
  if (v)
    json.value(*v);
  else
    json.null();
}

void place(base::Json& json, const std::array<double, 3>& r) {
  json.key("place_m").begin_array(true);
  for (const double x : r) json.value(x);
  json.end_array();
}

void write(base::Json& json, const WheelAssessment& w) {
  json.key(w.name).begin_object();
  extreme(json, "Y_20Hz_N", w.Y);
  extreme(json, "Q_min_20Hz_N", w.Q_min);
  extreme(json, "Q_max_20Hz_N", w.Q_max);
  number(json, "Y_median_N", w.Y_median);
  number(json, "Q_median_N", w.Q_median);
  number(json, "YQ_median", w.YQ_median);
  extreme(json, "YQ_2m", w.YQ_2m);
  json.key("YQ_undefined_s").value(w.undefined_YQ);
  extreme(json, "unloading", w.unloading);
  number(json, "Q0_N", w.Q0);
  extreme(json, "T_gamma_N", w.T_gamma);
  number(json, "T_gamma_mean_N", w.T_gamma_mean);
  json.end_object();
}

void write(base::Json& json, const WheelsetAssessment& w) {
  json.key(w.name).begin_object();
  extreme(json, "sum_Y_2m_N", w.sum_Y_2m);
  number(json, "sum_Y_median_N", w.sum_Y_median);
  number(json, "P0_N", w.P0);
  number(json, "limit_N", w.limit);
  number(json, "limit_freight_N", w.limit_freight);
  extreme(json, "instability_rms_N", w.instability);
  number(json, "instability_f0_Hz", w.f0);
  json.end_object();
}

void write(base::Json& json, const RideAssessment& r) {
  json.key(r.name).begin_object();
  place(json, r.place);
  json.key("Wz_y").value(r.Wz_y).key("Wz_z").value(r.Wz_z).key("N_MV").value(r.N_MV);
  json.key("rms_y_m_s2").value(r.rms_y).key("rms_z_m_s2").value(r.rms_z);
  json.end_object();
}

void write(base::Json& json, const AccelerationAssessment& a) {
  json.key(a.name).begin_object();
  place(json, a.place);
  extreme(json, "lateral_6Hz_m_s2", a.lateral);
  number(json, "lateral_median_m_s2", a.lateral_median);
  extreme(json, "vertical_0.4_4Hz_m_s2", a.vertical_safety);
  extreme(json, "vertical_0.4_10Hz_m_s2", a.vertical_ride);
  json.end_object();
}

void write(base::Json& json, const BogieAssessment& b) {
  json.key(b.name).begin_object();
  extreme(json, "lateral_10Hz_m_s2", b.lateral);
  json.end_object();
}

template <class T>
void list(base::Json& json, const char* key, const std::vector<T>& items) {
  json.key(key).begin_object();
  for (const T& item : items) write(json, item);
  json.end_object();
}

}  // namespace

double limit_nadal(double flange_angle, double friction) {
  const double slope = std::tan(flange_angle);
  return (slope - friction) / (1 + friction * slope);
}

double limit_sum_Y(double P0, double factor) { return factor * (10e3 + P0 / 3); }

void keep_largest(std::optional<Extreme>& best, double value, double t) {
  if (std::isfinite(value) && (!best || value > best->value)) best = {value, t};
}
void keep_smallest(std::optional<Extreme>& best, double value, double t) {
  if (std::isfinite(value) && (!best || value < best->value)) best = {value, t};
}
void keep_farthest(std::optional<Extreme>& best, double value, double t) {
  if (std::isfinite(value) && (!best || std::abs(value) > std::abs(best->value))) best = {value, t};
}

void write(base::Json& json, const Assessment& a) {
  json.begin_object();
  json.key("limit_YQ").value(limit_YQ);
  number(json, "nadal_limit", a.nadal_limit);
  number(json, "flange_angle_rad", a.flange_angle);
  number(json, "friction", a.friction);
  list(json, "wheels", a.wheels);
  list(json, "wheelsets", a.wheelsets);
  list(json, "accelerations", a.accelerations);
  list(json, "bogies", a.bogies);
  list(json, "ride", a.ride);
  json.end_object();
}

}  // namespace klingel::assess
