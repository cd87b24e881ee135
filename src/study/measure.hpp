// Formulas of channels, and numbers of summary.json, as the measures of a case.
//
//   max(abs(lowpass(Y.front.front.left, 20)))
//
// Channels are rows of numbers, one per recorded row; + - * / ^ and functions of one number act on
// each of them. max, min, peak, mean, rms, std, first, last, median, quantile(x, share) and
// share_above(x, limit) make one number of a row; what is NaN does not count. lowpass(x, Hz) and
// bandpass(x, Hz, Hz) are the filters of room assess; tail(x, s) is the end of a row.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/json_reader.hpp"

namespace klingel::study {

class Formula {
 public:
  // Wrong text is an Error at the place with the position in it.
  Formula(std::string_view text, const base::Place& place);

  // Channels that it uses, each once.
  const std::vector<std::string>& channels() const { return channels_; }

  // `column` gives the rows of a channel; `interval` is the time between them. A formula that is no
  // single number is an Error, found here.
  double value(const std::function<std::span<const double>(const std::string&)>& column,
               double interval) const;

  struct Node {
    enum class Kind { number, channel, negate, add, subtract, multiply, divide, power, call };
    Kind kind = Kind::number;
    double number = 0;
    std::string name;
    std::vector<Node> arguments;
  };

 private:
  Node root_;
  base::Place place_;
  std::vector<std::string> channels_;
};

// A number of summary.json by the names that lead to it, joined by dots: "max_Q.front.left". Names
// may have dots themselves. NaN where the value is null; an Error with near names where there is
// none.
double summary_number(const base::JsonValue& summary, std::string_view path,
                      const base::Place& place);

}  // namespace klingel::study
