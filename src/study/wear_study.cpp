#include "study/wear_study.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numbers>

#include "base/error.hpp"
#include "contact/radius_difference.hpp"
#include "profile/gauge.hpp"
#include "profile/named_profile.hpp"
#include "study/whole_run.hpp"
#include "wear/worn_profile.hpp"

namespace klingel::study {
namespace {

using profile::Profile, profile::ProfileKind, profile::Side;

// What all wheels and rails lose in one run.
class Collector {
 public:
  Collector(const compile::PreparedRun& run, const WearStudy& study, const Profile& wheel,
            const Profile& rail, double radius)
      : run_(run),
        study_(study),
        wheel_(wheel.z.begin(), wheel.z.end()),
        rail_(rail.z.begin(), rail.z.end()),
        wheel_profile_(wheel),
        rail_profile_(rail),
        radius_(radius) {}

  // After each step, with its forces.
  void look() {
    const step::Simulator& s = *run_.simulator;
    const step::VehicleState& state = s.state();
    if (state.step == last_) return;
    const bool first = last_ < 0;
    last_ = state.step;
    if (first) return;  // no step has been done
    double V = 0;
    for (const step::PointResult& p : s.tread()) V = std::max(V, std::abs(p.V));
    const double way = V * run_.scenario.step;
    begun_ += way;
    if (begun_ < study_.skip) return;
    distance += way;
    for (std::size_t i = 0; i < s.data().wheels.size(); ++i) {
      add(s.tread()[i], state.tread[i], s.data().wheels[i], way);
      add(s.flange()[i], state.flange[i], s.data().wheels[i], way);
    }
  }

  const wear::WearMap& wheel() const { return wheel_; }
  const wear::WearMap& rail() const { return rail_; }
  double distance = 0, energy = 0;  // m; J, of all wheels

 private:
  void add(const step::PointResult& p, const step::PointState& at, const step::WheelData& data,
           double way) {
    if (!(p.N > 0) || !(p.V > 0) || !(p.a > 0) || !(p.b > 0)) return;
    const double T_gamma = (std::abs(p.f[0] * p.nu[0]) + std::abs(p.f[1] * p.nu[1])) / p.V;
    energy += T_gamma * way;
    const double area = std::numbers::pi * p.a * p.b;
    const double mass = way * wear::mass_lost(study_.law, T_gamma, area, radius_);
    wheel_.add(place(wheel_profile_, profile::profile_y(data.side, at.s[1]), p.angle), p.b, p.angle,
               wear::wheel_section(mass, radius_));
    // the rail under it: as many metres as the wheel has rolled
    rail_.add(place(rail_profile_, profile::profile_y(data.side, at.s[3]), p.angle), p.b, p.angle,
              wear::rail_section(mass));
  }

  // Places of loaded treads are levers of their normal forces. Where a tread bears in the root of a
  // worn flange these may lie far from any surface that leans as the contact does; then the place
  // is where the profile leans so, towards the flange.
  static double place(const Profile& p, double y, double angle) {
    const double leans = std::abs(angle);
    if (leans < 0.2 && y > p.z.begin() && y < p.z.end()) return y;
    const auto of = [&](double at) { return std::atan(-p.z.derivative(at)); };
    if (y > p.z.begin() && y < p.z.end() && std::abs(of(y) - leans) < 0.15) return y;
    for (double at = 0; at > p.z.begin(); at -= 0.1e-3)
      if (of(at) >= leans) return at;
    return std::clamp(y, p.z.begin(), p.z.end());
  }

