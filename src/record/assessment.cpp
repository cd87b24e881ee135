#include "record/assessment.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "record/ride.hpp"

namespace klingel::record {
namespace {

constexpr double window = 2;  // m
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// empty where there is no such channel
std::span<const double> column(const Recording& recording, const std::string& name) {
  for (std::size_t i = 0; i < recording.channels().size(); ++i)
    if (recording.channels()[i].name == name) return recording.column(i);
  return {};
}

std::optional<Extreme> largest(std::span<const double> t, std::span<const double> values) {
  std::optional<Extreme> best;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isfinite(values[i]) && (!best || values[i] > best->value)) best = {values[i], t[i]};
  return best;
}

std::optional<double> mean(std::span<const double> values) {
  if (values.empty()) return {};
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

// over the distance, so that a vehicle at rest does not wear
std::optional<double> mean_along(std::span<const double> s, std::span<const double> values) {
  double sum = 0, length = 0;
  for (std::size_t i = 1; i < values.size(); ++i) {
    const double ds = std::abs(s[i] - s[i - 1]);
    sum += ds * (values[i] + values[i - 1]) / 2;
    length += ds;
  }
  if (!(length > 0)) return {};
  return sum / length;
}

// wheels of a wheelset: its name and a dot begin theirs
bool belongs(const std::string& wheel, const std::string& wheelset) {
  return wheel.size() > wheelset.size() && wheel.starts_with(wheelset) &&
         wheel[wheelset.size()] == '.' && wheel.find('.', wheelset.size() + 1) == std::string::npos;
}

void optional_extreme(base::Json& json, const char* key, const std::optional<Extreme>& e) {
  json.key(key);
  if (!e) {
    json.null();
    return;
  }
  json.begin_object().key("value").value(e->value).key("t").value(e->t).end_object();
}

void optional_value(base::Json& json, const char* key, const std::optional<double>& v) {
  json.key(key);
  if (v)
    json.value(*v);
  else
    json.null();
}

}  // namespace

double nadal_limit(double flange_angle, double friction) {
  const double slope = std::tan(flange_angle);
  return (slope - friction) / (1 + friction * slope);
}

std::vector<double> sliding_mean(std::span<const double> s, std::span<const double> value,
                                 double width) {
  const std::size_t n = std::min(s.size(), value.size());
  std::vector<double> result(n, nan), path(n), integral(n);
  for (std::size_t i = 1; i < n; ++i) {
    const double ds = std::abs(s[i] - s[i - 1]);
    path[i] = path[i - 1] + ds;
    integral[i] = integral[i - 1] + ds * (value[i] + value[i - 1]) / 2;
  }
  // integral up to a place inside the piece [k, k+1], where the value is a straight line
  const auto up_to = [&](std::size_t k, double x) {
    const double ds = path[k + 1] - path[k];
    const double u = ds > 0 ? (x - path[k]) / ds : 0;
    const double at_x = value[k] + u * (value[k + 1] - value[k]);
    return integral[k] + (x - path[k]) * (value[k] + at_x) / 2;
  };
  std::size_t low = 0, high = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double a = path[i] - width / 2, b = path[i] + width / 2;
    // a thousandth of a millimetre: sums of steps are not exact
    if (a < -1e-6 || b > path[n - 1] + 1e-6) continue;
    while (low + 2 < n && path[low + 1] <= a) ++low;
    while (high + 2 < n && path[high + 1] <= b) ++high;
    result[i] = (up_to(high, b) - up_to(low, a)) / width;
  }
  return result;
}

