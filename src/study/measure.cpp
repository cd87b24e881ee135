#include "study/measure.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "assess/filter.hpp"
#include "base/nearest.hpp"

namespace klingel::study {
namespace {

using Node = Formula::Node;
using Row = std::vector<double>;  // of one value: a number

struct Function {
  std::string_view name;
  std::size_t arguments;
};
constexpr std::array<Function, 22> functions = {
    {{"sum", 1},         {"max", 1},     {"min", 1},  {"mean", 1},   {"rms", 1},
     {"std", 1},         {"first", 1},   {"last", 1}, {"median", 1}, {"quantile", 2},
     {"abs", 1},         {"sqrt", 1},    {"sin", 1},  {"cos", 1},    {"exp", 1},
     {"log", 1},         {"lowpass", 2}, {"sign", 1}, {"peak", 1},   {"bandpass", 3},
     {"share_above", 2}, {"tail", 2}}};

class Reader {
 public:
  Reader(std::string_view text, const base::Place& place) : text_(text), place_(place) {}

  Node whole() {
    Node node = sum(0);
    blanks();
    if (at_ < text_.size()) fail("expected an operator or the end");
    return node;
  }

 private:
  static constexpr int deepest = 100;

  [[noreturn]] void fail(const std::string& what) const {
    base::fail_at(place_, "formula '{}', at character {}: {}", text_, at_ + 1, what);
  }
  void blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool takes(char sign) {
    blanks();
    if (at_ >= text_.size() || text_[at_] != sign) return false;
    ++at_;
    return true;
  }
  static Node binary(Node::Kind kind, Node a, Node b) {
    Node node;
    node.kind = kind;
    node.arguments.push_back(std::move(a));
    node.arguments.push_back(std::move(b));
    return node;
  }

  Node sum(int depth) {
    if (depth > deepest) fail("nested too deeply");
    Node node = product(depth);
    for (;;) {
      if (takes('+'))
        node = binary(Node::Kind::add, std::move(node), product(depth));
      else if (takes('-'))
        node = binary(Node::Kind::subtract, std::move(node), product(depth));
      else
        return node;
    }
  }
  Node product(int depth) {
    Node node = factor(depth);
    for (;;) {
      if (takes('*'))
        node = binary(Node::Kind::multiply, std::move(node), factor(depth));
      else if (takes('/'))
        node = binary(Node::Kind::divide, std::move(node), factor(depth));
      else
        return node;
    }
  }
  Node factor(int depth) {
    if (depth > deepest) fail("nested too deeply");
    if (takes('-')) {
      Node node;
      node.kind = Node::Kind::negate;
      node.arguments.push_back(factor(depth + 1));
      return node;
    }
    Node node = leaf(depth);
    if (takes('^')) node = binary(Node::Kind::power, std::move(node), factor(depth + 1));
    return node;
  }
  Node leaf(int depth) {
    blanks();
    if (takes('(')) {
      Node node = sum(depth + 1);
      if (!takes(')')) fail("expected ')'");
      return node;
    }
    if (at_ >= text_.size()) fail("expected a number, a channel or a function");
    const char c = text_[at_];
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number();
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) return name(depth);
    fail("expected a number, a channel or a function");
  }
  Node number() {
    Node node;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), node.number);
    if (error != std::errc()) fail("expected a number");
    at_ = static_cast<std::size_t>(end - text_.data());
    return node;
  }
  Node name(int depth) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 ||
                                  text_[at_] == '_' || text_[at_] == '.'))
      ++at_;
    Node node;
    node.name = text_.substr(begin, at_ - begin);
    if (!takes('(')) {
      node.kind = Node::Kind::channel;
      return node;
    }
    node.kind = Node::Kind::call;
    const auto known = std::find_if(functions.begin(), functions.end(),
                                    [&](const Function& f) { return f.name == node.name; });
    if (known == functions.end()) {
      std::vector<std::string> names;
      for (const Function& f : functions) names.emplace_back(f.name);
      at_ = begin;
      fail(fmt::format("there is no function '{}'{}", node.name,
                       base::did_you_mean(node.name, names)));
    }
    do node.arguments.push_back(sum(depth + 1));
    while (takes(','));
    if (!takes(')')) fail("expected ')'");
    if (node.arguments.size() != known->arguments)
      fail(fmt::format("'{}' takes {} arguments, found {}", node.name, known->arguments,
                       node.arguments.size()));
    return node;
  }

  std::string_view text_;
  base::Place place_;
  std::size_t at_ = 0;
};

