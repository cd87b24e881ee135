// The charts of one wheel profile on one rail profile at one static load (loaded_pair.hpp), as a
// run uses them: made once, shared by all wheels, vehicles and lanes, never changed.
#pragma once

#include <cmath>
#include <optional>
#include <utility>

#include "contact/contact_chart.hpp"
#include "contact/loaded_pair.hpp"

namespace klingel::contact {

struct ChartedSheet {
  ChartedSheet(ContactChart of, double stiffness, double width)
      : chart(std::move(of)),
        k(stiffness),
        eps(width),
        sine(std::sin(chart.tilt())),
        cosine(std::cos(chart.tilt())) {}

  ContactChart chart;
  double k;             // N/m^(3/2)
  double eps;           // m
  double sine, cosine;  // of the chart's tilt
};

struct ChartedPair {
  double load;  // static, N
  double r0;    // of the wheel the charts were made with, m
  ChartedSheet tread;
  std::optional<ChartedSheet> flange;
  double top;            // height of the wheel's lowest point when it stands centred, m
  double flange_height;  // of the flange below the taping line's circle, m; 0 without

  std::size_t bytes() const { return tread.chart.bytes() + (flange ? flange->chart.bytes() : 0); }
};

ChartedPair charted(const LoadedPair& pair, const spline::CubicSpline& f_w);

}  // namespace klingel::contact
