// A part of a linear system while it is eliminated from the leaves of a mechanism to its root: the
// six components of motion of a place (spatial.hpp), and unknowns of the whole system that occur
// below the place and are not eliminated yet.
//
// Zeros fold away as they are made. A coordinate whose column is a unit vector has the same atoms
// in its row as this component of motion: eliminating it leaves exact zeros there, and every later
// step costs less. Fronts that are symmetric atom by atom (masses without contacts) stay so.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/spatial.hpp"

namespace klingel::model {

class Front {
 public:
  struct Item {
    std::uint32_t index;  // below 6: component of motion; else an unknown, 6 added
    sym::Expr value;
  };
  struct Pivot {  // an unknown that was eliminated
    std::uint32_t unknown;
    sym::Expr value, reciprocal;
    std::vector<Item> lower,
        upper;  // of the rest: columns times the inverse of the block, and rows
    std::vector<Item> below, right;  // of the block's factors, by the places of unknowns in it
  };
  using Block = std::vector<Pivot>;

  explicit Front(sym::Expr zero);

  void add(const SixBySix& K);
  void add(const Front& other);                                        // of the same place
  void add(std::uint32_t row, std::uint32_t column, sym::Expr value);  // between unknowns
  // Between an unknown and the motion: its row, and its column alike.
  void add(std::uint32_t unknown, const Six& row);

  // Motions of the place become u + c x, x an unknown.
  void join(std::uint32_t unknown, const Six& c);
  // The place becomes the point from which it is at r.
  void shift(const mech::Triple& r);
  // Components become those in another base.
  void turn(const mech::Block& R);

  const std::vector<std::uint32_t>& unknowns() const { return unknowns_; }
  sym::Expr at(std::uint32_t row, std::uint32_t column) const;  // between unknowns
  // Products of the elimination of an unknown.
  std::size_t cost(std::uint32_t unknown) const;
  // Its pivot must not be identically zero.
  Block eliminate(std::uint32_t unknown);
  // Several at once, with the pivots of this order. Rows stay as sparse as they are: worth it for
  // constraints, whose rows know few unknowns.
  Block eliminate(std::span<const std::uint32_t> unknowns);
  // The place does not move.
  void stop();

 private:
  std::size_t find(std::uint32_t unknown) const;  // its row, or the number of rows
  std::size_t row_of(std::uint32_t unknown);      // made if it is new
  std::uint32_t index_of(std::size_t row) const;
  bool symmetric() const;
  void mirror();
  Block factors(const std::vector<std::size_t>& rows) const;
  void remove(std::uint32_t unknown);

  sym::Expr zero_;
  std::vector<std::uint32_t> unknowns_;    // of rows 6, 7 ...
  std::vector<std::vector<sym::Expr>> a_;  // square; the motion first
};

}  // namespace klingel::model