Assessment assess(const Recording& recording, std::span<const std::string> wheels,
                  std::span<const std::string> wheelsets) {
  Assessment result;
  const std::span<const double> t = column(recording, "t"), s = column(recording, "s");
  if (t.empty()) return result;
  for (const std::string& name : wheels) {
    WheelAssessment w{
        .name = name, .YQ_2m = {}, .unloading = {}, .Q0 = {}, .T_gamma = {}, .T_gamma_mean = {}};
    const std::span<const double> YQ = column(recording, "YQ." + name);
    if (!s.empty() && !YQ.empty()) w.YQ_2m = largest(t, sliding_mean(s, YQ, window));
    const std::span<const double> T = column(recording, "Tgamma." + name);
    w.T_gamma = largest(t, T);
    if (!s.empty()) w.T_gamma_mean = mean_along(s, T);
    result.wheels.push_back(std::move(w));
  }
  for (const std::string& name : wheelsets) {
    WheelsetAssessment k{.name = name, .sum_Y_2m = {}, .limit = {}};
    const std::span<const double> sum_Y = column(recording, "sumY." + name);
    if (!s.empty() && !sum_Y.empty()) {
      std::vector<double> means = sliding_mean(s, sum_Y, window);
      for (double& v : means) v = std::abs(v);
      k.sum_Y_2m = largest(t, means);
    }
    // mean load of its wheels over the run
    double sum = 0;
    int count = 0;
    for (const std::string& wheel : wheels) {
      const std::optional<double> Q = mean(column(recording, "Q." + wheel));
      if (belongs(wheel, name) && Q) sum += *Q, ++count;
    }
    if (count > 0 && sum > 0) {
      const double Q0 = sum / count;
      k.limit = 10e3 + count * Q0 / 3;
      for (WheelAssessment& w : result.wheels) {
        if (!belongs(w.name, name)) continue;
        w.Q0 = Q0;
        std::vector<double> unloading;
        for (const double Q : column(recording, "Q." + w.name)) unloading.push_back((Q0 - Q) / Q0);
        w.unloading = largest(t, unloading);
      }
    }
    result.wheelsets.push_back(std::move(k));
  }
  return result;
}

RideAssessment assess_ride(const FloorPoint& point, double interval) {
  const auto& a = point.acceleration;
  RideAssessment r;
  r.name = point.name, r.place = point.place;
  r.Wz_y = sperling_Wz(a[1], interval, sperling_lateral);
  r.Wz_z = sperling_Wz(a[2], interval, sperling_vertical);
  r.N_MV = comfort_N_MV({a[0], a[1], a[2]}, interval);
  r.rms_y = rms(a[1]), r.rms_z = rms(a[2]);
  return r;
}

void write(base::Json& json, const Assessment& a) {
  json.begin_object();
  optional_value(json, "nadal_limit", a.nadal_limit);
  optional_value(json, "flange_angle_rad", a.flange_angle);
  optional_value(json, "friction", a.friction);
  json.key("wheels").begin_object();
  for (const WheelAssessment& w : a.wheels) {
    json.key(w.name).begin_object();
    optional_extreme(json, "YQ_2m", w.YQ_2m);
    optional_extreme(json, "unloading", w.unloading);
    optional_value(json, "Q0_N", w.Q0);
    optional_extreme(json, "T_gamma_N", w.T_gamma);
    optional_value(json, "T_gamma_mean_N", w.T_gamma_mean);
    json.end_object();
  }
  json.end_object();
  json.key("wheelsets").begin_object();
  for (const WheelsetAssessment& w : a.wheelsets) {
    json.key(w.name).begin_object();
    optional_extreme(json, "sum_Y_2m_N", w.sum_Y_2m);
    optional_value(json, "limit_N", w.limit);
    json.end_object();
  }
  json.end_object();
  json.key("ride").begin_object();
  for (const RideAssessment& r : a.ride) {
    json.key(r.name).begin_object();
    json.key("place_m").begin_array(true);
    for (const double x : r.place) json.value(x);
    json.end_array();
    json.key("Wz_y").value(r.Wz_y).key("Wz_z").value(r.Wz_z).key("N_MV").value(r.N_MV);
    json.key("rms_y_m_s2").value(r.rms_y).key("rms_z_m_s2").value(r.rms_z);
    json.end_object();
  }
  json.end_object();
  json.end_object();
}

}  // namespace klingel::record
