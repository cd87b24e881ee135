// Subject: simulation/description_file. Claim: a description that was written and read runs bit for
// bit as before, equal ones give equal bytes, and damaged bytes are an Error, never a crash.
#include "simulation/description_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "simulation/instance.hpp"
#include "tests/unit/simulation/wheelset.hpp"

namespace klingel::simulation {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<const klingel_kernel*> kernels_of(const Description& d) {
  std::vector<const klingel_kernel*> kernels{d.data.vehicle};
  if (d.data.contact != nullptr) kernels.push_back(d.data.contact);
  return kernels;
}

StoredDescription read(const std::string& bytes, const Description& original) {
  return read_description(bytes, kernels_of(original), "test");
}

TEST(description_file, what_was_written_runs_bit_for_bit_as_before) {
  // charts and sheets, rigid treads with a flange
  for (const char* name : {"wheelset", "article_feve3000"}) {
    const auto original = test::compiled(name).description;
    Instance one(original);
    one.start();
    const std::string bytes = description_bytes({original, one.simulator().state()});
    const StoredDescription stored = read(bytes, *original);
    EXPECT_EQ(description_bytes(stored), bytes) << name;
    ASSERT_TRUE(stored.start.has_value());
    Instance other(stored.description);
    other.start_at(*stored.start);
    EXPECT_EQ(other.save(), one.save()) << name;
    for (int i = 0; i < 20; ++i) ASSERT_TRUE(one.step() && other.step());
    EXPECT_EQ(other.save(), one.save()) << name;
  }
}

TEST(description_file, kernels_must_be_those_of_the_description) {
  const auto original = test::wheelset();
  const std::string bytes = description_bytes({original, {}});
  EXPECT_THAT([&] { read_description(bytes, {}, "x"); },
              ThrowsMessage<base::Error>(HasSubstr("kernels of 'wheelset' are missing")));
  klingel_kernel changed = *original->data.vehicle;
  changed.hash = "0000000000000000000000000000000000000000000000000000000000000000";
  const klingel_kernel* other = &changed;
  EXPECT_THAT([&] { read_description(bytes, std::span(&other, 1), "x"); },
              ThrowsMessage<base::Error>(HasSubstr("not those the data were written with")));
}

TEST(description_file, damaged_bytes_are_refused) {
  const auto original = test::wheelset();
  const std::string bytes = description_bytes({original, {}});
  for (const std::size_t size : {std::size_t{0}, std::size_t{40}, bytes.size() - 1})
    EXPECT_THROW(read(bytes.substr(0, size), *original), base::Error) << size;
  std::string other = bytes;
  other[200] = static_cast<char>(other[200] ^ 4);
  EXPECT_THAT([&] { read(other, *original); }, ThrowsMessage<base::Error>(HasSubstr("checksum")));
  other = bytes;
  other[12] = 9;
  EXPECT_THAT([&] { read(other, *original); }, ThrowsMessage<base::Error>(HasSubstr("version 9")));
}

// Behind the right checksum anything may stand: it is read or refused.
TEST(description_file, no_bytes_make_the_reader_crash) {
  constexpr std::uint32_t version = 6;
  const auto original = test::wheelset();
  const std::string bytes = description_bytes({original, {}});
  const std::string inner(base::unseal("VEHI", version, bytes, "test"));
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 50; ++i) {
    std::string other = inner;
    // lengths and choices are near the ends; in between are mostly numbers
    const std::size_t reach = i % 2 == 0 ? std::min<std::size_t>(inner.size(), 600) : inner.size();
    const std::size_t at = i % 4 < 2 ? random() % reach : inner.size() - 1 - random() % reach;
    other[at] = static_cast<char>(random());
    if (i % 5 == 0) other.resize(random() % inner.size());
    try {
      read(base::seal("VEHI", version, other), *original);
    } catch (const base::Error&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 5);
}

}  // namespace
}  // namespace klingel::simulation