  const compile::PreparedRun& run_;
  const WearStudy& study_;
  wear::WearMap wheel_, rail_;
  const Profile &wheel_profile_, &rail_profile_;
  double radius_, begun_ = 0;
  std::int64_t last_ = -1;
};

// The conicity on the rails of a case, rigid, as EN 15302.
std::vector<double> conicities(const Profile& wheel, const Profile& rail, double radius,
                               double taping, double apart) {
  contact::WheelsetPlacement place;
  place.radius = radius;
  // rails stay where they are: where their gauge faces wear, the gauge is wider
  constexpr double some = profile::standard_gauge;
  place.gauge = apart - (profile::rail_distance(some, rail) - some);
  place.flange_back_distance = taping + 2 * wheel.flange_back;
  const contact::WheelsetGeometry geometry(wheel, rail, place);
  std::vector<double> list;
  for (const double amplitude : WearResult::amplitudes) {
    try {
      const contact::RadiusDifference f =
          contact::radius_difference(geometry, false, amplitude, 0.0);
      list.push_back(contact::equivalent_conicity(f, amplitude, taping, radius).tan_gamma);
    } catch (const base::Error&) {
      list.push_back(std::nan(""));  // more than the clearance
    }
  }
  return list;
}

struct Geometry {
  Profile rail;
  double radius, taping, apart;
};

struct Paths {
  std::string wheel, rail;  // no rail: those of the tracks
};

// Runs one case with worn profiles and adds what is lost, by its share.
void run_case(const WearStudy& study, const WearCase& c, double share, const Paths& paths,
              WearStep& step, std::optional<Geometry>& geometry) {
  vehicle::Scenario scenario = changed(vehicle::load_scenario(c.run), c.changes);
  scenario.wheel_profile = paths.wheel;
  scenario.rail_profile = paths.rail;
  compile::PreparedRun run = compile::prepare_run(std::move(scenario));
  const vehicle::Wheelset& wheelset = run.vehicle.wheelsets.front();
  const double radius = wheelset.radius;
  const track::Track& track = run.description->track;
  const std::string rail_name = track.left_profile;
  if (track.right_profile != rail_name)
    base::fail_at(c.place, "wear needs one profile of both rails, found '{}' and '{}'", rail_name,
                  track.right_profile);
  const std::filesystem::path folder = std::filesystem::path(run.scenario.track).parent_path();
  const Profile rail = profile::profile(rail_name, ProfileKind::rail, folder);
  if (!geometry) {
    const double distance = vehicle::NominalValues(run.vehicle.parameters)(wheelset.distance);
    const double apart =
        run.description->track.frame(run.description->start.position).rail_distance;
    geometry = Geometry{rail, radius, distance, apart};
  }
  if (std::abs(radius - geometry->radius) > 1e-9)
    base::fail_at(c.place, "wheels of the cases have different radii: {:g} and {:g} m",
                  geometry->radius, radius);
  Collector collector(run, study, step.wheel, rail, radius);
  RunOptions options;
  options.channels = {"t"};
  options.balance = false, options.floor = false;
  options.stop = [&] {
    collector.look();
    return false;
  };
  const Outcome outcome = whole_run(run, options);
  if (outcome.summary.end != record::RunEnd::completed &&
      outcome.summary.end != record::RunEnd::end_of_track)
    base::fail_at(c.place, "the run '{}' did not end well at {:.0f} km: {}", c.run, step.km,
                  outcome.summary.message);
  if (!(collector.distance > 0))
    base::fail_at(c.place,
                  "the run '{}' is over before its first {:g} m, which do not count: make "
                  "it longer or 'skip' smaller",
                  c.run, study.skip);
  const auto wheels = static_cast<double>(run.simulator->data().wheels.size());
  step.wheel_rate.add(collector.wheel(), share / (wheels * collector.distance));
  if (step.rail_rate.depth().empty()) step.rail_rate = wear::WearMap(rail.z.begin(), rail.z.end());
  if (step.rail_rate.depth().size() != collector.rail().depth().size())
    base::fail_at(c.place, "rails of the cases have different profiles: '{}' and '{}'",
                  geometry->rail.name, rail.name);
  step.rail_rate.add(collector.rail(), share / (2 * collector.distance));
  step.T_gamma += share * collector.energy / (wheels * collector.distance);
}

}  // namespace

WearResult run_wear(const WearStudy& study, const KeepProfile& keep,
                    const std::function<void(const WearStep&)>& told) {
  double shares = 0;
  for (const WearCase& c : study.cases) shares += c.share;
  const compile::CompiledVehicle vehicle =
      compile::compile(changed(vehicle::load_scenario(study.cases[0].run), study.cases[0].changes));
  const vehicle::Wheelset& wheelset = vehicle.vehicle.wheelsets.front();
  WearStep now;
  now.wheel = profile::profile(wheelset.profile_right, ProfileKind::wheel, vehicle.vehicle.folder);
  WearResult result;
  result.radius = wheelset.radius;
  std::optional<Geometry> geometry;
  wear::WearMap lost(now.wheel.z.begin(), now.wheel.z.end());
  const Profile first = now.wheel;
  const double passages = study.vehicles / study.mileage;  // of vehicles over a rail, by km
  wear::WearMap rail_lost;
  Paths paths;
  for (;;) {
    paths.wheel = keep(now.wheel, now.km);
    if (geometry && study.vehicles > 0) paths.rail = keep(now.rail, now.km);
    const bool over = now.km >= study.mileage * (1 - 1e-12);
    now.wheel_rate = wear::WearMap(first.z.begin(), first.z.end());
    if (!over) {
      for (const WearCase& c : study.cases)
        run_case(study, c, c.share / shares, paths, now, geometry);
      now.wheel_rate = now.wheel_rate.smoothed(study.smooth);
      now.rail_rate = now.rail_rate.smoothed(study.smooth);
      const double per_km = 1e3 * now.wheel_rate.deepest(first.z);
      now.length = std::min(study.mileage - now.km, study.most_km);
      if (per_km > 0) now.length = std::min(now.length, study.most_depth / per_km);
      if (now.rail.z.knots().empty()) now.rail = geometry->rail;
      if (const double rail = passages * now.rail_rate.deepest(geometry->rail.z); rail > 0)
        now.length = std::min(now.length, study.most_depth / rail);
    }
    now.conicity =
        conicities(now.wheel, now.rail, geometry->radius, geometry->taping, geometry->apart);
    result.steps.push_back(now);
    if (told) told(now);
    if (over) return result;
    lost.add(now.wheel_rate, 1e3 * now.length);
    if (rail_lost.depth().empty())
      rail_lost = wear::WearMap(geometry->rail.z.begin(), geometry->rail.z.end());
    rail_lost.add(now.rail_rate, passages * now.length);
    WearStep next;
    next.km = now.km + now.length;
    next.wheel = wear::worn(first, lost, first.name + " worn");
    next.section = lost.section(), next.deepest = lost.deepest(first.z);
    next.rail = study.vehicles > 0
                    ? wear::worn(geometry->rail, rail_lost, geometry->rail.name + " worn")
                    : geometry->rail;
    next.rail_section = rail_lost.section();
    next.rail_deepest = rail_lost.deepest(geometry->rail.z);
    now = std::move(next);
  }
}

}  // namespace klingel::study
