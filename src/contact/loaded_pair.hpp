// A wheel's profile on a rail's profile under load: its sheets, how stiff they are, and where one
// ends. Made from the profiles, the wheel's radius, the static wheel load and the material; the
// coordinates are those of loaded_gap.hpp (a left wheel).
//
// The tread and the flange with its root are two sheets where the rigid contact jumps from one to
// the other: both are elastic and carry in parallel,
//
//   N = k delta^(3/2),  delta = -phi                                                      [Hertz]
//
// with k by Hertz from the curvatures along (the wheel's radius) and across (B = eps / 2 Var s).
// Where the contact moves continuously from the tread to the flange there is one sheet.
//
// eps is a part of the elastic approach at the static load, constant in a run: if it followed the
// load of the moment, normal forces would do work. The part of the tread, 0.28, is the one that
// gives the rolling radii of CONTACT at 30, 60 and 100 kN (docs/contact.md); a flange's patch is
// narrow and takes 0.1.
#pragma once

#include <optional>

#include "contact/hertz.hpp"
#include "contact/loaded_gap.hpp"

namespace klingel::contact {

inline constexpr double tread_share = 0.28, flange_share = 0.1;  // of the approach
// A flange begins to carry on a patch that is narrower than the one of the whole load: its k is
// that of the curvature within this part of eps.
inline constexpr double flange_narrow = 0.3;

struct Sheet {
  LoadedGap gap;
  double k;  // N/m^(3/2)
};

struct LoadedPair {
  double load;    // static, N
  double y_rest;  // y of O_w in the rail's section when the wheelset stands centred, m
  Sheet tread;
  std::optional<Sheet> flange;
  double split = 0;   // u of the wheel between the sheets, m; only with a flange
  double y_both = 0;  // y at which a rigid wheel touches with both, m
};

// An expert's choice instead of what follows from the profiles.
struct SheetChoice {
  bool flange = true;           // false: one sheet
  std::optional<double> split;  // u of the wheel where the flange's sheet begins, m
};

// f_w, f_r of a left wheel and rail. Throws Error if the wheel does not touch the rail at
// y_rest.
LoadedPair loaded_pair(const spline::CubicSpline& f_w, const spline::CubicSpline& f_r,
                       double y_rest, double load, const HertzTable& hertz,
                       const SheetChoice& choice = {});

// One wheel lowered onto its rail with a vertical force, for a given axis.
struct LoadedWheel {
  double z = 0;  // of O_w, m
  struct Part {
    double N = 0, Q = 0;  // normal and vertical force, N
    double delta = 0;     // approach, m
    LoadedPlace place;
  };
  Part tread, flange;
  // means over both sheets, weighted with N
  double u_w = 0, u_r = 0, radius = 0, slope = 0;
};
LoadedWheel let_down(const LoadedPair& pair, double y, double e_n, double e_t, double load);

}  // namespace klingel::contact
