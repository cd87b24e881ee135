#include "sym/operands.hpp"

namespace klingel::sym {

Operands operands(const Graph& g, Id id, const std::vector<bool>& fused) {
  const Node& n = g.node(id);
  if (!is_binary(n.op)) return {Fused::no, {n.a}, 1};
  if (!fused.empty() && fused[n.b]) {
    const Node& product = g.node(n.b);
    return {n.op == Op::add ? Fused::plus : Fused::minus, {product.a, product.b, n.a}, 3};
  }
  if (!fused.empty() && fused[n.a]) {
    const Node& product = g.node(n.a);
    return {n.op == Op::add ? Fused::plus : Fused::less_addend, {product.a, product.b, n.b}, 3};
  }
  return {Fused::no, {n.a, n.b}, 2};
}

}  // namespace klingel::sym
