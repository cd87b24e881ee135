// A tree drawn from left to right: the root first, every leaf on a line of its own.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace klingel::report {

struct TreeNode {
  std::string name;
  std::size_t parent = 0;  // an earlier node; the first node is the root and its own parent
  bool marked = false;     // drawn filled
};

std::string tree_svg(std::span<const TreeNode> nodes);

// Steps from the root to the farthest node.
std::size_t depth(std::span<const TreeNode> nodes);

}  // namespace klingel::report
