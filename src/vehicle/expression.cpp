#include "vehicle/expression.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "base/nearest.hpp"
#include "base/number.hpp"

namespace klingel::vehicle {
namespace {

using Kind = Expression::Kind;

// A function that can be called, with the least and the largest number of its arguments.
struct Function {
  std::string_view name;
  std::size_t least, most;
};
constexpr Function functions[] = {
    {"sin", 1, 1},  {"cos", 1, 1},  {"tan", 1, 1},    {"asin", 1, 1}, {"acos", 1, 1},
    {"atan", 1, 1}, {"tanh", 1, 1}, {"atan2", 2, 2},  {"exp", 1, 1},  {"log", 1, 1},
    {"sqrt", 1, 1}, {"abs", 1, 1},  {"sign", 1, 1},   {"min", 2, 2},  {"max", 2, 2},
    {"if", 3, 3},   {"rate", 1, 3}, {"stroke", 2, 3}, {"turn", 2, 2}, {"turn_rate", 2, 2},
    {"table", 2, 2}};

// deep enough for any formula a person writes, shallow enough for any stack
constexpr int deepest_nesting = 100;
// a sum of n terms costs n^2 memory in symbols: this many are 30 MB
constexpr std::size_t longest = 1000;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Parser {
 public:
  Parser(std::string_view text, const base::Place& place) : text_(text), place_(place) {}

  Expression whole() {
    if (text_.size() > longest) fail(fmt::format("is longer than {} characters", longest));
    Expression e = sum();
    space();
    if (at_ != text_.size())
      fail(fmt::format("has '{}' where an operator or the end is expected", text_[at_]));
    return e;
  }

 private:
  base::Place here() const {
    base::Place p = place_;
    if (p.column > 0) p.column += static_cast<int>(at_);
    return p;
  }
  [[noreturn]] void fail(const std::string& what) const {
    base::fail_at(here(), "the formula \"{}\" {}", text_.substr(0, 80), what);
  }
  void space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
      ++at_;
  }
  char peek() {
    space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  Expression node(Kind kind, base::Place place, std::vector<Expression> arguments) const {
    Expression e;
    e.kind = kind;
    e.place = std::move(place);
    e.arguments = std::move(arguments);
    return e;
  }

  Expression sum() {
    Expression left = product();
    while (peek() == '+' || peek() == '-') {
      const base::Place p = here();
      const Kind kind = text_[at_++] == '+' ? Kind::add : Kind::subtract;
      Expression right = product();
      left = node(kind, p, {std::move(left), std::move(right)});
    }
    return left;
  }

  Expression product() {
    Expression left = signed_power();
    while (peek() == '*' || peek() == '/') {
      const base::Place p = here();
      const Kind kind = text_[at_++] == '*' ? Kind::multiply : Kind::divide;
      Expression right = signed_power();
      left = node(kind, p, {std::move(left), std::move(right)});
    }
    return left;
  }

  // a sign binds looser than a power: -x^2 is -(x^2)
  Expression signed_power() {
    if (++depth_ > deepest_nesting) fail("is nested too deeply");
    Expression e;
    const base::Place p = (space(), here());
    if (peek() == '-') {
      ++at_;
      e = signed_power();
      // a negative number is a number
      if (e.is_number())
        e.number = -e.number;
      else
        e = node(Kind::negate, p, {std::move(e)});
      e.place = p;
    } else if (peek() == '+') {
      ++at_;
      e = signed_power();
    } else {
      e = primary();
      if (peek() == '^') {
        const base::Place at = here();
        ++at_;
        Expression exponent = signed_power();
        e = node(Kind::power, at, {std::move(e), std::move(exponent)});
      }
    }
    --depth_;
    return e;
  }

  Expression primary() {
    const char c = peek();
    const base::Place p = here();
    if (c == '(') {
      ++at_;
      Expression e = sum();
      if (peek() != ')') fail("lacks a ')' here");
      ++at_;
      return e;
    }
    if (is_digit(c) || c == '.') return number(p);
    if (is_letter(c)) return name_or_call(p);
    if (c == '\'') return quoted(p);
    if (c == '\0') fail(text_.empty() ? "is empty" : "ends where a value is expected");
    fail(fmt::format("has '{}' where a value is expected", c));
  }

  Expression number(const base::Place& p) {
    double value = 0;
    const char* begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc() || !std::isfinite(value)) fail("has a number that cannot be read");
    at_ += static_cast<std::size_t>(end - begin);
    if (at_ < text_.size() && is_letter(text_[at_]))
      fail("has letters after a number; write '*' to multiply");
    Expression e(value);
    e.place = p;
    return e;
  }

