#include "exec/order.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace klingel::exec {
namespace {

using Instruction = Line::Instruction;

// How far an instruction may move up. Values live longer then, so that more of them have to leave
// the registers; 32 to 128 are equally good.
constexpr std::uint32_t window = 48;

// Instructions that a processor begins in a cycle.
constexpr int per_cycle = 2;

// Longer lines stay as they are: their values need the slots of the workspace, which are given to
// them by the order they have.
constexpr std::size_t most_instructions = 20000;

// Cycles until the result can be used.
int latency(Action action) {
  switch (action) {
    case Action::add:
    case Action::sub:
    case Action::mul:
      return 3;
    case Action::fused_plus:
    case Action::fused_minus:
    case Action::fused_less_addend:
      return 4;
    case Action::div:
      return 13;
    case Action::sqrt:
      return 21;
    case Action::call:
    case Action::sincos:
      return 60;
    case Action::min:
    case Action::max:
    case Action::sign:
    case Action::gather:
      return 6;
    case Action::permute:
    case Action::spread:
    case Action::halves:
      return 3;
    case Action::flip:
    case Action::mask:
    case Action::blend:
    case Action::store:
      return 1;
  }
  return 1;
}

class Orderer {
 public:
  explicit Orderer(Line& line)
      : line_(line), count_(static_cast<std::uint32_t>(line.instructions.size())) {}

  void run() {
    find_sources();
    find_heights();
    choose();
  }

 private:
  static constexpr std::uint32_t never = Line::never;

  template <class Visit>
  void each_operand(const Instruction& i, Visit visit) const {
    for (const Line::Operand* o : {&i.a, &i.b, &i.c, &i.d})
      if (o->value != never) visit(o->value);
    if (i.action != Action::sincos) return;
    for (const Line::Operand& angle : line_.groups[i.to].angles) visit(angle.value);
  }
  template <class Visit>
  void each_source(std::uint32_t i, Visit visit) const {
    each_operand(line_.instructions[i], [&](std::uint32_t v) {
      const std::uint32_t whole = line_.values[v].of == never ? v : line_.values[v].of;
      if (source_[whole] != never) visit(source_[whole]);
      if (whole != v && source_[v] != never) visit(source_[v]);
    });
  }

  void find_sources() {
    source_.assign(line_.values.size(), never);
    const auto define = [&](std::uint32_t v, std::uint32_t i) {
      if (v != never) source_[v] = i;
    };
    for (std::uint32_t i = 0; i < count_; ++i) {
      const Instruction& instruction = line_.instructions[i];
      if (instruction.action != Action::sincos) {
        define(instruction.to, i);
        continue;
      }
      const Line::Group& group = line_.groups[instruction.to];
      for (const std::uint32_t v : group.sines) define(v, i);
      for (const std::uint32_t v : group.cosines) define(v, i);
      for (const Line::Group::Row& row : group.rows) define(row.value, i);
    }
  }

  void find_heights() {
    height_.assign(count_, 0);
    waits_for_.assign(count_, 0);
    users_begin_.assign(count_ + 1, 0);
    for (std::uint32_t i = count_; i-- > 0;) {
      height_[i] += latency(line_.instructions[i].action);
      each_source(i, [&](std::uint32_t from) {
        height_[from] = std::max(height_[from], height_[i]);
        ++waits_for_[i];
        ++users_begin_[from + 1];
      });
    }
    for (std::size_t i = 0; i < count_; ++i) users_begin_[i + 1] += users_begin_[i];
    users_.resize(users_begin_[count_]);
    std::vector<std::uint32_t> next(users_begin_.begin(), users_begin_.end() - 1);
    for (std::uint32_t i = 0; i < count_; ++i)
      each_source(i, [&](std::uint32_t from) { users_[next[from]++] = i; });
  }

  // Instructions that a call needs. All registers are lost in a call, so it comes before others
  // fill them.
  std::vector<bool> leads_to_call() const {
    std::vector<bool> urgent(count_, false);
    for (std::uint32_t i = count_; i-- > 0;) {
      const Action action = line_.instructions[i].action;
      if (action == Action::sincos || action == Action::call) urgent[i] = true;
      if (urgent[i]) each_source(i, [&](std::uint32_t from) { urgent[from] = true; });
    }
    return urgent;
  }

  // The next instruction is one that leads to a call, or else one whose operands are ready, of
  // these the one that most depends on; where all have to wait, the one that waits least.
  void choose() {
    const std::vector<bool> urgent = leads_to_call();
    std::vector<int> ready(count_, 0);  // the cycle from which on its operands are known
    std::vector<bool> done(count_, false);
    std::vector<Instruction> order;
    order.reserve(count_);
    std::uint32_t first = 0;
    int cycle = 0, begun = 0;
    while (order.size() < count_) {
      while (done[first]) ++first;
      const std::uint32_t end = std::min(count_, first + window);
      std::uint32_t best = never;
      for (std::uint32_t i = first; i < end; ++i) {
        if (done[i] || waits_for_[i] != 0) continue;
        if (urgent[i]) {
          best = i;
          break;
        }
        const int wait = std::max(0, ready[i] - cycle);
        const int best_wait = best == never ? wait + 1 : std::max(0, ready[best] - cycle);
        if (wait < best_wait || (wait == 0 && best_wait == 0 && height_[i] > height_[best]))
          best = i;
      }
      const Instruction& chosen = line_.instructions[best];
      cycle = std::max(cycle, ready[best]);
      done[best] = true;
      for (const std::uint32_t user : users_of(best)) {
        --waits_for_[user];
        ready[user] = std::max(ready[user], cycle + latency(chosen.action));
      }
      order.push_back(chosen);
      if (chosen.action != Action::store && ++begun == per_cycle) ++cycle, begun = 0;
    }
    line_.instructions = std::move(order);
  }

  std::span<const std::uint32_t> users_of(std::uint32_t i) const {
    return std::span(users_).subspan(users_begin_[i], users_begin_[i + 1] - users_begin_[i]);
  }

  Line& line_;
  std::uint32_t count_;
  std::vector<std::uint32_t> source_;  // by value: the instruction that computes it, or never
  // by instruction
  std::vector<int> height_;                 // cycles from its beginning to the end of the line
  std::vector<std::uint32_t> waits_for_;    // how many of its sources are not done
  std::vector<std::uint32_t> users_begin_;  // in users_
  std::vector<std::uint32_t> users_;
};

}  // namespace

void order_instructions(Line& line) {
  if (line.instructions.size() > most_instructions) return;
  for (Line::Value& v : line.values) v.cut = {};
  Orderer(line).run();
}

}  // namespace klingel::exec
