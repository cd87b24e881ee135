// The gap between a wheel and a rail that press each other, over one stretch of the wheel's profile
// (a sheet: the tread, or the flange with its root). A rigid wheel touches where its gap g is
// smallest; under load it touches over a patch, and what counts is a soft minimum of the gap:
//
//   phi = -eps ln( (1/l) int exp(-g(u)/eps) ds )                                      [eq:softmin]
//
// over the arc length s of the profile, with weights exp(-g/eps). eps is a length, about 0.3 of the
// elastic approach at the static wheel load (loaded_pair.hpp); l makes phi the smallest gap of a
// wheel that stands centred. phi is a smooth function of the wheel's place alone, so a normal force
// that follows from phi and acts along its gradient does no net work.
//
// Everything is seen in the section of the rail at the wheel, in the coordinates of a left wheel: y
// outwards, z up, u outwards along the wheel's axis from O_w; mirror a right wheel. The axis has
// the direction e = (e_t, e_c, e_n) along the rail, outwards and up. A turned wheel (e_t) is seen
// as its silhouette: for each u the point whose normal is square to the rail, in closed form,
//
//   P_c = y + u e_c + f (e_n cos a - e_t e_c sin a)/p,   P_n = z + u e_n - f (e_c cos a + e_t e_n
//   sin a)/p sin a = f' e_t / p,   p^2 = 1 - e_t^2
//
// The rail is taken as straight over the few centimetres of the contact. g is the height of P over
// the rail's profile times the cosine of the wheel's slope there.
#pragma once

#include <vector>

#include "base/pack.hpp"
#include "contact/contact_search.hpp"
#include "spline/cubic_spline.hpp"

namespace klingel::contact {

// The position of a wheel above its rail: O_w in the rail's section, and the axis.
struct SectionPose {
  double y = 0, z = 0, e_n = 0, e_t = 0;
};

// What a sheet says of a pose: phi, its gradient by (y, z, e_n, e_t), and weighted means.
struct LoadedPlace {
  double phi = 0;                                     // m
  double phi_y = 0, phi_z = 0, phi_n = 0, phi_t = 0;  // phi_n, phi_t: by e_n, e_t, m
  double u_w = 0;                                     // place on the wheel, m
  double u_r = 0;                                     // place on the rail, m
  double slope = 0;                                   // of the rail, df_r/du
  double radius = 0;                                  // rolling radius: f cos a, m
  double variance = 0;                                // of the arc length within the patch, m^2
  double smallest = 0;                                // the smallest g, m

  double B(double eps) const { return eps / (2 * variance); }  // curvature across, 1/m
};

class LoadedGap {
 public:
  // f_w(u) > 0 and f_r(u_r) of a left wheel and rail; points with u in `where`, fading out over
  // `fade` beyond its ends, at distances `spacing` along the profile: below sqrt(eps / 2 B) for the
  // narrowest patches. eps, length in m.
  LoadedGap(const spline::CubicSpline& f_w, const spline::CubicSpline& f_r, const Interval& where,
            double fade, double eps, double length, double spacing = 2e-4);

  void set_width(double eps, double length) { eps_ = eps, length_ = length; }
  double eps() const { return eps_; }
  double length() const { return length_; }
  double r0() const { return r0_; }  // f_w at the taping line

  LoadedPlace at(const SectionPose& pose) const;

  // The gaps themselves, point by point, in ascending u.
  struct Gap {
    double u_w, u_r, g, arc;  // arc: length of profile from the first point, m
  };
  std::vector<Gap> gaps(const SectionPose& pose) const;

  class Row;

 private:
  friend class Row;
  struct Point {
    double u, f, df, cosine, ds;
  };
  struct Seen {  // of one axis: points of the silhouette relative to O_w
    std::vector<double> Y, Z, radius;
    double e_c = 1;
  };
  Seen seen(double e_n, double e_t) const;
  double rail_height(double y) const noexcept;
  double rail_slope(double y) const noexcept;

  std::vector<Point> points_;
  std::vector<double> rail_;  // heights at equal distances
  double rail_begin_ = 0, rail_step_ = 0, per_rail_step_ = 0, rail_last_ = 0;
  double slope_begin_ = 0, slope_end_ = 0;
  double spacing_, eps_, length_, r0_;
};

// Makes the rows of a chart: one axis, many places. The wheel is lowered along a direction that is
// tilted by `tilt` from the vertical, inwards: with the normals of a flange in mind, whose gap
// changes quickly with the height. Places are given across that direction,
//
//   across = eta cos(tilt) + h sin(tilt),   down to = h cos(tilt) - eta sin(tilt)
//   eta = y + r0 e_n,   h = z - r0 (1 - e_n^2/2)
//
// Not for several threads at once.
class LoadedGap::Row {
 public:
  Row(const LoadedGap& gap, double e_n, double e_t, double tilt = 0);

  struct Rest {
    double down = 0;      // where phi = 0, m
    double phi_down = 0;  // d(phi)/d(down) there
    double radius = 0;    // m
    double variance = 0;  // m^2
  };
  Rest at(double across);

  // Without tilt: u of the point that a rigid wheel touches with at y, and of the highest one above
  // the rail between two.
  double lowest(double y) const;
  double highest(double y, double u_low, double u_high) const;

 private:
  struct Term {  // of four points
    base::Pack ds, cosine, gap, weight, radius, arc;
  };
  // Gaps near the smallest one, with O_w at the given place.
  void find_near(double across, double down);
  Rest sum(double down, double& phi) const;

  const LoadedGap& gap_;
  Seen seen_;
  double sine_, cosine_, eta0_, h0_;  // of the tilt; y and z less eta and h
  double down_, change_ = 0;          // of the last place, and from the one before
  double down_taken_ = 0;             // where the gaps of the terms were taken
  std::vector<double> coarse_;
  std::vector<Term> terms_;
};

// z of O_w at which phi = 0.
double resting_height(const LoadedGap& gap, double y, double e_n, double e_t);

}  // namespace klingel::contact
