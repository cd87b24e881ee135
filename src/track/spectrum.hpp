// Power spectral densities of track irregularities, and signals that have them.
//
// The form used across Europe for simulations (ORE/ERRI B176; also known as the German spectra of
// low and high disturbance; the constants are found in Claus and Schiehlen, Modeling and
// Simulation of Railway Bogie Structural Vibrations, 1998):
//
//   S(W) = A Wc^2 / ((W^2 + Wr^2)(W^2 + Wc^2))                       vertical and lateral
//   S(W) = 4 A Wc^2 W^2 / ((W^2 + Wr^2)(W^2 + Wc^2)(W^2 + Ws^2))     cross level, as a height
//
// W is the wave number in rad/m. Densities are one-sided: the variance of a signal is the integral
// of S from 0 to infinity. The cross level is published as an angle, A / b^2 with b half the
// distance of the rails; the difference of heights is 2 b times the angle, and b drops out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace klingel::track {

struct Spectrum {
  double A = 0;        // m rad
  double omega_c = 0;  // rad/m
  double omega_r = 0;  // rad/m
  double omega_s = 0;  // rad/m, cross level only
  bool is_cross_level = false;

  double density(double omega) const;  // m^2 / (rad/m)
};

enum class TrackQuality { low_disturbance, high_disturbance };
enum class SpectrumOf { vertical, lateral, cross_level };
Spectrum erri_b176(TrackQuality quality, SpectrumOf what);

// Integral of the density from one wave number to another, to about ten digits.
double variance(const Spectrum& spectrum, double omega_from, double omega_to);

// A sum of cosines.
struct Wave {
  double amplitude = 0;  // m
  double omega = 0;      // rad/m
  double phase = 0;      // rad
};

// What a random signal is made from.
struct RandomSignal {
  Spectrum spectrum;
  std::uint64_t seed = 1;
  double shortest = 3, longest = 150;  // wavelengths, m
  int waves = 1000;
};

// The band is cut into equal intervals of wave number; each has one cosine of a random wave number
// inside it (so that the signal does not repeat), a random phase, and the power of the interval, so
// that the variance is exactly that of the band. The same arguments give the same waves. Wrong
// numbers are an Error.
std::vector<Wave> realise(const RandomSignal& signal);

double value(const std::vector<Wave>& waves, double s) noexcept;

// The same at many ascending abscissas, about ten times faster where these are evenly spaced; equal
// to value() within 1e-9 of the sum of amplitudes.
std::vector<double> values(const std::vector<Wave>& waves, std::span<const double> s);

}  // namespace klingel::track
