// Random and mutated profile files through every reader: each text is an Error or a profile whose
// spline is finite and ascending, which can be looked at, and which is the same profile again after
// being written as pieces. Never a crash, a hang or a NaN.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.hpp"
#include "base/error.hpp"
#include "profile/profile_file.hpp"
#include "profile/profile_report.hpp"

namespace klingel::profile {
namespace {

// Bytes used as choices; zero when they are used up.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
  std::uint8_t next() { return at_ < size_ ? data_[at_++] : 0; }
  bool empty() const { return at_ >= size_; }
  std::string_view rest() const {
    return {reinterpret_cast<const char*>(data_) + at_, size_ - at_};
  }

 private:
  const std::uint8_t* data_;
  std::size_t size_, at_ = 0;
};

// A file that is right, of the given format: something to mutate.
std::string good_text(ProfileFormat format, bool wheel, int n) {
  std::string points;
  for (int i = 0; i <= n; ++i) {
    const double y = -30 + 60.0 * i / n, z = (wheel ? -1 : 1) * y * y / 600;
    points += std::to_string(y) + (format == ProfileFormat::table ? "," : " ") + std::to_string(z);
    points += "\n";
  }
  const std::string kind = wheel ? "wheel" : "rail";
  switch (format) {
    case ProfileFormat::table:
      return "# kind = " + kind + "\n# unit = mm\n# z = down\n# y = outward\ny,z\n" + points;
    case ProfileFormat::simpack:
      return "header.begin\n type = " + std::string(wheel ? "1" : "0") +
             "\nheader.end\nspline.begin\n approx.smooth = 0\n point.dist.min = 0\n shift.y = 0\n"
             " rotate = 0\n bound.y.min = 1\n bound.y.max = 0\n mirror.y = 0\n inversion = 0\n"
             " units.len.f = 1000 ! mm\n point.begin\n" +
             points + " point.end\nspline.end\n";
    case ProfileFormat::miniprof:
      return "ColumnDef=X,Y,*\nXYPoints=" + std::to_string(n) + "\n\n" + points;
    case ProfileFormat::pieces:
      return "# kind = " + kind +
             "\nbegin,end,a,b,c,d\n-0.03,0,0,1,-0.06,0.0009\n0,0.01,0,1,0,0\n"
             "0.01,0.03,0,1,0.02,0.0001\n";
  }
  return {};
}

// A few changes to a text: bytes, pieces of it twice, words that mean something.
void mutate(std::string& text, Bytes& bytes) {
  constexpr const char* words[] = {"\n",
                                   ",",
                                   "nan",
                                   "-inf",
                                   "1e308",
                                   "1e-308",
                                   "point.end",
                                   "=",
                                   "!",
                                   "# z = up",
                                   "0",
                                   "-",
                                   "\t",
                                   "# unit = m",
                                   "'",
                                   "point.begin",
                                   "rotate = 1e9\n",
                                   "inversion = 1\n",
                                   "approx.smooth = 0.01\n",
                                   "shift.y = -7\n",
                                   "+",
                                   "999999999"};
  while (!bytes.empty() && text.size() < 20000) {
    const std::size_t at = (bytes.next() * 256u + bytes.next()) % (text.size() + 1);
    const std::uint8_t how = bytes.next();
    switch (how % 5) {
      case 0:
        if (at < text.size()) text[at] = static_cast<char>(bytes.next());
        break;
      case 1:
        text.erase(at, 1 + bytes.next() % 16u);
        break;
      case 2:
        text.insert(at, words[bytes.next() % std::size(words)]);
        break;
      case 3:
        text.insert(at, text.substr(std::min(text.size(), at + how), bytes.next()));
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>('0' + bytes.next() % 10u);
    }
  }
}

void check(const Profile& p) {
  const spline::CubicSpline& z = p.z;
  KLINGEL_ASSERT(!z.pieces().empty());
  for (std::size_t i = 0; i < z.knots().size(); ++i) {
    KLINGEL_ASSERT(i == 0 || z.knots()[i] > z.knots()[i - 1]);
    KLINGEL_ASSERT(std::isfinite(z.value(z.knots()[i])));
    KLINGEL_ASSERT(std::isfinite(z.derivative(z.knots()[i])));
    KLINGEL_ASSERT(std::isfinite(z.second_derivative(z.knots()[i])));
  }
  const ProfileReport r = profile_report(p);
  KLINGEL_ASSERT(std::isfinite(r.length) && r.length > 0);

  // what is written can be read and has the same knots
  const std::string text = profile_text(p, ProfileFormat::pieces);
  ReadOptions options;
  options.kind = p.kind;
  const Profile again = read_profile_text(text, "again", ProfileFormat::pieces, options).profile;
  KLINGEL_ASSERT_EQ(again.z.knots().size(), z.knots().size());
}

}  // namespace

void fuzz(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const auto format = static_cast<ProfileFormat>(bytes.next() % 3);
  ReadOptions options;
  const std::uint8_t choice = bytes.next();
  const bool wheel = choice & 1;
  if (choice & 2) options.kind = wheel ? ProfileKind::wheel : ProfileKind::rail;
  if (choice & 4) options.fit.smooth = 1e-5;
  std::string text;
  if (choice & 8) {
    text = bytes.rest();
  } else {
    text = good_text(format, wheel, 5 + choice % 60);
    mutate(text, bytes);
  }
  Profile profile;
  try {
    profile = read_profile_text(text, "fuzz", format, options).profile;
  } catch (const base::Error& error) {
    KLINGEL_ASSERT(std::string_view(error.what()).size() > 5);
    return;
  }
  check(profile);
}

}  // namespace klingel::profile

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  klingel::profile::fuzz(data, size);
  return 0;
}