  Expression quoted(const base::Place& p) {
    const std::size_t end = text_.find('\'', at_ + 1);
    if (end == std::string_view::npos) fail("has a text without its second quote");
    Expression e = node(Kind::text, p, {});
    e.name = std::string(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return e;
  }

  Expression name_or_call(const base::Place& p) {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           (is_letter(text_[at_]) || is_digit(text_[at_]) || text_[at_] == '.'))
      ++at_;
    Expression e = node(Kind::name, p, {});
    e.name = std::string(text_.substr(begin, at_ - begin));
    if (e.name.back() == '.' || e.name.find("..") != std::string::npos)
      base::fail_at(p, "the name '{}' has one dot too many", e.name);
    if (peek() != '(') return e;
    return call(std::move(e));
  }

  Expression call(Expression e) {
    const auto* known = std::find_if(std::begin(functions), std::end(functions),
                                     [&](const Function& f) { return f.name == e.name; });
    if (known == std::end(functions)) {
      std::vector<std::string> names;
      for (const Function& f : functions) names.emplace_back(f.name);
      base::fail_at(e.place, "there is no function '{}'{}", e.name,
                    base::did_you_mean(e.name, names));
    }
    e.kind = Kind::call;
    do {
      ++at_;
      e.arguments.push_back(sum());
    } while (peek() == ',');
    if (peek() != ')') fail("lacks a ')' here");
    ++at_;
    if (e.arguments.size() < known->least || e.arguments.size() > known->most)
      base::fail_at(e.place, "{}() takes {} argument{}, found {}", e.name,
                    known->least == known->most
                        ? fmt::format("{}", known->least)
                        : fmt::format("{} to {}", known->least, known->most),
                    known->most == 1 ? "" : "s", e.arguments.size());
    check_arguments(e);
    return e;
  }

  // What is said before names are known.
  static void check_arguments(const Expression& e) {
    for (std::size_t i = 0; i < e.arguments.size(); ++i) {
      const bool file = e.name == "table" && i == 0;
      const bool is_text = e.arguments[i].kind == Kind::text;
      if (file && !is_text)
        base::fail_at(e.arguments[i].place,
                      "table() takes a file in quotes first: table('spring.csv', x)");
      if (!file && is_text)
        base::fail_at(e.arguments[i].place, "a text is allowed only in table()");
    }
    if (e.name == "rate" && e.arguments.size() == 1 && e.arguments[0].kind != Kind::name)
      base::fail_at(e.place, "rate() takes the name of a coordinate, found a formula");
    if (!is_of_places(e)) return;
    for (const Expression& a : e.arguments)
      if (a.kind != Kind::name)
        base::fail_at(a.place, "{}() takes names of points and bases, found a formula", e.name);
  }

