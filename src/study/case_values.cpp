#include "study/case_values.hpp"

#include <algorithm>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/number.hpp"
#include "track/random_bits.hpp"

namespace klingel::study {
namespace {

constexpr std::size_t most_cases = 100'000'000;

// A series of its own for every dimension, so that a further one changes none before it.
track::RandomBits series(std::uint64_t seed, std::size_t dimension) {
  return track::RandomBits(seed * 1'000'003 + dimension);
}

std::vector<double> random_points(std::uint64_t seed, std::size_t dimension, std::size_t samples) {
  track::RandomBits random = series(seed, dimension);
  std::vector<double> points(samples);
  for (double& p : points) p = random.uniform();
  return points;
}

// Each of as many equal parts of the interval once, in random order, at a random place in it.
std::vector<double> latin_points(std::uint64_t seed, std::size_t dimension, std::size_t samples) {
  track::RandomBits random = series(seed, dimension);
  std::vector<std::size_t> part(samples);
  std::iota(part.begin(), part.end(), std::size_t{0});
  for (std::size_t i = samples; i > 1; --i)
    std::swap(part[i - 1],
              part[static_cast<std::size_t>(random.uniform() * static_cast<double>(i))]);
  std::vector<double> points(samples);
  for (std::size_t i = 0; i < samples; ++i)
    points[i] = (static_cast<double>(part[i]) + random.uniform()) / static_cast<double>(samples);
  return points;
}

std::vector<std::vector<double>> sobol_points(std::size_t dimensions, std::size_t samples) {
  std::vector<std::vector<double>> points(dimensions, std::vector<double>(samples));
  boost::random::sobol engine(dimensions);
  for (std::size_t i = 0; i < samples; ++i)
    for (std::size_t d = 0; d < dimensions; ++d)
      points[d][i] = static_cast<double>(engine() >> 11) * 0x1p-53;
  return points;
}

std::string text_at(const Variation& v, std::size_t index) {
  return v.kind == Variation::Kind::texts ? v.texts[index] : base::shortest(v.numbers[index]);
}

}  // namespace

double normal_quantile(double p) {
  double low = -40, high = 40;
  for (int i = 0; i < 100; ++i) {
    const double x = 0.5 * (low + high);
    (0.5 * std::erfc(-x / std::sqrt(2.0)) < p ? low : high) = x;
  }
  return 0.5 * (low + high);
}

CaseValues::CaseValues(const Study& study)
    : study_(study), stride_(study.variations.size()), dimension_(study.variations.size()) {
  std::size_t dimensions = 0;
  for (std::size_t i = 0; i < study.variations.size(); ++i)
    if (study.variations[i].is_random()) dimension_[i] = dimensions++;
  if (dimensions > 0) samples_ = std::max<std::size_t>(1, study.samples);
  cases_ = samples_;
  // the last one changes fastest, samples faster still
  for (std::size_t i = study.variations.size(); i-- > 0;) {
    const Variation& v = study.variations[i];
    if (v.is_random() || !v.with.empty()) continue;
    stride_[i] = cases_;
    if (v.count() > most_cases / cases_)
      base::fail_at(v.place, "the study has more than {} cases; take fewer values", most_cases);
    cases_ *= v.count();
  }
  for (std::size_t i = 0; i < study.variations.size(); ++i) {
    const Variation& v = study.variations[i];
    if (v.with.empty()) continue;
    for (std::size_t k = 0; k < study.variations.size(); ++k)
      if (study.variations[k].name == v.with) stride_[i] = stride_[k];
  }
  if (study.sampling == Sampling::sobol && dimensions > 0)
    points_ = sobol_points(dimensions, samples_);
  for (std::size_t d = points_.size(); d < dimensions; ++d)
    points_.push_back(study.sampling == Sampling::random ? random_points(study.seed, d, samples_)
                                                         : latin_points(study.seed, d, samples_));
  keep_different();
}

// Combinations that differ in something that does not vary there are one case: the first.
void CaseValues::keep_different() {
  const std::vector<Variation>& all = study_.variations;
  when_.resize(all.size());
  bool any = false, random_always = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    random_always = random_always || (all[i].is_random() && all[i].when.empty());
    for (const Condition& c : all[i].when) {
      any = true;
      When when{0, {}};
      while (all[when.other].name != c.name) ++when.other;
      for (const std::string& value : c.values) {
        std::size_t index = 0;
        while (text_at(all[when.other], index) != value) ++index;
        when.indices.push_back(index);
      }
      when_[i].push_back(std::move(when));
    }
  }
  if (!any) return;
  constexpr std::size_t most_with_conditions = 10'000'000;
  if (cases_ > most_with_conditions)
    base::fail_at(all[0].place, "a study with conditions has at most {} combinations, found {}",
                  most_with_conditions, cases_);
  for (std::size_t c = 0; c < cases_; ++c) {
    bool keep = true, draws = random_always;
    for (std::size_t i = 0; i < all.size() && keep; ++i) {
      const bool varies = varies_in(c, i);
      draws = draws || (all[i].is_random() && varies);
      if (!varies && !all[i].is_random() && all[i].with.empty())
        keep = c / stride_[i] % all[i].count() == 0;
    }
    if (keep && (draws || c % samples_ == 0)) kept_.push_back(c);
  }
  cases_ = kept_.size();
}

std::size_t CaseValues::combination(std::size_t which) const {
  return kept_.empty() ? which : kept_[which];
}

bool CaseValues::varies_in(std::size_t c, std::size_t variation) const {
  const std::vector<Variation>& all = study_.variations;
  if (!all[variation].with.empty())
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].name == all[variation].with) return varies_in(c, k);
  for (const When& when : when_[variation]) {
    const std::size_t index = c / stride_[when.other] % all[when.other].count();
    const bool has =
        std::find(when.indices.begin(), when.indices.end(), index) != when.indices.end();
    if (!has || !varies_in(c, when.other)) return false;
  }
  return true;
}

bool CaseValues::varies(std::size_t which, std::size_t variation) const {
  return is_table_ || varies_in(combination(which), variation);
}

void CaseValues::become_table() {
  is_table_ = true;
  cases_ = 0;
}

std::size_t CaseValues::add(std::vector<double> row) {
  table_.push_back(std::move(row));
  return cases_++;
}

std::size_t CaseValues::index(std::size_t which, std::size_t variation) const {
  return combination(which) / stride_[variation] % study_.variations[variation].count();
}

double CaseValues::number(std::size_t which, std::size_t variation) const {
  if (is_table_) return table_[which][variation];
  if (!varies(which, variation)) return std::numeric_limits<double>::quiet_NaN();
  const Variation& v = study_.variations[variation];
  if (v.kind == Variation::Kind::numbers) return v.numbers[index(which, variation)];
  if (v.kind == Variation::Kind::texts) return static_cast<double>(index(which, variation));
  const double u = points_[dimension_[variation]][combination(which) % samples_];
  if (v.kind == Variation::Kind::uniform) return v.first + u * (v.second - v.first);
  if (v.kind == Variation::Kind::logarithmic)
    return v.first * std::exp(u * std::log(v.second / v.first));
  const double inside = std::clamp(u, 0x1p-54, 1 - 0x1p-53);
  return v.first + v.second * normal_quantile(inside);
}

std::string CaseValues::text(std::size_t which, std::size_t variation) const {
  if (!varies(which, variation)) return "";
  const Variation& v = study_.variations[variation];
  if (v.kind == Variation::Kind::texts && !is_table_) return v.texts[index(which, variation)];
  return base::shortest(number(which, variation));
}

}  // namespace klingel::study
