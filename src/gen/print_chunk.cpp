#include "gen/print_chunk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

#include "base/number.hpp"
#include "sym/print.hpp"
#include "sym/tape.hpp"

namespace klingel::gen {
namespace {

using sym::Id;

class ChunkPrinter {
 public:
  ChunkPrinter(const Program& program, const Schedule& schedule, const Chunk& chunk,
               const std::vector<sym::Output>& outputs, const ChunkStyle& style)
      : program_(program),
        g_(program.graph()),
        schedule_(schedule),
        chunk_(chunk),
        outputs_(outputs),
        limit_(style.inline_operations),
        lanes_(style.lanes),
        type_(style.lanes > 1 ? "klingel_vector" : "double") {}

  ChunkText run() {
    choose_names();
    print_angles();
    // results that were known before this chunk, then atoms with the results they give
    std::unordered_map<Id, std::vector<const Store*>> stores;
    for (const Store& s : chunk_.stores) {
      if (local_.contains(s.atom)) {
        stores[s.atom].push_back(&s);
      } else {
        store(s, operand(s.atom));
      }
    }
    for (const Id id : chunk_.atoms) {
      note_operands(id);
      const auto results = stores.find(id);
      print_atom(id, results == stores.end() ? nullptr : &results->second);
    }
    return std::move(text_);
  }

 private:
  struct Local {
    int uses = 0;
    std::size_t size = 1;  // operations written into its line
    bool named = false;
    std::string name;
  };

  // An atom gets a variable when it is read more than once, carries a label, also goes to the
  // workspace, or would make its user's line too long.
  void choose_names() {
    for (const Id id : chunk_.atoms) local_[id] = {};
    const auto use = [&](Id operand) {
      if (const auto it = local_.find(operand); it != local_.end()) ++it->second.uses;
    };
    for (const Id id : chunk_.atoms) {
      for (const Id operand : schedule_.operands(g_, id)) use(operand);
    }
    for (const Store& s : chunk_.stores) use(s.atom);
    for (const Id id : chunk_.atoms) {
      Local& atom = local_[id];
      const Operands operands = schedule_.operands(g_, id);
      atom.named = atom.uses > 1 || operands.fused != Fused::no ||
                   (atom.uses > 0 && schedule_.in_workspace(id)) || g_.label(id) != nullptr ||
                   is_sine_or_cosine(g_.op(id)) || (on_lanes() && is_function(g_.op(id)));
      Local* larger = nullptr;
      atom.size = 1;
      for (const Id operand : operands) {
        Local* part = inlined(operand);
        if (part == nullptr) continue;
        atom.size += part->size;
        if (larger == nullptr || part->size > larger->size) larger = part;
      }
      if (atom.size <= limit_) continue;
      // the largest operand moves to a line of its own
      if (larger != nullptr) {
        larger->named = true;
        atom.size -= larger->size;
      }
    }
  }

  // sines and cosines of angles known on entry, all at once
  void print_angles() {
    std::vector<Id> angles;
    for (const Id id : chunk_.atoms) {
      const Id angle = g_.node(id).a;
      if (!is_sine_or_cosine(g_.op(id)) || local_.contains(angle)) continue;
      const auto at = std::find(angles.begin(), angles.end(), angle);
      local_[id].name =
          fmt::format("{}[{}]", g_.op(id) == sym::Op::sin ? "sine" : "cosine", at - angles.begin());
      local_[id].named = true;
      if (at == angles.end()) angles.push_back(angle);
    }
    if (angles.empty()) return;
    std::string values;
    for (const Id angle : angles) values += (values.empty() ? "" : ", ") + operand(angle);
    text_.statements +=
        fmt::format("  const {2} angle[{0}] = {{{1}}};\n  {2} sine[{0}], cosine[{0}];\n",
                    angles.size(), values, type_);
    text_.statements +=
        on_lanes() ? fmt::format(
                         "  klingel_sincos({}, (const double *)angle, (double *)sine, (double "
                         "*)cosine);\n",
                         angles.size() * lanes_)
                   : fmt::format("  klingel_sincos({}, angle, sine, cosine);\n", angles.size());
  }

  bool on_lanes() const { return lanes_ > 1; }

  // what C writes as a call: on lanes all of these are ours
  static bool is_function(sym::Op op) {
    return op != sym::Op::neg && op != sym::Op::add && op != sym::Op::sub && op != sym::Op::mul &&
           op != sym::Op::div;
  }

  Local* inlined(Id operand) {
    const auto it = local_.find(operand);
    return it == local_.end() || it->second.named ? nullptr : &it->second;
  }

  void note_operands(Id id) {
    const sym::Node& n = g_.node(id);
    if (is_sine_or_cosine(n.op) || n.op == sym::Op::sign || n.op == sym::Op::min ||
        n.op == sym::Op::max)
      text_.helpers.insert(n.op);
    const Operands operands = schedule_.operands(g_, id);
    for (const Id operand : operands) note(operand);
    text_.operations += operands.fused == Fused::no ? 1 : 2;
  }