void collect(const Node& node, std::vector<std::string>& names) {
  if (node.kind == Node::Kind::channel &&
      std::find(names.begin(), names.end(), node.name) == names.end())
    names.push_back(node.name);
  for (const Node& a : node.arguments) collect(a, names);
}

// Of rows without NaN; those of the air, for one, do not count.
Row valid(Row x) {
  std::erase_if(x, [](double v) { return std::isnan(v); });
  return x;
}

double mean(const Row& x) {
  return std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
}

double quantile(Row x, double share) {
  std::sort(x.begin(), x.end());
  const double at = share * static_cast<double>(x.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, x.size() - 1);
  return x[low] + (at - static_cast<double>(low)) * (x[high] - x[low]);
}

double reduced(const std::string& f, Row x, double second) {
  x = valid(std::move(x));
  if (x.empty()) return std::numeric_limits<double>::quiet_NaN();
  if (f == "max") return *std::max_element(x.begin(), x.end());
  if (f == "min") return *std::min_element(x.begin(), x.end());
  if (f == "first") return x.front();
  if (f == "last") return x.back();
  if (f == "sum") return std::accumulate(x.begin(), x.end(), 0.0);
  if (f == "mean") return mean(x);
  if (f == "median") return quantile(x, 0.5);
  if (f == "quantile") return quantile(x, second);
  double sum = 0;
  if (f == "peak") {
    for (const double v : x) sum = std::max(sum, std::abs(v));
    return sum;
  }
  if (f == "share_above") {
    for (const double v : x) sum += v > second ? 1 : 0;
    return sum / static_cast<double>(x.size());
  }
  const double m = f == "std" ? mean(x) : 0;
  for (const double v : x) sum += (v - m) * (v - m);
  return std::sqrt(sum / static_cast<double>(x.size()));
}

double applied(const std::string& f, double x) {
  if (f == "abs") return std::abs(x);
  if (f == "sqrt") return std::sqrt(x);
  if (f == "sin") return std::sin(x);
  if (f == "cos") return std::cos(x);
  if (f == "exp") return std::exp(x);
  if (f == "log") return std::log(x);
  return static_cast<double>(x > 0) - static_cast<double>(x < 0);
}

class Evaluation {
 public:
  Evaluation(const std::function<std::span<const double>(const std::string&)>& column,
             double interval, const base::Place& place)
      : column_(column), interval_(interval), place_(place) {}

  Row of(const Node& n) const {
    if (n.kind == Node::Kind::number) return {n.number};
    if (n.kind == Node::Kind::channel) {
      const std::span<const double> rows = column_(n.name);
      return {rows.begin(), rows.end()};
    }
    if (n.kind == Node::Kind::call) return call(n);
    Row a = of(n.arguments[0]);
    if (n.kind == Node::Kind::negate) {
      for (double& v : a) v = -v;
      return a;
    }
    return combined(n.kind, std::move(a), of(n.arguments[1]));
  }

