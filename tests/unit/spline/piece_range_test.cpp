// Subject: spline/piece_range. Claim: ranges of pieces follow each other without gaps and cover
// everything.
#include "spline/piece_range.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace klingel::spline {
namespace {

TEST(piece_range, pieces_cover_the_line_without_gaps) {
  const CubicSpline f({0, 1, 3, 4}, std::vector<CubicPiece>(3));
  EXPECT_EQ(piece_range(f, 0).begin, -INFINITY);
  EXPECT_EQ(piece_range(f, 0).end, 1);
  EXPECT_EQ(piece_range(f, 1).begin, 1);
  EXPECT_EQ(piece_range(f, 1).end, 3);
  EXPECT_EQ(piece_range(f, 2).begin, 3);
  EXPECT_EQ(piece_range(f, 2).end, INFINITY);
  for (const double u : {-2.0, 0.0, 0.5, 1.0, 2.9, 3.0, 3.5, 9.0}) {
    const PieceRange range = piece_range(f, f.index(u));
    EXPECT_TRUE(range.begin <= u && u < range.end) << u;
  }
}

TEST(piece_range, a_single_piece_holds_everywhere) {
  const CubicSpline f({0, 1}, std::vector<CubicPiece>(1));
  EXPECT_EQ(piece_range(f, 0).begin, -INFINITY);
  EXPECT_EQ(piece_range(f, 0).end, INFINITY);
}

}  // namespace
}  // namespace klingel::spline
