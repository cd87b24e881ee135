// Atoms of a body that do the same with values of different parts: what the four wheelsets of a
// vehicle do, or its two bogies. Machine code computes such a row of atoms side by side, in one
// vector register.
//
// Parts are known by their names, "front.rear.yaw" belongs to "front.rear", and an atom belongs to
// the deepest part that has all it depends on. Atoms are equal if they do the same operation on
// equal atoms; signs do not count, because a lane may have signs of its own: what is added in front
// is subtracted behind. What is found changes no value, only how fast it is computed.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <vector>

#include "gen/schedule.hpp"

namespace klingel::exec {

class EqualAtoms {
 public:
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  // What a row does, lane by lane, s being the signs.
  enum class Kind : std::uint8_t {
    sum,      // s0 a + s1 b
    fused,    // s0 a b + s2 c
    product,  // s0 a b
    other,    // the operation on a and b
  };
  struct Lane {
    sym::Id atom;
    std::array<sym::Id, 3> operands;  // without signs
    std::array<bool, 3> minus;        // their signs; of a product the first
    std::uint8_t size;                // number of operands
  };
  // Two or four atoms of one body.
  struct Row {
    Kind kind;
    sym::Op op;
    std::uint32_t body;  // stages first
    std::uint32_t width = 0, operands = 0;
    std::array<Lane, 4> lanes{};
  };

  EqualAtoms(const gen::Program& program, const gen::Schedule& schedule);

  const std::vector<Row>& rows() const { return rows_; }
  // The row of an atom, or none, and its lane there.
  std::uint32_t row_of(sym::Id id) const { return row_of_[id]; }
  std::uint32_t lane_of(sym::Id id) const { return lane_of_[id]; }

  // By node: whether another body reads it.
  std::vector<bool> leaving() const;
  // Sorted atoms of a body in the order of their slots in the workspace: whole rows, those of four
  // first, so that they are aligned.
  std::vector<sym::Id> in_slots(const std::vector<sym::Id>& atoms) const;
  // The schedule with slots for what leaves its body only, those of a row side by side.
  gen::Schedule with_slots_of_rows() const;

 private:
  using Key = std::uint64_t;
  using Part = std::uint32_t;

  void name_parts();
  void label_atoms();
  Part part(const std::string& path);
  Part joined(Part a, Part b);
  void find_bodies();
  void find_rows();
  void forget_rows();
  std::size_t cost() const;
  Lane lane(sym::Id id) const;
  Key sort_operands(Lane& lane) const;
  Key key_of_operand(sym::Id id, Part part) const;
  void make_rows(std::vector<Lane>& equal);
  void add_row(const Lane* lanes, std::uint32_t width);
  void add_row(const Row& row);

  const gen::Program& program_;
  const gen::Schedule& schedule_;
  const sym::Graph& g_;
  std::vector<std::string> paths_;                  // of parts, the whole first
  std::unordered_map<std::string, Part> numbers_;   // by path
  std::unordered_map<std::uint64_t, Part> joined_;  // by two parts
  std::vector<std::vector<std::uint8_t>> inside_;   // by two parts: the second is in the first
  std::vector<Part> part_;                          // by node
  std::vector<Key> shape_;           // by node: what it does, without parts and signs
  std::vector<std::uint32_t> body_;  // by node, or none
  std::vector<std::vector<Lane>> levels_;
  bool sides_ = false;  // what two parts have twice each is a row of four
  std::vector<Row> rows_;
  std::vector<std::uint32_t> row_of_;
  std::vector<std::uint8_t> lane_of_;
};

}  // namespace klingel::exec