 private:
  Row combined(Node::Kind kind, const Row& a, const Row& b) const {
    if (a.size() != b.size() && a.size() != 1 && b.size() != 1)
      base::fail_at(place_, "rows of {} and {} values cannot be combined", a.size(), b.size());
    Row result(std::max(a.size(), b.size()));
    if (a.empty() || b.empty()) result.clear();
    for (std::size_t i = 0; i < result.size(); ++i) {
      const double x = a.size() == 1 ? a[0] : a[i], y = b.size() == 1 ? b[0] : b[i];
      result[i] = kind == Node::Kind::add        ? x + y
                  : kind == Node::Kind::subtract ? x - y
                  : kind == Node::Kind::multiply ? x * y
                  : kind == Node::Kind::divide   ? x / y
                                                 : std::pow(x, y);
    }
    return result;
  }
  double number(const Node& n) const {
    const Row value = of(n);
    if (value.size() != 1) base::fail_at(place_, "expected a number as a further argument");
    return value[0];
  }
  Row call(const Node& n) const {
    Row x = of(n.arguments[0]);
    if (n.name == "lowpass" || n.name == "bandpass") {
      // beyond half the rate of rows there is nothing to filter
      double before = 0;
      for (std::size_t i = 1; i < n.arguments.size(); ++i) {
        const double frequency = number(n.arguments[i]);
        if (!(frequency > before) || !(frequency < 0.5 / interval_))
          base::fail_at(
              place_,
              "{}: a frequency is {} Hz, expected more than {} and less than {:g}, half of "
              "the rows per second",
              n.name, frequency, before, 0.5 / interval_);
        before = frequency;
      }
      assess::Filter filter =
          n.name == "lowpass"
              ? assess::low_pass(number(n.arguments[1]), interval_)
              : assess::band_pass(number(n.arguments[1]), number(n.arguments[2]), interval_);
      for (double& v : x) v = filter.add(v);
      return x;
    }
    if (n.name == "tail") {
      const double seconds = number(n.arguments[1]);
      if (!(seconds > 0)) base::fail_at(place_, "tail: expected more than 0 s, found {}", seconds);
      const double rows = std::round(seconds / interval_);
      const auto kept = static_cast<std::size_t>(std::clamp(rows, 1.0, 1e15));
      if (x.size() > kept) x.erase(x.begin(), x.end() - static_cast<std::ptrdiff_t>(kept));
      return x;
    }
    for (const char* f : {"abs", "sqrt", "sin", "cos", "exp", "log", "sign"}) {
      if (n.name != f) continue;
      for (double& v : x) v = applied(n.name, v);
      return x;
    }
    const double second = n.arguments.size() > 1 ? number(n.arguments[1]) : 0;
    if (n.name == "quantile" && !(second >= 0 && second <= 1))
      base::fail_at(place_, "quantile: expected a share from 0 to 1, found {}", second);
    return {reduced(n.name, std::move(x), second)};
  }

  const std::function<std::span<const double>(const std::string&)>& column_;
  double interval_;
  const base::Place& place_;
};

}  // namespace

Formula::Formula(std::string_view text, const base::Place& place)
    : root_(Reader(text, place).whole()), place_(place) {
  collect(root_, channels_);
}

double Formula::value(const std::function<std::span<const double>(const std::string&)>& column,
                      double interval) const {
  const Row result = Evaluation(column, interval, place_).of(root_);
  if (result.size() == 1) return result[0];
  base::fail_at(place_,
                "the formula has a value at every instant; make one number of it with max, min, "
                "mean, rms, last ...");
}

double summary_number(const base::JsonValue& summary, std::string_view path,
                      const base::Place& place) {
  using Kind = base::JsonValue::Kind;
  if (path.empty()) {
    if (summary.kind == Kind::number) return summary.number;
    if (summary.kind == Kind::boolean) return summary.truth ? 1 : 0;
    if (summary.kind == Kind::null) return std::numeric_limits<double>::quiet_NaN();
    base::fail_at(place, "this leads to {} of summary.json, expected a number",
                  base::kind_name(summary.kind));
  }
  // nothing is known below what is null
  if (summary.kind == Kind::null) return std::numeric_limits<double>::quiet_NaN();
  const std::string name(path.substr(0, path.find('.')));
  if (summary.kind == Kind::array) {
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
    if (error != std::errc() || end != name.data() + name.size() || index >= summary.items.size())
      base::fail_at(place, "expected a number below {} in place of '{}'", summary.items.size(),
                    name);
    return summary_number(summary.items[index],
                          path.size() > name.size() ? path.substr(name.size() + 1) : "", place);
  }
  // names have dots, too: the longest that fits
  const std::string* best = nullptr;
  std::size_t at = 0;
  for (std::size_t i = 0; i < summary.keys.size(); ++i) {
    const std::string& key = summary.keys[i];
    const bool fits = path == key || (path.starts_with(key) && path[key.size()] == '.');
    if (fits && (best == nullptr || key.size() > best->size())) best = &key, at = i;
  }
  if (best == nullptr) {
    const std::string whole = base::did_you_mean(path, summary.keys);
    base::fail_at(place, "summary.json has no number '{}'{}", path,
                  whole.empty() ? base::did_you_mean(name, summary.keys) : whole);
  }
  return summary_number(summary.items[at],
                        path.size() > best->size() ? path.substr(best->size() + 1) : "", place);
}

}  // namespace klingel::study
