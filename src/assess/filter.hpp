// Digital filters, one value per step: Butterworth low-pass, high-pass and band-pass. Coefficients
// are in closed form (bilinear transform, cut-off frequency corrected), so that a value at the
// cut-off is exactly 3 dB lower. They work forward in time: what comes out is late by about
// 0.4 / cut-off.
#pragma once

#include <array>
#include <cstddef>

namespace klingel::assess {

// A section of second order. `add` neither allocates nor throws.
struct Section {
  double b0 = 1, b1 = 0, b2 = 0, a1 = 0, a2 = 0;
  double s1 = 0, s2 = 0;  // memory

  double add(double x) {
    const double y = b0 * x + s1;
    s1 = b1 * x - a1 * y + s2;
    s2 = b2 * x - a2 * y;
    return y;
  }
  // As if x had been constant since ever; gives the output that belongs to it.
  double rest(double x);
  // Magnitude at a frequency f, values h apart.
  double magnitude(double f, double h) const;
};

// Up to four sections one behind the other. The first value puts the filter to rest, so that a
// constant signal has no beginning.
class Filter {
 public:
  Filter() = default;

  double add(double x);
  double magnitude(double f, double h) const;

 private:
  friend Filter low_pass(double cut_off, double h, int order);
  friend Filter band_pass(double low, double high, double h, int order);
  void append_low(double cut_off, double h, int order);
  void append_high(double cut_off, double h, int order);

  std::array<Section, 4> sections_;
  std::size_t count_ = 0;
  bool at_rest_ = false;
};

// Values are h seconds apart, frequencies in Hz; the order is 2 or 4. A cut-off that h cannot
// resolve (above 0.45 / h) leaves the signal as it is on that side.
Filter low_pass(double cut_off, double h, int order = 4);
// A high-pass at `low` and a low-pass at `high`, each of this order.
Filter band_pass(double low, double high, double h, int order = 4);

}  // namespace klingel::assess