  void note(Id operand) {
    if (g_.op(operand) == sym::Op::symbol) {
      text_.inputs.insert(static_cast<std::uint32_t>(program_.input_element(operand).input));
    } else if (!is_given(g_, operand) && !local_.contains(operand)) {
      text_.workspace = true;
    }
  }

  // how an operand is written; "" spells it out
  std::string operand(Id id) const {
    if (g_.op(id) == sym::Op::symbol) {
      const Program::InputElement p = program_.input_element(id);
      return fmt::format("{}[{}]", program_.inputs()[static_cast<std::size_t>(p.input)].name,
                         p.index);
    }
    if (is_given(g_, id)) return base::shortest(sym::value_of_constant(g_, id));
    if (const auto it = local_.find(id); it != local_.end()) return it->second.name;
    return fmt::format("w[{}]", schedule_.slots[id]);
  }

  // a number alone, not added to or multiplied by a value
  std::string on_all_lanes(Id id, std::string text) const {
    const bool is_number = on_lanes() && g_.op(id) != sym::Op::symbol && is_given(g_, id);
    return is_number ? fmt::format("klingel_lanes_all({})", text) : text;
  }

  void store(const Store& s, const std::string& value) {
    note(s.atom);
    text_.outputs.insert(s.output);
    text_.statements += fmt::format("  {}[{}] = {};\n", outputs_[s.output].name, s.element,
                                    on_all_lanes(s.atom, value));
  }

  std::string expression_of(Id id) const {
    const auto name_of = [this](Id operand_id) { return operand(operand_id); };
    if (const Operands operands = schedule_.operands(g_, id); operands.fused != Fused::no) {
      // a sum of products in one rounding; signs cost nothing
      std::array<std::string, 3> text;
      for (std::size_t i = 0; i < 3; ++i) {
        const std::string name = operand(operands.ids[i]);
        text[i] = on_all_lanes(
            operands.ids[i],
            name.empty() ? sym::text(g_, operands.ids[i], sym::Language::c, name_of) : name);
        const bool negative =
            i == (operands.fused == Fused::minus ? 0 : 2) && operands.fused != Fused::plus;
        if (negative) text[i] = fmt::format("-({})", text[i]);
      }
      return fmt::format("{}({}, {}, {})", on_lanes() ? "klingel_lanes_fma" : "fma", text[0],
                         text[1], text[2]);
    }
    const bool is_ours = on_lanes() ? is_function(g_.op(id)) : is_sine_or_cosine(g_.op(id));
    if (!is_ours) return sym::text(g_, id, sym::Language::c, name_of);
    const auto argument = [&](Id a) {
      const std::string name = operand(a);
      return on_all_lanes(a, name.empty() ? sym::text(g_, a, sym::Language::c, name_of) : name);
    };
    const sym::Node& n = g_.node(id);
    return fmt::format("klingel_{}{}({}{})", on_lanes() ? "lanes_" : "", sym::name(n.op),
                       argument(n.a), sym::is_binary(n.op) ? ", " + argument(n.b) : "");
  }

  void print_atom(Id id, const std::vector<const Store*>* results) {
    Local& atom = local_[id];
    const bool slot = schedule_.in_workspace(id);
    if (!atom.named && !slot && results == nullptr) return;  // written into its user
    const std::string expression = expression_of(id);
    if (const std::string* label = g_.label(id))
      text_.statements += fmt::format("  /* {} */\n", *label);
    std::string value = expression;
    if (!atom.name.empty()) {  // one of the angles at the top
      value = atom.name;
    } else if (atom.named) {
      atom.name = fmt::format("a{}", next_++);
      text_.statements += fmt::format("  const {} {} = {};\n", type_, atom.name, expression);
      value = atom.name;
    }
    if (slot) {
      text_.workspace = true;
      text_.statements += fmt::format("  w[{}] = {};\n", schedule_.slots[id], value);
    }
    if (results == nullptr) return;
    for (const Store* s : *results) store(*s, value);
  }

  const Program& program_;
  const sym::Graph& g_;
  const Schedule& schedule_;
  const Chunk& chunk_;
  const std::vector<sym::Output>& outputs_;
  std::size_t limit_;
  unsigned lanes_;
  const char* type_;  // of a value
  std::unordered_map<Id, Local> local_;
  int next_ = 0;
  ChunkText text_;
};

}  // namespace

ChunkText print_chunk(const Program& program, const Schedule& schedule, const Chunk& chunk,
                      const std::vector<sym::Output>& outputs, const ChunkStyle& style) {
  return ChunkPrinter(program, schedule, chunk, outputs, style).run();
}

}  // namespace klingel::gen
