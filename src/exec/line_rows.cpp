// Rows of equal atoms in a line: values of two or four lanes, and where their lanes come from.
#include "exec/line_maker.hpp"
#include "sym/tape.hpp"

namespace klingel::exec {

void LineMaker::Maker::number_row(const Row& row) {
  const auto all = static_cast<std::uint32_t>(line_.values.size());
  line_.values.emplace_back().width = row.width;
  for (std::uint32_t i = 0; i < row.width; ++i) {
    Line::Value& lane = line_.values[add_value(row.lanes[i].atom)];
    lane.of = all;
    lane.lane = i;
  }
}

void LineMaker::Maker::compute_row(const Row& row) {
  for (std::uint32_t i = 0; i < row.width; ++i)
    for (std::uint32_t k = 0; k < row.operands; ++k) compute(row.lanes[i].operands[k]);
  const std::uint32_t to = line_.values[owner_.values_[row.lanes[0].atom]].of;
  for (std::uint32_t i = 0; i < row.width; ++i) computed_[owner_.values_[row.lanes[i].atom]] = true;
  std::array<std::uint32_t, 3> v{Line::never, Line::never, Line::never};
  std::array<unsigned, 3> minus{};
  for (std::uint32_t k = 0; k < row.operands; ++k) {
    Lanes ids{};
    for (std::uint32_t i = 0; i < row.width; ++i) {
      ids[i] = row.lanes[i].operands[k];
      minus[k] |= row.lanes[i].minus[k] ? 1u << i : 0;
    }
    v[k] = lanes_of(ids, row.width);
  }
  const unsigned all = (1u << row.width) - 1;
  const auto mixed = [&](unsigned signs) { return signs != 0 && signs != all; };
  switch (row.kind) {
    case EqualAtoms::Kind::sum:
      // one sign at least is the same on all lanes, or made so
      if (mixed(minus[0])) v[0] = flipped(v[0], minus[0]), minus[0] = 0;
      if (mixed(minus[1])) v[1] = flipped(v[1], minus[1]), minus[1] = 0;
      if (minus[0] != 0 && minus[1] != 0) v[0] = flipped(v[0], all), minus[0] = 0;
      if (minus[0] != 0) std::swap(v[0], v[1]);
      append((minus[0] | minus[1]) != 0 ? Action::sub : Action::add, row.op, to, v[0], v[1]);
      break;
    case EqualAtoms::Kind::fused:
      if (mixed(minus[2])) v[2] = flipped(v[2], minus[2]), minus[2] = 0;
      if (mixed(minus[0]) || (minus[0] & minus[2]) != 0) flip_factor(v, minus[0]);
      append(minus[0] != 0   ? Action::fused_minus
             : minus[2] != 0 ? Action::fused_less_addend
                             : Action::fused_plus,
             row.op, to, v[0], v[1], v[2]);
      break;
    case EqualAtoms::Kind::product:
      if (minus[0] != 0) flip_factor(v, minus[0]);
      append(action_of(row.op, gen::Fused::no), row.op, to, v[0], v[1]);
      break;
    case EqualAtoms::Kind::other:
      for (std::uint32_t k = 0; k < row.operands; ++k)
        if (minus[k] != 0) v[k] = flipped(v[k], minus[k]);
      if (row.op == Op::abs) {
        const double bits = all_but_the_sign();
        v[1] = packed_constant({bits, bits, bits, bits});
      }
      append(action_of(row.op, gen::Fused::no), row.op, to, v[0], v[1]);
      break;
  }
}

// the sign of a product goes to a constant if there is one
void LineMaker::Maker::flip_factor(std::array<std::uint32_t, 3>& v, unsigned& minus) {
  std::uint32_t& factor = packed_.contains(v[1]) ? v[1] : v[0];
  factor = flipped(factor, minus);
  minus = 0;
}

std::uint32_t LineMaker::Maker::flipped(std::uint32_t v, unsigned signs) {
  std::array<double, 4> bits{};
  for (unsigned i = 0; i < 4; ++i) bits[i] = (signs >> i & 1) != 0 ? sign_bit : 0.0;
  if (const auto it = packed_.find(v); it != packed_.end()) {
    std::array<double, 4> x = it->second;
    for (unsigned i = 0; i < 4; ++i)
      if ((signs >> i & 1) != 0) x[i] = -x[i];
    return packed_constant(x);
  }
  const auto [it, is_new] = flipped_.try_emplace({v, signs}, 0u);
  if (is_new) {
    const std::uint32_t mask = packed_constant(bits);
    it->second = add_lanes(line_.values[v].width);
    append(Action::flip, Op::neg, it->second, v, mask);
  }
  return it->second;
}

std::uint32_t LineMaker::Maker::add_lanes(unsigned width) {
  const auto v = static_cast<std::uint32_t>(line_.values.size());
  line_.values.emplace_back().width = width;
  return v;
}

std::uint32_t LineMaker::Maker::packed_constant(const std::array<double, 4>& x) {
  std::array<std::uint64_t, 4> key{};
  for (std::size_t i = 0; i < 4; ++i) key[i] = std::bit_cast<std::uint64_t>(x[i]);
  const auto [it, is_new] = packed_values_.try_emplace(key, 0u);
  if (is_new) {
    it->second = add_lanes(4);
    packed_[it->second] = x;
  }
  return it->second;
}

// Values of several atoms as lanes of one; all that are of this body are computed.
std::uint32_t LineMaker::Maker::lanes_of(const Lanes& ids, unsigned width) {
  const auto [it, is_new] = lanes_.try_emplace({width, ids}, 0u);
  if (is_new) it->second = make_lanes(ids, width);
  return it->second;
}

std::uint32_t LineMaker::Maker::make_lanes(const Lanes& ids, unsigned width) {
  const auto all = [&](auto holds) {
    for (unsigned i = 0; i < width; ++i)
      if (!holds(i)) return false;
    return true;
  };
  if (all([&](unsigned i) { return is_constant(ids[i]); })) {
    std::array<double, 4> x{};
    for (unsigned i = 0; i < width; ++i) x[i] = sym::value_of_constant(g_, ids[i]);
    // the same number for two lanes and for four
    if (all([&](unsigned i) { return x[i] == x[0]; })) x.fill(x[0]);
    return packed_constant(x);
  }
  const auto own_row = [&](Id id) { return is_own(id) ? row_of(id) : nullptr; };
  const auto lane = [&](Id id) { return owner_.rows_->lane_of(id); };
  const auto value = [&](Id id) { return line_.values[owner_.values_[id]].of; };
  const Row* row = own_row(ids[0]);
  if (row != nullptr && all([&](unsigned i) { return own_row(ids[i]) == row; })) {
    if (row->width == width && all([&](unsigned i) { return lane(ids[i]) == i; }))
      return value(ids[0]);
    return permuted(value(ids[0]), ids, width);
  }
  if (all([&](unsigned i) { return ids[i] == ids[0]; })) return spread(ids[0]);
  const auto outside = [&](unsigned i) { return !is_own(ids[i]) && !is_constant(ids[i]); };
  if (all(outside)) {
    const MemoryPlace first = origin_of(ids[0]);
    const auto follows = [&](unsigned i) {
      const MemoryPlace place = origin_of(ids[i]);
      return place.base == first.base && place.array == first.array &&
             place.index == first.index + i;
    };
    const bool may = first.base != MemoryPlace::Base::input || owner_.rows_of_inputs;
    if (may && all(follows)) {
      const std::uint32_t v = add_lanes(width);
      line_.values[v].home = first;
      return v;
    }
    // the lanes of a row in another order
    if (const Row* from = row_of(ids[0]);
        from != nullptr && all([&](unsigned i) { return row_of(ids[i]) == from; })) {
      Lanes lanes{};
      for (unsigned i = 0; i < from->width; ++i) lanes[i] = from->lanes[i].atom;
      return permuted(lanes_of(lanes, from->width), ids, width);
    }
  }
  if (row != nullptr && width == 4) {
    const Row* other = own_row(ids[2]);
    const bool two = other != nullptr && own_row(ids[1]) == row && own_row(ids[3]) == other;
    if (two && all([&](unsigned i) { return lane(ids[i]) == i % 2; })) {
      const std::uint32_t to = add_lanes(width);
      append(Action::halves, Op::neg, to, value(ids[0]), value(ids[2]));
      return to;
    }
  }
  if (const std::uint32_t v = blended(ids, width); v != Line::never) return v;
  std::array<std::uint32_t, 4> v{Line::never, Line::never, Line::never, Line::never};
  for (unsigned i = 0; i < width; ++i) v[i] = value_of(ids[i]);
  const std::uint32_t to = add_lanes(width);
  append(Action::gather, Op::neg, to, v[0], v[1], v[2]);
  line_.instructions.back().d.value = v[3];
  return to;
}

std::uint32_t LineMaker::Maker::permuted(std::uint32_t row, const Lanes& ids, unsigned width) {
  const std::uint32_t to = add_lanes(width);
  append(Action::permute, Op::neg, to, row);
  for (unsigned i = 0; i < width; ++i)
    line_.instructions.back().order |= owner_.rows_->lane_of(ids[i]) << 2 * i;
  return to;
}

// Lanes of two rows of this body, each in its place; or never.
std::uint32_t LineMaker::Maker::blended(const Lanes& ids, unsigned width) {
  std::uint32_t first = Line::never, second = Line::never;
  unsigned order = 0;
  for (unsigned i = 0; i < width; ++i) {
    const Row* row = is_own(ids[i]) ? row_of(ids[i]) : nullptr;
    if (row == nullptr || row->width != width || owner_.rows_->lane_of(ids[i]) != i)
      return Line::never;
    const std::uint32_t v = line_.values[owner_.values_[ids[i]]].of;
    if (first == Line::never) first = v;
    if (v == first) continue;
    if (second == Line::never) second = v;
    if (v != second) return Line::never;
    order |= 1u << i;
  }
  const std::uint32_t to = add_lanes(width);
  append(Action::blend, Op::neg, to, first, second);
  line_.instructions.back().order = order;
  return to;
}

std::uint32_t LineMaker::Maker::spread(Id id) {
  const auto [it, is_new] = spread_.try_emplace(id, 0u);
  if (!is_new) return it->second;
  it->second = add_lanes(4);
  if (is_own(id)) {
    append(Action::spread, Op::neg, it->second, owner_.values_[id]);
  } else {
    MemoryPlace& home = line_.values[it->second].home;
    home = origin_of(id);
    home.spread = true;
  }
  return it->second;
}

}  // namespace klingel::exec