  std::string_view text_;
  base::Place place_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

double call(const Expression& e, double x, double y) {
  const std::string& f = e.name;
  if (f == "sin") return std::sin(x);
  if (f == "cos") return std::cos(x);
  if (f == "tan") return std::tan(x);
  if (f == "asin") return std::asin(x);
  if (f == "acos") return std::acos(x);
  if (f == "atan") return std::atan(x);
  if (f == "tanh") return std::tanh(x);
  if (f == "atan2") return std::atan2(x, y);
  if (f == "exp") return std::exp(x);
  if (f == "log") return std::log(x);
  if (f == "sqrt") return std::sqrt(x);
  if (f == "abs") return std::abs(x);
  if (f == "sign") return x > 0 ? 1 : x < 0 ? -1 : 0;
  if (f == "min") return std::min(x, y);
  if (f == "max") return std::max(x, y);
  base::fail_at(e.place, "'{}' has no value here: only parameters do", text(e));
}

// how tightly the outermost operation holds: 1 sum, 2 product, 3 sign, 4 power, 5 value
int tightness(const Expression& e) {
  switch (e.kind) {
    case Kind::add:
    case Kind::subtract:
      return 1;
    case Kind::multiply:
    case Kind::divide:
      return 2;
    case Kind::negate:
      return 3;
    case Kind::power:
      return 4;
    case Kind::number:
      return std::signbit(e.number) ? 3 : 5;
    default:
      return 5;
  }
}

std::string enclosed(const Expression& e, int at_least) {
  return tightness(e) >= at_least ? text(e) : "(" + text(e) + ")";
}

}  // namespace

bool is_of_places(const Expression& e) {
  if (e.kind != Kind::call) return false;
  if (e.name == "rate") return e.arguments.size() > 1;
  return e.name == "stroke" || e.name == "turn" || e.name == "turn_rate";
}

Expression parse_expression(std::string_view text, const base::Place& place) {
  return Parser(text, place).whole();
}

double evaluate(const Expression& e, const std::function<double(const Expression&)>& value) {
  const auto argument = [&](std::size_t i) { return evaluate(e.arguments[i], value); };
  switch (e.kind) {
    case Kind::number:
      return e.number;
    case Kind::name:
      if (e.name == "pi") return std::numbers::pi;
      if (e.name == "t") base::fail_at(e.place, "time 't' has no value here: only parameters do");
      return value(e);
    case Kind::text:
      base::fail_at(e.place, "the text '{}' has no value", e.name);
    case Kind::negate:
      return -argument(0);
    case Kind::add:
      return argument(0) + argument(1);
    case Kind::subtract:
      return argument(0) - argument(1);
    case Kind::multiply:
      return argument(0) * argument(1);
    case Kind::divide:
      return argument(0) / argument(1);
    case Kind::power:
      return std::pow(argument(0), argument(1));
    case Kind::call:
      if (e.name == "rate" || e.name == "table" || is_of_places(e))
        base::fail_at(e.place, "'{}' has no value here: only parameters do", text(e));
      if (e.name == "if") {
        const double c = argument(0);
        return c > 0 ? argument(1) : c < 0 ? argument(2) : (argument(1) + argument(2)) / 2;
      }
      return call(e, argument(0), e.arguments.size() > 1 ? argument(1) : 0);
  }
  return 0;
}

std::string text(const Expression& e) {
  const auto binary = [&](const char* sign, int left, int right) {
    return enclosed(e.arguments[0], left) + sign + enclosed(e.arguments[1], right);
  };
  switch (e.kind) {
    case Kind::number:
      return base::shortest(e.number);
    case Kind::name:
      return e.name;
    case Kind::text:
      return "'" + e.name + "'";
    case Kind::negate:
      return "-" + enclosed(e.arguments[0], 3);
    case Kind::add:
      return binary(" + ", 1, 2);
    case Kind::subtract:
      return binary(" - ", 1, 2);
    case Kind::multiply:
      return binary("*", 2, 3);
    case Kind::divide:
      return binary("/", 2, 3);
    case Kind::power:
      return binary("^", 5, 3);
    case Kind::call:
      break;
  }
  std::string all = e.name + "(";
  for (std::size_t i = 0; i < e.arguments.size(); ++i)
    all += (i > 0 ? ", " : "") + text(e.arguments[i]);
  return all + ")";
}

void for_names(const Expression& e, const std::function<void(const Expression&)>& see) {
  if (e.kind == Kind::name && e.name != "pi" && e.name != "t") see(e);
  if (is_of_places(e)) return;
  for (const Expression& a : e.arguments) for_names(a, see);
}

}  // namespace klingel::vehicle
