#include "gen/program_hash.hpp"

#include <cstring>
#include <type_traits>
#include <vector>

#include "base/sha256.hpp"
#include "sym/tape.hpp"

namespace klingel::gen {
namespace {

class Bytes {
 public:
  template <class T>
  Bytes& add(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    text_.append(bytes, sizeof value);
    return *this;
  }
  Bytes& add(std::string_view text) {
    add(static_cast<std::uint32_t>(text.size()));
    text_ += text;
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace

std::string program_hash(const Program& program, const Schedule& schedule,
                         const Manifest& manifest) {
  const sym::Graph& g = program.graph();
  Manifest nameless = manifest;
  nameless.hash.clear();
  Bytes bytes;
  bytes.add(std::string_view(to_json(nameless)));
  // atoms by their order, not by their nodes: what else is in the graph does not count
  std::vector<std::uint32_t> order(g.size(), sym::no_id);
  std::uint32_t next = 0;
  for (const auto* bodies : {&schedule.stages, &schedule.functions})
    for (const Body& body : *bodies)
      for (const Chunk& chunk : body.chunks)
        for (const sym::Id id : chunk.atoms) order[id] = next++;
  const auto add = [&](sym::Id id) {
    if (order[id] != sym::no_id) {
      bytes.add('a').add(order[id]);
    } else if (g.op(id) == sym::Op::symbol) {
      const Program::InputElement place = program.input_element(id);
      bytes.add('s').add(place.input).add(place.index);
    } else {
      bytes.add('c').add(sym::value_of_constant(g, id));
    }
  };
  for (const auto* bodies : {&schedule.stages, &schedule.functions}) {
    for (const Body& body : *bodies) {
      bytes.add('b');
      for (const Chunk& chunk : body.chunks) {
        bytes.add('k');
        for (const sym::Id id : chunk.atoms) {
          const Operands operands = schedule.operands(g, id);
          bytes.add(g.op(id)).add(operands.fused).add(schedule.slots[id]);
          for (const sym::Id operand : operands) add(operand);
          if (g.label(id) != nullptr) bytes.add('l').add(std::string_view(*g.label(id)));
        }
        for (const Store& store : chunk.stores) {
          bytes.add('o').add(store.output).add(store.element);
          add(store.atom);
        }
      }
    }
  }
  return base::sha256(bytes.text());
}

}  // namespace klingel::gen
