// The linear system of one step of the article's locomotive, as a pattern and random values: 30
// coordinates in a tree and 8 normal constraints,
//
//   [ M + hC   Phi^T ] [ dq     ]   [ . ]
//   [ Phi        0   ] [ lambda ] = [ . ]
//
// Two coordinates are coupled when one is an ancestor of the other; a wheel's constraint is coupled
// with the coordinates from the root to the roll of its wheelset.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace klingel::bench {

class LocomotiveMatrix {
 public:
  static constexpr std::uint32_t coordinates = 30, constraints = 8,
                                 size = coordinates + constraints;

  struct Place {
    std::uint32_t row, col;
  };

  LocomotiveMatrix() {
    const std::uint32_t body = chain(nobody, 6);  // x y z yaw pitch roll
    for (const bool has_motors : {false, true}) {
      const std::uint32_t bogie = chain(body, 4);  // yaw of the slider, z, pitch, roll
      for (int wheelset = 0; wheelset < 2; ++wheelset) {
        const std::uint32_t z = add(bogie), roll = add(z);
        add(roll);  // spin
        // housing and rotor turn with the wheelset but stand on the bogie: z does not move them
        for (int k = 0; has_motors && k < 2; ++k) {
          paths_.push_back(paths_[roll]);
          std::erase(paths_.back(), z);
          paths_.back().push_back(static_cast<std::uint32_t>(paths_.size() - 1));
        }
        for (int wheel = 0; wheel < 2; ++wheel) wheels_.push_back(roll);
      }
    }
    for (std::uint32_t j = 0; j < coordinates; ++j) {
      for (const std::uint32_t i : paths_[j]) {
        places_.push_back({i, j});
        if (i != j) places_.push_back({j, i});
      }
    }
    for (std::uint32_t k = 0; k < constraints; ++k) {
      for (const std::uint32_t i : paths_[wheels_[k]]) {
        places_.push_back({i, coordinates + k});
        places_.push_back({coordinates + k, i});
      }
    }
    std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
      return a.col != b.col ? a.col < b.col : a.row < b.row;
    });
  }

  // Structural nonzeros, by columns.
  const std::vector<Place>& places() const { return places_; }

  // Leaves before what carries them, then the constraints: no fill among the coordinates.
  std::vector<std::uint32_t> leaf_to_root() const {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = coordinates; i-- > 0;) order.push_back(i);
    for (std::uint32_t k = 0; k < constraints; ++k) order.push_back(coordinates + k);
    return order;
  }

  // Dense, column major. M is a sum of squares of velocities, one per coordinate with random
  // weights on its path, hence symmetric and positive; hC is as large and skew, which keeps the
  // sum positive; Phi is random.
  std::vector<double> values(std::mt19937_64& random) const {
    // 53 bits in [-1, 1): the distributions of the library differ between libraries
    const auto next = [&random] { return static_cast<double>(random() >> 11) * 0x1p-52 - 1; };
    std::vector<double> a(size * size, 0.0);
    for (std::uint32_t j = 0; j < coordinates; ++j) {
      const std::vector<std::uint32_t>& path = paths_[j];
      std::vector<double> u, v;
      for (std::size_t k = 0; k < path.size(); ++k) {
        u.push_back(next());
        v.push_back(next());
      }
      u.back() += u.back() < 0 ? -1 : 1;  // every body has inertia of its own
      for (std::size_t k = 0; k < path.size(); ++k) {
        for (std::size_t l = 0; l < path.size(); ++l)
          a[path[l] * size + path[k]] += u[k] * u[l] + (u[k] * v[l] - v[k] * u[l]);
      }
    }
    for (std::uint32_t k = 0; k < constraints; ++k) {
      for (const std::uint32_t i : paths_[wheels_[k]])
        a[i * size + coordinates + k] = a[(coordinates + k) * size + i] = next();
    }
    return a;
  }

 private:
  static constexpr std::uint32_t nobody = 0xffffffffu;

  // A coordinate below another one; its path leads from the root to itself.
  std::uint32_t add(std::uint32_t parent) {
    const auto own = static_cast<std::uint32_t>(paths_.size());
    std::vector<std::uint32_t> path;
    if (parent != nobody) path = paths_[parent];
    path.push_back(own);
    paths_.push_back(std::move(path));
    return own;
  }
  std::uint32_t chain(std::uint32_t parent, int length) {
    for (int i = 0; i < length; ++i) parent = add(parent);
    return parent;
  }

  std::vector<std::vector<std::uint32_t>> paths_;
  std::vector<std::uint32_t> wheels_;  // by constraint: the roll of its wheelset
  std::vector<Place> places_;
};

}  // namespace klingel::bench
